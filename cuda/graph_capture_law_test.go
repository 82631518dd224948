package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// refused fails the test unless an error is an *Error with a code, that says what it has to say.
func refused(t testing.TB, what string, err error, want ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code() == driver.Success || e.Op == "" {
		t.Errorf("%s: no *cuda.Error with a code: %v", what, err)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v\nlacks %q", what, err, w)
		}
	}
}

// What has no place in a graph is refused before the driver sees it, and the capture fails with the
// call and its line. The buffers, the device and captures after it are well. // D1, D13, D16, D18
func TestCaptureRefuses(t *testing.T) {
	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1})
	e, err := d.NewEvent()
	check(t, err)
	outside, err := d.NewEvent()
	check(t, err)
	other, err := d.NewStream()
	check(t, err)
	p := k.MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	g := d.MustCapture(func(s *Stream) { _ = p.LaunchOn(s) })
	check(t, outside.Record(d.Stream()))
	plan := func(s *Stream) error {
		_, err := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1, On(s)).Submit([]*Buffer{x})
		return err
	}
	for name, c := range map[string]struct {
		call func(s *Stream) error
		want string
	}{
		"plan": {plan, "Plan.Submit: want a stream that runs, got one that records"},
		"dispatch": {func(s *Stream) error { _, err := d.Dispatch(k, Grid(1), Block(1), x, 1, 1, 1, On(s)); return err },
			"Device.Dispatch"},
		"time": {func(s *Stream) error {
			_, err := k.MustPlan(Grid(1), Block(1), x, 1, 1, 1, On(s)).Time(2)
			return err
		}, "Plan.Time"},
		"graph": {g.LaunchOn, "Graph.Launch"},
		"done":  {func(s *Stream) error { _, err := s.Done(); return err }, "Stream.Done"},
		"wait":  {func(s *Stream) error { return s.SynchronizeContext(t.Context()) }, "Stream.SynchronizeContext"},
		"sync":  {(*Stream).Synchronize, "Stream.Synchronize"},
		"close": {(*Stream).Close, "Stream.Close: the stream records a graph"},
		"event": {func(s *Stream) error { return errors.Join(e.Record(s), e.Synchronize()) },
			"Event.Synchronize: want an event recorded on a stream that runs"},
		"since": {func(s *Stream) error { check(t, e.Record(s)); _, err := e.Since(outside); return err },
			"Event.Since"},
		"from out": {func(s *Stream) error { return s.WaitFor(outside) },
			"Stream.WaitFor: want an event recorded in this capture"},
		"to out":     {func(s *Stream) error { return errors.Join(e.Record(s), other.WaitFor(e)) }, "Stream.WaitFor"},
		"join out":   {func(s *Stream) error { return s.Join(other) }, "Stream.Join: want a stream of this capture"},
		"out joins":  {func(s *Stream) error { return other.Join(s) }, "Stream.Join: want a stream that runs"},
		"nil launch": {func(s *Stream) error { return (*Plan)(nil).LaunchOn(s) }, "Plan.LaunchOn: want a plan"},
		"nil join":   {func(s *Stream) error { return s.Join(nil) }, "Stream.Join: want a stream"},
		"nil event":  {func(s *Stream) error { return s.WaitFor(nil) }, "Stream.WaitFor: want an event"},
		"nil body":   {func(s *Stream) error { return s.While(x, nil) }, "Stream.While: want a function"},
		"nil then":   {func(s *Stream) error { return s.If(x, nil, nil) }, "Stream.If: want a function"},
		"nil host":   {func(s *Stream) error { return s.Host(nil) }, "Stream.Host: want a function"},
		"nothing":    {func(s *Stream) error { return s.Write(x, []uint32{}) }, "at least one element"},
	} {
		var own error
		_, err := d.Capture(func(s *Stream) { _ = p.LaunchOn(s); own = c.call(s); _ = p.LaunchOn(s) })
		refused(t, name+", the call", own, c.want)
		if name == "to out" { // the stream is not the capture's
			continue
		}
		refused(t, name, err, c.want, "graph_capture_law_test.go:")
	}
	again := d.MustCapture(func(s *Stream) { _ = p.LaunchOn(s) })
	check(t, errors.Join(again.Launch(), g.Launch(), d.Synchronize()))
	equal(t, MustSlice[uint32](x), []uint32{3})
	check(t, errors.Join(again.Close(), g.Close(), e.Close(), outside.Close(), other.Close()))
}

