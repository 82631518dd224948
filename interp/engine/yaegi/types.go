package yaegi

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// typeOf is the runtime type of x. It panics with the table's error, which loading turns into a refusal.
func (u *unit) typeOf(x types.Type) reflect.Type {
	if t := ssaType(x); t != nil {
		return t
	}
	u.nameLocals(x)
	t, err := u.e.table.Of(x)
	if err != nil {
		panic(err)
	}
	return t
}

// ssaType answers for the types that go/ssa invents: a defer stack is the Frame that has it.
func ssaType(x types.Type) reflect.Type {
	switch t := x.(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && p.Path() == "$ssa" {
			return reflect.TypeFor[*Frame]()
		}
	case *types.Pointer:
		if e := ssaType(t.Elem()); e != nil {
			return reflect.PointerTo(e)
		}
	case *types.Basic:
		if t.Kind() == types.Invalid || t.Kind() == types.UntypedNil {
			return reflect.TypeFor[*Frame]()
		}
	}
	return nil
}

// textType is the type of yaegi's variable for values of x.
func textType(x types.Type) string {
	if k := basicName(x); k != "" {
		return k
	}
	return "*h.V"
}

// basicName is the basic type that yaegi holds an x as, "" if it holds a V. Complex numbers are V: yaegi's arithmetic on them is not Go's.
func basicName(x types.Type) string {
	b, ok := x.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) == 0 {
		return ""
	}
	if b.Info()&types.IsUntyped != 0 {
		b = types.Default(b).(*types.Basic)
	}
	return types.Typ[b.Kind()].Name()
}

func elemOf(pointer types.Type) types.Type { return pointer.Underlying().(*types.Pointer).Elem() }

// nameLocals tells the table of the types in x that were declared inside the generic function being printed: each instance has its own.
func (u *unit) nameLocals(x types.Type) {
	var args []types.Type
	fn := u.current
	for ; fn != nil; fn = fn.Parent() {
		if args = fn.TypeArgs(); len(args) > 0 {
			break
		}
	}
	if fn == nil {
		return
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	w := localTypes{u, fn, args, map[types.Type]bool{}}
	w.visit(x)
}

type localTypes struct {
	u    *unit
	in   *ssa.Function
	args []types.Type
	seen map[types.Type]bool
}

func (w *localTypes) visit(x types.Type) {
	x = types.Unalias(x)
	if w.seen[x] {
		return
	}
	w.seen[x] = true
	switch t := x.(type) {
	case *types.Named:
		w.named(t)
	case *types.Signature:
		w.visit(t.Params())
		w.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.visit(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			w.visit(f.Type())
		}
	case *types.Map:
		w.visit(t.Key())
		w.visit(t.Elem())
	case interface{ Elem() types.Type }:
		w.visit(t.Elem())
	}
}

func (w *localTypes) named(t *types.Named) {
	for a := range t.TypeArgs().Types() {
		w.visit(a)
	}
	o := t.Obj()
	s := w.in.Syntax()
	if o.Pkg() == nil || o.Parent() == o.Pkg().Scope() || s == nil || o.Pos() < s.Pos() || o.Pos() >= s.End() {
		return
	}
	w.u.e.table.Local(o, w.args)
	w.visit(t.Underlying())
}
