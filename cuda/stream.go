package cuda

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Stream is a queue of work on a device that runs in order.
type Stream struct {
	s     driver.Stream
	ahead ahead
	// aside is nil while the stream runs what it is given: launches look at this one word.
	aside atomic.Pointer[aside]
	dev   *Device
	own   bool // the device's own, closed with it
	// recorded says that the stream only ever recorded; set before anything else sees the stream.
	recorded bool
	handle   *LiveHandle

	mu   sync.Mutex
	keep []any // guarded by mu: host memory that copies under way use
}

// An aside is why a stream does not run what it is given.
type aside struct {
	record *recording // the capture that it records for, or
	closed string     // what became of the stream
	fix    string
}

var (
	closedStream   = &aside{closed: "the stream was closed", fix: "make another: Device.NewStream"}
	recordedStream = &aside{closed: "the capture that the stream recorded for is over",
		fix: "use the stream only inside of the function that records"}
	closedFork = &aside{closed: "the fork was closed", fix: "fork again"}
	lostStream = &aside{closed: "the stream went with its device"}
)

// check refuses a nil, a zero and a closed stream.
func (s *Stream) check(op string) error {
	if s == nil || s.dev == nil {
		return missing(op, "a stream", "Device.NewStream")
	}
	switch a := s.aside.Load(); {
	case a == nil || a.record != nil:
		return nil
	case a == lostStream:
		return s.dev.toldClosed(op)
	default:
		return &Error{Op: op, What: s.dev.String(), Got: a.closed, Fix: a.fix, code: driver.ErrorInvalidHandle}
	}
}

// checkOf is check that refuses streams of other devices too.
func (s *Stream) checkOf(op string, d *Device) error {
	if err := s.check(op); err != nil {
		return err
	}
	if s.dev != d {
		return &Error{Op: op, Want: "a stream of " + d.String(), Got: "one of " + d.apart(s.dev),
			code: driver.ErrorInvalidHandle}
	}
	return nil
}

// runs refuses, of what cannot be recorded, a stream that captures; the capture fails with that.
func (s *Stream) runs(op, fix string) error {
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	if r == nil {
		return nil
	}
	return r.fail(&Error{Op: op, Want: "a stream that runs", Got: "one that records a graph, where this has no place",
		Fix:  fix,
		code: driver.ErrorStreamCaptureUnsupported})
}

func makeStream(d *Device, s driver.Stream) *Stream {
	st := &Stream{dev: d, s: s}
	st.ahead.left.Store(stride)
	return st
}

// NewStream makes a stream. It is given back by Close or with its device.
func (d *Device) NewStream() (*Stream, error) {
	const op = "Device.NewStream"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	s, err := d.leaseStream(op)
	if err != nil {
		return nil, err
	}
	st := makeStream(d, s)
	st.handle = track("stream", d.String())
	if !d.own(st) {
		_ = st.closeWithDevice() // the device was closed meanwhile
		return nil, d.checkOpen(op)
	}
	return st, nil
}

// pooledStreams is how many streams that only recorded are kept: each capture needs one, and making
// one costs far more than a capture.
const pooledStreams = 8

// leaseStream takes an empty stream from the pool, or makes one.
func (d *Device) leaseStream(op string) (driver.Stream, error) {
	d.mu.Lock()
	if n := len(d.empties); n > 0 {
		s := d.empties[n-1]
		d.empties = d.empties[:n-1]
		d.mu.Unlock()
		return s, nil
	}
	d.mu.Unlock()
	s, err := d.ctx.CreateStream(driver.StreamNonBlocking, 0)
	if err != nil {
		return nil, d.late(op, "", err)
	}
	return s, nil
}

// returnStream keeps a stream in which nothing is.
func (d *Device) returnStream(s driver.Stream) error {
	d.mu.Lock()
	keep := !d.closed && len(d.empties) < pooledStreams
	if keep {
		d.empties = append(d.empties, s)
	}
	d.mu.Unlock()
	if keep {
		return nil
	}
	return s.Destroy()
}

func (d *Device) dropStreams() error {
	d.mu.Lock()
	empties := d.empties
	d.empties = nil
	d.mu.Unlock()
	var errs []error
	for _, s := range empties {
		errs = append(errs, s.Destroy())
	}
	return errors.Join(errs...)
}

// Device is where the stream runs; nil for a nil or a zero stream.
func (s *Stream) Device() *Device {
	if s == nil {
		return nil
	}
	return s.dev
}

// Driver is the stream behind the seam, nil where there is none. What is recorded through it is not
// in a graph's books: the graph does not hold what that uses. It is dead once the stream is closed.
func (s *Stream) Driver() DriverStream {
	if s.check("Stream.Driver") != nil {
		return nil
	}
	return s.s
}

// state is a word for cards and texts.
func (s *Stream) state() string {
	switch a := s.aside.Load(); {
	case a == nil:
		return "runs"
	case a.record != nil:
		return "records a graph"
	default:
		return a.closed
	}
}

func (s *Stream) String() string {
	if s == nil || s.dev == nil {
		return "no stream"
	}
	if s.own {
		return "the own stream of " + s.dev.String()
	}
	return "a stream of " + s.dev.String()
}

