package vm

import (
	"reflect"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A callback is compiled code calling a func value of cell code.
type callback struct {
	g       *routine
	code    *code
	top     pointer // what the goroutine's innermost frame was
	fp      pointer
	foreign bool // the goroutine is not the engine's
	done    bool
}

// callbackDepth is what a callback counts for, against a frame's 1: compiled frames are in between.
const callbackDepth = 8

// enter makes the frame that the call runs on; captured variables are set. exit must be deferred.
func (b *callback) enter(o *funcObject) pointer {
	fp := b.begin(o.target)
	if len(b.code.captures) > 0 {
		b.code.capture(fp, o, o.target.layout)
	}
	return fp
}

func (b *callback) begin(t *target) pointer {
	b.g = current()
	if b.g == nil {
		b.g, b.foreign = t.vm.adopt(), true
	}
	b.code = t.code()
	b.top = b.g.innermost()
	fp := b.code.take(b.g)
	h := head(fp)
	h.up, h.depth = b.top, callbackDepth
	if b.g.passed != nil {
		h.defered, b.g.passed = b.g.passed, nil
	}
	if b.top != nil {
		h.depth += head(b.top).depth
	}
	b.fp = fp
	if h.depth > b.g.limit.Load() || gorelease.StackUsed() > b.g.vm.maxStack {
		b.tooDeep(h)
	}
	return fp
}

func (b *callback) tooDeep(h *header) {
	if b.top != nil {
		h = head(b.top)
	}
	if b.g.limit.Load() == 0 {
		if b.top != nil {
			stopHere(b.top, h.ip)
		}
		return
	}
	if !b.g.deepen(h.depth) {
		panic(StackOverflow{Depth: int(h.depth)})
	}
}

// run runs the call on the frame, where there are no results to read.
func (b *callback) run(fp pointer) {
	b.code.run(fp)
	b.done = true
}

// exit ends the call, however it ended. A panic goes on through the compiled code that called, also
// on a goroutine that is not the engine's: what is below may recover it (uncaught.go).
func (b *callback) exit() {
	if b.done {
		b.g.top = b.top
		head(b.fp).defered = nil
		b.code.release(b.g, b.fp)
		if b.foreign {
			b.g.abandon()
		}
		return
	}
	b.g.unwound = unwinding{at: b.g.top, to: b.top}
	if b.foreign {
		b.leave(recover())
	}
}

// leave is exit where panic r, or nil as the goroutine ends, leaves cell code on a goroutine that
// is not the engine's.
func (b *callback) leave(r any) {
	g, v := b.g, b.g.vm
	if r == nil {
		g.abandon()
		return
	}
	p := g.asPanic(r)
	g.abandon()
	last := v.rescue()
	if last == nil || callers.OfRuntime() {
		v.ended(p)
		if last == nil {
			runtime.Goexit() // what is below might let it end the process
		}
		return
	}
	last.last = p
	panic(callers.Served(p))
}

// An unwinding is a callback that a panic left. Should compiled code recover that and call back again, control stands at frame to, though
// the routine's top is still the place of the panic, for its stack.
type unwinding struct{ at, to pointer }

// innermost is the frame from which control left the engine.
func (g *routine) innermost() pointer {
	if g.unwound.at != nil {
		if g.top == g.unwound.at {
			g.top = g.unwound.to
		}
		g.unwound = unwinding{}
	}
	return g.top
}

// adopt makes a routine for a goroutine that compiled code started.
func (v *vm) adopt() *routine {
	g := v.newRoutine(v.background, origin{})
	v.rescue()
	g.attach()
	return g
}

func (g *routine) abandon() {
	g.detach()
	g.retire()
}

// callValues is the slow way in, for signatures without an adapter.
func (o *funcObject) callValues(args []reflect.Value) []reflect.Value {
	var b callback
	defer b.exit()
	fp := b.enter(o)
	sig := b.code.sig
	for i, a := range args {
		p := sig.params[i]
		p.typ.val(at(fp, p.at)).Set(a)
	}
	b.code.run(fp)
	results := make([]reflect.Value, len(sig.results))
	for i, r := range sig.results {
		v := reflect.New(r.typ.rt).Elem()
		r.typ.move(v.Addr().UnsafePointer(), at(fp, r.at))
		results[i] = v
	}
	b.done = true
	return results
}

// methodFunc is a method of a cell's type as a func of values. It panics with a refusal where it cannot be compiled.
func (v *vm) methodFunc(x *rtype.Method) func([]reflect.Value) []reflect.Value {
	o := &funcObject{target: v.Method(x.RecvType, x.Selection)}
	o.target.code()
	return o.callValues
}
