package native

import (
	"fmt"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// asked adds the size to an allocation's error.
func asked(err error, n uint64) error {
	if e, ok := err.(*driver.Error); ok {
		e.Detail = fmt.Sprintf("%d bytes were asked for", n)
	}
	return err
}

func (c *context) Alloc(n uint64) (driver.DevicePtr, error) {
	var p driver.DevicePtr
	err := c.call(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n))
	return p, asked(err, n)
}

func (c *context) Free(p driver.DevicePtr) error { return c.call(cuMemFree, uintptr(p)) }

func (c *context) AllocAsync(n uint64, st driver.Stream) (driver.DevicePtr, error) {
	_, h, err := c.mine(cuMemAllocAsync, st)
	if err != nil {
		return 0, err
	}
	var p driver.DevicePtr
	err = c.call(cuMemAllocAsync, uintptr(unsafe.Pointer(&p)), uintptr(n), h)
	return p, asked(err, n)
}

func (c *context) FreeAsync(p driver.DevicePtr, st driver.Stream) error {
	return c.onStream(cuMemFreeAsync, st, uintptr(p))
}

func (c *context) AddressRange(p driver.DevicePtr) (driver.DevicePtr, uint64, error) {
	var base driver.DevicePtr
	var n uint64
	err := c.call(cuMemGetAddressRange, uintptr(unsafe.Pointer(&base)), uintptr(unsafe.Pointer(&n)), uintptr(p))
	return base, n, err
}

// onStream makes a call whose last argument is a stream.
//
//go:uintptrescapes
func (c *context) onStream(s symbol, st driver.Stream, args ...uintptr) error {
	_, h, err := c.mine(s, st)
	if err != nil {
		return err
	}
	return c.boundCall(s, append(args, h))
}

// at is where a slice lies, for calls that accept null for nothing.
func at(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func (c *context) CopyHtoD(dst driver.DevicePtr, src []byte) error {
	return c.call(cuMemcpyHtoD, uintptr(dst), uintptr(at(src)), uintptr(len(src)))
}

func (c *context) CopyDtoH(dst []byte, src driver.DevicePtr) error {
	return c.call(cuMemcpyDtoH, uintptr(at(dst)), uintptr(src), uintptr(len(dst)))
}

func (c *context) CopyDtoD(dst, src driver.DevicePtr, n uint64) error {
	return c.call(cuMemcpyDtoD, uintptr(dst), uintptr(src), uintptr(n))
}

func (c *context) CopyHtoDAsync(dst driver.DevicePtr, src []byte, st driver.Stream) error {
	return c.onStream(cuMemcpyHtoDAsync, st, uintptr(dst), uintptr(at(src)), uintptr(len(src)))
}

func (c *context) CopyDtoHAsync(dst []byte, src driver.DevicePtr, st driver.Stream) error {
	return c.onStream(cuMemcpyDtoHAsync, st, uintptr(at(dst)), uintptr(src), uintptr(len(dst)))
}

func (c *context) CopyDtoDAsync(dst, src driver.DevicePtr, n uint64, st driver.Stream) error {
	return c.onStream(cuMemcpyDtoDAsync, st, uintptr(dst), uintptr(src), uintptr(n))
}

func (c *context) CopyPeerAsync(dst, src driver.DevicePtr, from driver.Context, n uint64, st driver.Stream) error {
	peer, ok := from.(*context)
	if !ok || peer.dead.Load() {
		return refuse(cuMemcpyPeerAsync, driver.ErrorInvalidContext, "")
	}
	return c.onStream(cuMemcpyPeerAsync, st, uintptr(dst), c.handle, uintptr(src), peer.handle, uintptr(n))
}

func (c *context) MemsetD8(dst driver.DevicePtr, value uint8, count uint64) error {
	return c.call(cuMemsetD8, uintptr(dst), uintptr(value), uintptr(count))
}

func (c *context) MemsetD16(dst driver.DevicePtr, value uint16, count uint64) error {
	return c.call(cuMemsetD16, uintptr(dst), uintptr(value), uintptr(count))
}

func (c *context) MemsetD32(dst driver.DevicePtr, value uint32, count uint64) error {
	return c.call(cuMemsetD32, uintptr(dst), uintptr(value), uintptr(count))
}

func (c *context) MemsetD8Async(dst driver.DevicePtr, value uint8, count uint64, st driver.Stream) error {
	return c.onStream(cuMemsetD8Async, st, uintptr(dst), uintptr(value), uintptr(count))
}

func (c *context) MemsetD16Async(dst driver.DevicePtr, value uint16, count uint64, st driver.Stream) error {
	return c.onStream(cuMemsetD16Async, st, uintptr(dst), uintptr(value), uintptr(count))
}

func (c *context) MemsetD32Async(dst driver.DevicePtr, value uint32, count uint64, st driver.Stream) error {
	return c.onStream(cuMemsetD32Async, st, uintptr(dst), uintptr(value), uintptr(count))
}

// hostMemory is page-locked memory.
type hostMemory struct {
	ctx    *context
	handle handle
	bytes  []byte
}

func (c *context) AllocHost(n uint64, flags driver.HostAllocFlags) (driver.HostMemory, error) {
	if n > uint64(^uint(0)>>1) {
		return nil, refuse(cuMemHostAlloc, driver.ErrorInvalidValue, fmt.Sprintf("%d bytes were asked for", n))
	}
	var p unsafe.Pointer
	if err := c.call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n), uintptr(flags)); err != nil {
		return nil, asked(err, n)
	}
	m := &hostMemory{ctx: c, bytes: unsafe.Slice((*byte)(p), int(n))}
	m.handle.put(uintptr(p))
	return m, nil
}

func (m *hostMemory) Bytes() []byte { return m.bytes }

func (m *hostMemory) DevicePtr() (driver.DevicePtr, error) {
	h, err := m.handle.get(cuMemHostGetDevicePointer)
	if err != nil {
		return 0, err
	}
	var p driver.DevicePtr
	err = m.ctx.call(cuMemHostGetDevicePointer, uintptr(unsafe.Pointer(&p)), h, 0)
	return p, err
}

func (m *hostMemory) Free() error {
	h, err := m.handle.take(cuMemFreeHost)
	if err != nil {
		return err
	}
	m.bytes = nil
	return m.ctx.call(cuMemFreeHost, h)
}
