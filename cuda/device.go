package cuda

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Device is an open device: its context, a stream that its own methods use, and what was made in
// it.
type Device struct {
	stream *Stream // beside the ledger's beginning: launches look at both
	ledger ledger

	drv    driver.Driver
	dev    driver.Device
	ctx    driver.Context
	info   DeviceInfo
	handle *LiveHandle
	why    []error // why a device before this one was not taken

	counters counters
	unknown  atomic.Bool // there may be work on streams that are not in owned
	// capturing is how many captures are under way. A query on the thread of one would spoil it.
	capturing atomic.Int32
	hostPool  hostPool
	budget    atomic.Int64 // bytes; 0 is none
	spent     atomic.Int64 // bytes of buffers

	going sync.WaitGroup // what is being given back by others than Close

	mu      sync.Mutex
	closed  bool                // guarded by mu
	reset   bool                // guarded by mu: that is why it is closed
	owned   map[closer]struct{} // guarded by mu: closed with the device
	events  []driver.Event      // guarded by mu: timing events that are free
	fences  []driver.Event      // guarded by mu: events without timing that are free
	words   []driver.DevicePtr  // guarded by mu: a little memory each, that is free
	empties []driver.Stream     // guarded by mu: streams in which nothing is
	pending []*Pending          // guarded by mu: dispatches not collected
	streams map[*Stream]int     // guarded by mu: how many of them are on each stream

	conditionMu sync.Mutex
	condition   *Kernel // guarded by conditionMu: what conditional nodes read flags with; nil before the first
}

// A closer is something that the device closes with itself, or that is lost when it is reset.
type closer interface {
	closeWithDevice() error
	lost()
}

// A DeviceInfo is what a device says of itself.
type DeviceInfo struct {
	// Driver and Ordinal are what Open takes, "native:0"; drivers are "native" and "emulated".
	Driver  string
	Ordinal int
	Name    string
	UUID    UUID
	// CUDA is the newest CUDA version that the driver speaks.
	CUDA Version
	// Compute is the architecture.
	Compute ComputeCapability
	// Memory is in bytes.
	Memory uint64
	// Multiprocessors, and the most threads a block and bytes of shared memory a block may have.
	Multiprocessors, MaxThreads, MaxShared int
	// MaxSharedOptin is the bytes of shared memory that a block may have of a kernel that
	// Kernel.SetDynamicShared allowed more than MaxShared, its static shared memory included.
	MaxSharedOptin int
	// Err says, in the list of Devices, why a driver has no device; the other fields but Driver are
	// empty then.
	Err error
}

func newDevice(drv driver.Driver, ordinal int, why []error) (*Device, error) {
	lookForProfiler()
	what := fmt.Sprintf("%s device %d", drv.Name(), ordinal)
	dev, err := drv.Device(ordinal)
	if err != nil {
		return nil, wrap("Open", what, err)
	}
	info, err := describe(drv, dev)
	if err != nil {
		return nil, wrap("Open", what, err)
	}
	ctx, err := dev.NewContext()
	if err != nil {
		return nil, notOpened(what, err)
	}
	d := &Device{drv: drv, dev: dev, ctx: ctx, info: info, why: why, owned: map[closer]struct{}{}}
	s, err := ctx.CreateStream(driver.StreamNonBlocking, 0)
	if err != nil {
		return nil, notOpened(what, errors.Join(withoutEchoes([]error{err, ctx.Release()})...))
	}
	d.stream = makeStream(d, s)
	d.stream.own = true
	d.handle = track("device", what)
	return d, nil
}

// notOpened says what to do where a kernel before has broken a GPU's context: the driver gives the
// process no other.
func notOpened(what string, err error) error {
	e := &Error{Op: "Open", What: what, Err: err}
	if e.Code().Sticky() {
		e.Want, e.Got = "a context", "none: a kernel failed on this GPU, and its driver gives the process up that ran it"
		e.Fix = processLost
	}
	return e
}

// processLost is what to do where a GPU's driver has given the process up.
const processLost = `restart the kernel (in a notebook: Kernel, Restart Kernel); ` +
	`cuda.Open("emulated") works meanwhile, and says more about the fault`

func describe(drv driver.Driver, dev driver.Device) (DeviceInfo, error) {
	i := DeviceInfo{Driver: drv.Name(), Ordinal: dev.Ordinal()}
	var errs [9]error
	i.Name, errs[0] = dev.Name()
	i.UUID, errs[1] = dev.UUID()
	i.CUDA, errs[2] = drv.Version()
	i.Compute, errs[3] = dev.ComputeCapability()
	i.Memory, errs[4] = dev.TotalMem()
	i.Multiprocessors, errs[5] = dev.Attribute(driver.AttrMultiprocessorCount)
	i.MaxThreads, errs[6] = dev.Attribute(driver.AttrMaxThreadsPerBlock)
	i.MaxShared, errs[7] = dev.Attribute(driver.AttrMaxSharedMemoryPerBlock)
	i.MaxSharedOptin, errs[8] = dev.Attribute(driver.AttrMaxSharedMemoryPerBlockOptin)
	return i, errors.Join(errs[:]...)
}

