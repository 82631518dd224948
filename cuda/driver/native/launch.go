package native

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// maxPointers is how many parameters a launch passes one pointer each; kernels with more, and
// kernels whose layout is unknown, get their block as a whole (CU_LAUNCH_PARAM_BUFFER_POINTER),
// which costs the driver about 0.2 us more a launch.
const maxPointers = 64

// A launchBlock is the memory of one launch call: the arguments, and what they point to. Blocks are
// pooled, so a launch allocates nothing. Parameters are held by pointers that the collector sees,
// which also keeps them off the stack.
type launchBlock struct {
	ccall
	pointers [maxPointers]unsafe.Pointer
	extra    extraParams
	size     uintptr
	config   launchConfigEx
	attrs    [2]launchAttribute
	node     kernelNodeParams
}

var launchBlocks = sync.Pool{New: func() any { return new(launchBlock) }}

// Launch hands the parameters over and enqueues.
func (f *function) Launch(config *driver.LaunchConfig, params []byte) error {
	if err := f.live(cuLaunchKernel); err != nil {
		return err
	}
	st, h, err := f.ctx.mine(cuLaunchKernel, config.Stream)
	if err != nil {
		return err
	}
	b := launchBlocks.Get().(*launchBlock)
	pointers, extra, err := b.hold(cuLaunchKernel, f, params)
	if err == nil {
		err = f.enqueue(b, config, st, h, pointers, extra)
	}
	launchBlocks.Put(b)
	return err
}

// hold places the parameters: one pointer each, or the whole block. One of the results is 0.
func (b *launchBlock) hold(s symbol, f *function, params []byte) (pointers, extra uintptr, err error) {
	if !f.known || len(f.params) > maxPointers {
		b.size = uintptr(len(params))
		b.extra = newExtraParams(params, &b.size)
		return 0, uintptr(unsafe.Pointer(&b.extra)), nil
	}
	if len(params) < f.bytes {
		return 0, 0, f.tooShort(s, len(params))
	}
	base := at(params)
	for i, p := range f.params {
		b.pointers[i] = unsafe.Add(base, p.Offset)
	}
	return uintptr(unsafe.Pointer(&b.pointers)), 0, nil
}

// tooShort refuses a parameter block that the driver would read past the end of.
func (f *function) tooShort(s symbol, n int) error {
	return refuse(s, driver.ErrorInvalidValue, fmt.Sprintf("%s takes %d bytes of parameters, %d were given", f.name,
		f.bytes, n))
}

// attributes lists what cuLaunchKernel has no argument for.
func (b *launchBlock) attributes(config *driver.LaunchConfig) (n uint32) {
	if config.Cooperative {
		b.attrs[n] = launchAttribute{id: launchAttributeCooperative, value: [16]uint32{1}}
		n++
	}
	if c := config.Cluster; c != (driver.Dim3{}) {
		b.attrs[n] = launchAttribute{id: launchAttributeCluster, value: [16]uint32{c.X, c.Y, c.Z}}
		n++
	}
	return n
}

func (f *function) enqueue(b *launchBlock, config *driver.LaunchConfig, st *stream, h, pointers, extra uintptr) error {
	s, n := cuLaunchKernel, 11
	if config.Cooperative || config.Cluster != (driver.Dim3{}) {
		b.config = launchConfigEx{grid: config.Grid, block: config.Block, shared: config.SharedBytes, stream: h,
			attrs: unsafe.Pointer(&b.attrs), numAttrs: b.attributes(config)}
		b.args = [11]uintptr{uintptr(unsafe.Pointer(&b.config)), f.handle, pointers, extra}
		s, n = cuLaunchKernelEx, 4
	} else {
		g, t := config.Grid, config.Block
		b.args = [11]uintptr{f.handle, uintptr(g.X), uintptr(g.Y), uintptr(g.Z), uintptr(t.X), uintptr(t.Y), uintptr(t.Z),
			uintptr(config.SharedBytes), h, pointers, extra}
	}
	if st.legacy {
		return f.ctx.boundCall(s, b.args[:n])
	}
	return f.ctx.hotCall(s, &b.ccall, n)
}
