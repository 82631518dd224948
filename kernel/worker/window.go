package worker

import "sync"

// windowBytes is how much output may be on its way between a worker and what consumes it.
const windowBytes = 1 << 20

// A window holds back a sender whose receiver is behind. No frame
// costs more than half of it.
type window struct {
	mu     sync.Mutex
	freed  sync.Cond
	limit  int
	used   int
	closed bool
}

func newWindow(limit int) *window {
	w := &window{limit: limit}
	w.freed.L = &w.mu
	return w
}

// acquire waits for room for n bytes. A closed window lets everybody pass.
func (w *window) acquire(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.used+n > w.limit && !w.closed {
		w.freed.Wait()
	}
	w.used += n
}

// release gives n bytes back, counted as acquire counted them.
func (w *window) release(n int) {
	w.mu.Lock()
	w.used = max(w.used-n, 0)
	w.mu.Unlock()
	w.freed.Broadcast()
}

// close lets everybody pass.
func (w *window) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.freed.Broadcast()
}

// leastCost is what a frame takes from the window at least: the kernel publishes some hundred displays, and changes between the two streams, a second,
// and those on their way when the cell is interrupted are published at once. Text of one stream is gathered.
const leastCost = 8 << 10

// cost is what a frame takes from the window: never more than half of it, so that a large display
// passes though the receiver still holds back up to creditStep bytes.
func (f frame) cost() int { return costOf(frameHeader + len(f.head) + len(f.body)) }

// costOf is the cost of a frame of n bytes.
func costOf(n int) int { return min(max(n, leastCost), windowBytes/2) }

// creditStep is how much the receiver lets gather before it gives credit back.
const creditStep = windowBytes / 4
