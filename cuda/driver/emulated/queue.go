package emulated

import (
	"container/heap"
	gocontext "context"
	"errors"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
)

// op is one enqueued piece of work.
type op struct {
	seq, rank uint64
	stream    *stream // nil for the context's own
	run       func(ctx gocontext.Context, o *op) error
	kernel    *node  // what it launches, for its name; nil for others
	number    uint64 // of the launch
	stack     uint64 // the limit of a thread's stack when it was enqueued
	// beside says that it runs on a goroutine of its own beside the executor: host functions, and
	// graphs, which enqueue their nodes.
	beside bool
	// calls is how many host functions it runs now: an interrupt leaves it alone meanwhile.
	calls int
	// always says that it takes no time, and runs even if what it waited for failed.
	always bool
	// node says that it is part of another operation, which fails in its place.
	node bool

	// its place in its stream (order.go); guarded by the context's mu until it is enqueued.
	n            uint64
	before, host clock
	joins        clock // what it waits for beside operations
	sync         bool  // the host waits for it at once

	waits        int   // how many operations before it are not done
	next         []*op // that wait for it
	older, newer *op   // its neighbours among those that are not done
	state        opState
	cut          *failure // the interrupt that came while it ran
	failed       *failure
}

type opState uint8

const (
	opWaiting opState = iota
	opReady
	opRunning
	opDone
)

// queue executes operations: those of different streams in any order that CUDA allows, which is one
// that the schedule chooses among the operations that are ready. It is safe for use by several
// goroutines.
type queue struct {
	ctx      *context
	schedule uint64

	mu             sync.Mutex
	cond           *sync.Cond
	seq            uint64
	oldest, newest *op // those that are not done
	ready          byRank
	executing      bool // there is an executor; it ends when nothing is ready
	closed         bool
	waiters        map[*waiter]struct{}
	untold         []*failure
	// interrupts ends what runs now; replaced with each interrupt.
	interrupts gocontext.Context
	interrupt  gocontext.CancelFunc
}

func newQueue(c *context, schedule uint64) *queue {
	q := &queue{ctx: c, schedule: schedule, waiters: map[*waiter]struct{}{}}
	q.cond = sync.NewCond(&q.mu)
	q.interrupts, q.interrupt = gocontext.WithCancel(c.ctx)
	return q
}

// rank shuffles the operations: the lowest of those that are ready runs first.
func rank(schedule, seq uint64) uint64 {
	x := schedule*0x9e3779b97f4a7c15 + seq
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// byRank is a heap.
type byRank []*op

func (r byRank) Len() int           { return len(r) }
func (r byRank) Less(i, j int) bool { return r[i].rank < r[j].rank }
func (r byRank) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *byRank) Push(x any)        { *r = append(*r, x.(*op)) }
func (r *byRank) Pop() any {
	last := len(*r) - 1
	o := (*r)[last]
	(*r)[last] = nil
	*r = (*r)[:last]
	return o
}

// add enqueues an operation behind what after names; nil entries and finished ones do not count.
func (q *queue) add(o *op, after ...*op) *op {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.addLocked(o, after)
}

// addLast enqueues an operation behind everything that was enqueued so far.
func (q *queue) addLast(o *op) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []*op
	for a := q.oldest; a != nil; a = a.newer {
		all = append(all, a)
	}
	q.addLocked(o, all)
}

func (q *queue) addLocked(o *op, after []*op) *op {
	if q.closed {
		o.state = opDone
		return o
	}
	q.seq++
	o.seq = q.seq
	if !o.always { // what takes no time comes first
		o.rank = rank(q.schedule, q.seq)
	}
	for _, a := range after {
		if a != nil && a.state != opDone {
			a.next = append(a.next, o)
			o.waits++
		}
	}
	q.link(o)
	if o.waits == 0 {
		q.release(o)
	}
	return o
}

func (q *queue) link(o *op) {
	if o.older = q.newest; o.older != nil {
		o.older.newer = o
	} else {
		q.oldest = o
		busy.add(q)
	}
	q.newest = o
}

func (q *queue) unlink(o *op) {
	if o.older != nil {
		o.older.newer = o.newer
	} else {
		q.oldest = o.newer
	}
	if o.newer != nil {
		o.newer.older = o.older
	} else {
		q.newest = o.older
	}
	if o.older, o.newer = nil, nil; q.oldest == nil {
		busy.remove(q)
	}
}

// release lets an operation run; the caller holds mu.
func (q *queue) release(o *op) {
	o.state = opReady
	if o.beside && o.failed == nil {
		o.state = opRunning
		go q.perform(o, q.interrupts)
		return
	}
	heap.Push(&q.ready, o)
	if !q.executing {
		q.executing = true
		go q.loop()
	}
}

