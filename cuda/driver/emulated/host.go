package emulated

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// hostMemory is page-locked memory: an allocation of the device whose bytes the
// host holds too.
type hostMemory struct {
	ctx    *context
	alloc  *vm.Allocation
	bytes  []byte
	mapped bool
	mu     sync.Mutex
	dead   bool
}

func (c *context) AllocHost(n uint64, flags driver.HostAllocFlags) (driver.HostMemory, error) {
	const call = "cuMemHostAlloc"
	if err := c.enter(call); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fail(call, driver.ErrorInvalidValue, "an allocation of 0 bytes")
	}
	a, err := c.memory.Alloc(n, "page-locked host memory")
	if err != nil {
		return nil, memoryError(call, err)
	}
	return &hostMemory{ctx: c, alloc: a, bytes: a.Share(), mapped: flags&driver.HostAllocDeviceMap != 0}, nil
}

func (h *hostMemory) Bytes() []byte { return h.bytes }

func (h *hostMemory) DevicePtr() (driver.DevicePtr, error) {
	const call = "cuMemHostGetDevicePointer"
	if err := h.ctx.enter(call); err != nil {
		return 0, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dead || !h.mapped {
		return 0, fail(call, driver.ErrorInvalidValue, "the memory was freed, or allocated without HostAllocDeviceMap")
	}
	return driver.DevicePtr(h.alloc.Base), nil
}

func (h *hostMemory) Free() error {
	const call = "cuMemFreeHost"
	if err := permitted(call); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dead {
		return fail(call, driver.ErrorInvalidHandle, "the memory was freed before")
	}
	h.dead = true
	h.ctx.settle()
	if err := h.ctx.memory.Free(h.alloc.Base); err != nil {
		return memoryError(call, err)
	}
	return h.ctx.enter(call)
}
