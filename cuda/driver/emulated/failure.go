package emulated

import (
	gocontext "context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A failure is why operations did not do what they were to do although nothing is wrong with their
// context: one was interrupted, or a host function panicked, and the others came behind it.
type failure struct {
	cause error // a *driver.InterruptedError or *driver.HostFunctionError
	// streams are those in which it was not told yet; guarded by the queue's mu.
	streams []*stream
}

func (f *failure) Error() string { return f.cause.Error() }
func (f *failure) Unwrap() error { return f.cause }

// failureOf gives the failure that an operation ended with, nil for success and for what ends the
// context.
func failureOf(err error) *failure {
	if f, ok := err.(*failure); ok {
		return f
	}
	var panicked *driver.HostFunctionError
	if errors.As(err, &panicked) {
		return &failure{cause: panicked}
	}
	return nil
}

// report makes the error of a call that waited; nil for nil.
func (f *failure) report(call string) error {
	if f == nil {
		return nil
	}
	return &driver.Error{Call: call, Code: driver.ErrorUnknown, Cause: f.cause}
}

// by says what was under way when the interrupt came.
func (f *failure) by(work string) {
	if e, ok := f.cause.(*driver.InterruptedError); ok && e.Work == "" {
		f.cause = &driver.InterruptedError{Work: work}
	}
}

func (f *failure) told(s *stream) {
	f.streams = slices.DeleteFunc(f.streams, func(x *stream) bool { return x == s })
}

// A waiter is a call that waits for a stream, or with nil for all of the context.
type waiter struct {
	stream *stream
	got    *failure
}

// waits notes a waiter; the caller holds mu.
func (q *queue) waits(s *stream) *waiter {
	w := &waiter{stream: s}
	q.waiters[w] = struct{}{}
	return w
}

// tellWaiting tells an operation's failure to those who wait for its stream or, where nobody does,
// keeps it for the next who does.
func (q *queue) tellWaiting(o *op) {
	f, heard := o.failed, false
	for w := range q.waiters {
		if w.stream == nil || w.stream == o.stream {
			w.got, heard = f, true
		}
	}
	if heard || slices.Contains(f.streams, o.stream) {
		return
	}
	if f.streams = append(f.streams, o.stream); !slices.Contains(q.untold, f) {
		q.untold = append(q.untold, f)
	}
}

// heard gives what a waiter is to be told; the caller holds mu.
func (q *queue) heard(w *waiter) *failure {
	for _, f := range q.untold {
		if w.stream == nil {
			f.streams = nil
		} else if !slices.Contains(f.streams, w.stream) {
			continue
		}
		f.told(w.stream)
		if w.got == nil {
			w.got = f
		}
	}
	q.untold = slices.DeleteFunc(q.untold, func(f *failure) bool { return len(f.streams) == 0 })
	return w.got
}

// left gives what failed in a stream and was not told: a wait for an event there tells it too.
func (q *queue) left(s *stream) *failure {
	if s == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.heard(&waiter{stream: s})
}

// busy are the queues in which something is.
var busy busyQueues

type busyQueues struct {
	mu     sync.Mutex
	queues map[*queue]struct{}
}

func (b *busyQueues) add(q *queue) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queues == nil {
		b.queues = map[*queue]struct{}{}
	}
	b.queues[q] = struct{}{}
}

func (b *busyQueues) remove(q *queue) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.queues, q)
}

// Interrupt ends what the emulated devices of this process execute, with what is enqueued behind
// it, and returns when that has ended. The operations fail with a *driver.InterruptedError; their
// contexts go on. A host function is Go, and ends by itself: what is enqueued behind one that runs
// stays, and so does its graph.
func Interrupt() {
	busy.mu.Lock()
	var queues []*queue
	for q := range busy.queues {
		queues = append(queues, q)
	}
	busy.mu.Unlock()
	for _, q := range queues {
		q.cutAll()
	}
}

// cutAll ends the operations that run or could.
func (q *queue) cutAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	var running []*op
	f := &failure{cause: &driver.InterruptedError{}}
	for o := q.oldest; o != nil; o = o.newer {
		switch {
		case o.always:
		case o.state == opReady:
			if o.failed = f; o.kernel != nil {
				f.by(o.kernel.name(o.number))
			}
		case o.state == opRunning && o.calls == 0:
			if o.cut = f; o.kernel != nil {
				f.by(o.kernel.name(o.number))
			}
			running = append(running, o)
		}
	}
	q.interrupt()
	q.interrupts, q.interrupt = gocontext.WithCancel(q.ctx.ctx)
	late := false
	stop := time.AfterFunc(mostCut, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		late = true
		q.cond.Broadcast()
	})
	defer stop.Stop()
	for !late && slices.ContainsFunc(running, func(o *op) bool { return o.state != opDone && o.calls == 0 }) {
		q.cond.Wait()
	}
}

// mostCut is how long an interrupt waits for what it ended: a kernel that prints into a pipe which
// nobody reads ends no sooner.
const mostCut = time.Second
