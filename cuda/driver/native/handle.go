package native

import (
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A handle holds a CUDA handle until it is destroyed. CUDA may crash the process when it is given a
// handle twice to destroy, or one that was destroyed; here that is an error.
type handle struct{ v atomic.Uintptr }

func (h *handle) put(v uintptr) { h.v.Store(v) }

// get gives the live handle for a call.
func (h *handle) get(s symbol) (uintptr, error) {
	if v := h.v.Load(); v != 0 {
		return v, nil
	}
	return 0, refuse(s, driver.ErrorInvalidHandle, "the handle was destroyed")
}

// take gives the handle to be destroyed; the second caller gets an error.
func (h *handle) take(s symbol) (uintptr, error) {
	if v := h.v.Swap(0); v != 0 {
		return v, nil
	}
	return 0, refuse(s, driver.ErrorInvalidHandle, "the handle was destroyed")
}

// A registry finds Go values by the CUDA handles they stand for.
type registry[T any] struct {
	mu sync.Mutex
	m  map[uintptr]T // guarded by mu
}

func (r *registry[T]) put(h uintptr, v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.m == nil {
		r.m = map[uintptr]T{}
	}
	r.m[h] = v
}

func (r *registry[T]) get(h uintptr) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.m[h]
	return v, ok
}

func (r *registry[T]) drop(match func(T) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for h, v := range r.m {
		if match(v) {
			delete(r.m, h)
		}
	}
}

// mine unwraps a stream of this context; nil is the default stream.
func (c *context) mine(s symbol, st driver.Stream) (*stream, uintptr, error) {
	if st == nil {
		return c.legacy, streamLegacy, nil
	}
	own, ok := st.(*stream)
	if !ok || own.ctx != c {
		return nil, 0, refuse(s, driver.ErrorInvalidHandle, "the stream belongs to another context")
	}
	h, err := own.handle.get(s)
	return own, h, err
}

// myEvent unwraps an event of this context.
func (c *context) myEvent(s symbol, e driver.Event) (uintptr, error) {
	own, ok := e.(*event)
	if !ok || own.ctx != c {
		return 0, refuse(s, driver.ErrorInvalidHandle, "the event belongs to another context")
	}
	return own.handle.get(s)
}