// A submission on a stream that captures is refused, whenever its plan was made: its copies would
// go through memory that others lease while the graph lives. // D1
func TestCaptureRefusesSubmissions(t *testing.T) {
	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1})
	plan := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	var late *Plan
	for name, submit := range map[string]func() error{
		"plan":  func() error { _, err := late.Submit([]*Buffer{x}, x.All()); return err },
		"run":   func() error { _, err := late.Run([]*Buffer{x}, x.All()); return err },
		"step":  func() error { _, err := late.Submit([]*Buffer{x}); return err },
		"batch": func() error { _, err := d.Plan(late.With(x)); return err },
	} {
		var own error
		_, err := d.Capture(func(s *Stream) {
			moved := *plan // as one made On(s)
			moved.stream = s
			late = &moved
			own = submit()
		})
		refused(t, name, own, "Stream.Launch")
		refused(t, name, err, "graph_capture_law_test.go:")
		refused(t, name+", afterwards", submit(), "the capture that the stream recorded for is over")
	}
	equal(t, MustSlice[uint32](x), []uint32{1})
}

// What enters a graph by any call is in its books: the node has the launch, buffers and modules are
// held until the graph is gone. // D2
func TestCaptureHoldsLaunch(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	for name, launch := range map[string]func(s *Stream, x *Buffer) error{
		"Device.Launch": func(s *Stream, x *Buffer) error {
			return d.Launch(k, Grid(1), Block(1), x, 3, 1, 1, On(s),
				Named("n"))
		},
		"Plan.Launch": func(s *Stream, x *Buffer) error {
			return k.MustPlan(Grid(1), Block(1), x, 3, 1, 1, On(s), Named("n")).Launch()
		},
		"Stream.Launch": func(s *Stream, x *Buffer) error { return s.Launch(k, Grid(1), Block(1), x, 3, 1, 1, Named("n")) },
		"Plan.LaunchOn": func(s *Stream, x *Buffer) error {
			return k.MustPlan(Grid(1), Block(1), x, 3, 1, 1, Named("n")).LaunchOn(s)
		},
		"a fork's": func(s *Stream, x *Buffer) error {
			f := s.MustFork()
			err := d.Launch(k, Grid(1), Block(1), x, 3, 1, 1, On(f), Named("n"))
			return errors.Join(err, s.Join(f))
		},
		"by an event": func(s *Stream, x *Buffer) error {
			e, err := d.NewEvent()
			check(t, err)
			f := s.MustFork()
			err = errors.Join(f.Launch(k, Grid(1), Block(1), x, 3, 1, 1, Named("n")), e.Record(f), s.WaitFor(e))
			return errors.Join(err, e.Close())
		},
	} {
		x := d.MustUpload([]uint32{1})
		g := d.MustCapture(func(s *Stream) { check(t, launch(s, x)) })
		refused(t, name, x.Close(), "in use by graph")
		refused(t, name, m.Close(), "in use by graph")
		check(t, g.SetArg("n", "add", 5))
		check(t, g.Launch())
		equal(t, MustSlice[uint32](x), []uint32{8})
		check(t, g.Close())
		check(t, x.Close())
	}
}

