package vm

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// nameLocals tells the type table of the types in x that are declared inside the generic function being compiled: each instance has its own,
// and the runtime's names show the type arguments.
func (u *unit) nameLocals(x types.Type) {
	args := instanceArgs(u.current)
	if len(args) == 0 {
		return
	}
	w := localTypes{unit: u, args: args, seen: map[types.Type]bool{}}
	w.visit(x)
}

// instanceArgs are the type arguments of the instance that fn is or lies in.
func instanceArgs(fn *ssa.Function) []types.Type {
	for ; fn != nil; fn = fn.Parent() {
		if args := fn.TypeArgs(); len(args) > 0 {
			return args
		}
	}
	return nil
}

type localTypes struct {
	unit *unit
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
	if o.Pkg() == nil || o.Parent() == o.Pkg().Scope() || !w.inside(o) {
		return
	}
	w.unit.vm.table.Local(o, w.args)
	w.visit(t.Underlying())
}

// inside tells whether the type is declared in the source of the instance being compiled.
func (w *localTypes) inside(o *types.TypeName) bool {
	fn := w.unit.current
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	s := fn.Syntax()
	return s != nil && s.Pos() <= o.Pos() && o.Pos() < s.End()
}
