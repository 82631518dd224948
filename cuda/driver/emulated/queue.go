package emulated

import "sync"

// op is one enqueued piece of work.
type op struct {
	seq  uint64
	run  func() error
	host bool // runs beside the executor
	// after are the operations that must be done before it.
	after   []*op
	done    bool
	started bool
}

// queue executes operations. It is safe for use by several goroutines.
type queue struct {
	ctx     *context
	mu      sync.Mutex
	cond    *sync.Cond
	seq     uint64
	pending []*op // enqueued and not done, by seq
	closed  bool
	stopped chan struct{}
}

func newQueue(c *context) *queue {
	q := &queue{ctx: c, stopped: make(chan struct{})}
	q.cond = sync.NewCond(&q.mu)
	go q.loop()
	return q
}

// add enqueues work behind what after names; nil entries and finished ones do not
// count.
func (q *queue) add(host bool, run func() error, after ...*op) *op {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seq++
	o := &op{seq: q.seq, run: run, host: host}
	for _, a := range after {
		if a != nil && !a.done {
			o.after = append(o.after, a)
		}
	}
	if q.closed {
		o.done = true
		return o
	}
	q.pending = append(q.pending, o)
	q.cond.Broadcast()
	return o
}

// loop runs the first ready operation, again and again.
func (q *queue) loop() {
	defer close(q.stopped)
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		o := q.ready()
		if o == nil {
			if q.closed {
				return
			}
			q.cond.Wait()
			continue
		}
		o.started = true
		q.mu.Unlock()
		if o.host {
			go func() {
				q.execute(o)
				q.mu.Lock()
				q.finish(o)
				q.mu.Unlock()
			}()
			q.mu.Lock()
			continue
		}
		q.execute(o)
		q.mu.Lock()
		q.finish(o)
	}
}

// execute runs an operation, unless an earlier failure or the end of the context
// forbids it.
func (q *queue) execute(o *op) {
	if q.ctx.enter("") != nil {
		return
	}
	if err := o.run(); err != nil {
		q.ctx.broke(err)
	}
}

func (q *queue) ready() *op {
	if q.closed {
		return nil
	}
	for _, o := range q.pending {
		if !o.started && o.isReady() {
			return o
		}
	}
	return nil
}

func (o *op) isReady() bool {
	for _, a := range o.after {
		if !a.done {
			return false
		}
	}
	return true
}

func (q *queue) finish(o *op) {
	o.done, o.run, o.after = true, nil, nil
	for i, p := range q.pending {
		if p == o {
			q.pending = append(q.pending[:i], q.pending[i+1:]...)
			break
		}
	}
	q.cond.Broadcast()
}

// wait returns when the operation is done.
func (q *queue) wait(o *op) {
	if o == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for !o.done {
		q.cond.Wait()
	}
}

func (q *queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.pending) == 0
}

func (q *queue) isDone(o *op) bool {
	if o == nil {
		return true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return o.done
}

// waitAll returns when everything enqueued before the call is done.
func (q *queue) waitAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	last := q.seq
	for len(q.pending) > 0 && q.pending[0].seq <= last {
		q.cond.Wait()
	}
}

// close drops what has not started and waits for the executor to end.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	kept := q.pending[:0]
	for _, o := range q.pending {
		if o.started {
			kept = append(kept, o)
			continue
		}
		o.done = true
	}
	q.pending = kept
	q.cond.Broadcast()
	q.mu.Unlock()
	<-q.stopped
}
