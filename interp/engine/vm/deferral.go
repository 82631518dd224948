package vm

import (
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// deferral compiles the call of a defer or go statement. Cell code gets its frame, with the arguments in it, at once.
func (c *compiler) deferral(in ssa.Instruction, cc *ssa.CallCommon) preparation {
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
	args := c.arguments(cc.Args, sig.params)
	if mc, ok := cc.Value.(*ssa.MakeClosure); ok {
		x, ol := c.slot(mc), c.unit.objects(t, fn)
		return func(fp pointer, g *routine) deferredCall {
			return prepared(t, args, fp, g, func(code *code, nf pointer) { code.capture(nf, *ref[*funcObject](fp, x), ol) })
		}
	}
	return func(fp pointer, g *routine) deferredCall { return prepared(t, args, fp, g, nil) }
}

// prepared takes the callee's frame and makes the call that runs on it.
func prepared(t *target, args transfer, fp pointer, g *routine, fill func(*code, pointer)) deferredCall {
	code := t.code()
	nf := code.take(g)
	if args != nil {
		args(nf, fp)
	}
	if fill != nil {
		fill(code, nf)
	}
	return func(g *routine, up pointer, ds *deferStack) { code.runPrepared(g, nf, up, ds) }
}

// values copies arguments out of a frame.
func (c *compiler) values(args []ssa.Value) func(fp pointer) []reflect.Value {
	from := make([]slotOf, len(args))
	for i, a := range args {
		from[i] = slotOf{c.slot(a), c.typ(a.Type())}
	}
	return func(fp pointer) []reflect.Value {
		vs := make([]reflect.Value, len(from))
		for i, s := range from {
			vs[i] = reflect.New(s.typ.rt).Elem()
			s.typ.move(vs[i].Addr().UnsafePointer(), at(fp, s.at))
		}
		return vs
	}
}

// callCompiled calls compiled code; a panic in it finds the frame that deferred or started it.
func callCompiled(f reflect.Value, args []reflect.Value) deferredCall {
	ft := f.Type()
	for i, a := range args {
		if t := ft.In(i); t != a.Type() { // another type of the same name
			args[i] = reflect.NewAt(t, a.Addr().UnsafePointer()).Elem()
		}
	}
	return func(g *routine, up pointer, ds *deferStack) {
		if up != nil {
			g.top = up
		}
		if ds != nil && passes(g.vm, f) {
			g.passed = ds
		}
		if f.Type().IsVariadic() {
			f.CallSlice(args)
			return
		}
		f.Call(args)
	}
}

func (c *compiler) deferNative(in ssa.Instruction, cc *ssa.CallCommon, fn *ssa.Function) preparation {
	f := c.unit.native(fn, in)
	c.unit.bind(fn.Signature, f)
	kept, passes := c.keptCall(f.Type(), cc), passes(c.unit.vm, f)
	word := rtype.FuncWord(f)
	return func(fp pointer, _ *routine) deferredCall { return kept.prepared(fp, word, passes) }
}

func (c *compiler) deferDynamic(in ssa.Instruction, cc *ssa.CallCommon) preparation {
	ft := c.typ(cc.Value.Type())
	form := c.unit.vm.form(ft.rt)
	sig := c.unit.signature(nil, cc.Value.Type().Underlying().(*types.Signature))
	args, kept := c.arguments(cc.Args, sig.params), c.keptCall(ft.rt, cc)
	x, ip, v := c.slot(cc.Value), c.ip(in), c.unit.vm
	return func(fp pointer, g *routine) deferredCall {
		p := *ref[pointer](fp, x)
		if p == nil { // a nil func fails when it is called, not when it is deferred
			return func(_ *routine, up pointer, _ *deferStack) { failNil(orFrame(up, fp), ip) }
		}
		o := form.own(p)
		if o == nil {
			return kept.prepared(fp, p, passes(v, rtype.FuncValue(ft.rt, p)))
		}
		return prepared(o.target, args, fp, g, func(code *code, nf pointer) {
			if len(code.captures) > 0 {
				code.capture(nf, o, o.target.layout)
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

func (c *compiler) deferInvoke(in ssa.Instruction, cc *ssa.CallCommon) preparation {
	iface := c.typ(cc.Value.Type())
	x, ip, m, v := c.slot(cc.Value), c.ip(in), cc.Method, c.unit.vm
	values := c.values(cc.Args)
	from := make([]uintptr, len(cc.Args))
	for i, a := range cc.Args {
		from[i] = c.slot(a)
	}
	return func(fp pointer, g *routine) deferredCall {
		mark(fp, ip)
		p := at(fp, x)
		w := rtype.DynamicType(iface.word, p)
		if w == nil {
			failNil(fp, ip)
		}
		b := v.method(w, m)
		if b.target == nil {
			recv := reflect.New(b.recv.rt).Elem()
			b.recv.move(recv.Addr().UnsafePointer(), b.receiver(p))
			return callCompiled(b.native, append([]reflect.Value{recv}, values(fp)...))
		}
		if b.onNil != nil && (*pair)(p).b == nil {
			return prepared(b.onNil, nil, fp, g, func(code *code, nf pointer) { *ref[pointer](nf, code.sig.params[0].at) = nil })
		}
		return prepared(b.target, nil, fp, g, func(code *code, nf pointer) {
			b.recv.move(at(nf, code.sig.params[0].at), b.receiver(p))
			for i, s := range code.sig.params[1:] {
				s.typ.move(at(nf, s.at), at(fp, from[i]))
			}
		})
	}
}

// deferredBuiltins are the builtins that may stand in a defer or go statement.
var deferredBuiltins = map[string]func(args []reflect.Value, ds *deferStack){
	"close":   func(a []reflect.Value, _ *deferStack) { a[0].Close() },
	"delete":  func(a []reflect.Value, _ *deferStack) { a[0].SetMapIndex(a[1], reflect.Value{}) },
	"clear":   func(a []reflect.Value, _ *deferStack) { a[0].Clear() },
	"copy":    func(a []reflect.Value, _ *deferStack) { reflect.Copy(a[0], a[1]) },
	"print":   func(a []reflect.Value, _ *deferStack) { printTo(a, "", "") },
	"println": func(a []reflect.Value, _ *deferStack) { printTo(a, " ", "\n") },
	"panic":   func(a []reflect.Value, _ *deferStack) { panic(a[0].Interface()) },
	"recover": func(_ []reflect.Value, ds *deferStack) {
		// It is called by the function that defers it, unless that one's own panic makes the calls.
		if ds != nil && ds.panic == nil {
			recoverValue(ds.fp)
		}
	},
}

func (c *compiler) deferBuiltin(in ssa.Instruction, cc *ssa.CallCommon, b *ssa.Builtin) preparation {
	f, ok := deferredBuiltins[b.Name()]
	if !ok {
		panic(internal("deferred builtin %s", b.Name()))
	}
	values := c.values(cc.Args)
	ip := c.ip(in)
	return func(fp pointer, _ *routine) deferredCall {
		args := values(fp)
		return func(_ *routine, up pointer, ds *deferStack) {
			if up != nil {
				mark(up, ip)
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
			head(fp).ip = ip
			ds := head(fp).defers
			ds.calls = append(ds.calls, prepare(fp, head(fp).g))
		}
	}
	x := c.slot(in.DeferStack)
	return func(fp pointer) {
		head(fp).ip = ip
		ds := *ref[*deferStack](fp, x)
		ds.calls = append(ds.calls, prepare(fp, head(fp).g))
	}
}

func buildRunDefers(c *compiler, in *ssa.RunDefers) op { return c.runDefers(in) }

func (c *compiler) runDefers(in ssa.Instruction) op {
	c.atReturn(in.Block())
	ip := c.ip(in)
	return func(fp pointer) {
		head(fp).ip = ip
		head(fp).defers.runAll(head(fp).g)
	}
}

// atReturn makes the place of what follows that of the return statement, or of the function's closing brace.
func (c *compiler) atReturn(b *ssa.BasicBlock) {
	if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && ret.Pos().IsValid() {
		c.last = ret.Pos()
	} else if s := c.fn.Syntax(); ok && s != nil {
		c.last = s.End() - 1
	}
}
