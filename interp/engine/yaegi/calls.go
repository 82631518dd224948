package yaegi

import (
	"go/types"
	"reflect"
	"runtime"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A callable executes a call whose function and arguments are a. up is the frame that calls;
// deferring, if the call is one of its deferred ones.
type callable func(g *routine, up *Frame, a []reflect.Value, deferring *Frame) []reflect.Value

func registerCalls() {
	printerOf(printCall)
	printerOf(func(p *printer, in *ssa.Defer) {
		args, call := p.callable(in, &in.Call)
		n := len(args)
		if in.DeferStack != nil {
			args = append(args, in.DeferStack)
		}
		p.operate(in, args, func(f *Frame, a []reflect.Value) reflect.Value {
			to := f
			if len(a) > n {
				to = a[n].Interface().(*Frame)
			}
			if in.Call.IsInvoke() && a[0].IsNil() {
				nilFault()
			}
			to.deferred = append(to.deferred, func(d *Frame) {
				defer carry()
				call(d.g, d, a[:n], d)
			})
			return reflect.Value{}
		})
	})
	printerOf(func(p *printer, in *ssa.Go) {
		args, call := p.callable(in, &in.Call)
		p.operate(in, args, func(f *Frame, a []reflect.Value) reflect.Value {
			if in.Call.IsInvoke() && a[0].IsNil() {
				nilFault()
			}
			f.g.start(func(g *routine) { call(g, nil, a, nil) })
			return reflect.Value{}
		})
	})
	printerOf(func(p *printer, in *ssa.RunDefers) {
		p.operate(in, nil, runDefers)
	})
	printerOf(printPanic)
	printerOf(func(p *printer, in *ssa.MakeClosure) {
		t, target := p.u.typeOf(in.Type()), p.u.Target(in.Fn.(*ssa.Function))
		p.operate(in, in.Bindings, func(_ *Frame, a []reflect.Value) reflect.Value {
			return as(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value { return target.callback(a, args) }), t)
		})
	})
}

func runDefers(f *Frame, _ []reflect.Value) reflect.Value {
	f.runDeferred()
	return reflect.Value{}
}

func printCall(p *printer, in *ssa.Call) {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		p.builtin(in, b)
		return
	}
	if fn := in.Call.StaticCallee(); fn != nil && fn.Name() == "init" && fn.Blocks == nil && fn.Signature.Recv() == nil {
		return // an import's initializer has run
	}
	args, call := p.callable(in, &in.Call)
	p.operate(in, args, func(f *Frame, a []reflect.Value) reflect.Value {
		var deferring *Frame
		if f.body.wrapper {
			deferring = f.deferring
		}
		return result(call(f.g, f, a, deferring))
	})
}

func result(rs []reflect.Value) reflect.Value {
	switch len(rs) {
	case 0:
		return reflect.Value{}
	case 1:
		return rs[0]
	}
	return reflect.ValueOf(tuple(rs))
}

// callable tells what a call needs and how it is done.
func (p *printer) callable(in ssa.Instruction, cc *ssa.CallCommon) ([]ssa.Value, callable) {
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		f := p.builtinCall(in, b, cc.Args)
		return cc.Args, func(g *routine, up *Frame, a []reflect.Value, _ *Frame) []reflect.Value {
			switch {
			case up == nil:
				up = &Frame{g: g}
			case b.Name() == "recover" && up.panicking != nil:
				return nil // it is itself the deferred call, and not called by one
			}
			f(up, a)
			return nil
		}
	}
	if cc.IsInvoke() {
		return append([]ssa.Value{cc.Value}, cc.Args...), p.u.invoke(cc)
	}
	fn := cc.StaticCallee()
	if fn == nil {
		return append([]ssa.Value{cc.Value}, cc.Args...), callValue
	}
	if fn.Blocks == nil && !p.u.Declared(fn) {
		v := p.u.native(fn, p.position(in))
		if fn.Signature.Recv() == nil {
			if err := p.u.e.Table.Bind(fn.Signature, v.Type()); err != nil {
				panic(err)
			}
		}
		return cc.Args, func(g *routine, up *Frame, a []reflect.Value, _ *Frame) []reflect.Value {
			return callNative(g, up, v, a)
		}
	}
	if of := fn.Origin(); of != nil && of.Pkg != nil {
		for inner, name := range written {
			if name == of.Pkg.Pkg.Path()+"."+of.Name() {
				refuseShown(p.position(in), name, refused[inner])
			}
		}
	}
	t := p.u.Target(fn)
	types := p.u.parameterTypes(fn)
	if mc, ok := cc.Value.(*ssa.MakeClosure); ok {
		n := len(mc.Bindings)
		return append(append([]ssa.Value{}, mc.Bindings...), cc.Args...),
			func(g *routine, up *Frame, a []reflect.Value, deferring *Frame) []reflect.Value {
				return t.call(g, up, a[:n], typed(a[n:], types), deferring)
			}
	}
	return cc.Args, func(g *routine, up *Frame, a []reflect.Value, deferring *Frame) []reflect.Value {
		return t.call(g, up, nil, typed(a, types), deferring)
	}
}

