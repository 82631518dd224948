package lower

import (
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/calls"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// native finds the compiled function that an SSA function without a body stands for. It panics with
// a refusal if there is none.
func (u *unit) native(fn *ssa.Function, pos ssa.Instruction) reflect.Value {
	v, err := u.findNative(fn)
	if err != nil {
		err.Pos = fn.Prog.Fset.Position(fn.Pos())
		if pos != nil {
			err.Pos = fn.Prog.Fset.Position(pos.Pos())
		}
		panic(err)
	}
	return v
}

func (u *unit) findNative(fn *ssa.Function) (reflect.Value, *engine.Refusal) {
	if recv := fn.Signature.Recv(); recv != nil {
		return u.nativeMethod(fn, recv.Type())
	}
	pkg := fn.Pkg
	if pkg == nil && fn.Object() != nil && fn.Object().Pkg() != nil {
		pkg = fn.Prog.Package(fn.Object().Pkg())
	}
	if pkg == nil {
		return reflect.Value{}, &engine.Refusal{What: fn.String(), Reason: "it has no body and belongs to no package"}
	}
	path := pkg.Pkg.Path()
	if r, ok := u.machine.Options.Replaced(path, fn.Name()); ok {
		return r, nil
	}
	if v, ok := u.machine.Options.Symbols(path, fn.Name()); ok && v.Kind() == reflect.Func {
		return v, nil
	}
	if path == "main" {
		return reflect.Value{}, &engine.Refusal{What: "function " + fn.Name() + " without a body",
			Reason: "assembly and linkname need a compiled package; write the function in Go"}
	}
	return reflect.Value{}, &engine.Refusal{What: path + "." + fn.Name(),
		Reason: "this kernel's tables of compiled functions do not have it"}
}

func (u *unit) nativeMethod(fn *ssa.Function, recv types.Type) (reflect.Value, *engine.Refusal) {
	rt := u.typ(recv).Reflect
	if r, ok := u.machine.Options.ReplacedMethod(rt, fn.Name()); ok {
		return r, nil
	}
	m, ok := rt.MethodByName(fn.Name())
	if !ok || !m.Func.IsValid() {
		return reflect.Value{}, &engine.Refusal{What: "method " + fn.String(), Reason: "it is not reachable in compiled code"}
	}
	return m.Func, nil
}

// nativeValue is a compiled function as a func value.
func (u *unit) nativeValue(fn *ssa.Function) pointer {
	return rtype.FuncWord(u.native(fn, nil))
}

// nativeCall calls compiled code known when the call is compiled.
func (c *compiler) nativeCall(in *ssa.Call, fn *ssa.Function) op {
	if f := c.intrinsicOf(in); f != nil {
		return intrinsicInto(f, c.dst(in), operandOf[float64](c, in.Call.Args[0]))
	}
	v := c.unit.native(fn, in)
	c.unit.bind(fn.Signature, v)
	ip := c.ip(in)
	args := make([]machine.Slot, len(in.Call.Args))
	for i, a := range in.Call.Args {
		args[i] = machine.Slot{At: c.slot(a), Type: c.typ(a.Type())}
	}
	fill := c.standardFiles(v.Type(), args)
	results := c.nativeResults(in)
	word := rtype.FuncWord(v)
	if fill == nil {
		if do := calls.Direct(v.Type(), args, results, word, ip); do != nil {
			return do
		}
	}
	call := calls.To(v.Type(), args, results)
	do := func(fp pointer) {
		machine.Mark(fp, ip)
		call(fp, word)
		head(fp).Routine.Top = fp
	}
	if fill == nil {
		return do
	}
	return func(fp pointer) {
		fill(fp)
		do(fp)
	}
}

// bind tells the type table what the compiled function's types are called in go/types.
func (u *unit) bind(sig *types.Signature, v reflect.Value) {
	if sig.Recv() != nil {
		return // the receiver's type is known, and its methods with it
	}
	if err := u.machine.Table.Bind(sig, v.Type()); err != nil {
		panic(err)
	}
}

// nativeResults gives every result a place, also those that nobody uses.
func (c *compiler) nativeResults(in *ssa.Call) []machine.Slot {
	var out []machine.Slot
	for _, p := range c.results(in) {
		if !p.used {
			p.at = c.temp(p.typ)
		}
		out = append(out, machine.Slot{At: p.at, Type: p.typ})
	}
	return out
}

// compiledFunc calls a func value that turned out to be compiled code's.
func (c *compiler) compiledFunc(in *ssa.Call, ft *typ, _ []part) func(fp, fn pointer) {
	ip := c.ip(in)
	var args []machine.Slot
	for _, a := range in.Call.Args {
		args = append(args, machine.Slot{At: c.slot(a), Type: c.typ(a.Type())})
	}
	results := c.nativeResults(in)
	call := calls.To(ft.Reflect, args, results)
	return func(fp, fn pointer) {
		machine.Mark(fp, ip)
		call(fp, fn)
		head(fp).Routine.Top = fp
	}
}
