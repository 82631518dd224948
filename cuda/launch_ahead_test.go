package cuda

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// queueEnd is how many launches driver 580 takes before the next one waits in the driver.
const queueEnd = 1021

// A full counts what is enqueued on a driver whose queue ends, and blocks where the end is reached, as the driver would: until the gate opens.
type full struct {
	queued atomic.Int64
	gate   chan struct{}
}

func (f *full) take() {
	if f.queued.Add(1) > queueEnd {
		<-f.gate
	}
}

type fullContext struct {
	driver.Context
	f *full
}

func (c fullContext) MemsetD8Async(p driver.DevicePtr, v byte, n uint64, s driver.Stream) error {
	c.f.take()
	return c.Context.MemsetD8Async(p, v, n, s)
}

func (c fullContext) CopyDtoDAsync(dst, src driver.DevicePtr, n uint64, s driver.Stream) error {
	c.f.take()
	return c.Context.CopyDtoDAsync(dst, src, n, s)
}

func (c fullContext) CopyHtoDAsync(dst driver.DevicePtr, src []byte, s driver.Stream) error {
	c.f.take()
	return c.Context.CopyHtoDAsync(dst, src, s)
}

type fullFunction struct {
	driver.Function
	f *full
}

func (k fullFunction) Launch(c *driver.LaunchConfig, p []byte) error {
	k.f.take()
	return k.Function.Launch(c, p)
}

type fullExec struct {
	driver.GraphExec
	f *full
}

func (e fullExec) Launch(s driver.Stream) error {
	e.f.take()
	return e.GraphExec.Launch(s)
}

// Behind a kernel that does not end, everything that enqueues can be interrupted: it never waits in a driver whose queue is full. What was
// enqueued before is done when the device goes on, what was refused is not.
func TestInterruptBehindAnEndlessKernel(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, y := d.MustUpload([]uint32{0}), d.MustUpload([]uint32{0})
	p := k.MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	graph := d.MustCapture(func(s *Stream) { _ = p.LaunchOn(s) })
	plan, repeated := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1), k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1, Iterations(5000))
	other, err := d.NewStream()
	check(t, err)
	e, err := d.NewEvent()
	check(t, err)
	host := []uint32{7}
	s := d.Stream()
	real, fn, exec := d.ctx, k.fn, graph.exec
	for name, enqueue := range map[string]func() error{
		"prepared":      func() error { return p.Launch() },
		"checked":       func() error { return d.Launch(k, Grid(1), Block(1), x, 1, 1, 1) },
		"on a stream":   func() error { return s.Launch(k, Grid(1), Block(1), x, 1, 1, 1) },
		"graph":         graph.Launch,
		"submit":        func() error { _, err := plan.Submit([]*Buffer{x}); return err },
		"repeated":      func() error { _, err := repeated.Submit([]*Buffer{x}); return err },
		"batch":         func() error { _, err := submitPlan(d, nil, plan.With(x)); return err },
		"fill":          func() error { return s.Fill(y, 1) },
		"copy":          func() error { return s.Copy(y, x) },
		"write":         func() error { return s.Write(y, host) },
		"record":        func() error { return e.Record(s) },
		"wait":          func() error { return s.WaitFor(e) },
		"other streams": func() error { return graph.LaunchOn(other) },
	} {
		f := &full{gate: make(chan struct{})}
		blocked := s
		if name == "other streams" {
			blocked = other
		}
		check(t, blocked.Driver().LaunchHost(func() { <-f.gate }))
		d.ctx, k.fn, graph.exec = fullContext{real, f}, fullFunction{fn, f}, fullExec{exec, f}
		ended := make(chan error)
		go func() {
			for {
				if err := enqueue(); err != nil {
					ended <- err
					return
				}
			}
		}()
		select {
		case err := <-ended:
			t.Fatalf("%s: %v", name, err)
		case <-time.After(30 * time.Millisecond): // it has come as far as it can
		}
		if blocked == other { // the device's own stream is not held up
			check(t, p.Launch())
			check(t, s.Synchronize())
		}
		if err := interruptUntil(ended); !wasInterrupted(err) {
			t.Errorf("%s: %v", name, err)
		}
		if n := f.queued.Load(); n >= queueEnd {
			t.Errorf("%s: %d are in the queue, where %d are the most", name, n, queueEnd)
		}
		if err := interruptUntil(goes(enqueue)); !wasInterrupted(err) {
			t.Errorf("%s, again: %v", name, err)
		}
		close(f.gate)
		check(t, d.Synchronize())
		check(t, enqueue())
		check(t, d.Synchronize())
		d.ctx, k.fn, graph.exec = real, fn, exec
	}
	check(t, other.Close())
	check(t, e.Close())
	check(t, graph.Close())
}

