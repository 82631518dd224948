package cuda

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A Pending is a dispatch that was submitted and not collected. One that nobody waits for is collected
// when its buffers are freed or its device is closed.
type Pending struct {
	dev    *Device
	plan   *Plan
	stream *Stream
	marked []*allocation
	keep   []*Buffer
	events []driver.Event // end of all; where timed, start and end of the launches
	read   *readback

	mu      sync.Mutex
	done    bool          // guarded by mu
	outputs [][]byte      // guarded by mu
	took    time.Duration // guarded by mu
	err     error         // guarded by mu
}

// mark marks all buffers in one step for each, before anything is enqueued: a free cannot slip between.
func (q *Pending) mark(op string, buffers []*Buffer, read []Range) error {
	for _, r := range read {
		buffers = append(slices.Clip(buffers), r.Buffer)
	}
	for _, b := range buffers {
		if err := b.a.fly(op); err != nil {
			q.unmark()
			return err
		}
		q.marked = append(q.marked, b.a)
		q.keep = append(q.keep, b)
	}
	return nil
}

func (q *Pending) unmark() {
	for _, a := range q.marked {
		a.land()
	}
	q.marked, q.keep = nil, nil
}

// abandon undoes a dispatch that could not be enqueued whole: what was enqueued is waited for.
func (q *Pending) abandon(err error) error {
	_ = q.stream.s.Synchronize() // the error that stopped the dispatch says more
	q.settle()
	return err
}

// settle gives back everything the dispatch held.
func (q *Pending) settle() {
	if q.read != nil {
		q.read.release()
	}
	q.dev.returnEvents(q.events)
	q.events = nil
	q.unmark()
}

// waitForOthers makes the stream wait for dispatches on other streams that use the same buffers.
func (q *Pending) waitForOthers(op string) error {
	if !q.dev.othersPending(q.stream) {
		return nil
	}
	for _, other := range q.dev.watched() {
		if other.stream == q.stream || !slices.ContainsFunc(q.marked, other.uses) {
			continue
		}
		if err := q.stream.s.WaitEvent(other.events[0]); err != nil {
			return q.dev.late(op, "an earlier dispatch on another stream", err)
		}
	}
	return nil
}

func (q *Pending) uses(a *allocation) bool { return slices.Contains(q.marked, a) }

// Wait waits for the dispatch and gives the bytes of the ranges it was to read back, in their order.
// Waiting again gives the same answer.
func (q *Pending) Wait() ([][]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.done {
		return q.outputs, q.err
	}
	const op = "Pending.Wait"
	start := time.Now()
	q.err = q.dev.waited(op, q.events[0].Synchronize())
	q.dev.counters.waitNS.add(uint64(time.Since(start)))
	q.finish(op)
	return q.outputs, q.err
}

// finish collects; the caller holds mu and the work is done or has failed.
func (q *Pending) finish(op string) {
	q.done = true
	if q.err == nil && q.plan.timed {
		ms, err := q.events[2].ElapsedMilliseconds(q.events[1])
		if err != nil {
			q.err = q.dev.late(op, "", err)
		}
		q.took = milliseconds(ms)
		q.dev.counters.timed.add(1)
		q.dev.counters.deviceNS.add(uint64(q.took))
	}
	if q.err == nil {
		q.outputs = q.read.collect()
	}
	q.dev.unwatch(q)
	q.settle()
}

// poll collects the dispatch if it is done, and says whether it is.
func (q *Pending) poll() bool {
	if !q.mu.TryLock() {
		return false // somebody is waiting for it
	}
	defer q.mu.Unlock()
	if q.done {
		return true
	}
	err := q.events[0].Query()
	if errors.Is(err, driver.ErrorNotReady) {
		return false
	}
	if err != nil {
		q.err = q.dev.late("Pending.Wait", "", err)
	}
	q.finish("Pending.Wait")
	return true
}

// Done says, without waiting, whether Wait would answer at once.
func (q *Pending) Done() bool {
	return q.poll()
}

// DeviceTime is how long the launches took on the device, after Wait; 0 for a plan that is not Timed.
func (q *Pending) DeviceTime() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.took
}

// reapEvery is how many dispatches pile up before a submit looks for those that are done.
const reapEvery = 64

// watch keeps the device aware of a dispatch until it is collected. Where nobody collects, the oldest
// are, so that their events serve again.
func (d *Device) watch(q *Pending) {
	d.mu.Lock()
	d.pending = append(d.pending, q)
	if d.streams == nil {
		d.streams = map[*Stream]int{}
	}
	d.streams[q.stream]++
	var oldest []*Pending
	if n := len(d.pending); n >= reapEvery && n%reapEvery == 0 {
		oldest = slices.Clone(d.pending)
	}
	d.mu.Unlock()
	for _, old := range oldest {
		if !old.poll() {
			break
		}
	}
}

func (d *Device) unwatch(q *Pending) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.pending, q); i >= 0 {
		d.pending = slices.Delete(d.pending, i, i+1)
		if d.streams[q.stream]--; d.streams[q.stream] == 0 {
			delete(d.streams, q.stream)
		}
	}
}

// othersPending says whether a dispatch is under way on another stream.
func (d *Device) othersPending(s *Stream) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.streams) > 1 || len(d.streams) == 1 && d.streams[s] == 0
}

func (d *Device) watched() []*Pending {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.pending)
}

// reap collects dispatches that are done.
func (d *Device) reap() {
	for _, q := range d.watched() {
		q.poll()
	}
}

// fly marks the memory as in use by a dispatch.
func (a *allocation) fly(op string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.freed.Load() {
		return &Error{Op: op, What: a.String(), Got: "the buffer was freed", Fix: "upload it again"}
	}
	a.flights++
	return nil
}

func (a *allocation) land() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.flights--
}

// idle refuses memory that a dispatch is using.
func (a *allocation) idle(op string) error {
	if !a.inFlight() {
		return nil
	}
	a.dev.reap()
	if a.inFlight() {
		return &Error{Op: op, What: a.String(), Got: "a dispatch that uses the buffer is in flight", Fix: "Wait for it first"}
	}
	return nil
}

func (a *allocation) inFlight() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flights > 0
}
