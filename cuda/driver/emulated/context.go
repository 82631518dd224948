package emulated

import (
	gocontext "context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// context is a context of an emulated device: nothing in it is shared with another.
type context struct {
	device   *device
	handle   uintptr
	memory   *vm.Memory
	queue    *queue
	ctx      gocontext.Context // ends running kernels when the context is destroyed
	cancel   gocontext.CancelFunc
	launches atomic.Uint64
	deeds    *deeds // nil where races are not looked for

	mu        sync.Mutex
	destroyed bool
	sticky    *driver.Error
	standard  *stream // the legacy default stream
	streams   map[*stream]bool
	limits    map[driver.Limit]uint64
	captures  map[*capture]bool
	values    map[driver.ConditionalHandle]*conditionValue
	lastRun   *vm.Report
	order     order
	profile   *[]*vm.Report // nil where launches are not counted
}

// Each context of the process has a window of addresses of its own, so that a pointer of one is out
// of bounds in another; after maxWindows contexts, more than live at a time, the windows serve
// again.
var windows atomic.Uint64

const maxWindows = 1 << 12

func newContext(d *device) *context {
	window := int((windows.Add(1) - 1) % maxWindows)
	c := &context{device: d, handle: d.driver.handle(), memory: vm.NewMemoryOf(window, d.driver.options.MemoryBytes),
		streams: map[*stream]bool{}, captures: map[*capture]bool{}, values: map[driver.ConditionalHandle]*conditionValue{},
		limits: map[driver.Limit]uint64{driver.LimitStackSize: 1024, driver.LimitPrintfFIFOSize: 1 << 20,
			driver.LimitMallocHeapSize: 8 << 20}}
	c.ctx, c.cancel = gocontext.WithCancel(gocontext.Background())
	c.queue = newQueue(c, d.driver.options.Schedule)
	if d.driver.options.Checks.Races {
		c.deeds = &deeds{past: map[*vm.Allocation][]*deed{}}
	}
	c.standard = &stream{ctx: c, isDefault: true}
	return c
}

// enter is the first line of every call: it refuses on a destroyed context and
// repeats a sticky error.
func (c *context) enter(call string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stateLocked(call)
}

// usable reports whether enqueued work may run.
func (c *context) usable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.destroyed && c.sticky == nil
}

// permitted refuses the calls that a host function makes.
func permitted(call string) error {
	if hostcall.Inside() {
		return fail(call, driver.ErrorNotPermitted, "a Go function in a stream or graph called CUDA, which waits for it")
	}
	return nil
}

func (c *context) stateLocked(call string) error {
	if err := permitted(call); err != nil {
		return err
	}
	if c.destroyed {
		return fail(call, driver.ErrorContextIsDestroyed, "")
	}
	if s := c.sticky; s != nil {
		return &driver.Error{Call: call, Code: s.Code, Detail: s.Detail, Fault: s.Fault}
	}
	return nil
}

// broke remembers the failure of enqueued work; the first one stays.
func (c *context) broke(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sticky != nil || c.destroyed {
		return
	}
	var fault *vm.Fault
	var de *driver.Error
	switch {
	case errors.As(err, &de):
		c.sticky = de
	case errors.As(err, &fault):
		c.sticky = &driver.Error{Call: "cuLaunchKernel", Code: fault.Kind.Code(), Fault: fault}
	default:
		c.sticky = fail("cuLaunchKernel", driver.ErrorLaunchFailed, err.Error())
	}
}

func (c *context) Handle() uintptr       { return c.handle }
func (c *context) Device() driver.Device { return c.device }
func (c *context) MakeCurrent() error    { return c.enter("cuCtxSetCurrent") }

// Release waits for the context's work and destroys it.
func (c *context) Release() error {
	const call = "cuCtxDestroy"
	if err := permitted(call); err != nil {
		return err
	}
	c.queue.drain()
	err := c.enter(call)
	c.destroy()
	return err
}

// Reset destroys the context without waiting for its work.
func (c *context) Reset() error {
	if err := permitted("cuCtxDestroy"); err != nil {
		return err
	}
	c.destroy()
	return nil
}

// destroy stops what runs and makes every handle dead.
func (c *context) destroy() {
	c.mu.Lock()
	if c.destroyed {
		c.mu.Unlock()
		return
	}
	c.destroyed = true
	c.mu.Unlock()
	c.cancel()
	c.queue.close()
}

func (c *context) Synchronize() error {
	if err := c.enter("cuCtxSynchronize"); err != nil {
		return err
	}
	if err := c.spoilCaptures("cuCtxSynchronize", nil); err != nil {
		return err
	}
	all := c.everything()
	f := c.queue.waitAll()
	c.knowAll(all)
	if err := c.enter("cuCtxSynchronize"); err != nil {
		return err
	}
	return f.report("cuCtxSynchronize")
}

func (c *context) MemInfo() (free, total uint64, err error) {
	if err := c.enter("cuMemGetInfo"); err != nil {
		return 0, 0, err
	}
	used, limit := c.memory.Usage()
	return limit - used, limit, nil
}

func (c *context) Limit(l driver.Limit) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.stateLocked("cuCtxGetLimit"); err != nil {
		return 0, err
	}
	v, ok := c.limits[l]
	if !ok {
		return 0, fail("cuCtxGetLimit", driver.ErrorUnsupportedLimit, "limit %d", l)
	}
	return v, nil
}

func (c *context) SetLimit(l driver.Limit, v uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.stateLocked("cuCtxSetLimit"); err != nil {
		return err
	}
	if _, ok := c.limits[l]; !ok {
		return fail("cuCtxSetLimit", driver.ErrorUnsupportedLimit, "limit %d", l)
	}
	if l == driver.LimitStackSize && v > ptx.MaxLocal {
		return fail("cuCtxSetLimit", driver.ErrorInvalidValue, "a stack of %d bytes a thread: at most %d", v, ptx.MaxLocal)
	}
	c.limits[l] = v
	return nil
}

func (c *context) EnablePeerAccess(other driver.Context) error {
	if _, ok := other.(*context); !ok {
		return fail("cuCtxEnablePeerAccess", driver.ErrorInvalidContext, "the other context is of another driver")
	}
	if other == driver.Context(c) {
		return fail("cuCtxEnablePeerAccess", driver.ErrorInvalidDevice, "a context is no peer of itself")
	}
	return fail("cuCtxEnablePeerAccess", driver.ErrorPeerAccessUnsupported, "emulated devices have memories of their own")
}

func (c *context) StreamPriorityRange() (least, greatest int, err error) {
	return 0, 0, c.enter("cuCtxGetStreamPriorityRange")
}

func (c *context) DefaultStream() driver.Stream { return c.standard }

// settle waits for everything that was enqueued, whose failures are told to others.
func (c *context) settle() {
	all := c.everything()
	c.queue.drain()
	c.knowAll(all)
}

// LastReport says how the launch that finished last went: an ability of emulated
// contexts, found by assertion. Nil before the first.
func (c *context) LastReport() *vm.Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastRun
}

// Profile begins to count what launches do, or ends it and gives the reports since: an
// ability of emulated contexts, found by assertion. Launches that are enqueued and have
// not run count with those that run.
func (c *context) Profile(on bool) []*vm.Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.profile = new([]*vm.Report)
		return nil
	}
	if c.profile == nil {
		return nil
	}
	reports := *c.profile
	c.profile = nil
	return reports
}

func (c *context) profiling() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.profile != nil
}
