package lower

import (
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/calls"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// deferral compiles the call of a defer or go statement. Cell code gets its frame, with the
// arguments in it, at once.
func (c *compiler) deferral(in ssa.Instruction, cc *ssa.CallCommon) machine.Preparation {
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		return c.deferBuiltin(in, cc, b)
	}
	if cc.IsInvoke() {
		return c.deferInvoke(in, cc)
	}
	fn := cc.StaticCallee()
	if fn == nil {
		return c.deferDynamic(in, cc)
	}
	if fn.Blocks == nil && !c.unit.Declared(fn) {
		return c.deferNative(in, cc, fn)
	}
	t, sig := c.unit.Target(fn), c.unit.calleeSignature(fn)
	args := c.arguments(cc.Args, sig.Params)
	if mc, ok := cc.Value.(*ssa.MakeClosure); ok {
		x, ol := c.slot(mc), c.unit.objects(t, fn)
		return func(fp pointer, g *machine.Routine) machine.DeferredCall {
			return prepared(t, args, fp, g, func(code *machine.Code, nf pointer) {
				code.Capture(nf, *ref[*machine.FuncObject](fp, x), ol)
			})
		}
	}
	return func(fp pointer, g *machine.Routine) machine.DeferredCall { return prepared(t, args, fp, g, nil) }
}

// prepared takes the callee's frame and makes the call that runs on it.
func prepared(t *machine.Function, args transfer, fp pointer, g *machine.Routine,
	fill func(*machine.Code, pointer)) machine.DeferredCall {
	code := t.Code()
	nf := code.Take(g)
	if args != nil {
		args(nf, fp)
	}
	if fill != nil {
		fill(code, nf)
	}
	return func(g *machine.Routine, up pointer, ds *machine.DeferStack) { code.RunPrepared(g, nf, up, ds) }
}

// values copies arguments out of a frame.
func (c *compiler) values(args []ssa.Value) func(fp pointer) []reflect.Value {
	from := make([]machine.Slot, len(args))
	for i, a := range args {
		from[i] = machine.Slot{At: c.slot(a), Type: c.typ(a.Type())}
	}
	return func(fp pointer) []reflect.Value {
		vs := make([]reflect.Value, len(from))
		for i, s := range from {
			vs[i] = reflect.New(s.Type.Reflect).Elem()
			s.Type.Move(vs[i].Addr().UnsafePointer(), at(fp, s.At))
		}
		return vs
	}
}

// callCompiled calls compiled code; a panic in it finds the frame that deferred or started it.
func callCompiled(f reflect.Value, args []reflect.Value) machine.DeferredCall {
	ft := f.Type()
	for i, a := range args {
		if t := ft.In(i); t != a.Type() { // another type of the same name
			args[i] = reflect.NewAt(t, a.Addr().UnsafePointer()).Elem()
		}
	}
	return func(g *machine.Routine, up pointer, ds *machine.DeferStack) {
		if up != nil {
			g.Top = up
		}
		if ds != nil && calls.Passes(g.Machine, f) {
			g.Passed = ds
		}
		if f.Type().IsVariadic() {
			f.CallSlice(args)
			return
		}
		f.Call(args)
	}
}

func (c *compiler) deferNative(in ssa.Instruction, cc *ssa.CallCommon, fn *ssa.Function) machine.Preparation {
	f := c.unit.native(fn, in)
	c.unit.bind(fn.Signature, f)
	kept, passes := c.keptCall(f.Type(), cc), calls.Passes(c.unit.machine, f)
	word := rtype.FuncWord(f)
	return func(fp pointer, _ *machine.Routine) machine.DeferredCall { return kept.prepared(fp, word, passes) }
}

func (c *compiler) deferDynamic(in ssa.Instruction, cc *ssa.CallCommon) machine.Preparation {
	ft := c.typ(cc.Value.Type())
	form := c.unit.machine.FuncForm(ft.Reflect)
	sig := c.unit.signature(nil, cc.Value.Type().Underlying().(*types.Signature))
	args, kept := c.arguments(cc.Args, sig.Params), c.keptCall(ft.Reflect, cc)
	x, ip, v := c.slot(cc.Value), c.ip(in), c.unit.machine
	return func(fp pointer, g *machine.Routine) machine.DeferredCall {
		p := *ref[pointer](fp, x)
		if p == nil { // a nil func fails when it is called, not when it is deferred
			return func(_ *machine.Routine, up pointer, _ *machine.DeferStack) { machine.FailNil(orFrame(up, fp), ip) }
		}
		o := form.Own(p)
		if o == nil {
			return kept.prepared(fp, p, calls.Passes(v, rtype.FuncValue(ft.Reflect, p)))
		}
		return prepared(o.Function, args, fp, g, func(code *machine.Code, nf pointer) {
			if len(code.Captures) > 0 {
				code.Capture(nf, o, o.Function.Layout)
			}
		})
	}
}

