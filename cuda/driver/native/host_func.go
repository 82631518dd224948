package native

import (
	"sync"

	"github.com/ebitengine/purego"
)

// hostFuncs are the Go functions that streams and graphs run. C knows each by a number, never by a
// pointer into Go.
type hostFuncs struct {
	mu   sync.Mutex
	next uintptr              // guarded by mu
	m    map[uintptr]hostFunc // guarded by mu
}

type hostFunc struct {
	ctx  *context
	fn   func()
	once bool
}

// add keeps a function until it ran, where it runs once, or until its context dies.
func (h *hostFuncs) add(c *context, fn func(), once bool) uintptr {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.m == nil {
		h.m = map[uintptr]hostFunc{}
	}
	h.next++
	h.m[h.next] = hostFunc{ctx: c, fn: fn, once: once}
	return h.next
}

func (h *hostFuncs) remove(id uintptr) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.m, id)
}

// forget drops the functions of a context.
func (h *hostFuncs) forget(c *context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, f := range h.m {
		if f.ctx == c {
			delete(h.m, id)
		}
	}
}

func (h *hostFuncs) take(id uintptr) func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.m[id]
	if f.once {
		delete(h.m, id)
	}
	return f.fn
}

// theHostFuncs serves the one callback.
var theHostFuncs hostFuncs

// hostCallback is the C function that the driver calls with a number. There is one in the process,
// because purego never gives callbacks back.
var hostCallback = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(id uintptr) uintptr {
		if fn := theHostFuncs.take(id); fn != nil {
			fn()
		}
		return 0
	})
})
