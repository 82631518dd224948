package cuda

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Pending is a dispatch that was submitted and not collected. One that nobody waits for is
// collected when its buffers are freed or its device is closed.
type Pending struct {
	dev     *Device
	stream  *Stream
	ranges  []BufferRange  // that are read back
	marked  []*Buffer      // also kept reachable by being here
	end     driver.Event   // behind everything
	timing  []driver.Event // where timed: before and behind the launches
	read    *readback      // nil where nothing is read back
	loops   []*loop        // fixpoints
	uploads []*hostBlock   // what writes were copied from

	// Room for what most dispatches need, so that one costs one allocation.
	few  [8]*Buffer
	room [128]byte

	mu      sync.Mutex
	done    bool          // guarded by mu
	outputs [][]byte      // guarded by mu
	took    time.Duration // guarded by mu
	rounds  int           // guarded by mu: launches of fixpoints
	stopped bool          // guarded by mu: a fixpoint ended at its most launches
	err     error         // guarded by mu
}

// mark marks all buffers in one step for each, before anything is enqueued: a free cannot slip
// between.
func (q *Pending) mark(op string, read []BufferRange, lists ...[]*Buffer) error {
	q.marked = q.few[:0]
	for _, buffers := range lists {
		q.marked = append(q.marked, buffers...)
	}
	for _, r := range read {
		q.marked = append(q.marked, r.Buffer)
	}
	for i, b := range q.marked {
		if err := b.a.fly(op); err != nil {
			q.marked = q.marked[:i]
			q.unmark()
			return err
		}
	}
	return nil
}

func (q *Pending) unmark() {
	for _, b := range q.marked {
		b.a.land()
	}
	q.marked, q.few = nil, [8]*Buffer{}
}

// abandon undoes a dispatch that could not be enqueued whole: what was enqueued is waited for, in
// the background where an interrupt is why.
func (q *Pending) abandon(err error) error {
	if wasInterrupted(err) {
		go func() {
			_ = q.stream.s.Synchronize()
			_ = q.settle()
		}()
		return err
	}
	_ = q.stream.s.Synchronize() // the error that stopped the dispatch says more
	return errors.Join(err, q.settle())
}

// settle gives back everything the dispatch held.
func (q *Pending) settle() error {
	var errs []error
	if q.read != nil {
		q.read.release()
	}
	for _, l := range q.loops {
		errs = append(errs, l.release(q.dev))
	}
	for _, b := range q.uploads {
		q.dev.hostPool.giveBack(b)
	}
	q.loops, q.uploads = nil, nil
	q.dev.returnEvents(q.timing)
	q.dev.returnFence(q.end)
	q.timing, q.end = nil, nil
	q.unmark()
	return errors.Join(errs...)
}

// waitForOthers makes the stream wait for dispatches on other streams that use the same buffers.
func (q *Pending) waitForOthers(op string) error {
	if !q.dev.othersPending(q.stream) {
		return nil
	}
	for _, other := range q.dev.watched() {
		if other.stream == q.stream {
			continue
		}
		if err := other.holdBack(q); err != nil {
			return q.dev.late(op, "an earlier dispatch on another stream", err)
		}
	}
	return nil
}

// holdBack makes a later dispatch on another stream wait for this one where they share a buffer.
func (q *Pending) holdBack(later *Pending) error {
	q.mu.Lock() // while somebody waits for it this waits too, and then it is done
	defer q.mu.Unlock()
	if q.done || !slices.ContainsFunc(later.marked, func(b *Buffer) bool {
		return slices.ContainsFunc(q.marked, func(mine *Buffer) bool { return mine.a == b.a })
	}) {
		return nil
	}
	return later.stream.s.WaitEvent(q.end)
}