// A stream refuses everything once its capture is over, and once it is closed. // D3, D16
func TestStreamsRefuseAfterTheirEnd(t *testing.T) {
	d, m := openKernels(t)
	k, x, y := m.MustKernel("affine"), d.MustUpload([]uint32{1}), d.MustUpload([]uint32{2})
	e, err := d.NewEvent()
	check(t, err)
	p := k.MustPlan(Grid(1), Block(1), x, 1, 1, 1)
	g := d.MustCapture(func(s *Stream) { _ = p.LaunchOn(s) })
	var late, fork *Stream
	var prepared *Plan
	check(t, d.MustCapture(func(s *Stream) {
		late, fork = s, s.MustFork()
		check(t, fork.Fill(x, 0))
		check(t, s.Join(fork))
		check(t, fork.Close())
		prepared = k.MustPlan(Grid(1), Block(1), x, 1, 1, 1, On(s))
		check(t, s.Fill(y, 9))
	}).Close())
	done, err := d.NewStream()
	check(t, err)
	check(t, done.Close())
	h := []uint32{0}
	calls := func(s *Stream) map[string]error {
		_, forked := s.Fork()
		_, asked := s.Done()
		_, planned := k.Plan(Grid(1), Block(1), InOut("x"), 1, 1, 1, On(s))
		_, dispatched := d.Dispatch(k, Grid(1), Block(1), x, 1, 1, 1, On(s))
		return map[string]error{
			"fill": s.Fill(y, 3), "copy": s.Copy(y, x), "read": s.Read(y, h), "write": s.Write(y, h), "launch": s.Launch(k,
				Grid(1), Block(1), x, 1, 1, 1),
			"enqueue": p.LaunchOn(s), "host": s.Host(func() {}), "fork": forked, "join": s.Join(d.Stream()),
			"joined": d.Stream().Join(s),
			"sync":   s.Synchronize(), "wait": s.SynchronizeContext(t.Context()), "done": asked, "event": s.WaitFor(e),
			"record": e.Record(s), "close": s.Close(),
			"while": s.While(x, func(*Stream) {}), "if": s.If(x, func(*Stream) {}, nil), "plan": planned, "dispatch": dispatched,
			"prepare": d.Launch(k, Grid(1), Block(1), x, 1, 1, 1, On(s)), "graph": g.LaunchOn(s), "prepared": prepared.Launch(),
		}
	}
	for name, err := range calls(late) {
		refused(t, "after the capture: "+name, err, "the capture that the stream recorded for is over")
	}
	for name, err := range calls(done) {
		if name != "prepared" {
			refused(t, "closed: "+name, err, "the stream was closed")
		}
	}
	refused(t, "fork", fork.Fill(y, 3), "is over")
	again := d.MustCapture(func(s *Stream) {
		refused(t, "in the next capture", late.Fill(y, 3), "is over")
		check(t,
			s.Fill(x, 0))
	})
	if n := len(again.Nodes()); n != 1 {
		t.Errorf("%d nodes, want 1", n)
	}
	equal(t, MustSlice[uint32](y), []uint32{2})
	check(t, errors.Join(again.Close(), g.Close(), e.Close()))
}

// What frees or closes inside of a capture is refused and leaves the capture, the device and what
// it was to free well; what only waits for other work is done. // D13
func TestCaptureKeepsTheDevice(t *testing.T) {
	d, m := openKernels(t)
	m2, err := d.LoadPTX(string(kernelsPTX))
	check(t, err)
	d2 := openTest(t)
	k, x, y, z := m.MustKernel("affine"), d.MustUpload([]uint32{1}), d.MustUpload([]uint32{2}), d2.MustUpload([]uint32{3})
	ran, err := d.NewEvent()
	check(t, err)
	other, err := d.NewStream()
	check(t, err)
	q := k.MustPlan(Grid(1), Block(1), InOut("x"), 2, 0, 1).MustSubmit([]*Buffer{y}, y.All())
	g := d.MustCapture(func(s *Stream) {
		check(t, s.Fill(x, 0))
		_, err := q.Wait()
		check(t, err)
		for name, err := range map[string]error{"free": y.Close(), "of another device": z.Close(), "unload": m2.Close(),
			"close": d.Close(), "close another": d2.Close(),
			"synchronize": d.Synchronize()} {
			refused(t, name, err, "this goroutine is recording a graph")
		}
		_, err = d2.Reset()
		refused(t, "reset", err, "this goroutine is recording a graph")
		check(t, ran.Record(other))
		check(t, ran.Synchronize())
		check(t, other.Synchronize())
		if done, err := other.Done(); err != nil || !done {
			t.Error(done, err)
		}
		equal(t, MustSlice[uint32](d.MustUpload([]uint32{7})), []uint32{7})
		check(t, d.MustMake(4, float32(0)).Clear())
		d.MustDispatch(k, Grid(1), Block(1), y, 1, 1, 1)
		inner := d.MustCapture(func(s *Stream) { check(t, s.Fill(y, 0)) })
		check(t, inner.Launch())
		check(t, inner.Close())
		check(t, s.Launch(k, Grid(1), Block(1), x, 1, 5, 1))
	})
	equal(t, MustSlice[uint32](y), []uint32{0})
	check(t, g.Launch())
	equal(t, MustSlice[uint32](x), []uint32{5})
	check(t, errors.Join(y.Close(), z.Close(), m2.Close(), g.Close(), ran.Close(), other.Close()))
}

