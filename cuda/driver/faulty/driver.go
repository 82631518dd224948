package faulty

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// New wraps a driver.
func New(d driver.Driver, in *Injector) driver.Driver { return &wrapped{Driver: d, in: in} }

type wrapped struct {
	driver.Driver
	in *Injector
}

func (w *wrapped) Device(ordinal int) (driver.Device, error) {
	if err := w.in.ask("cuDeviceGet"); err != nil {
		return nil, err
	}
	d, err := w.Driver.Device(ordinal)
	if err != nil {
		return nil, err
	}
	return &device{Device: d, in: w.in}, nil
}

type device struct {
	driver.Device
	in *Injector

	mu  sync.Mutex
	ctx *context // guarded by mu: one wrapper a context, so that contexts can be compared
}

func (d *device) NewContext() (driver.Context, error) {
	c, err := made(d.in, "context", "cuDevicePrimaryCtxRetain", d.Device.NewContext)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ctx == nil || d.ctx.Context != c {
		d.ctx = &context{Context: c, dev: d, in: d.in}
	}
	return d.ctx, nil
}

// module and function pass on to what they wrap.
type module struct {
	driver.Module
	in *Injector
}

func (m *module) Function(name string) (driver.Function, error) {
	if err := m.in.ask("cuModuleGetFunction"); err != nil {
		return nil, err
	}
	f, err := m.Module.Function(name)
	if err != nil {
		return nil, err
	}
	return &function{Function: f, mod: m, in: m.in}, nil
}

func (m *module) Unload() error { return m.in.gone("module", "cuModuleUnload", m.Module.Unload) }

type function struct {
	driver.Function
	mod *module
	in  *Injector
}

func (f *function) Module() driver.Module { return f.mod }

func (f *function) Launch(config *driver.LaunchConfig, params []byte) error {
	return f.in.do("cuLaunchKernel", func() error {
		inner := *config
		inner.Stream = bareStream(config.Stream)
		return f.Function.Launch(&inner, params)
	})
}

// bareStream, bareEvent, bareGraph and bareKernel give what a wrapper wraps: a driver takes only
// its own.
func bareStream(s driver.Stream) driver.Stream {
	if w, ok := s.(*stream); ok {
		return w.Stream
	}
	return s
}

func bareEvent(e driver.Event) driver.Event {
	if w, ok := e.(*event); ok {
		return w.Event
	}
	return e
}

func bareGraph(g driver.Graph) driver.Graph {
	if w, ok := g.(*graph); ok {
		return w.Graph
	}
	return g
}

func bareKernel(p driver.KernelNodeParams) driver.KernelNodeParams {
	if w, ok := p.Function.(*function); ok {
		p.Function = w.Function
	}
	return p
}