// Wait waits for the dispatch and gives the bytes of the ranges it was to read back, in their
// order. Waiting again gives the same answer.
func (q *Pending) Wait() ([][]byte, error) {
	const op = "Pending.Wait"
	if q.none() {
		return nil, missing(op, "a dispatch", "Plan.Submit")
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.done {
		return q.outputs, q.err
	}
	start := time.Now()
	err := q.dev.waited(op, q.dev.waitEvent(op, q.end))
	var stopped *InterruptedError
	if errors.As(err, &stopped) {
		return nil, err // it is still under way
	}
	q.err = err
	q.dev.counters.waitNS.add(uint64(time.Since(start)))
	q.finish(op)
	return q.outputs, q.err
}

// WaitContext is Wait that gives up when ctx ends: the dispatch goes on, and Wait still answers.
func (q *Pending) WaitContext(ctx context.Context) ([][]byte, error) {
	const op = "Pending.WaitContext"
	if q.none() {
		return nil, missing(op, "a dispatch", "Plan.Submit")
	}
	return waitWith(ctx, op, q.Wait)
}

func (q *Pending) none() bool { return q == nil || q.dev == nil }

// finish collects; the caller holds mu and the work is done or has failed.
func (q *Pending) finish(op string) {
	q.done = true
	if q.err == nil && len(q.timing) == 2 {
		ms, err := q.timing[1].ElapsedMilliseconds(q.timing[0])
		if err != nil {
			q.err = q.dev.late(op, "", err)
		}
		q.took = milliseconds(ms)
		q.dev.counters.timed.add(1)
		q.dev.counters.deviceNS.add(uint64(q.took))
	}
	if q.err == nil && q.read != nil {
		q.outputs = q.read.collect()
	}
	if q.err == nil {
		q.countRounds()
	}
	q.dev.unwatch(q)
	if err := q.settle(); q.err == nil {
		q.err = err
	}
}

// countRounds sums up what the fixpoints did.
func (q *Pending) countRounds() {
	for _, l := range q.loops {
		rounds, converged := l.collect()
		q.rounds += rounds
		q.stopped = q.stopped || !converged
		n := uint64(rounds)
		q.dev.ledger.count(load{launches: product(n, l.launches), slots: product(n, l.slots),
			elements: product(n, l.elements)})
	}
}

// Values waits and gives what was read back, each range as a slice of its buffer's element type, or
// of bytes where the range does not begin and end between elements.
func (q *Pending) Values() ([]any, error) {
	raw, err := q.Wait()
	if err != nil {
		return nil, err
	}
	values := make([]any, len(raw))
	for i, b := range raw {
		r := q.ranges[i]
		size := uint64(r.Buffer.elem.Size())
		if r.Offset%size != 0 || r.Bytes%size != 0 {
			values[i] = b
			continue
		}
		n := int(r.Bytes / size)
		v := reflect.MakeSlice(reflect.SliceOf(r.Buffer.elem), n, n)
		copy(bytesOf(v.UnsafePointer(), r.Bytes), b)
		values[i] = v.Interface()
	}
	return values, nil
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
	err := elsewhere(q.end.Query)
	if errors.Is(err, driver.ErrorNotReady) {
		return false
	}
	if err != nil {
		q.err = q.dev.late("Pending.Wait", "", err)
	}
	q.finish("Pending.Wait")
	return true
}

// Done reports, without waiting, whether Wait would answer immediately.
func (q *Pending) Done() bool { return q.none() || q.poll() }

// DeviceTime is how long the launches took on the device, after Wait; 0 for a plan that is not
// Timed.
func (q *Pending) DeviceTime() time.Duration {
	if q.none() {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.took
}

// Table is the dispatch's card: what it is waiting for, or how it went.
func (q *Pending) Table() display.Table {
	if q.none() {
		return *display.Card("No dispatch")
	}
	t := display.Card("Dispatch on " + q.dev.String())
	if !q.Done() {
		t.Add("state", "under way")
		return *t
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		t.Add("state", "failed")
		t.Note(q.err.Error())
		return *t
	}
	t.Add("state", "done")
	if q.took > 0 {
		t.Add("device time", q.took)
	}
	if q.rounds > 0 {
		how := "converged"
		if q.stopped {
			how = "stopped at the most that are allowed"
		}
		t.Add("rounds of the fixpoint", fmt.Sprintf("%d, %s", q.rounds, how))
	}
	bytes := uint64(0)
	for _, r := range q.ranges {
		bytes += r.Bytes
	}
	if len(q.ranges) > 0 {
		t.Add("read back", fmt.Sprintf("%s, %s", plural(len(q.ranges), "range"), display.Bytes(bytes)))
	}
	return *t
}

// reapEvery is how many dispatches pile up before a submit looks for those that are done.
const reapEvery = 64

// watch keeps the device aware of a dispatch until it is collected. Where nobody collects, the
// oldest are, so that their events serve again.
func (d *Device) watch(q *Pending) {
	d.mu.Lock()
	d.pending = append(d.pending, q)
	if d.streams == nil {
		d.streams = map[*Stream]int{}
	}
	d.streams[q.stream]++
	var older []*Pending
	if n := len(d.pending); n >= reapEvery && n%reapEvery == 0 {
		older = slices.Clone(d.pending[:n/2])
	}
	d.mu.Unlock()
	collectOlder(older)
}

// collectOlder collects dispatches, oldest first, where the newest of them is done: on one stream
// all before it are done then too, and one question answers for all.
func collectOlder(older []*Pending) {
	if len(older) == 0 {
		return
	}
	newest := older[len(older)-1]
	if !newest.poll() {
		return
	}
	if newest.failed() { // then each says for itself how it went
		for _, q := range older {
			q.poll()
		}
		return
	}
	for _, q := range older {
		if q.stream != newest.stream || !q.mu.TryLock() {
			continue
		}
		if !q.done {
			q.finish("Pending.Wait")
		}
		q.mu.Unlock()
	}
}

func (q *Pending) failed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err != nil
}

// leaseFence takes an event that only orders from the pool, or makes one; such events are cheaper
// to record than timing events.
func (d *Device) leaseFence(op string) (driver.Event, error) {
	d.mu.Lock()
	if n := len(d.fences); n > 0 {
		e := d.fences[n-1]
		d.fences = d.fences[:n-1]
		d.mu.Unlock()
		return e, nil
	}
	d.mu.Unlock()
	e, err := d.ctx.CreateEvent(driver.EventDisableTiming)
	if err != nil {
		return nil, d.late(op, "", err)
	}
	return e, nil
}

func (d *Device) returnFence(e driver.Event) {
	if e == nil {
		return
	}
	d.mu.Lock()
	keep := !d.closed && len(d.fences) < pooledEvents
	if keep {
		d.fences = append(d.fences, e)
	}
	d.mu.Unlock()
	if !keep {
		_ = e.Destroy() // with the device gone, so is the event
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
		return a.isGone(op)
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
		return &Error{Op: op, What: a.String(), Got: "a dispatch that uses the buffer is in flight",
			Fix: "Wait for it first", code: driver.ErrorIllegalState}
	}
	return nil
}

func (a *allocation) inFlight() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flights > 0
}
