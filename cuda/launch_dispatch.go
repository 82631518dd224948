package cuda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A DispatchReport is what one dispatch did.
type DispatchReport struct {
	Kernel string
	Grid   GridDim
	Block  BlockDim
	// Threads is how many the launch had.
	Threads uint64
	// DeviceTime is from the start of the launch to its end as the device saw it; EnqueueTime and
	// WaitTime are the host's.
	DeviceTime, EnqueueTime, WaitTime time.Duration
	// BufferBytes is the size of the buffers among the arguments, each counted once.
	BufferBytes uint64
	// Arguments are the arguments as they were given.
	Arguments []string
	device    string
	params    []Param
}

// Dispatch launches a kernel, waits for it and reports what it did. Arguments are as for
// Device.Launch.
func (d *Device) Dispatch(k *Kernel, grid GridDim, block BlockDim, args ...any) (*DispatchReport, error) {
	const op = "Device.Dispatch"
	p, err := d.prepare(op, byDispatch, k, grid, block, args)
	if err != nil {
		return nil, err
	}
	if err := p.stream.runs(op, "record a launch: Stream.Launch"); err != nil {
		return nil, err
	}
	r := startRange("Dispatch of " + p.kernel.name)
	defer r.end()
	times, err := d.timed(op, p.stream.s, 1, func() error { return p.run(op, p.stream) })
	if err != nil {
		return nil, err
	}
	return p.report(times), nil
}

// DispatchContext is Dispatch that gives up waiting when ctx ends: the launch goes on.
func (d *Device) DispatchContext(ctx context.Context, k *Kernel, grid GridDim, block BlockDim,
	args ...any) (*DispatchReport, error) {
	const op = "Device.DispatchContext"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	return waitWith(ctx, op, func() (*DispatchReport, error) { return d.Dispatch(k, grid, block, args...) })
}

func (p *prepared) grid() GridDim {
	g := p.config.Grid
	return GridDim{X: g.X, Y: g.Y, Z: g.Z}
}

func (p *prepared) block() BlockDim {
	b := p.config.Block
	return BlockDim{X: b.X, Y: b.Y, Z: b.Z}
}

func (p *prepared) report(t times) *DispatchReport {
	r := &DispatchReport{Kernel: p.kernel.name, Grid: p.grid(), Block: p.block(), Threads: p.slots,
		DeviceTime: t.device[0], EnqueueTime: t.enqueue, WaitTime: t.wait, device: p.kernel.mod.dev.String(),
		params: p.kernel.params}
	seen := map[*allocation]bool{}
	for _, b := range p.buffers {
		if !seen[b.a] {
			seen[b.a] = true
			r.BufferBytes += b.a.bytes
		}
	}
	for _, a := range p.args {
		r.Arguments = append(r.Arguments, argumentText(a))
	}
	return r
}

func argumentText(a any) string {
	if b, ok := a.(*Buffer); ok {
		return b.short()
	}
	return fmt.Sprintf("%v", a)
}

// times are what a timed stretch of work took.
type times struct {
	device        []time.Duration // each round
	enqueue, wait time.Duration   // all of them
}

// chunk is how many rounds are timed between two waits: it bounds the events in use.
const chunk = 256

// timed runs a call n times on a stream with an event between rounds, and waits.
func (d *Device) timed(op string, s driver.Stream, n int, call func() error) (times, error) {
	t := times{device: make([]time.Duration, 0, n)}
	events, err := d.leaseEvents(op, min(n, chunk)+1)
	if err != nil {
		return t, err
	}
	defer d.returnEvents(events)
	for n > 0 {
		rounds := min(n, chunk)
		if err := d.timeChunk(op, s, events[:rounds+1], call, &t); err != nil {
			return t, err
		}
		n -= rounds
	}
	c := &d.counters
	c.timed.add(uint64(len(t.device)))
	c.enqueueNS.add(uint64(t.enqueue))
	c.waitNS.add(uint64(t.wait))
	for _, dt := range t.device {
		c.deviceNS.add(uint64(dt))
	}
	return t, nil
}

