package emulated

import (
	gocontext "context"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
)

// stream is a queue of work; what it holds is the last operation submitted.
type stream struct {
	ctx       *context
	handle    uintptr
	flags     driver.StreamFlags
	isDefault bool
	// guarded by ctx.mu
	dead    bool
	last    *op
	number  int    // among the streams of the context
	used    bool   // not only to record
	n       uint64 // operations so far
	before  clock  // of other streams, what the next operation is behind
	capture *capture
	deps    []driver.GraphNode // what the next captured node waits for
}

func (c *context) CreateStream(flags driver.StreamFlags, priority int) (driver.Stream, error) {
	const call = "cuStreamCreateWithPriority"
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.stateLocked(call); err != nil {
		return nil, err
	}
	if flags > driver.StreamNonBlocking {
		return nil, fail(call, driver.ErrorInvalidValue, "flags %#x", uint32(flags))
	}
	c.order.numbers++
	s := &stream{ctx: c, handle: c.device.driver.handle(), flags: flags, number: c.order.numbers, used: true}
	c.order.streams++
	c.streams[s] = true
	return s, nil
}

// stream gives the stream of a call, nil meaning the default one.
func (c *context) stream(call string, s driver.Stream) (*stream, error) {
	if s == nil {
		return c.standard, nil
	}
	st, ok := s.(*stream)
	if !ok {
		return nil, fail(call, driver.ErrorInvalidHandle, "the stream is of another driver")
	}
	if st.ctx != c {
		return nil, fail(call, driver.ErrorInvalidHandle, "the stream belongs to another context")
	}
	return st, st.live(call)
}

func (s *stream) live(call string) error {
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	if err := s.ctx.stateLocked(call); err != nil {
		return err
	}
	if s.dead {
		return fail(call, driver.ErrorInvalidHandle, "the stream was destroyed")
	}
	return nil
}

// submit enqueues work of the device on the stream.
func (s *stream) submit(run func(ctx gocontext.Context, o *op) error, after ...*op) *op {
	return s.enqueue(&op{run: run}, after...)
}

// mark enqueues something that takes no time, and happens even if what is before it failed.
func (s *stream) mark(run func() error, after ...*op) *op {
	return s.enqueue(&op{always: true, run: func(gocontext.Context, *op) error { return run() }}, after...)
}

func nothing() error { return nil }

// enqueue puts an operation at the end of the stream. The default stream waits for all blocking
// ones, and they for it.
func (s *stream) enqueue(o *op, after ...*op) *op {
	c := s.ctx
	o.stream = s
	c.mu.Lock()
	defer c.mu.Unlock()
	o.stack = c.limits[driver.LimitStackSize]
	after = append(after, s.last)
	switch {
	case s.isDefault:
		for other := range c.streams {
			if other.flags&driver.StreamNonBlocking == 0 {
				after = append(after, other.last)
			}
		}
	case s.flags&driver.StreamNonBlocking == 0:
		after = append(after, c.standard.last)
	}
	s.tickLocked(o, after)
	s.last = c.queue.add(o, after...)
	return s.last
}

func (s *stream) Handle() uintptr         { return s.handle }
func (s *stream) Context() driver.Context { return s.ctx }

func (s *stream) Priority() (int, error) { return 0, s.live("cuStreamGetPriority") }

func (s *stream) Flags() (driver.StreamFlags, error) {
	return s.flags, s.live("cuStreamGetFlags")
}

func (s *stream) Synchronize() error {
	const call = "cuStreamSynchronize"
	if err := s.notCaptured(call); err != nil {
		return err
	}
	last := s.lastOp()
	f := s.ctx.queue.waitStream(s, last)
	s.ctx.know(last.clock())
	if err := s.ctx.enter(call); err != nil {
		return err
	}
	return f.report(call)
}

// lastOp is what the stream waits for when it is waited for.
func (s *stream) lastOp() *op {
	if s.isDefault {
		return s.mark(nothing)
	}
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	return s.last
}

func (s *stream) Query() error {
	const call = "cuStreamQuery"
	if err := s.notCaptured(call); err != nil {
		return err
	}
	s.ctx.mu.Lock()
	last := s.last
	s.ctx.mu.Unlock()
	if done, _ := s.ctx.queue.look(last); !done {
		return fail(call, driver.ErrorNotReady, "")
	}
	s.ctx.know(last.clock())
	return s.ctx.enter(call)
}

// notCaptured refuses a call that a capture forbids, and spoils the capture.
func (s *stream) notCaptured(call string) error {
	if err := s.live(call); err != nil {
		return err
	}
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	if s.capture != nil {
		s.capture.status = driver.CaptureInvalidated
		return fail(call, driver.ErrorStreamCaptureUnsupported, "")
	}
	return nil
}

func (s *stream) WaitEvent(e driver.Event) error {
	const call = "cuStreamWaitEvent"
	if err := s.live(call); err != nil {
		return err
	}
	ev, err := s.ctx.event(call, e)
	if err != nil {
		return err
	}
	if handled, err := s.captureWait(call, ev); handled || err != nil {
		return err
	}
	s.ctx.mu.Lock()
	last, joins := ev.last, ev.clockLocked()
	s.ctx.mu.Unlock()
	s.enqueue(&op{always: true, joins: joins, run: func(gocontext.Context, *op) error { return nil }}, last)
	return nil
}

func (s *stream) LaunchHost(fn func()) error {
	const call = "cuLaunchHostFunc"
	if err := s.live(call); err != nil {
		return err
	}
	if fn == nil {
		return fail(call, driver.ErrorInvalidValue, "the function is nil")
	}
	if n := s.capturing(); n != nil {
		return n.record(call, s, &node{kind: driver.GraphNodeHost, host: fn})
	}
	s.enqueue(&op{beside: true, calls: 1, run: func(_ gocontext.Context, o *op) error {
		return s.ctx.callHost(o.clock(), func() error { return hostcall.Run(fn) })
	}})
	return nil
}

func (s *stream) Destroy() error {
	const call = "cuStreamDestroy"
	if s.isDefault {
		return fail(call, driver.ErrorInvalidHandle, "the default stream cannot be destroyed")
	}
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	switch {
	case s.dead:
		return fail(call, driver.ErrorInvalidHandle, "the stream was destroyed before")
	case s.capture != nil:
		s.capture.status = driver.CaptureInvalidated
	}
	s.dead = true
	s.departLocked()
	delete(s.ctx.streams, s)
	return s.ctx.stateLocked(call)
}
