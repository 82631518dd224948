package cuda

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// An Event marks a place in a stream and, unless it was made without, the time at which it was
// passed.
type Event struct {
	dev    *Device
	e      driver.Event
	handle *LiveHandle
	// in is the capture in which the event was recorded last, nil where that was none.
	in atomic.Pointer[recording]

	mu     sync.Mutex
	closed bool // guarded by mu
}

// NewEvent makes an event with timing. It is given back by Close or with its device.
func (d *Device) NewEvent() (*Event, error) {
	const op = "Device.NewEvent"
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	raw, err := d.ctx.CreateEvent(driver.EventDefault)
	if err != nil {
		return nil, d.late(op, "", err)
	}
	e := &Event{dev: d, e: raw, handle: track("event", d.String())}
	if !d.own(e) {
		_ = e.closeWithDevice() // the device was closed meanwhile
		return nil, d.checkOpen(op)
	}
	return e, nil
}

// check refuses a nil, a zero and a closed event.
func (e *Event) check(op string) error {
	if e == nil || e.dev == nil {
		return missing(op, "an event", "Device.NewEvent")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		return nil
	}
	err := &Error{Op: op, What: e.dev.String(), Got: "the event was closed", Fix: "make another: Device.NewEvent",
		code: driver.ErrorInvalidHandle}
	if state := e.dev.state(); state != "" {
		err.Got = "the event went with its device, which was " + state
	}
	return err
}

// isOf refuses an event that was recorded in a capture where r is another, or none, and one from
// outside where r is a capture: the driver would take the stream into the capture, or spoil it.
func (e *Event) isOf(op string, r *recording) error {
	switch in := e.in.Load(); {
	case in == r:
		return nil
	case r == nil:
		return e.isCaptured(op)
	case in == nil:
		return &Error{Op: op, Want: "an event recorded in this capture", Got: "one recorded outside",
			code: driver.ErrorStreamCaptureIsolation,
			Fix:  "let the stream wait where the graph is launched"}
	default:
		return &Error{Op: op, Want: "an event recorded in this capture", Got: "one recorded in another",
			code: driver.ErrorStreamCaptureMerge,
			Fix:  "record it here"}
	}
}

func (e *Event) isCaptured(op string) error {
	return &Error{Op: op, Want: "an event recorded on a stream that runs",
		Got: "one recorded in a capture, where it only orders the nodes",
		Fix: "record it again outside; inside, Stream.Fork and Join make branches", code: driver.ErrorCapturedEvent}
}

// passes refuses an event that no device passes, because it was recorded in a capture; a capture
// under way fails with that.
func (e *Event) passes(op string) error {
	if err := e.check(op); err != nil {
		return err
	}
	if r := e.in.Load(); r != nil {
		return r.fail(e.isCaptured(op))
	}
	return nil
}

// Record places the event behind all work submitted to the stream so far.
func (e *Event) Record(s *Stream) error {
	const op = "Event.Record"
	if err := e.check(op); err != nil {
		return err
	}
	if err := s.checkOf(op, e.dev); err != nil {
		return err
	}
	r := s.recording()
	if err := s.room(op); err != nil {
		return r.fail(err)
	}
	if err := e.e.Record(s.s); err != nil {
		return r.fail(s.dev.late(op, "", err))
	}
	e.in.Store(r)
	return nil
}

// Synchronize waits until the event's most recent record was passed.
func (e *Event) Synchronize() error {
	const op = "Event.Synchronize"
	if err := e.passes(op); err != nil {
		return err
	}
	return e.dev.waited(op, e.dev.waitEvent(op, e.e))
}

// SynchronizeContext is Synchronize that gives up when ctx ends: the work goes on, only the waiting stops.
func (e *Event) SynchronizeContext(ctx context.Context) error {
	const op = "Event.SynchronizeContext"
	if err := e.passes(op); err != nil {
		return err
	}
	_, err := waitWith(ctx, op, without(e.Synchronize))
	return err
}

// waitEvent waits for an event, so that Interrupt ends it.
func (d *Device) waitEvent(op string, e driver.Event) error {
	return d.wait(op, func() bool { return !busy(e.Query()) }, e.Synchronize)
}

// Since is the device time from an earlier event to this one; both were recorded and passed.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	const op = "Event.Since"
	for _, x := range []*Event{e, earlier} {
		if err := x.passes(op); err != nil {
			return 0, err
		}
	}
	if earlier.dev != e.dev {
		return 0, &Error{Op: op, Want: "an event of " + e.dev.String(), Got: "one of " + e.dev.apart(earlier.dev),
			code: driver.ErrorInvalidHandle}
	}
	ms, err := e.e.ElapsedMilliseconds(earlier.e)
	if err != nil {
		return 0, e.dev.late(op, "", err)
	}
	return milliseconds(ms), nil
}

func milliseconds(ms float32) time.Duration { return time.Duration(float64(ms) * 1e6) }

// Close gives the event back.
func (e *Event) Close() error {
	const op = "Event.Close"
	if err := e.check(op); err != nil {
		return err
	}
	if !e.dev.disown(e) {
		return e.check(op) // another goroutine was here
	}
	defer e.dev.gone()
	e.lost()
	return wrap(op, "", e.e.Destroy())
}

func (e *Event) String() string {
	if e == nil || e.dev == nil {
		return "no event"
	}
	return "an event of " + e.dev.String()
}

// Table is the event's card.
func (e *Event) Table() display.Table {
	if e == nil || e.dev == nil {
		return *display.Card("No event")
	}
	t := display.Card("Event")
	t.Add("device", e.dev.String())
	switch err := e.check("Event"); {
	case err != nil:
		t.Add("state", "closed")
	case e.in.Load() != nil:
		t.Add("state", "recorded in a capture")
	default:
		state := "passed, or never recorded"
		if busy(elsewhere(e.e.Query)) {
			state = "recorded, and not passed"
		}
		t.Add("state", state)
	}
	return *t
}

func (e *Event) closeWithDevice() error {
	e.lost()
	return e.e.Destroy()
}

func (e *Event) lost() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.handle.forget()
}
