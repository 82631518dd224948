package native

import (
	"fmt"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// kernelParams makes the C struct of a kernel node. What it points to hangs on the block it is in,
// so it lives as long as the struct.
func (c *context) kernelParams(s symbol, p driver.KernelNodeParams) (*kernelNodeParams, error) {
	f, err := c.myFunction(s, p.Function)
	if err != nil {
		return nil, err
	}
	if f.known && len(p.Params) < f.bytes {
		return nil, f.tooShort(s, len(p.Params))
	}
	b := &struct {
		c     kernelNodeParams
		extra extraParams
		size  uintptr
	}{c: kernelNodeParams{function: f.handle, grid: p.Grid, block: p.Block, shared: p.SharedBytes}}
	if f.known {
		pointers := make([]unsafe.Pointer, len(f.params)+1)
		for i, info := range f.params {
			pointers[i] = unsafe.Add(at(p.Params), info.Offset)
		}
		b.c.kernelParams = &pointers[0]
		return &b.c, nil
	}
	b.size = uintptr(len(p.Params))
	b.extra = newExtraParams(p.Params, &b.size)
	b.c.extra = &b.extra.bufferKey
	return &b.c, nil
}

// myFunction unwraps a kernel of this context whose module is loaded.
func (c *context) myFunction(s symbol, fn driver.Function) (*function, error) {
	f, ok := fn.(*function)
	if !ok || f.ctx != c {
		return nil, refuse(s, driver.ErrorInvalidHandle, "the kernel belongs to another context")
	}
	return f, f.live(s)
}

// KernelParams reads a kernel node. The driver gives parameters as it was given them, packed or one
// pointer each; they come back packed.
func (g *graph) KernelParams(n driver.GraphNode) (driver.KernelNodeParams, error) {
	c := new(kernelNodeParams)
	if err := g.of(cuGraphKernelNodeGetParams, n, uintptr(unsafe.Pointer(c))); err != nil {
		return driver.KernelNodeParams{}, err
	}
	f, err := g.ctx.functionOf(c.function)
	if err != nil {
		return driver.KernelNodeParams{}, err
	}
	params, err := packParams(f, c)
	return driver.KernelNodeParams{Function: f, Grid: c.grid, Block: c.block, SharedBytes: c.shared, Params: params}, err
}

// functionOf finds or makes the value for a CUfunction.
func (c *context) functionOf(h uintptr) (*function, error) {
	if f, ok := c.functions.get(h); ok {
		return f, nil
	}
	name, err := c.functionName(h)
	if err != nil {
		return nil, err
	}
	f := &function{ctx: c, handle: h, name: name}
	f.learnParams()
	return f, nil
}

// packParams gathers the parameter block of a node, which the driver gives as one pointer a
// parameter or as the list of keys and values that a launch was given.
func packParams(f *function, c *kernelNodeParams) ([]byte, error) {
	if f.known && len(f.params) == 0 {
		return nil, nil
	}
	if c.kernelParams == nil {
		return packedExtra(f, c.extra)
	}
	if !f.known {
		return nil, refuse(cuGraphKernelNodeGetParams, driver.ErrorNotSupported,
			"the driver does not tell the sizes of the parameters of "+f.name)
	}
	packed := make([]byte, f.bytes)
	for i, p := range unsafe.Slice(c.kernelParams, len(f.params)) {
		copy(packed[f.params[i].Offset:], unsafe.Slice((*byte)(p), int(f.params[i].Size)))
	}
	return packed, nil
}

// packedExtra reads the pairs of the list, in either order.
func packedExtra(f *function, extra *uintptr) ([]byte, error) {
	var buffer *byte
	var size *uintptr
	for p := unsafe.Pointer(extra); p != nil; p = unsafe.Add(p, 2*unsafe.Sizeof(uintptr(0))) {
		value := unsafe.Add(p, unsafe.Sizeof(uintptr(0)))
		switch *(*uintptr)(p) {
		case extraBuffer:
			buffer = *(**byte)(value)
			continue
		case extraSize:
			size = *(**uintptr)(value)
			continue
		}
		break
	}
	if buffer == nil || size == nil {
		return nil, refuse(cuGraphKernelNodeGetParams, driver.ErrorNotSupported,
			fmt.Sprintf("the driver does not tell the parameters of %s (list %t, buffer %t, size %t)", f.name, extra != nil,
				buffer != nil, size != nil))
	}
	return append([]byte(nil), unsafe.Slice(buffer, int(*size))...), nil
}

func (g *graph) SetKernelParams(n driver.GraphNode, p driver.KernelNodeParams) error {
	c, err := g.ctx.kernelParams(cuGraphKernelNodeSetParams, p)
	if err != nil {
		return err
	}
	return g.of(cuGraphKernelNodeSetParams, n, uintptr(unsafe.Pointer(c)))
}

func newMemcpy3D(p driver.MemcpyNodeParams) *memcpy3D {
	return &memcpy3D{src: newCopySide(p.Src, p.SrcHost, p.Bytes), dst: newCopySide(p.Dst, p.DstHost, p.Bytes),
		width: p.Bytes, height: 1, depth: 1}
}

func newCopySide(p driver.DevicePtr, host unsafe.Pointer, n uint64) copySide {
	if host != nil {
		return copySide{memoryType: memoryHost, host: host, pitch: n, height: 1}
	}
	return copySide{memoryType: memoryDevice, device: p, pitch: n, height: 1}
}

// read gives the place a side stands for. Arrays have none.
func (s *copySide) read() (driver.DevicePtr, unsafe.Pointer, error) {
	offset := s.y*s.pitch + s.x
	switch s.memoryType {
	case memoryHost:
		return 0, unsafe.Add(s.host, offset), nil
	case memoryDevice, memoryUnified:
		return s.device + driver.DevicePtr(offset), nil, nil
	}
	return 0, nil, refuse(cuGraphMemcpyNodeGetParams, driver.ErrorNotSupported, "the copy touches a CUDA array")
}

func (g *graph) MemcpyParams(n driver.GraphNode) (driver.MemcpyNodeParams, error) {
	c := new(memcpy3D)
	if err := g.of(cuGraphMemcpyNodeGetParams, n, uintptr(unsafe.Pointer(c))); err != nil {
		return driver.MemcpyNodeParams{}, err
	}
	if c.height > 1 || c.depth > 1 {
		return driver.MemcpyNodeParams{}, refuse(cuGraphMemcpyNodeGetParams, driver.ErrorNotSupported,
			fmt.Sprintf("the copy has %d rows and %d layers; one row can be told here", c.height, c.depth))
	}
	p := driver.MemcpyNodeParams{Bytes: c.width}
	var err error
	if p.Src, p.SrcHost, err = c.src.read(); err != nil {
		return p, err
	}
	p.Dst, p.DstHost, err = c.dst.read()
	return p, err
}

func (g *graph) SetMemcpyParams(n driver.GraphNode, p driver.MemcpyNodeParams) error {
	return g.of(cuGraphMemcpyNodeSetParams, n, uintptr(unsafe.Pointer(newMemcpy3D(p))))
}

func newMemset(p driver.MemsetNodeParams) *memsetNodeParams {
	return &memsetNodeParams{p.Dst, p.Pitch, p.Value, p.ElementSize, p.Width, p.Height}
}

func (g *graph) MemsetParams(n driver.GraphNode) (driver.MemsetNodeParams, error) {
	c := new(memsetNodeParams)
	err := g.of(cuGraphMemsetNodeGetParams, n, uintptr(unsafe.Pointer(c)))
	return driver.MemsetNodeParams{Dst: c.dst, Pitch: c.pitch, Value: c.value, ElementSize: c.elementSize, Width: c.width,
		Height: c.height}, err
}

func (g *graph) SetMemsetParams(n driver.GraphNode, p driver.MemsetNodeParams) error {
	return g.of(cuGraphMemsetNodeSetParams, n, uintptr(unsafe.Pointer(newMemset(p))))
}

func (g *graph) ChildGraph(n driver.GraphNode) (driver.Graph, error) {
	var h uintptr
	if err := g.of(cuGraphChildGraphNodeGetGraph, n, uintptr(unsafe.Pointer(&h))); err != nil {
		return nil, err
	}
	return newGraph(g.ctx, h, g), nil
}
