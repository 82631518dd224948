package cuda

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// An InterruptedError says that a wait was given up. What it waited for goes on, unless Work names
// it: the emulated device ends what it executes.
type InterruptedError struct {
	Op string
	// Work was ended with what was enqueued behind it, "kernel saxpy, launch 3,"; what it had
	// written until then is there.
	Work string
}

func (e *InterruptedError) Error() string {
	if e.Work != "" {
		return e.Op + ": interrupted; " + (&driver.InterruptedError{Work: e.Work}).Error()
	}
	return e.Op + ": the wait was interrupted; the work on the device goes on\n" +
		"What to do: wait again, or Device.Reset to give it up"
}

var interrupts = struct {
	one   sync.Mutex   // held by Interrupt
	begun atomic.Int64 // how many there were, with the one under way
	mu    sync.Mutex
	c     chan struct{} // guarded by mu: closed by the next Interrupt
}{c: make(chan struct{})}

// Interrupt ends every wait for a device that is under way with an *InterruptedError: a notebook's
// interrupt, say. It is safe at any time.
//
// What emulated devices execute ends with it: kernels and graphs that are under way or could be,
// with what is enqueued behind them. Those operations fail; the devices go on. A Go function in a
// stream or graph is not ended, nor what is behind it: it ends by itself, or with the process. A
// GPU's work goes on.
func Interrupt() {
	interrupts.one.Lock()
	defer interrupts.one.Unlock()
	interrupts.begun.Add(1)
	emulated.Interrupt()
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	close(interrupts.c)
	interrupts.c = make(chan struct{})
}

// Interrupted tells a notebook that a panic with this error is its own interrupt.
func (e *InterruptedError) Interrupted() bool { return true }

func interrupted() <-chan struct{} {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	return interrupts.c
}

// A wait asks again and again before it hands the waiting to a goroutine: most waits are shorter,
// and pay nothing for being interruptible, neither the goroutine nor another thread with the cold
// caches of another core to go on with. A GPU's driver would do so for all of the wait; the
// emulated device needs the processors itself.
const (
	quickWait = 50 * time.Microsecond
	longWait  = 5 * time.Millisecond
)

func (d *Device) patience() time.Duration {
	if d.Emulated() {
		return quickWait
	}
	return longWait
}

// wait waits for something of the device, so that Interrupt ends it. done asks without waiting
// whether it is over; nil where that cannot be asked. block waits, and goes on in the background
// after an interrupt: it must not use memory that the caller gives away.
func (d *Device) wait(op string, done func() bool, block func() error) error {
	return d.waitLate(op, done, block, nil)
}

// waitLate is wait that after an interrupt calls late, in the background, once block has returned:
// to give back what the work used.
func (d *Device) waitLate(op string, done func() bool, block func() error, late func()) error {
	if err := notHosting(op); err != nil {
		return err
	}
	c, begun := interrupted(), interrupts.begun.Load()
	if done != nil && !capturers.here() { // a query on the thread of a capture spoils it
		for start, most := time.Now(), d.patience(); time.Since(start) < most && !closed(c); runtime.Gosched() {
			if done() {
				return endedLate(op, begun, block(), late)
			}
		}
	}
	_, err := interruptible(c, op, func() (struct{}, error) { return struct{}{}, block() }, func(struct{}, error) {
		if late != nil {
			late()
		}
	})
	return endedLate(op, begun, err, late)
}

// endedLate is ended for a wait that an interrupt may leave something to.
func endedLate(op string, begun int64, err error, late func()) error {
	told := ended(op, begun, err)
	if late != nil && wasInterrupted(told) && !wasInterrupted(err) {
		go late() // the work is over
	}
	return told
}

// ended tells work that was ended while a call waited for it from work that was ended before.
func ended(op string, begun int64, err error) error {
	var e *driver.InterruptedError
	if err == nil || interrupts.begun.Load() == begun || !errors.As(err, &e) {
		return err
	}
	work := e.Work
	if work == "" {
		work = "work"
	}
	return &InterruptedError{Op: op, Work: work}
}

