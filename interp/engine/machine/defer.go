package machine

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A DeferStack is the deferred calls of one activation of a function.
type DeferStack struct {
	Frame pointer
	Calls []DeferredCall
	// Panic is the panic that the deferred calls run for; recovered tells that one of them took it.
	Panic     *panicRecord
	recovered bool
	unwinding bool // the body has been left by a panic, or the goroutine ends
}

// A DeferredCall calls what was evaluated by a defer statement. ds is given so that the frame it
// makes may recover.
type DeferredCall func(g *Routine, up pointer, ds *DeferStack)

// runDeferring runs a function that defers: it sees panics pass, and goroutines that end.
func (c *Code) runDeferring(fp pointer) {
	h := head(fp)
	ds := &DeferStack{Frame: fp}
	h.Defers = ds
	if !c.guarded(fp, ds) {
		ds.unwind(h.Routine)
		ds.unwinding = false
		// recovered: the function returns its named results
		if c.Recovered != nil {
			c.runFrom(fp, c.Recovered)
		} else {
			for _, r := range c.Signature.Results {
				r.Type.Zero(at(fp, r.At))
			}
		}
	}
	h.Defers = nil
}

// guarded runs the body; false if a panic ended it, which is then no longer under way in compiled
// code:
// what it left of the stack is given back before the deferred calls run, and the next function
// sees it
// come from here.
func (c *Code) guarded(fp pointer, ds *DeferStack) (normal bool) {
	g := head(fp).Routine
	defer func() {
		if normal {
			return
		}
		if r := recover(); r != nil {
			ds.Panic, ds.recovered = g.sighted(r, fp), false
		} else if !g.dropping { // the goroutine ends
			ds.unwind(g)
		}
	}()
	c.runFrom(fp, c.Entry)
	return true
}

// unwind runs the deferred calls of a function whose body did not come to its end. The panic that
// they
// run for goes on unless one of them recovers it.
func (ds *DeferStack) unwind(g *Routine) {
	g.Top, ds.unwinding = ds.Frame, true
	head(ds.Frame).down = nil // what was called did not end: its frames are not to be used again
	ds.Run(g)
	g.Top = ds.Frame
}

// Run runs the deferred calls, last first. The panic that they run for then, or that one of
// them began, goes on.
func (ds *DeferStack) Run(g *Routine) {
	for len(ds.Calls) > 0 {
		n := len(ds.Calls) - 1
		call := ds.Calls[n]
		ds.Calls[n] = nil
		ds.Calls = ds.Calls[:n]
		ds.runOne(g, call)
	}
	if ds.Panic != nil {
		g.panicking = ds.Panic
		panic(ds.Panic.value)
	}
}

// runOne runs a deferred call. A panic in it replaces the one that is being handled; the rest of
// the calls then run for it.
func (ds *DeferStack) runOne(g *Routine, call DeferredCall) {
	done := false
	defer func() {
		if done {
			return
		}
		r := recover()
		if r == nil { // the goroutine ends
			ds.Panic = nil
			if !g.dropping {
				ds.Run(g)
			}
			return
		}
		ds.replace(g, r)
		g.Top = ds.Frame
	}()
	call(g, ds.Frame, ds)
	done = true
	if ds.recovered {
		ds.Panic, ds.recovered = nil, false
	}
}

func (ds *DeferStack) replace(g *Routine, r any) {
	old := ds.Panic
	p := g.sighted(r, ds.Frame)
	if old != nil && p != old {
		last := old.value
		if ds.recovered {
			last = engine.Recovered{Value: last}
		}
		p.chain = append(append(append([]any(nil), old.chain...), last), p.chain...)
	}
	ds.Panic, ds.recovered = p, false
}

// RunPrepared runs a deferred call, or the first of a goroutine, where up is nil.
func (c *Code) RunPrepared(g *Routine, nf, up pointer, ds *DeferStack) {
	h := head(nf)
	h.Routine, h.up, h.depth, h.DeferredBy = g, up, 1, ds
	if up != nil {
		h.depth += head(up).depth
		if h.depth > g.Limit.Load() {
			overLimit(up)
		}
	}
	c.Run(nf)
	h.DeferredBy = nil
	c.release(g, nf)
}

// A Preparation evaluates function and arguments of a defer or go statement and returns the call,
// which is for g to make.
type Preparation func(fp pointer, g *Routine) DeferredCall
