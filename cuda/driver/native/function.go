package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A function is a CUfunction. Its handle dies with its module.
type function struct {
	ctx    *context
	mod    *module // nil for a kernel that a graph brought and no module of ours has
	handle uintptr
	name   string
	// params is the layout of the parameter block and bytes its size; known is false where the
	// driver does not tell it.
	params []driver.ParamInfo
	bytes  int
	known  bool
}

// live reports whether the function's module is still loaded.
func (f *function) live(s symbol) error {
	if f.mod == nil {
		return nil
	}
	_, err := f.mod.handle.get(s)
	return err
}

func (f *function) Handle() uintptr { return f.handle }
func (f *function) Name() string    { return f.name }

func (f *function) Module() driver.Module {
	if f.mod == nil {
		return nil
	}
	return f.mod
}

func (c *context) functionName(h uintptr) (string, error) {
	var p *byte
	if err := c.call(cuFuncGetName, uintptr(unsafe.Pointer(&p)), h); err != nil {
		return "", err
	}
	return cString(p), nil
}

// cString copies a C string.
func cString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// Params asks for one parameter after the other until there is none: ErrorInvalidValue ends the
// list.
func (f *function) Params() ([]driver.ParamInfo, error) {
	if err := f.live(cuFuncGetParamInfo); err != nil {
		return nil, err
	}
	params := []driver.ParamInfo{}
	for {
		var offset, size uint64
		err := f.ctx.call(cuFuncGetParamInfo, f.handle, uintptr(len(params)), uintptr(unsafe.Pointer(&offset)),
			uintptr(unsafe.Pointer(&size)))
		if e, ok := err.(*driver.Error); ok && e.Code == driver.ErrorInvalidValue {
			return f.asInText(params), nil
		}
		if err != nil {
			return nil, err
		}
		params = append(params, driver.ParamInfo{Offset: uint32(offset), Size: uint32(size)})
	}
}

func (f *function) Attribute(a driver.FunctionAttribute) (int, error) {
	if err := f.live(cuFuncGetAttribute); err != nil {
		return 0, err
	}
	var v int32
	err := f.ctx.call(cuFuncGetAttribute, uintptr(unsafe.Pointer(&v)), uintptr(a), f.handle)
	return int(v), err
}

func (f *function) SetAttribute(a driver.FunctionAttribute, v int) error {
	if err := f.live(cuFuncSetAttribute); err != nil {
		return err
	}
	return f.ctx.call(cuFuncSetAttribute, f.handle, uintptr(a), uintptr(int32(v)))
}

func (f *function) MaxActiveBlocks(blockThreads int, dynamicShared uint64) (int, error) {
	if err := f.live(cuOccupancyMaxActiveBlocks); err != nil {
		return 0, err
	}
	var n int32
	err := f.ctx.call(cuOccupancyMaxActiveBlocks, uintptr(unsafe.Pointer(&n)), f.handle, uintptr(int32(blockThreads)),
		uintptr(dynamicShared))
	return int(n), err
}

func (f *function) MaxPotentialBlockSize(dynamicShared uint64, limit int) (minGrid, block int, err error) {
	if err := f.live(cuOccupancyMaxPotentialBlockSize); err != nil {
		return 0, 0, err
	}
	var g, b int32
	err = f.ctx.call(cuOccupancyMaxPotentialBlockSize, uintptr(unsafe.Pointer(&g)), uintptr(unsafe.Pointer(&b)),
		f.handle, 0, uintptr(dynamicShared), uintptr(int32(limit)))
	return int(g), int(b), err
}

// learnParams keeps the layout for launches. A driver before 12.4 does not know it, which is no
// error: launches then pass the block as a whole.
func (f *function) learnParams() {
	params, err := f.Params()
	if err != nil {
		return
	}
	f.params, f.known = params, true
	if n := len(params); n > 0 {
		f.bytes = int(params[n-1].Offset + params[n-1].Size)
	}
}
