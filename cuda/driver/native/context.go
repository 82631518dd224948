package native

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A context is a device's primary context.
type context struct {
	lib    *library
	device *device
	handle uintptr
	dead   atomic.Bool
	// graphLaunch is cuGraphLaunch's address, beside what else its calls look at; 0 before the
	// first.
	graphLaunch atomic.Uintptr
	// wasReset tells a context that was reset away from one that was released.
	wasReset   atomic.Bool
	legacy     *stream
	hostMu     sync.Mutex
	hostFailed []error // guarded by hostMu: how host functions failed, not told yet
	// functions finds our value for a CUfunction that a graph node names.
	functions registry[*function]
	// graphs finds the graph that a capture is recording into.
	graphs registry[*graph]
}

func newContext(d *device, handle uintptr) *context {
	c := &context{lib: d.lib, device: d, handle: handle}
	c.legacy = &stream{ctx: c, legacy: true}
	c.legacy.handle.put(streamLegacy)
	return c
}

// die makes every handle of the context answer that it is gone: the library would follow them into
// freed memory.
func (c *context) die() {
	c.dead.Store(true)
	theHostFuncs.forget(c)
}

func (c *context) Handle() uintptr       { return c.handle }
func (c *context) Device() driver.Device { return c.device }

func (c *context) MakeCurrent() error {
	if c.dead.Load() {
		return refuse(cuCtxSetCurrent, driver.ErrorContextIsDestroyed, "")
	}
	return c.lib.call(cuCtxSetCurrent, c.handle)
}

func (c *context) Release() error { return c.device.release(c) }
func (c *context) Reset() error   { return c.device.reset(c) }

func (c *context) Synchronize() error {
	return c.waited(cuCtxSynchronize, c.call(cuCtxSynchronize))
}

func (c *context) MemInfo() (free, total uint64, err error) {
	var f, t uint64
	err = c.call(cuMemGetInfo, uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	return f, t, err
}

func (c *context) Limit(l driver.Limit) (uint64, error) {
	var v uint64
	err := c.call(cuCtxGetLimit, uintptr(unsafe.Pointer(&v)), uintptr(l))
	return v, err
}

func (c *context) SetLimit(l driver.Limit, v uint64) error {
	return c.call(cuCtxSetLimit, uintptr(l), uintptr(v))
}

func (c *context) EnablePeerAccess(other driver.Context) error {
	peer, ok := other.(*context)
	if !ok || peer.dead.Load() {
		return refuse(cuCtxEnablePeerAccess, driver.ErrorInvalidContext, "")
	}
	return c.call(cuCtxEnablePeerAccess, peer.handle, 0)
}

func (c *context) StreamPriorityRange() (least, greatest int, err error) {
	var l, g int32
	err = c.call(cuCtxGetStreamPriorityRange, uintptr(unsafe.Pointer(&l)), uintptr(unsafe.Pointer(&g)))
	return int(l), int(g), err
}

func (c *context) DefaultStream() driver.Stream { return c.legacy }

func (c *context) CreateStream(flags driver.StreamFlags, priority int) (driver.Stream, error) {
	var h uintptr
	if err := c.call(cuStreamCreateWithPriority, uintptr(unsafe.Pointer(&h)), uintptr(flags),
		uintptr(int32(priority))); err != nil {
		return nil, err
	}
	s := &stream{ctx: c}
	s.handle.put(h)
	return s, nil
}

func (c *context) CreateEvent(flags driver.EventFlags) (driver.Event, error) {
	var h uintptr
	if err := c.call(cuEventCreate, uintptr(unsafe.Pointer(&h)), uintptr(flags)); err != nil {
		return nil, err
	}
	e := &event{ctx: c}
	e.handle.put(h)
	return e, nil
}

func (c *context) CreateGraph() (driver.Graph, error) {
	var h uintptr
	if err := c.call(cuGraphCreate, uintptr(unsafe.Pointer(&h)), 0); err != nil {
		return nil, err
	}
	return newGraph(c, h, nil), nil
}
