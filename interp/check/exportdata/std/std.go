package std

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
)

// Archive opens the archive.
var Archive = sync.OnceValues(func() (*exportdata.Archive, error) {
	return exportdata.Open(stdCommon, stdOS, stdPlatform)
})
