package native

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

// A ccall is a C function with its arguments, laid out as the way into C reads them
// (ccall_amd64.s), and then its results. Where bind is not 0 that function, cuCtxSetCurrent, is
// called first, on the same thread and with context; the function itself only where bound is 0
// then. It may lie on the stack: a goroutine's stack does not move while it is in C, and no C
// function here calls back on its thread.
type ccall struct {
	fn      uintptr
	args    [11]uintptr // as many as cuLaunchKernel takes; what a function does not take, it does not look at
	result  uintptr
	bind    uintptr
	context uintptr
	bound   uintptr // what bind gave
}

// A pairCall is a C function of two arguments, in no more memory than it needs.
type pairCall struct{ fn, first, second, result uintptr }

// cfunction calls a C function.
func cfunction(fn uintptr, args []uintptr) driver.Result {
	k := ccall{fn: fn}
	copy(k.args[:len(args)], args) // more than there is room for is a mistake of this package, and panics
	return k.do()
}