// Info is what the device says of itself; nothing for a nil or a zero device.
func (d *Device) Info() DeviceInfo {
	if d == nil {
		return DeviceInfo{}
	}
	return d.info
}

// Driver is the context behind the device, for what this package does not offer; nil where there is
// none.
func (d *Device) Driver() DriverContext {
	if d == nil || d.ctx == nil {
		return nil
	}
	d.unknown.Store(true)
	return d.ctx
}

// Emulated reports whether the device is the emulated one.
func (d *Device) Emulated() bool { return d.Info().Driver == "emulated" }

// Stream is the stream that the device's own methods use, nil for a nil device.
func (d *Device) Stream() *Stream {
	if d == nil {
		return nil
	}
	return d.stream
}

// Synchronize waits for all work of the device.
func (d *Device) Synchronize() error {
	const op = "Device.Synchronize"
	if err := d.mayWait(op); err != nil {
		return err
	}
	return d.waited(op, d.wait(op, d.done(), d.ctx.Synchronize))
}

// SynchronizeContext is Synchronize that gives up when ctx ends: the work goes on, only the waiting stops.
func (d *Device) SynchronizeContext(ctx context.Context) error {
	const op = "Device.SynchronizeContext"
	if err := d.mayWait(op); err != nil {
		return err
	}
	_, err := waitWith(ctx, op, without(d.Synchronize))
	return err
}

// mayWait refuses to wait for all of a device that is closed, or in a capture, which never ends
// then.
func (d *Device) mayWait(op string) error {
	if err := d.checkOpen(op); err != nil {
		return err
	}
	return notCapturing(op, "")
}

// MemInfo is the free and the total memory in bytes.
func (d *Device) MemInfo() (free, total uint64, err error) {
	const op = "Device.MemInfo"
	if err := d.checkOpen(op); err != nil {
		return 0, 0, err
	}
	free, total, err = d.ctx.MemInfo()
	return free, total, wrap(op, "", err)
}

// Close waits for the device's work and gives back everything that was made on it. Buffers,
// modules, streams and graphs of a closed device are refused. Closing twice is an error. Where the
// wait is interrupted the device stays open.
func (d *Device) Close() error {
	const op = "Device.Close"
	if err := d.mayWait(op); err != nil {
		return err
	}
	if d.capturing.Load() > 0 {
		return &Error{Op: op, What: d.info.Name, Got: "another goroutine records a graph on the device",
			Fix:  "wait for the end of its capture",
			code: driver.ErrorIllegalState}
	}
	waited := d.quiet(op)
	if wasInterrupted(waited) {
		return waited
	}
	owned, err := d.shut(op)
	if err != nil {
		return err
	}
	d.going.Wait()
	errs := []error{waited, d.ctx.Synchronize()}
	d.reap()
	for c := range owned {
		errs = append(errs, c.closeWithDevice())
	}
	d.stream.lost()
	errs = append(errs, d.hostPool.close(), d.stream.ahead.drop(), d.dropEvents(), d.dropWords(), d.dropStreams(),
		d.stream.s.Destroy(), d.ctx.Release())
	d.handle.forget()
	return wrap(op, d.info.Name, errors.Join(withoutEchoes(errs)...))
}

// shut makes the device a closed one, once, and gives what it owned.
func (d *Device) shut(op string) (map[closer]struct{}, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, d.isClosed(op)
	}
	owned := d.owned
	d.closed, d.owned = true, nil
	return owned, nil
}

// withoutEchoes drops what a sticky error makes every later call answer.
func withoutEchoes(errs []error) []error {
	var kept []error
	seen := map[driver.Result]bool{}
	for _, err := range errs {
		var code driver.Result
		if errors.As(err, &code) && code.Sticky() {
			if seen[code] {
				continue
			}
			seen[code] = true
		}
		kept = append(kept, err)
	}
	return kept
}

// own notes something to be closed with the device; false where that is closed already.
func (d *Device) own(c closer) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.owned[c] = struct{}{}
	return true
}

// disown says whether the device still owned it. Where it did the caller gives it back, and then
// calls gone: Close waits for that, also where the collector gives back what nobody refers to.
func (d *Device) disown(c closer) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.owned[c]
	if ok {
		delete(d.owned, c)
		d.going.Add(1)
	}
	return ok
}

// gone ends what disown began.
func (d *Device) gone() { d.going.Done() }

// checkOpen refuses calls on a nil, a zero and a closed device, and those of a host function.
func (d *Device) checkOpen(op string) error {
	if d == nil || d.ctx == nil {
		return missing(op, "a device", "cuda.Open")
	}
	if err := notHosting(op); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return d.isClosed(op)
	}
	return nil
}