// loop is the executor: it runs the operations of the device, one after another.
func (q *queue) loop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.ready) > 0 {
		o := heap.Pop(&q.ready).(*op)
		o.state = opRunning
		ctx := q.interrupts
		q.mu.Unlock()
		q.perform(o, ctx)
		q.mu.Lock()
	}
	q.executing = false
	q.cond.Broadcast()
}

// perform runs an operation, unless an earlier failure or the end of the context forbids it.
func (q *queue) perform(o *op, ctx gocontext.Context) {
	var err error
	if (o.failed == nil || o.always) && q.ctx.usable() {
		err = o.run(ctx, o)
	}
	f := failureOf(err)
	var ended *driver.InterruptedError
	if err != nil && f == nil && !errors.As(err, &ended) {
		q.ctx.broke(err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if ended != nil && o.cut != nil { // else the context was destroyed
		o.cut.by(ended.Work)
		f = o.cut
	}
	if f != nil {
		o.failed = f
	}
	q.finish(o)
}

func (q *queue) finish(o *op) {
	q.unlink(o)
	o.state, o.run = opDone, nil
	if o.failed != nil && !o.node {
		q.tellWaiting(o)
	}
	behind := o.failed
	if behind == nil {
		behind = o.cut // it ended by itself, just before the interrupt
	}
	for _, n := range o.next {
		if n.failed == nil {
			n.failed = behind
		}
		if n.waits--; n.waits == 0 && n.state == opWaiting && !q.closed {
			q.release(n)
		}
	}
	o.next = nil
	q.cond.Broadcast()
}

// do runs a node of a graph that is under way as an operation of its own, and waits for it.
func (q *queue) do(parent *op, run func(ctx gocontext.Context, o *op) error) error {
	if err := q.goesOn(parent); err != nil {
		return err
	}
	o := q.add(&op{run: run, node: true})
	q.mu.Lock()
	defer q.mu.Unlock()
	for o.state != opDone {
		q.cond.Wait()
	}
	if o.failed != nil {
		return o.failed
	}
	return nil
}

// goesOn gives the interrupt that ends an operation under way, or nil.
func (q *queue) goesOn(o *op) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case o.cut != nil:
		return o.cut
	case q.closed:
		return &failure{cause: &driver.InterruptedError{}}
	}
	return nil
}

// call runs a host function of an operation under way, which interrupts leave alone meanwhile.
func (q *queue) call(o *op, fn func()) error {
	if err := q.goesOn(o); err != nil {
		return err
	}
	q.count(o, 1)
	defer q.count(o, -1)
	return hostcall.Run(fn)
}

func (q *queue) count(o *op, calls int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o.calls += calls
	q.cond.Broadcast()
}

// wait returns when the operation is done, with its failure if there is one. Nil is done.
func (q *queue) wait(o *op) *failure {
	if o == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for o.state != opDone {
		q.cond.Wait()
	}
	if o.failed != nil {
		o.failed.told(o.stream)
	}
	return o.failed
}

// waitStream returns when the stream's last operation is done, with what failed in the stream and
// was not told.
func (q *queue) waitStream(s *stream, last *op) *failure {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.waits(s)
	defer delete(q.waiters, w)
	for last != nil && last.state != opDone {
		q.cond.Wait()
	}
	return q.heard(w)
}

// waitAll returns when everything enqueued before the call is done, with what failed and was not
// told.
func (q *queue) waitAll() *failure {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.waits(nil)
	defer delete(q.waiters, w)
	for last := q.seq; q.oldest != nil && q.oldest.seq <= last; {
		q.cond.Wait()
	}
	return q.heard(w)
}

// drain returns when everything enqueued before the call is done; what failed is left to be told to
// others.
func (q *queue) drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for last := q.seq; q.oldest != nil && q.oldest.seq <= last; {
		q.cond.Wait()
	}
}

func (q *queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.oldest == nil
}

// look gives an operation's state without waiting: whether it is done, and its failure.
func (q *queue) look(o *op) (done bool, f *failure) {
	if o == nil {
		return true, nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.state == opDone && o.failed != nil {
		o.failed.told(o.stream)
	}
	return o.state == opDone, o.failed
}

// oldestHost is what the host knew when the oldest operation that is not done was enqueued.
func (q *queue) oldestHost() clock {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.oldest == nil {
		return nil
	}
	return q.oldest.host
}

// close drops what has not begun, and waits for the executor to end.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.ready = true, nil
	for o := q.oldest; o != nil; {
		newer := o.newer
		if o.state != opRunning {
			o.state = opDone
			q.unlink(o)
		}
		o = newer
	}
	q.cond.Broadcast()
	for q.executing {
		q.cond.Wait()
	}
}
