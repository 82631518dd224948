package kernel

import "sync"

const (
	// maxBeside is how many requests are answered at the same time: each has a stack that has grown
	// to what that needs.
	maxBeside = 64
	// maxIdle is how many goroutines wait for the next.
	maxIdle = 2
)

// A sidePool answers the requests that do not wait for a cell, each on a goroutine of its own.
type sidePool struct {
	do   func(*request)
	work *sync.WaitGroup // of the goroutines
	mu   sync.Mutex      // guards what follows

	filled  sync.Cond
	waiting []*request
	running int // goroutines
	idle    int // of them, those that wait for a request
	closed  bool
}

func newSidePool(work *sync.WaitGroup, do func(*request)) *sidePool {
	b := &sidePool{do: do, work: work}
	b.filled.L = &b.mu
	return b
}

// push has a request answered; false when too many wait.
func (b *sidePool) push(r *request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.waiting) >= maxQueued {
		return false
	}
	b.waiting = append(b.waiting, r)
	switch {
	case len(b.waiting) <= b.idle: // each that waits has one that is idle
		b.filled.Signal()
	case b.running < maxBeside:
		b.running++
		b.work.Go(b.run)
	}
	return true
}

// run dispatches until there is nothing to do and others wait for what comes.
func (b *sidePool) run() {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() { b.running-- }()
	for {
		for len(b.waiting) == 0 {
			if b.closed || b.idle >= maxIdle {
				return
			}
			b.idle++
			b.filled.Wait()
			b.idle--
		}
		if b.closed {
			return
		}
		r := b.waiting[0]
		b.waiting[0] = nil
		b.waiting = b.waiting[1:]
		b.mu.Unlock()
		b.do(r)
		b.mu.Lock()
	}
}

func (b *sidePool) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.filled.Broadcast()
}