// isClosed says that the device is closed; the caller holds mu.
func (d *Device) isClosed(op string) error {
	e := &Error{Op: op, What: d.info.Name, Got: "the device is closed", Fix: "open it again: cuda.Open",
		code: driver.ErrorInvalidContext}
	if d.reset {
		e.Got, e.Fix = "the device was reset, and what was made on it is gone", "go on with the device that Device.Reset gave"
	}
	return e
}

// toldClosed is isClosed for those that do not hold mu.
func (d *Device) toldClosed(op string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.isClosed(op)
}

// state says what became of the device, nothing while it is open.
func (d *Device) state() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.reset:
		return "reset"
	case d.closed:
		return "closed"
	}
	return ""
}

// apart tells another device from this one, which may be the same device, opened at another time.
func (d *Device) apart(other *Device) string {
	if other.String() != d.String() {
		return other.String()
	}
	if state := other.state(); state != "" {
		return "that device before it was " + state
	}
	return "another cuda.Open of that device"
}

// waited ends a call that waited for the device: nil forgets the launches, a sticky error names
// them.
func (d *Device) waited(op string, err error) error {
	d.counters.syncs.add(1)
	if err == nil {
		d.ledger.clear()
		return nil
	}
	var interrupted *InterruptedError
	if errors.As(err, &interrupted) {
		return err
	}
	return d.late(op, "", err)
}

// late wraps an error that may belong to an earlier launch.
func (d *Device) late(op, what string, err error) error {
	e := &Error{Op: op, What: what, Err: err}
	if code := e.Code(); code.Sticky() {
		var fault *driver.Fault
		if errors.As(err, &fault) {
			d.quote(fault)
		} else {
			e.Launches = d.ledger.suspects()
		}
		e.Fix = processLost
		if d.Emulated() {
			e.Fix = "this device is lost, and no other: open one anew (cuda.Open, or Device.Reset in its place), " +
				"and make there what you need"
		}
	}
	return e
}

// Reset throws everything on the device away and gives it opened anew: dev, err = dev.Reset().
// Whatever was made on it is dead, also where d is closed; waits for it end with an error.
//
// A fault of a kernel leaves an emulated device unusable, and no other: Reset gives a new one in
// its place, as Open does. A GPU's driver gives up the process in which a kernel failed: then Reset
// and Open fail, and say so, until the process was started again.
func (d *Device) Reset() (*Device, error) {
	const op = "Device.Reset"
	if d == nil || d.ctx == nil {
		return nil, missing(op, "a device", "cuda.Open")
	}
	if err := errors.Join(notCapturing(op, d.info.Name), notHosting(op)); err != nil {
		return nil, err
	}
	d.mu.Lock()
	closed, owned := d.closed, d.owned
	d.closed, d.reset, d.owned = true, d.reset || !d.closed, nil
	d.mu.Unlock()
	d.stream.lost()
	for c := range owned {
		c.lost()
	}
	if !closed {
		d.handle.forget()
		if err := d.ctx.Reset(); err != nil {
			return nil, wrap(op, d.info.Name, err)
		}
	}
	return newDevice(d.drv, d.info.Ordinal, d.why)
}

// Table is the device's card.
func (d *Device) Table() display.Table {
	if d == nil || d.ctx == nil {
		return *display.Card("No device")
	}
	i := d.info
	t := display.Card(i.Name)
	state := d.state()
	if state != "" {
		t.Add("state", state)
	}
	t.Add("driver", fmt.Sprintf("%s:%d, CUDA %s", i.Driver, i.Ordinal, i.CUDA))
	t.Add("architecture", fmt.Sprintf("%s (compute capability %s)", i.Compute.SM(), i.Compute))
	t.Add("multiprocessors", i.Multiprocessors)
	t.Add("memory", display.Bytes(i.Memory))
	if state == "" {
		if free, _, err := d.ctx.MemInfo(); err == nil {
			t.Add("free memory", display.Bytes(free))
		}
	}
	t.Add("threads a block", fmt.Sprintf("up to %d", i.MaxThreads))
	t.Add("shared memory a block", display.Bytes(uint64(i.MaxShared)))
	t.Add("UUID", i.UUID.String())
	for _, why := range d.why {
		t.Note("No GPU: " + withoutAdvice(why))
	}
	return *t
}

// withoutAdvice is an error's text without its lines of advice: a card says what is, not what to
// do.
func withoutAdvice(err error) string {
	var kept []string
	for line := range strings.Lines(err.Error()) {
		if !strings.HasPrefix(line, "What to do:") {
			kept = append(kept, strings.TrimSpace(line))
		}
	}
	return strings.Join(kept, " ")
}

func (d *Device) String() string {
	if d == nil || d.ctx == nil {
		return "no device"
	}
	return fmt.Sprintf("%s:%d %s (%s)", d.info.Driver, d.info.Ordinal, d.info.Name, d.info.Compute.SM())
}
