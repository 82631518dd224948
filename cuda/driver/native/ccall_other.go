//go:build !linux || !amd64

package native

import (
	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// do makes the call.
func (k *ccall) do() driver.Result {
	k.result, _, _ = purego.SyscallN(k.fn, k.args[:]...)
	return driver.Result(uint32(k.result))
}