func goes(f func() error) <-chan error {
	ended := make(chan error)
	go func() { ended <- f() }()
	return ended
}

// What was enqueued before an interrupt is done, and no launch that was refused.
func TestRefusedLaunchesAreNotDone(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	p := m.MustKernel("affine").MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	gate := make(chan struct{})
	check(t, d.Stream().Driver().LaunchHost(func() { <-gate }))
	done := 0
	for err := error(nil); err == nil; {
		err = interruptUntil(goes(func() error { return p.Launch() }))
		if err == nil {
			done++
		} else if !wasInterrupted(err) {
			t.Fatal(err)
		}
	}
	close(gate)
	if got := MustSlice[uint32](x)[0]; int(got) != done || done < stride {
		t.Errorf("%d launches were taken, %d were done", done, got)
	}
	for range 2000 { // with the device at work the host is held back and never refused
		check(t, p.Launch())
	}
	if got := MustSlice[uint32](x)[0]; int(got) != done+2000 {
		t.Errorf("%d launches were taken, %d were done", done+2000, got)
	}
}

// What is recorded takes no room, and leaves no mark in the graph.
func TestRecordingTakesNoRoom(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	p := m.MustKernel("affine").MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	const n = 2*stride*strides + 1
	g := d.MustCapture(func(s *Stream) {
		for range n {
			_ = p.LaunchOn(s)
		}
	})
	if got := len(g.Nodes()); got != n {
		t.Errorf("%d nodes, want %d", got, n)
	}
	check(t, g.Launch())
	if got := MustSlice[uint32](x)[0]; got != n {
		t.Errorf("%d, want %d", got, n)
	}
	check(t, g.Close())
}

// queried counts the queries of a stream.
type queried struct {
	driver.Stream
	n *int
}

func (q *queried) Query() error {
	*q.n++
	return q.Stream.Query()
}

// A query on the thread of a capture spoils it on a GPU: launches on other streams meanwhile set no marks and look at none, and a stream that
// is closed is not asked whether it is done.
func TestCaptureIsNotSpoiled(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	p := m.MustKernel("affine").MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	g, err := d.Capture(func(s *Stream) {
		_ = p.LaunchOn(s)
		for range 2*stride + 1 {
			check(t, p.Launch())
		}
		other, err := d.NewStream()
		check(t, err)
		asked := new(int)
		other.s = &queried{Stream: other.s, n: asked}
		check(t, other.Close())
		if *asked > 0 || len(d.stream.ahead.marks) > 0 {
			t.Errorf("%d queries and %d marks", *asked, len(d.stream.ahead.marks))
		}
	})
	check(t, err)
	check(t, g.Launch())
	if got := MustSlice[uint32](x)[0]; got != 2*stride+2 {
		t.Errorf("%d", got)
	}
	check(t, g.Close())
}

// A graph's launch, and one with a parameter set before it, allocate nothing but what holds the parameter's value.
func TestGraphLaunchesAllocateNothing(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	g := d.MustCapture(func(s *Stream) { _ = s.Launch(m.MustKernel("affine"), Grid(1), Block(1), x, 1, 1, 1) })
	real := g.exec
	g.exec = nullExec{real}
	var value any = 7
	for name, f := range map[string]func() error{
		"launch":          g.Launch,
		"on a stream":     func() error { return g.LaunchOn(d.Stream()) },
		"with a value":    func() error { return errors.Join(g.SetArg("affine", "add", value), g.Launch()) },
		"the value alone": func() error { return g.SetArg("affine", 2, value) },
	} {
		if n := testing.AllocsPerRun(500, func() { check(t, f()) }); n >= 1 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	g.exec = real
	check(t, g.Close())
}