func (u *unit) parameterTypes(fn *ssa.Function) []reflect.Type {
	var ts []reflect.Type
	if r := fn.Signature.Recv(); r != nil {
		ts = append(ts, u.typeOf(r.Type()))
	}
	for v := range fn.Signature.Params().Variables() {
		ts = append(ts, u.typeOf(v.Type()))
	}
	return ts
}

// typed gives arguments the parameters' types.
func typed(a []reflect.Value, ts []reflect.Type) []reflect.Value {
	vs := make([]reflect.Value, len(a))
	for i, v := range a {
		vs[i] = as(v, ts[i])
	}
	return vs
}

// madeFunc is where every func value begins that reflect.MakeFunc made, ours among them;
// methodValue where those of reflect.Value.Method do.
var (
	madeFunc = rtype.CodeAddress(rtype.FuncWord(reflect.MakeFunc(reflect.TypeFor[func()](),
		func([]reflect.Value) []reflect.Value { return nil })))
	methodValue = rtype.CodeAddress(rtype.FuncWord(reflect.ValueOf(reflect.ValueOf(time.Second).Method(0).Interface())))
)

// callValue calls a func value.
func callValue(g *routine, up *Frame, a []reflect.Value, deferring *Frame) []reflect.Value {
	f := a[0]
	if f.IsNil() {
		nilFault()
	}
	if deferring != nil {
		code := rtype.CodeAddress(rtype.FuncWord(f))
		if deferring.panicking != nil && (rtype.IsStub(code) || code == methodValue) {
			g.run.refuse(&engine.Refusal{Pos: up.position(),
				What:   "a deferred call of a method through package reflect while panicking",
				Reason: "whether it may recover is not known" + instead})
			runtime.Goexit()
		}
		if code == madeFunc {
			g.passed = deferring
			defer func() { g.passed = nil }()
		}
	}
	return callNative(g, up, f, a[1:])
}

// callNative calls compiled code, or through it.
func callNative(g *routine, up *Frame, f reflect.Value, a []reflect.Value) []reflect.Value {
	t := f.Type()
	args := make([]reflect.Value, len(a))
	for i, v := range a {
		args[i] = g.e.standardFile(t.In(i), as(v, t.In(i)))
	}
	before := g.outside
	g.top, g.outside = up, up
	var rs []reflect.Value
	if t.IsVariadic() {
		rs = f.CallSlice(args)
	} else {
		rs = f.Call(args)
	}
	g.top, g.outside = up, before
	for i, r := range rs {
		rs[i] = fresh(r)
	}
	return rs
}

// invoke calls a method of an interface.
func (u *unit) invoke(cc *ssa.CallCommon) callable {
	m := cc.Method
	return func(g *routine, up *Frame, a []reflect.Value, deferring *Frame) []reflect.Value {
		if a[0].IsNil() {
			nilFault()
		}
		recv := a[0].Elem()
		if t, ok := u.e.Table.Lookup(rtype.WordOf(recv.Type())); ok {
			target := u.e.Method(t, methodNamed(t, m))
			args := typed(append([]reflect.Value{fresh(recv)}, a[1:]...), target.body().params)
			return target.call(g, up, nil, args, deferring)
		}
		u.e.wakers.Method(recv.Type(), m)
		if f, ok := replacedMethods[methodName{recv.Type(), m.Name()}]; ok {
			return callNative(g, up, f, append([]reflect.Value{recv}, a[1:]...))
		}
		return callNative(g, up, recv.MethodByName(m.Name()), a[1:])
	}
}

// methodNamed is the method of t with m's name.
func methodNamed(t types.Type, m *types.Func) *types.Selection {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	return types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
}

// functionValue is a function as a func value.
func (u *unit) functionValue(fn *ssa.Function) reflect.Value {
	if fn.Blocks == nil && !u.Declared(fn) {
		return u.native(fn, fn.Prog.Fset.Position(fn.Pos()))
	}
	sig := fn.Signature
	if r := sig.Recv(); r != nil {
		params := []*types.Var{r}
		for v := range sig.Params().Variables() {
			params = append(params, v)
		}
		sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	}
	t, target := u.typeOf(sig), u.Target(fn)
	return as(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value { return target.callback(nil, args) }), t)
}