// busy says of a query's answer that there is work under way. Whatever else it says, a wait would
// not wait.
func busy(err error) bool {
	return err != nil && (&Error{Err: err}).Code() == driver.ErrorNotReady
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// blocking makes a call that may wait for the device although that is not its purpose: the driver
// allocates, frees and loads behind what runs. Interrupt ends the wait; what the call gives after
// that is for late.
func blocking[T any](op string, call func() (T, error), late func(T)) (T, error) {
	if err := notHosting(op); err != nil {
		var none T
		return none, err
	}
	begun := interrupts.begun.Load()
	v, err := interruptible(interrupted(), op, call, func(v T, err error) {
		if err == nil {
			late(v)
		}
	})
	return v, ended(op, begun, err)
}

// grace is how long a wait that was interrupted is given to say what the interrupt ended: it knows,
// where the device is emulated.
const grace = 10 * time.Millisecond

func interruptible[T any](c <-chan struct{}, op string, call func() (T, error), late func(T, error)) (T, error) {
	type answer struct {
		v   T
		err error
	}
	result := make(chan answer, 1)
	go func() {
		v, err := call()
		result <- answer{v, err}
	}()
	select {
	case a := <-result:
		return a.v, a.err
	case <-c:
	}
	var over *driver.InterruptedError
	select {
	case a := <-result:
		if errors.As(a.err, &over) {
			return a.v, a.err
		}
		go late(a.v, a.err)
		var none T
		return none, &InterruptedError{Op: op}
	case <-time.After(grace):
		go func() {
			a := <-result
			late(a.v, a.err)
		}()
		var none T
		return none, &InterruptedError{Op: op}
	}
}

func wasInterrupted(err error) bool {
	var stopped *InterruptedError
	return errors.As(err, &stopped)
}

// drain waits until the device's own stream is empty, so that a transfer behind it is short, and
// one that is interrupted has not begun.
func (d *Device) drain(op string) error { return d.settle(op, nil) }

// settle waits for the device's own stream; late, where it is interrupted, runs once the stream is
// empty.
func (d *Device) settle(op string, late func()) error {
	s := d.stream.s
	return d.waitLate(op, func() bool { return !busy(s.Query()) }, s.Synchronize, late)
}

// quiet waits for all work of the device, interruptibly, before a call that would wait for it in
// the driver.
func (d *Device) quiet(op string) error { return d.wait(op, d.done(), d.ctx.Synchronize) }

// done asks whether all work of the device is done; nil where there may be work that is not known
// here.
func (d *Device) done() func() bool {
	if d.unknown.Load() {
		return nil
	}
	streams := []*Stream{d.stream}
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := range d.owned {
		if s, ok := c.(*Stream); ok {
			streams = append(streams, s)
		}
	}
	return func() bool {
		for _, s := range streams {
			if s.recording() != nil || busy(s.s.Query()) {
				return false
			}
		}
		return true
	}
}

// waitWith makes a call that waits, and gives up waiting when ctx ends: the call goes on by itself.
func waitWith[T any](ctx context.Context, op string, wait func() (T, error)) (none T, _ error) {
	if ctx == nil {
		return none, &Error{Op: op, Want: "a context", Got: "nil"}
	}
	if err := errors.Join(notHosting(op), notCapturing(op, "")); err != nil {
		return none, err
	}
	type answer struct {
		v   T
		err error
	}
	done := make(chan answer, 1)
	go func() {
		v, err := wait()
		done <- answer{v, err}
	}()
	select {
	case a := <-done:
		return a.v, a.err
	case <-ctx.Done():
		return none, &Error{Op: op, What: "the work goes on", Err: context.Cause(ctx), code: driver.ErrorNotReady}
	}
}

// without makes a call without a result one for waitWith.
func without(wait func() error) func() (struct{}, error) {
	return func() (struct{}, error) { return struct{}{}, wait() }
}
