package native

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A ccall is a C function with its arguments, laid out as the way into C reads them (ccall_amd64.s), and
// then its result. It lies on the heap, where C may write while Go moves stacks.
type ccall struct {
	fn     uintptr
	args   [11]uintptr // as many as cuLaunchKernel takes; what a function does not take, it does not look at
	result uintptr
}

var ccalls = sync.Pool{New: func() any { return new(ccall) }}

// cfunction calls a C function.
func cfunction(fn uintptr, args []uintptr) driver.Result {
	k := ccalls.Get().(*ccall)
	k.fn = fn
	copy(k.args[:len(args)], args) // more than there is room for is a mistake of this package, and panics
	code := k.do()
	ccalls.Put(k)
	return code
}
