package cuda

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
)

// namedFunction is a kernel that only has a name.
type namedFunction struct{ driver.Function }

func (namedFunction) Name() string { return "k" }

var kernelsPTX = drivertest.KernelsPTX()

var byteType = reflect.TypeFor[byte]()

func reflectType(v any) reflect.Type { return reflect.TypeOf(v) }

type pairWithPointer struct{ P *int }

func equalValues(a, b any) bool { return reflect.DeepEqual(a, b) }
