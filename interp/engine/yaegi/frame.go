package yaegi

import (
	"go/token"
	"reflect"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"golang.org/x/tools/go/ssa"
)

// A Frame is a call of a function of a cell. Texts know it as h.Frame.
type Frame struct {
	g        *routine
	up       *Frame
	body     *body
	depth    int
	at       ssa.Instruction // where it stands
	args     []reflect.Value
	captured []reflect.Value
	results  []reflect.Value
	pushed   []*V
	kept     map[int]*V

	deferred  []deferredCall // a list, the last runs first
	deferring *Frame         // the frame of whose deferred calls this is one
	panicking *panicRecord   // what runs the deferred calls, nil if the function returned
	recovered bool
}

// helpers are package h of a unit's texts.
func (u *unit) helpers() map[string]reflect.Value {
	h := map[string]reflect.Value{
		"Frame": reflect.ValueOf((*Frame)(nil)),
		"V":     reflect.ValueOf((*V)(nil)),
		"K":     reflect.ValueOf(u.constant),
		"A":     reflect.ValueOf(func(f *Frame, i int) *V { return &V{f.args[i]} }),
		"Free":  reflect.ValueOf(func(f *Frame, i int) *V { return &V{f.captured[i]} }),
		"R":     reflect.ValueOf(func(f *Frame, i int, v *V) { f.results[i] = as(v.v, f.body.results[i]) }),
		"E":     reflect.ValueOf(func(v *V, i int) *V { return &V{v.v.Interface().(tuple)[i]} }),
		"Push":  reflect.ValueOf(func(f *Frame, v *V) { f.pushed = append(f.pushed, v) }),
		"Poll":  reflect.ValueOf(func(f *Frame) { f.g.poll(f) }),
		"At":    reflect.ValueOf(func(f *Frame, k int) { f.stand(u.operation(k).at) }),
		"Keep": reflect.ValueOf(func(f *Frame, i int, v *V) {
			if f.kept == nil {
				f.kept = map[int]*V{}
			}
			f.kept[i] = v
		}),
		"Kept": reflect.ValueOf(func(f *Frame, i int) *V { return f.kept[i] }),
		"O0":   reflect.ValueOf(func(f *Frame, k int) *V { return u.operate(f, k) }),
		"O1":   reflect.ValueOf(func(f *Frame, k int, a *V) *V { return u.operate(f, k, a) }),
		"O2":   reflect.ValueOf(func(f *Frame, k int, a, b *V) *V { return u.operate(f, k, a, b) }),
		"O3":   reflect.ValueOf(func(f *Frame, k int, a, b, c *V) *V { return u.operate(f, k, a, b, c) }),
		"O4":   reflect.ValueOf(func(f *Frame, k int, a, b, c, d *V) *V { return u.operate(f, k, a, b, c, d) }),
		"ON": reflect.ValueOf(func(f *Frame, k, n int) *V {
			args := append([]*V{}, f.pushed[len(f.pushed)-n:]...)
			f.pushed = f.pushed[:len(f.pushed)-n]
			return u.operate(f, k, args...)
		}),
	}
	for name, f := range kinds {
		h[name] = f
	}
	return h
}

func (u *unit) constant(i int) *V {
	u.tables.RLock()
	defer u.tables.RUnlock()
	return u.constants[i]
}

func (u *unit) operation(k int) operation {
	u.tables.RLock()
	defer u.tables.RUnlock()
	return u.ops[k]
}

// operate executes an operation for a frame. Its panic travels through yaegi as a *carried.
func (u *unit) operate(f *Frame, k int, args ...*V) *V {
	o := u.operation(k)
	values := make([]reflect.Value, len(args))
	for i, a := range args {
		values[i] = a.v
	}
	f.stand(o.at)
	defer carry()
	return &V{o.run(f, values)}
}

// stand notes where the frame stands.
func (f *Frame) stand(at ssa.Instruction) {
	f.at = at
	f.g.top = f
}

// A carried is a panic on its way through yaegi, which would ask an error for its text at every
// call.
type carried struct{ value any }

func carry() {
	if r := recover(); r != nil {
		panic(pack(r))
	}
}

