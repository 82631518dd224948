package cuda

import (
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// An Event marks a place in a stream and, unless it was made without, the time at which it was passed.
type Event struct {
	dev    *Device
	e      driver.Event
	handle *Handle

	mu     sync.Mutex
	closed bool // guarded by mu
}

// NewEvent makes an event with timing. It is given back by Close or with its device.
func (d *Device) NewEvent() (*Event, error) {
	const op = "Device.NewEvent"
	if err := d.open(op); err != nil {
		return nil, err
	}
	raw, err := d.ctx.CreateEvent(driver.EventDefault)
	if err != nil {
		return nil, d.late(op, "", err)
	}
	e := &Event{dev: d, e: raw, handle: track("event", d.String())}
	if !d.own(e) {
		_ = e.closeWithDevice() // the device was closed meanwhile
		return nil, d.open(op)
	}
	return e, nil
}

// Record places the event behind all work submitted to the stream so far.
func (e *Event) Record(s *Stream) error {
	const op = "Event.Record"
	if err := s.room(op); err != nil {
		return err
	}
	return wrap(op, "", e.e.Record(s.s))
}

// Synchronize waits until the event's most recent record was passed.
func (e *Event) Synchronize() error {
	const op = "Event.Synchronize"
	return e.dev.waited(op, e.dev.waitEvent(op, e.e))
}

// waitEvent waits for an event, so that Interrupt ends it.
func (d *Device) waitEvent(op string, e driver.Event) error {
	return d.wait(op, func() bool { return !busy(e.Query()) }, e.Synchronize)
}

// Since is the device time from an earlier event to this one; both were recorded and passed.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	ms, err := e.e.ElapsedMilliseconds(earlier.e)
	if err != nil {
		return 0, e.dev.late("Event.Since", "", err)
	}
	return milliseconds(ms), nil
}

func milliseconds(ms float32) time.Duration { return time.Duration(float64(ms) * 1e6) }

// Close gives the event back.
func (e *Event) Close() error {
	e.mu.Lock()
	closed := e.closed
	e.closed = true
	e.mu.Unlock()
	if closed {
		return &Error{Op: "Event.Close", Got: "the event was closed already"}
	}
	if !e.dev.disown(e) {
		return nil
	}
	defer e.dev.gone()
	e.handle.forget()
	return wrap("Event.Close", "", e.e.Destroy())
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
