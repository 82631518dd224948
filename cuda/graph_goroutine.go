package cuda

import (
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
)

// A roster knows which goroutines are inside of something that restricts what they may call. While
// none is, asking costs one load.
type roster struct {
	n  atomic.Int32
	mu sync.Mutex
	in map[string]int // guarded by mu: how often each goroutine is inside
}

// capturers run the function that a capture records. A capture is tied to their thread: what waits
// or frees there would spoil it.
var capturers roster

// enter notes that the running goroutine is inside, until leave is called, on whatever goroutine.
func (r *roster) enter() (leave func()) {
	self := hostcall.Goroutine()
	r.add(self, 1)
	return func() { r.add(self, -1) }
}

func (r *roster) add(who string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.in == nil {
		r.in = map[string]int{}
	}
	if r.in[who] += n; r.in[who] == 0 {
		delete(r.in, who)
	}
	r.n.Add(int32(n))
}

// here reports whether the running goroutine is inside.
func (r *roster) here() bool {
	if r.n.Load() == 0 {
		return false
	}
	self := hostcall.Goroutine()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.in[self] > 0
}

// notCapturing refuses what would spoil a capture of this goroutine, before the driver sees it.
func notCapturing(op, what string) error {
	if !capturers.here() {
		return nil
	}
	return &Error{Op: op, What: what, Got: "this goroutine is recording a graph",
		code: driver.ErrorStreamCaptureUnsupported,
		Fix:  "call it before or after the capture"}
}

// notHosting refuses what a Go function in a stream may not call, where this package would call the
// driver from another goroutine.
func notHosting(op string) error {
	if !hostcall.Inside() {
		return nil
	}
	return &Error{Op: op, Got: "a Go function of Stream.Host may not call CUDA", code: driver.ErrorNotPermitted,
		Fix: "let it send on a channel, and call CUDA from a goroutine that receives"}
}

// elsewhere makes a call on another goroutine where this one's thread records a graph, and on this
// one otherwise.
func elsewhere(call func() error) error {
	if !capturers.here() {
		return call()
	}
	done := make(chan error)
	go func() { done <- call() }()
	return <-done
}
