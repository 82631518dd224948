package vm

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A deferStack is the deferred calls of one activation of a function.
type deferStack struct {
	fp    pointer
	calls []deferredCall
	// panic is the panic that the deferred calls run for; recovered tells that one of them took it.
	panic     *panicRecord
	recovered bool
	unwinding bool // the body has been left by a panic, or the goroutine ends
}

// A deferredCall calls what was evaluated by a defer statement. ds is given so that the frame it makes may recover.
type deferredCall func(g *routine, up pointer, ds *deferStack)

// runDeferring runs a function that defers: it sees panics pass, and goroutines that end.
func (c *code) runDeferring(fp pointer) {
	h := head(fp)
	ds := &deferStack{fp: fp}
	h.defers = ds
	if !c.guarded(fp, ds) {
		ds.unwind(h.g)
		ds.unwinding = false
		// recovered: the function returns its named results
		if c.recovered != nil {
			c.runFrom(fp, c.recovered)
		} else {
			for _, r := range c.sig.results {
				r.typ.zero(at(fp, r.at))
			}
		}
	}
	h.defers = nil
}

// guarded runs the body; false if a panic ended it, which is then no longer under way in compiled
// code:
// what it left of the stack is given back before the deferred calls run, and the next function
// sees it
// come from here.
func (c *code) guarded(fp pointer, ds *deferStack) (normal bool) {
	g := head(fp).g
	defer func() {
		if normal {
			return
		}
		if r := recover(); r != nil {
			ds.panic, ds.recovered = g.sighted(r, fp), false
		} else if !g.dropping { // the goroutine ends
			ds.unwind(g)
		}
	}()
	c.runFrom(fp, c.entry)
	return true
}

// unwind runs the deferred calls of a function whose body did not come to its end. The panic that
// they
// run for goes on unless one of them recovers it.
func (ds *deferStack) unwind(g *routine) {
	g.top, ds.unwinding = ds.fp, true
	head(ds.fp).down = nil // what was called did not end: its frames are not to be used again
	ds.runAll(g)
	g.top = ds.fp
}

// runAll runs the deferred calls, last first. The panic that they run for then, or that one of
// them began, goes on.
func (ds *deferStack) runAll(g *routine) {
	for len(ds.calls) > 0 {
		n := len(ds.calls) - 1
		call := ds.calls[n]
		ds.calls[n] = nil
		ds.calls = ds.calls[:n]
		ds.runOne(g, call)
	}
	if ds.panic != nil {
		g.panicking = ds.panic
		panic(ds.panic.value)
	}
}

// runOne runs a deferred call. A panic in it replaces the one that is being handled; the rest of the calls then run for it.
func (ds *deferStack) runOne(g *routine, call deferredCall) {
	done := false
	defer func() {
		if done {
			return
		}
		r := recover()
		if r == nil { // the goroutine ends
			ds.panic = nil
			if !g.dropping {
				ds.runAll(g)
			}
			return
		}
		ds.replace(g, r)
		g.top = ds.fp
	}()
	call(g, ds.fp, ds)
	done = true
	if ds.recovered {
		ds.panic, ds.recovered = nil, false
	}
}

func (ds *deferStack) replace(g *routine, r any) {
	old := ds.panic
	p := g.sighted(r, ds.fp)
	if old != nil && p != old {
		last := old.value
		if ds.recovered {
			last = engine.Recovered{Value: last}
		}
		p.chain = append(append(append([]any(nil), old.chain...), last), p.chain...)
	}
	ds.panic, ds.recovered = p, false
}

// runPrepared runs a deferred call, or the first of a goroutine, where up is nil.
func (c *code) runPrepared(g *routine, nf, up pointer, ds *deferStack) {
	h := head(nf)
	h.g, h.up, h.depth, h.defered = g, up, 1, ds
	if up != nil {
		h.depth += head(up).depth
		if h.depth > g.limit.Load() {
			overLimit(up)
		}
	}
	c.run(nf)
	h.defered = nil
	c.release(g, nf)
}

// A preparation evaluates function and arguments of a defer or go statement and returns the call,
// which is for g to make.
type preparation func(fp pointer, g *routine) deferredCall
