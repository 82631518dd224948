package emulated

import (
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// event is a place in a stream.
type event struct {
	ctx    *context
	handle uintptr
	flags  driver.EventFlags
	// guarded by ctx.mu
	dead     bool
	last     *op // the latest record
	recorded bool
	at       time.Time // when the latest record was done
	stream   *stream   // of the latest record, with its place there
	n        uint64
	before   clock
	captured *capture // the capture that it was recorded in
	deps     []driver.GraphNode
}

func (c *context) CreateEvent(flags driver.EventFlags) (driver.Event, error) {
	if err := c.enter("cuEventCreate"); err != nil {
		return nil, err
	}
	return &event{ctx: c, handle: c.device.driver.handle(), flags: flags}, nil
}

// event gives the event of a call.
func (c *context) event(call string, e driver.Event) (*event, error) {
	ev, ok := e.(*event)
	if !ok || ev == nil {
		return nil, fail(call, driver.ErrorInvalidHandle, "the event is of another driver")
	}
	if ev.ctx != c {
		return nil, fail(call, driver.ErrorInvalidHandle, "the event belongs to another context")
	}
	return ev, ev.live(call)
}

func (e *event) live(call string) error {
	e.ctx.mu.Lock()
	defer e.ctx.mu.Unlock()
	if e.dead {
		return fail(call, driver.ErrorInvalidHandle, "the event was destroyed")
	}
	return e.ctx.stateLocked(call)
}

func (e *event) Handle() uintptr { return e.handle }

func (e *event) Record(s driver.Stream) error {
	const call = "cuEventRecord"
	if err := e.live(call); err != nil {
		return err
	}
	st, err := e.ctx.stream(call, s)
	if err != nil {
		return err
	}
	if st.captureRecord(e) {
		return nil
	}
	if e.ctx.queue.idle() {
		// Nothing is before the record: it is done now, and costs no allocation.
		e.attach(st, nil)
		return e.stamp()
	}
	e.attach(st, st.mark(e.stamp))
	return nil
}

// attach makes an operation the event's latest record, or nil where all of the stream is done.
func (e *event) attach(s *stream, o *op) {
	e.ctx.mu.Lock()
	defer e.ctx.mu.Unlock()
	e.last, e.recorded, e.captured, e.deps = o, true, nil, nil
	e.stream, e.n, e.before = s, s.n, s.before
	if o != nil {
		e.n, e.before = o.n, o.before
	}
}

// clockLocked is the clock of what waits for the event.
func (e *event) clockLocked() clock {
	if e.stream == nil {
		return nil
	}
	return e.before.join(tick{e.stream, e.n})
}

// seen notes that the host knows the event's latest record to be done.
func (e *event) seen() {
	if e.ctx.deeds == nil {
		return
	}
	e.ctx.mu.Lock()
	done := e.clockLocked()
	e.ctx.mu.Unlock()
	e.ctx.know(done)
}

func (e *event) stamp() error {
	now := time.Now()
	e.ctx.mu.Lock()
	defer e.ctx.mu.Unlock()
	e.at = now
	return nil
}

// recordOp gives the latest record, or the error of an event that a capture holds.
func (e *event) recordOp(call string) (*op, error) {
	if err := e.live(call); err != nil {
		return nil, err
	}
	e.ctx.mu.Lock()
	defer e.ctx.mu.Unlock()
	if e.captured != nil {
		e.captured.status = driver.CaptureInvalidated
		return nil, fail(call, driver.ErrorCapturedEvent, "")
	}
	return e.last, nil
}

func (e *event) Synchronize() error {
	const call = "cuEventSynchronize"
	o, err := e.recordOp(call)
	if err != nil {
		return err
	}
	f := e.ctx.queue.wait(o)
	if e.seen(); f == nil {
		f = e.ctx.queue.left(e.stream)
	}
	if err := e.ctx.enter(call); err != nil {
		return err
	}
	return f.report(call)
}

func (e *event) Query() error {
	const call = "cuEventQuery"
	o, err := e.recordOp(call)
	if err != nil {
		return err
	}
	done, f := e.ctx.queue.look(o)
	if !done {
		return fail(call, driver.ErrorNotReady, "")
	}
	e.seen()
	if err := e.ctx.enter(call); err != nil {
		return err
	}
	return f.report(call)
}

func (e *event) ElapsedMilliseconds(since driver.Event) (float32, error) {
	const call = "cuEventElapsedTime"
	from, err := e.ctx.event(call, since)
	if err != nil {
		return 0, err
	}
	for _, x := range []*event{from, e} {
		o, err := x.recordOp(call)
		if err != nil {
			return 0, err
		}
		if !x.recorded || x.flags&driver.EventDisableTiming != 0 {
			return 0, fail(call, driver.ErrorInvalidHandle, "an event was never recorded, or has timing disabled")
		}
		if done, _ := e.ctx.queue.look(o); !done {
			return 0, fail(call, driver.ErrorNotReady, "")
		}
	}
	e.ctx.mu.Lock()
	defer e.ctx.mu.Unlock()
	return float32(e.at.Sub(from.at).Seconds() * 1e3), nil
}

func (e *event) Destroy() error {
	const call = "cuEventDestroy"
	e.ctx.mu.Lock()
	defer e.ctx.mu.Unlock()
	if e.dead {
		return fail(call, driver.ErrorInvalidHandle, "the event was destroyed before")
	}
	e.dead = true
	return e.ctx.stateLocked(call)
}