func pack(r any) any {
	if c, ok := r.(*carried); ok {
		return c
	}
	return &carried{r}
}

func unpack(r any) any {
	if c, ok := r.(*carried); ok {
		return c.value
	}
	return r
}

// call executes t in a new frame that up calls, and returns the results.
func (t *target) call(g *routine, up *Frame, captured, args []reflect.Value, deferring *Frame) []reflect.Value {
	b := t.body()
	f := &Frame{g: g, up: up, body: b, captured: captured, args: args, deferring: deferring}
	if up != nil {
		f.depth = up.depth + 1
	}
	if f.depth > maxDepth {
		g.run.refuse(&engine.Refusal{Pos: f.up.position(), What: "a recursion deeper than " + itoa(maxDepth) + " calls",
			Reason: "the interpreter's own stack would overflow, and the process with it" + instead})
		runtime.Goexit()
	}
	f.results = make([]reflect.Value, len(b.results))
	for i, r := range b.results {
		f.results[i] = reflect.Zero(r)
	}
	g.top = f
	if b.deferring {
		f.runDeferring()
	} else {
		b.run(f)
	}
	g.top = up
	return f.results
}

// callback is a call from compiled code.
func (t *target) callback(captured, args []reflect.Value) []reflect.Value {
	g := current()
	foreign := g == nil
	if foreign {
		g = t.u.e.newRoutine(t.u.e.background)
		g.attach()
	}
	top, deferring := g.outside, g.passed
	g.passed = nil
	for i, a := range args {
		args[i] = fresh(a)
	}
	normal := false
	defer func() {
		g.outside = top
		if normal {
			g.top = top
		}
		if foreign {
			defer g.retire()
		}
		if normal {
			return
		}
		if r := recover(); r != nil {
			if foreign {
				if value, ok := callers.Recovered(unpack(r), func() *engine.Panic { return g.asPanic(unpack(r)) }); ok {
					panic(value)
				}
				g.report(unpack(r))
				runtime.Goexit()
			}
			panic(unpack(r))
		}
	}()
	results := t.call(g, top, captured, args, deferring)
	normal = true
	return results
}

// position is where the frame stands.
func (f *Frame) position() token.Position {
	if f == nil || f.at == nil {
		return token.Position{}
	}
	return f.body.fn.Prog.Fset.Position(positionOf(f.at))
}

// positionOf is the place of an instruction, or of the nearest before it that has one.
func positionOf(in ssa.Instruction) token.Pos {
	if p := link.Pos(in); p.IsValid() {
		return p
	}
	if _, ok := in.(*ssa.RunDefers); ok {
		if all := in.Block().Instrs; all[len(all)-1].Pos().IsValid() { // a return statement
			return all[len(all)-1].Pos()
		}
		return callers.End(in.Parent())
	}
	for _, o := range in.Operands(nil) {
		if *o != nil && (*o).Pos().IsValid() && (*o).Parent() == in.Parent() {
			return (*o).Pos()
		}
	}
	return callers.Start(in.Parent())
}

// stack lists the functions from f on outwards.
func (f *Frame) stack() (frames []engine.Frame) {
	for ; f != nil && len(frames) < maxStackFrames; f = f.up {
		if !f.body.wrapper {
			frames = append(frames, f.frame())
		}
		if d := f.deferring; d != nil && d.panicking != nil {
			frames = append(frames, engine.Frame{Function: engine.PanicCall})
			return append(frames, d.panicking.stack[:min(len(d.panicking.stack), maxStackFrames)]...)
		}
	}
	return frames
}

// maxStackFrames is how many frames of a stack are told.
const maxStackFrames = 200

func (f *Frame) frame() engine.Frame {
	fn := f.body.fn
	return engine.Frame{Function: callers.Name(fn), Pos: f.position(), Niladic: len(fn.Params) == 0,
		Start: fn.Prog.Fset.Position(callers.Start(fn)).Line, End: fn.Prog.Fset.Position(callers.End(fn)).Line}
}

// frames are the stack of the running goroutine's cell functions, innermost first. A deferred call
// stands on the frames of the panic that it runs for.
func frames() []engine.Frame {
	g := current()
	if g == nil {
		return nil
	}
	return g.top.stack()
}
