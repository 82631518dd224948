package native

import (
	"sync"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
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

func (h *hostFuncs) take(id uintptr) (f hostFunc, found bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, found = h.m[id]
	if f.once {
		delete(h.m, id)
	}
	return f, found
}

// run calls the function. The library is not told how it ended: the context keeps that for whoever
// waits next.
func (f *hostFunc) run() {
	err := hostcall.Run(f.fn)
	if err == nil {
		return
	}
	f.ctx.hostMu.Lock()
	defer f.ctx.hostMu.Unlock()
	f.ctx.hostFailed = append(f.ctx.hostFailed, err)
}

// waited ends a call that waited: where it succeeded, it tells how a host function failed.
func (c *context) waited(s symbol, err error) error {
	c.hostMu.Lock()
	defer c.hostMu.Unlock()
	if err != nil || len(c.hostFailed) == 0 {
		return err
	}
	cause := c.hostFailed[0]
	c.hostFailed = c.hostFailed[1:]
	return &driver.Error{Call: symbols[s].name, Code: driver.ErrorUnknown, Cause: cause}
}

// theHostFuncs serves the one callback.
var theHostFuncs hostFuncs

// hostCallback is the C function that the driver calls with a number. There is one in the process,
// because purego never gives callbacks back.
var hostCallback = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(id uintptr) uintptr {
		if f, found := theHostFuncs.take(id); found {
			f.run()
		}
		return 0
	})
})