func (d *Device) timeChunk(op string, s driver.Stream, events []driver.Event, call func() error, t *times) error {
	start := time.Now()
	if err := events[0].Record(s); err != nil {
		return d.late(op, "", err)
	}
	for _, e := range events[1:] {
		if err := call(); err != nil {
			return err
		}
		if err := e.Record(s); err != nil {
			return d.late(op, "", err)
		}
	}
	enqueued := time.Now()
	t.enqueue += enqueued.Sub(start)
	if err := d.waited(op, d.waitEvent(op, events[len(events)-1])); err != nil {
		return err
	}
	t.wait += time.Since(enqueued)
	for i, e := range events[1:] {
		ms, err := e.ElapsedMilliseconds(events[i])
		if err != nil {
			return d.late(op, "", err)
		}
		t.device = append(t.device, milliseconds(ms))
	}
	return nil
}

// pooledEvents is how many timing events a device keeps for the next dispatch.
const pooledEvents = chunk + 1

// leaseEvents takes timing events from the pool and makes those that are missing.
func (d *Device) leaseEvents(op string, n int) ([]driver.Event, error) {
	d.mu.Lock()
	take := min(n, len(d.events))
	events := append([]driver.Event(nil), d.events[len(d.events)-take:]...)
	d.events = d.events[:len(d.events)-take]
	d.mu.Unlock()
	for len(events) < n {
		e, err := d.ctx.CreateEvent(driver.EventDefault)
		if err != nil {
			d.returnEvents(events)
			return nil, d.late(op, "timing events", err)
		}
		events = append(events, e)
	}
	return events, nil
}

func (d *Device) returnEvents(events []driver.Event) {
	d.mu.Lock()
	keep := 0
	if !d.closed {
		keep = min(len(events), pooledEvents-len(d.events))
		d.events = append(d.events, events[:keep]...)
	}
	d.mu.Unlock()
	for _, e := range events[keep:] {
		_ = e.Destroy() // with the device gone, so is the event
	}
}

func (d *Device) dropEvents() error {
	d.mu.Lock()
	events := append(d.events, d.fences...)
	d.events, d.fences = nil, nil
	d.mu.Unlock()
	var errs []error
	for _, e := range events {
		errs = append(errs, e.Destroy())
	}
	return errors.Join(errs...)
}

// Name is the kernel's, for a plot's title.
func (r *DispatchReport) Name() string { return r.Kernel }

// Samples is the device time in seconds, for a plot.
func (r *DispatchReport) Samples() []float64 { return []float64{r.DeviceTime.Seconds()} }

// Table is the dispatch's card.
func (r *DispatchReport) Table() display.Table {
	t := display.Card("Dispatch of " + r.Kernel)
	t.Add("grid", fmt.Sprintf("%s blocks of %s threads (%d threads)", r.Grid, r.Block, r.Threads))
	for i, a := range r.Arguments {
		name := fmt.Sprint("argument ", i)
		if i < len(r.params) {
			name = r.params[i].String()
		}
		t.Add(name, a)
	}
	t.Add("device time", r.DeviceTime)
	t.Add("time to enqueue", r.EnqueueTime)
	t.Add("time to wait", r.WaitTime)
	if r.BufferBytes > 0 {
		t.Add("buffers", display.Bytes(r.BufferBytes))
		if s := r.DeviceTime.Seconds(); s > 0 {
			t.Add("buffers by time", display.Bytes(uint64(math.Round(float64(r.BufferBytes)/s))).String()+"/s")
		}
	}
	t.Add("device", r.device)
	return *t
}

func (r *DispatchReport) String() string {
	return fmt.Sprintf("%s<%s, %s>(%s) in %s", r.Kernel, r.Grid, r.Block, strings.Join(r.Arguments, ", "), r.DeviceTime)
}
