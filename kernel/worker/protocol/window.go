package protocol

import "sync"

// WindowBytes is how much output may be on its way between a worker and what consumes it.
const WindowBytes = 1 << 20

// A Window holds back a sender whose receiver is behind. No frame
// costs more than half of it.
type Window struct {
	mu     sync.Mutex
	freed  sync.Cond
	limit  int
	used   int
	closed bool
}

func NewWindow(limit int) *Window {
	w := &Window{limit: limit}
	w.freed.L = &w.mu
	return w
}

// Acquire waits for room for n bytes. A closed window lets everybody pass.
func (w *Window) Acquire(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.used+n > w.limit && !w.closed {
		w.freed.Wait()
	}
	w.used += n
}

// Release gives n bytes back, counted as acquire counted them.
func (w *Window) Release(n int) {
	w.mu.Lock()
	w.used = max(w.used-n, 0)
	w.mu.Unlock()
	w.freed.Broadcast()
}

// Close lets everybody pass.
func (w *Window) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.freed.Broadcast()
}

// leastCost is what a frame takes from the window at least: the kernel publishes some hundred
// displays, and changes between the two streams, a second, and those on their way when the cell is
// interrupted are published at once. Text of one stream is gathered.
const leastCost = 8 << 10

// Cost is what a frame takes from the window: never more than half of it, so that a large display
// passes though the receiver still holds back up to CreditStep bytes.
func (f Frame) Cost() int { return CostOf(HeaderBytes + len(f.Head) + len(f.Body)) }

// CostOf is the cost of a frame of n bytes.
func CostOf(n int) int { return min(max(n, leastCost), WindowBytes/2) }

// CreditStep is how much the receiver lets gather before it gives credit back.
const CreditStep = WindowBytes / 4
