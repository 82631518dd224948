package machine

import (
	"reflect"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A Callback is compiled code calling a func value of cell code.
type Callback struct {
	g       *Routine
	Code    *Code
	top     pointer // what the goroutine's innermost frame was
	fp      pointer
	foreign bool // the goroutine is not the engine's
	Done    bool
}

// callbackDepth is what a callback counts for, against a frame's 1: compiled frames are in between.
const callbackDepth = 8

// Enter makes the frame that the call runs on; captured variables are set. exit must be deferred.
func (b *Callback) Enter(o *FuncObject) pointer {
	fp := b.Begin(o.Function)
	if len(b.Code.Captures) > 0 {
		b.Code.Capture(fp, o, o.Function.Layout)
	}
	return fp
}

// Begin makes the frame that a call of t runs on.
func (b *Callback) Begin(t *Function) pointer {
	b.g = Current()
	if b.g == nil {
		b.g, b.foreign = t.Machine.adopt(), true
	}
	b.Code = t.Code()
	b.top = b.g.innermost()
	fp := b.Code.Take(b.g)
	h := head(fp)
	h.up, h.depth = b.top, callbackDepth
	if b.g.Passed != nil {
		h.DeferredBy, b.g.Passed = b.g.Passed, nil
	}
	if b.top != nil {
		h.depth += head(b.top).depth
	}
	b.fp = fp
	if h.depth > b.g.Limit.Load() || gorelease.StackUsed() > b.g.Machine.maxStack {
		b.tooDeep(h)
	}
	return fp
}

func (b *Callback) tooDeep(h *Header) {
	if b.top != nil {
		h = head(b.top)
	}
	if b.g.Limit.Load() == 0 {
		if b.top != nil {
			StopHere(b.top, h.IP)
		}
		return
	}
	if !b.g.deepen(h.depth) {
		panic(StackOverflow{Depth: int(h.depth)})
	}
}

// Run runs the call on the frame, where there are no results to read.
func (b *Callback) Run(fp pointer) {
	b.Code.Run(fp)
	b.Done = true
}

// Exit ends the call, however it ended. A panic goes on through the compiled code that called, also
// on a goroutine that is not the engine's: what is below may recover it (uncaught.go).
func (b *Callback) Exit() {
	if b.Done {
		b.g.Top = b.top
		head(b.fp).DeferredBy = nil
		b.Code.release(b.g, b.fp)
		if b.foreign {
			b.g.abandon()
		}
		return
	}
	b.g.unwound = unwinding{at: b.g.Top, to: b.top}
	if b.foreign {
		b.leave(recover())
	}
}

// leave is exit where panic r, or nil as the goroutine ends, leaves cell code on a goroutine that
// is not the engine's.
func (b *Callback) leave(r any) {
	g, v := b.g, b.g.Machine
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

// An unwinding is a callback that a panic left. Should compiled code recover that and call back
// again, control stands at frame to, though the routine's top is still the place of the panic, for
// its stack.
type unwinding struct{ at, to pointer }

// innermost is the frame from which control left the engine.
func (g *Routine) innermost() pointer {
	if g.unwound.at != nil {
		if g.Top == g.unwound.at {
			g.Top = g.unwound.to
		}
		g.unwound = unwinding{}
	}
	return g.Top
}

// adopt makes a routine for a goroutine that compiled code started.
func (v *Machine) adopt() *Routine {
	g := v.newRoutine(v.background, origin{})
	v.rescue()
	g.attach()
	return g
}

func (g *Routine) abandon() {
	g.detach()
	g.retire()
}

// callValues is the slow way in, for signatures without an adapter.
func (o *FuncObject) callValues(args []reflect.Value) []reflect.Value {
	var b Callback
	defer b.Exit()
	fp := b.Enter(o)
	sig := b.Code.Signature
	for i, a := range args {
		p := sig.Params[i]
		p.Type.Value(at(fp, p.At)).Set(a)
	}
	b.Code.Run(fp)
	results := make([]reflect.Value, len(sig.Results))
	for i, r := range sig.Results {
		v := reflect.New(r.Type.Reflect).Elem()
		r.Type.Move(v.Addr().UnsafePointer(), at(fp, r.At))
		results[i] = v
	}
	b.Done = true
	return results
}

// MethodFunc is a method of a cell's type as a func of values. It panics with a refusal where it
// cannot be compiled.
func (v *Machine) MethodFunc(x *rtype.Method) func([]reflect.Value) []reflect.Value {
	o := &FuncObject{Function: v.Method(x.RecvType, x.Selection)}
	o.Function.Code()
	return o.callValues
}
