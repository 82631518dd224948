package faulty

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

type context struct {
	driver.Context
	dev *device
	in  *Injector
}

func (c *context) Device() driver.Device { return c.dev }

func (c *context) Release() error {
	return c.in.gone("context", "cuDevicePrimaryCtxRelease", c.Context.Release)
}

func (c *context) Reset() error {
	return c.in.gone("context", "cuDevicePrimaryCtxReset", c.Context.Reset)
}

func (c *context) Synchronize() error { return c.in.waits("cuCtxSynchronize", c.Context.Synchronize) }

func (c *context) Alloc(n uint64) (driver.DevicePtr, error) {
	return made(c.in, "memory", "cuMemAlloc", func() (driver.DevicePtr, error) { return c.Context.Alloc(n) })
}

func (c *context) Free(p driver.DevicePtr) error {
	return c.in.gone("memory", "cuMemFree", func() error { return c.Context.Free(p) })
}

func (c *context) AllocHost(n uint64, flags driver.HostAllocFlags) (driver.HostMemory, error) {
	m, err := made(c.in, "host memory", "cuMemHostAlloc", func() (driver.HostMemory, error) {
		return c.Context.AllocHost(n, flags)
	})
	if err != nil {
		return nil, err
	}
	return &hostMemory{HostMemory: m, in: c.in}, nil
}

type hostMemory struct {
	driver.HostMemory
	in *Injector
}

func (m *hostMemory) Free() error {
	return m.in.gone("host memory", "cuMemFreeHost", m.HostMemory.Free)
}

func (c *context) CopyHtoDAsync(dst driver.DevicePtr, src []byte, s driver.Stream) error {
	return c.in.do("cuMemcpyHtoDAsync", func() error { return c.Context.CopyHtoDAsync(dst, src, bareStream(s)) })
}

func (c *context) CopyDtoHAsync(dst []byte, src driver.DevicePtr, s driver.Stream) error {
	return c.in.do("cuMemcpyDtoHAsync", func() error { return c.Context.CopyDtoHAsync(dst, src, bareStream(s)) })
}

func (c *context) CopyDtoDAsync(dst, src driver.DevicePtr, n uint64, s driver.Stream) error {
	return c.in.do("cuMemcpyDtoDAsync", func() error { return c.Context.CopyDtoDAsync(dst, src, n, bareStream(s)) })
}

func (c *context) MemsetD8Async(dst driver.DevicePtr, value uint8, count uint64, s driver.Stream) error {
	return c.in.do("cuMemsetD8Async", func() error { return c.Context.MemsetD8Async(dst, value, count, bareStream(s)) })
}

func (c *context) LoadModule(image []byte, options driver.JITOptions) (driver.Module, driver.JITLog, error) {
	var log driver.JITLog
	m, err := made(c.in, "module", "cuModuleLoadDataEx", func() (m driver.Module, err error) {
		m, log, err = c.Context.LoadModule(image, options)
		return m, err
	})
	if err != nil {
		return nil, log, err
	}
	return &module{Module: m, in: c.in}, log, nil
}

func (c *context) DefaultStream() driver.Stream {
	return &stream{Stream: c.Context.DefaultStream(), ctx: c, in: c.in}
}

func (c *context) CreateStream(flags driver.StreamFlags, priority int) (driver.Stream, error) {
	s, err := made(c.in, "stream", "cuStreamCreate", func() (driver.Stream, error) {
		return c.Context.CreateStream(flags, priority)
	})
	if err != nil {
		return nil, err
	}
	return &stream{Stream: s, ctx: c, in: c.in}, nil
}

func (c *context) CreateEvent(flags driver.EventFlags) (driver.Event, error) {
	e, err := made(c.in, "event", "cuEventCreate", func() (driver.Event, error) { return c.Context.CreateEvent(flags) })
	if err != nil {
		return nil, err
	}
	return &event{Event: e, in: c.in}, nil
}

func (c *context) CreateGraph() (driver.Graph, error) {
	g, err := made(c.in, "graph", "cuGraphCreate", c.Context.CreateGraph)
	if err != nil {
		return nil, err
	}
	return &graph{Graph: g, ctx: c, in: c.in}, nil
}
