package rtype

import (
	"go/types"
	"runtime"
)

func gcSizes() types.Sizes { return types.SizesFor("gc", runtime.GOARCH) }
