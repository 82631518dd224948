//go:build linux

package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// cgocall runs a function on the thread's own stack, with the scheduler told that it may take long.
// It is what cgo and purego call; purego.SyscallN, which serves every signature, copies four times
// as much on the way there and costs about 50 ns more.
//
//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn uintptr, arg unsafe.Pointer) int32

// trampoline is the address of the code in ccall_amd64.s.
var trampoline uintptr

var trampolineOfPair uintptr // and of enterPair

// do makes the call.
func (k *pairCall) do() driver.Result {
	cgocall(trampolineOfPair, unsafe.Pointer(k))
	return driver.Result(uint32(k.result))
}

// do makes the call. All results of the driver API are int32 codes. Where bind was refused, its
// code is in bound, and the result is none.
func (k *ccall) do() driver.Result {
	cgocall(trampoline, unsafe.Pointer(k))
	return driver.Result(uint32(k.result))
}