func orFrame(a, b pointer) pointer {
	if a != nil {
		return a
	}
	return b
}

func (c *compiler) deferInvoke(in ssa.Instruction, cc *ssa.CallCommon) machine.Preparation {
	iface := c.typ(cc.Value.Type())
	x, ip, m, v := c.slot(cc.Value), c.ip(in), cc.Method, c.unit.machine
	values := c.values(cc.Args)
	from := make([]uintptr, len(cc.Args))
	for i, a := range cc.Args {
		from[i] = c.slot(a)
	}
	return func(fp pointer, g *machine.Routine) machine.DeferredCall {
		machine.Mark(fp, ip)
		p := at(fp, x)
		w := rtype.DynamicType(iface.Word, p)
		if w == nil {
			machine.FailNil(fp, ip)
		}
		b := v.Bind(w, m)
		if b.Function == nil {
			recv := reflect.New(b.Recv.Reflect).Elem()
			b.Recv.Move(recv.Addr().UnsafePointer(), b.Receiver(p))
			return callCompiled(b.Compiled, append([]reflect.Value{recv}, values(fp)...))
		}
		if b.OnNil != nil && (*pair)(p).Data == nil {
			return prepared(b.OnNil, nil, fp, g, func(code *machine.Code, nf pointer) {
				*ref[pointer](nf, code.Signature.Params[0].At) = nil
			})
		}
		return prepared(b.Function, nil, fp, g, func(code *machine.Code, nf pointer) {
			b.Recv.Move(at(nf, code.Signature.Params[0].At), b.Receiver(p))
			for i, s := range code.Signature.Params[1:] {
				s.Type.Move(at(nf, s.At), at(fp, from[i]))
			}
		})
	}
}

// deferredBuiltins are the builtins that may stand in a defer or go statement.
var deferredBuiltins = map[string]func(args []reflect.Value, ds *machine.DeferStack){
	"close":   func(a []reflect.Value, _ *machine.DeferStack) { a[0].Close() },
	"delete":  func(a []reflect.Value, _ *machine.DeferStack) { a[0].SetMapIndex(a[1], reflect.Value{}) },
	"clear":   func(a []reflect.Value, _ *machine.DeferStack) { a[0].Clear() },
	"copy":    func(a []reflect.Value, _ *machine.DeferStack) { reflect.Copy(a[0], a[1]) },
	"print":   func(a []reflect.Value, _ *machine.DeferStack) { printTo(a, "", "") },
	"println": func(a []reflect.Value, _ *machine.DeferStack) { printTo(a, " ", "\n") },
	"panic":   func(a []reflect.Value, _ *machine.DeferStack) { panic(a[0].Interface()) },
	"recover": func(_ []reflect.Value, ds *machine.DeferStack) {
		// It is called by the function that defers it, unless that one's own panic makes the calls.
		if ds != nil && ds.Panic == nil {
			machine.Recover(ds.Frame)
		}
	},
}

func (c *compiler) deferBuiltin(in ssa.Instruction, cc *ssa.CallCommon, b *ssa.Builtin) machine.Preparation {
	f, ok := deferredBuiltins[b.Name()]
	if !ok {
		panic(machine.Internal("deferred builtin %s", b.Name()))
	}
	values := c.values(cc.Args)
	ip := c.ip(in)
	return func(fp pointer, _ *machine.Routine) machine.DeferredCall {
		args := values(fp)
		return func(_ *machine.Routine, up pointer, ds *machine.DeferStack) {
			if up != nil {
				machine.Mark(up, ip)
			}
			f(args, ds)
		}
	}
}

func buildDefer(c *compiler, in *ssa.Defer) op {
	prepare := c.deferral(in, &in.Call)
	ip := c.ip(in)
	if in.DeferStack == nil {
		return func(fp pointer) {
			head(fp).IP = ip
			ds := head(fp).Defers
			ds.Calls = append(ds.Calls, prepare(fp, head(fp).Routine))
		}
	}
	x := c.slot(in.DeferStack)
	return func(fp pointer) {
		head(fp).IP = ip
		ds := *ref[*machine.DeferStack](fp, x)
		ds.Calls = append(ds.Calls, prepare(fp, head(fp).Routine))
	}
}

func buildRunDefers(c *compiler, in *ssa.RunDefers) op { return c.runDefers(in) }

func (c *compiler) runDefers(in ssa.Instruction) op {
	c.atReturn(in.Block())
	ip := c.ip(in)
	return func(fp pointer) {
		head(fp).IP = ip
		head(fp).Defers.Run(head(fp).Routine)
	}
}

// atReturn makes the place of what follows that of the return statement, or of the function's
// closing brace.
func (c *compiler) atReturn(b *ssa.BasicBlock) {
	if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && ret.Pos().IsValid() {
		c.last = ret.Pos()
	} else if s := c.fn.Syntax(); ok && s != nil {
		c.last = s.End() - 1
	}
}
