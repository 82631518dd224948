package native

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// wideCall makes a call of more arguments than a ccall has, for which the context has to be current
// on the thread.
//
//go:uintptrescapes
func (c *context) wideCall(s symbol, args ...uintptr) error {
	addr, err := c.lib.addr(s)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := c.call(cuCtxSetCurrent, c.handle); err != nil {
		return err
	}
	code, _, _ := purego.SyscallN(addr, args...)
	return check(s, driver.Result(uint32(code)))
}

// alignedMap is a place for a tensor map at a multiple of 64 bytes.
func alignedMap() *driver.TensorMap {
	room := make([]byte, 192)
	skip := -uintptr(unsafe.Pointer(&room[0])) % 64
	return (*driver.TensorMap)(room[skip:])
}

func (c *context) EncodeTensorMap(t *driver.TensorMapConfig) (driver.TensorMap, error) {
	if err := t.Check(); err != nil {
		return driver.TensorMap{}, &driver.Error{Call: symbols[cuTensorMapEncodeTiled].name,
			Code: driver.ErrorInvalidValue, Detail: err.Error()}
	}
	m := alignedMap()
	var dims, strides [5]uint64
	var box, steps [5]uint32
	copy(dims[:], t.Dims)
	copy(strides[:], t.Strides)
	copy(box[:], t.Box)
	copy(steps[:], t.ElementStrides)
	err := c.wideCall(cuTensorMapEncodeTiled, uintptr(unsafe.Pointer(m)), uintptr(t.Type), uintptr(len(t.Dims)),
		uintptr(t.Address), uintptr(unsafe.Pointer(&dims)), uintptr(unsafe.Pointer(&strides)),
		uintptr(unsafe.Pointer(&box)), uintptr(unsafe.Pointer(&steps)), uintptr(t.Interleave), uintptr(t.Swizzle),
		uintptr(t.Promotion), uintptr(t.Fill))
	return *m, err
}

func (c *context) ReplaceTensorMapAddress(m *driver.TensorMap, p driver.DevicePtr) error {
	place := alignedMap()
	*place = *m
	err := c.call(cuTensorMapReplaceAddress, uintptr(unsafe.Pointer(place)), uintptr(p))
	if err == nil {
		*m = *place
	}
	return err
}