// Table is the stream's card.
func (s *Stream) Table() display.Table {
	if s == nil || s.dev == nil {
		return *display.Card("No stream")
	}
	t := display.Card("Stream")
	if s.own {
		t.Add("stream", "the device's own")
	}
	t.Add("device", s.dev.String())
	t.Add("state", s.state())
	if s.aside.Load() == nil {
		if done, err := s.Done(); err != nil {
			t.Note(err.Error())
		} else {
			t.Add("work", map[bool]string{true: "done", false: "under way"}[done])
		}
	}
	return *t
}

// Launch checks and enqueues one launch on this stream. What stands among the arguments is
// described with Device.Launch; the option On is not for it.
func (s *Stream) Launch(k *Kernel, grid GridDim, block BlockDim, args ...any) error {
	const op = "Stream.Launch"
	if err := s.check(op); err != nil {
		return err
	}
	p, err := s.dev.prepare(op, byStream, k, grid, block, args)
	if err != nil {
		return s.recording().fail(err)
	}
	return s.enqueue(op, p)
}

// enqueue submits a prepared launch to this stream, or records it. Every launch goes through here.
func (s *Stream) enqueue(op string, p *prepared) error {
	if s.aside.Load() != nil {
		return s.recordLaunch(op, p)
	}
	return p.run(op, s)
}

// Synchronize waits until the stream is empty and reports what failed in it.
func (s *Stream) Synchronize() error {
	const op = "Stream.Synchronize"
	if err := s.runs(op, "wait for the graph once it was launched"); err != nil {
		return err
	}
	s.mu.Lock()
	kept := len(s.keep)
	s.mu.Unlock()
	err := s.dev.waited(op, s.dev.wait(op, func() bool { return !busy(s.s.Query()) }, s.s.Synchronize))
	if !wasInterrupted(err) {
		s.mu.Lock()
		s.keep = append(s.keep[:0:0], s.keep[min(kept, len(s.keep)):]...)
		s.mu.Unlock()
	}
	return err
}

// SynchronizeContext is Synchronize that gives up when ctx ends: the work goes on, only the waiting stops.
// Device.Reset, which gives the work up too, ends it with an error.
func (s *Stream) SynchronizeContext(ctx context.Context) error {
	const op = "Stream.SynchronizeContext"
	if err := s.runs(op, "wait for the graph once it was launched"); err != nil {
		return err
	}
	_, err := waitWith(ctx, op, without(s.Synchronize))
	return err
}

// Done reports whether the stream is empty, without waiting.
func (s *Stream) Done() (bool, error) {
	const op = "Stream.Done"
	if err := s.runs(op, "ask once the graph was launched"); err != nil {
		return false, err
	}
	err := elsewhere(s.s.Query)
	if err == nil {
		return true, nil
	}
	if busy(err) {
		return false, nil
	}
	return false, s.dev.late(op, "", err)
}

// WaitFor holds later work of this stream back until the event's most recent record is done.
func (s *Stream) WaitFor(e *Event) error {
	const op = "Stream.WaitFor"
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	if err := e.check(op); err != nil {
		return r.fail(err)
	}
	if err := e.isOf(op, r); err != nil {
		return r.fail(err)
	}
	if err := s.room(op); err != nil {
		return r.fail(err)
	}
	return r.fail(wrap(op, "", s.s.WaitEvent(e.e)))
}

// Close gives the stream back; work in it goes on. The device's own stream is closed with the
// device, one that Device.Capture made with its capture. A fork in a capture may be closed once it
// is joined.
func (s *Stream) Close() error {
	const op = "Stream.Close"
	if err := s.check(op); err != nil {
		return err
	}
	if s.own {
		return &Error{Op: op, Got: "this is the device's own stream", Fix: "close the device", code: driver.ErrorNotPermitted}
	}
	if r := s.recording(); r != nil {
		if r.origin == s {
			return r.fail(&Error{Op: op, Got: "the stream records a graph",
				Fix:  "leave it to Device.Capture, which closes it behind the function that records",
				code: driver.ErrorIllegalState})
		}
		s.aside.Store(closedFork) // its part of the graph stays, and the driver's stream until the capture ends
		return nil
	}
	if !s.aside.CompareAndSwap(nil, closedStream) {
		return s.check(op) // another goroutine was here
	}
	return s.giveBack(op)
}

// giveBack gives the driver's stream back, once.
func (s *Stream) giveBack(op string) error {
	if !s.dev.disown(s) {
		return nil
	}
	defer s.dev.gone()
	s.handle.forget()
	if !s.recorded && (s.dev.capturing.Load() > 0 || busy(s.s.Query())) {
		s.dev.unknown.Store(true)
	}
	s.ahead.giveBack(s.dev)
	if s.recorded {
		return wrap(op, "", s.dev.returnStream(s.s))
	}
	return wrap(op, "", s.s.Destroy())
}

func (s *Stream) closeWithDevice() error {
	s.lost()
	return errors.Join(s.ahead.drop(), s.s.Destroy())
}

func (s *Stream) lost() {
	s.aside.Store(lostStream)
	s.handle.forget()
}
