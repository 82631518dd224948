package machine

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Mark notes where a frame stands before something that may fail or look at the stack.
func Mark(fp pointer, ip uint32) {
	h := head(fp)
	h.IP = ip
	h.Routine.Top = fp
}

// The failures below panic by doing in compiled code what failed, so that the panic value is the
// runtime's own.

//go:noinline
func FailNil(fp pointer, ip uint32) {
	Mark(fp, ip)
	var p *int
	sinkInt = *p
}

//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
var sinkInt int

//go:noinline
func FailBounds(fp pointer, ip uint32, code gorelease.BoundsCode, i, n int, unsigned bool) {
	Mark(fp, ip)
	panic(gorelease.BoundsError(int64(i), n, !unsigned, code))
}

// Internal is a fault of this package, found while it compiles.
func Internal(format string, args ...any) error {
	return fmt.Errorf("vm: internal: "+format, args...)
}

const maxAlloc = 1 << 47 // bytes: what the runtime refuses on 64-bit machines

// TooLarge reports whether no slice has room for n elements of a size.
func TooLarge(size uintptr, n int) bool {
	return n < 0 || size > 0 && uintptr(n) > maxAlloc/size
}

// FailMakeSlice blames the length if it alone is too large, else the capacity, as the runtime does.
func FailMakeSlice(size uintptr, n int) {
	if TooLarge(size, n) {
		sinkSlice = make([]struct{}, minusOne)
	}
	sinkSlice = make([]struct{}, 0, minusOne)
}

var (
	//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
	sinkSlice []struct{}
	minusOne  = -1
)
