//go:build !linux || !amd64

package native

import (
	"runtime"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// do makes the call.
func (k *pairCall) do() driver.Result {
	k.result, _, _ = purego.SyscallN(k.fn, k.first, k.second)
	return driver.Result(uint32(k.result))
}

// do makes the call.
func (k *ccall) do() driver.Result {
	if k.bind != 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if k.bound, _, _ = purego.SyscallN(k.bind, k.context); uint32(k.bound) != 0 {
			return 0
		}
	}
	k.result, _, _ = purego.SyscallN(k.fn, k.args[:]...)
	return driver.Result(uint32(k.result))
}