// A device on which another goroutine records is not closed. // D13
func TestCloseRefusesDuringACapture(t *testing.T) {
	d := openTest(t)
	x := d.MustUpload([]uint32{1})
	g := d.MustCapture(func(s *Stream) {
		closed := make(chan error)
		go func() { closed <- d.Close() }()
		refused(t, "close", <-closed, "another goroutine records a graph")
		check(t, s.Fill(x, 0))
	})
	check(t, g.Close())
}

// Two goroutines that record on streams of one capture make a node for each call.
func TestCaptureOfTwoGoroutines(t *testing.T) {
	d := openTest(t)
	x, y := d.MustUpload([]uint32{1}), d.MustUpload([]uint32{2})
	g := d.MustCapture(func(s *Stream) {
		f := s.MustFork()
		ended := make(chan error)
		fill := func(s *Stream, b *Buffer) {
			var errs []error
			for range 50 {
				errs = append(errs, s.Fill(b, 7))
			}
			ended <- errors.Join(errs...)
		}
		go fill(f, x)
		go fill(s, y)
		go fill(s, y)
		check(t, errors.Join(<-ended, <-ended, <-ended))
		check(t, s.Join(f))
	})
	if n := len(g.Nodes()); n != 150 {
		t.Errorf("%d nodes, want 150", n)
	}
	check(t, g.Launch())
	check(t, g.Close())
}

// A buffer that a dispatch uses is not cleared, as it is not written and not freed. // D4
func TestClearRefusesInFlight(t *testing.T) {
	d, m := openKernels(t)
	s, err := d.NewStream()
	check(t, err)
	z, zeros := d.MustUpload([]uint32{1, 2, 3, 4}), d.MustUpload([]uint32{0, 0, 0, 0})
	gate := make(chan struct{})
	check(t, s.Host(func() { <-gate }))
	q := m.MustKernel("affine").MustPlan(Grid(1), Block(4), InOut("x"), 1, 7, 4, On(s)).MustSubmit([]*Buffer{z}, z.All())
	refused(t, "clear", z.Clear(), "in flight")
	refused(t, "write", z.Write(0, []uint32{0}), "in flight")
	refused(t, "free", z.Close(), "in flight")
	refused(t, "copy", z.CopyFrom(zeros), "in flight")
	close(gate)
	q.MustWait()
	equal(t, MustSlice[uint32](z), []uint32{8, 9, 10, 11})
	check(t, z.Clear())
	check(t, s.Close())
}

// Where an engine told how to find the place of its code, that is the place of a call that fails.
func TestCallSiteIsWhatTheEngineSays(t *testing.T) {
	d, _ := openKernels(t)
	SetCallSite(func() string { return "In[9]:4" })
	defer SetCallSite(nil)
	_, err := d.Capture(func(s *Stream) { _, _ = s.Done() })
	refused(t, "a capture", err, "recorded at In[9]:4")
	SetCallSite(nil)
	_, err = d.Capture(func(s *Stream) { _, _ = s.Done() })
	refused(t, "a capture", err, "recorded at graph_capture_law_test.go:")
}
