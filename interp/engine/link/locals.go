package link

import (
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"golang.org/x/tools/go/ssa"
)

// Within tells that what follows, until leave, makes code of fn.
func (u *Unit[T]) Within(fn *ssa.Function) (leave func()) {
	before := u.within
	u.within = fn
	return func() { u.within = before }
}

// TypeOf is the runtime type of x. It panics with the table's error.
func (u *Unit[T]) TypeOf(x types.Type) reflect.Type {
	u.nameLocals(x)
	t, err := u.session.Table.Of(x)
	if err != nil {
		panic(err)
	}
	return t
}

// nameLocals tells the type table of the types in x that are declared inside the generic function
// of which code is made: each instance has its own, and the runtime's names show the type
// arguments.
func (u *Unit[T]) nameLocals(x types.Type) {
	args := instanceArgs(u.within)
	if len(args) == 0 {
		return
	}
	outermost := u.within
	for outermost.Parent() != nil {
		outermost = outermost.Parent()
	}
	source := outermost.Syntax()
	walkTypes(x, func(t *types.Named) bool {
		o := t.Obj()
		if source == nil || o.Pkg() == nil || o.Parent() == o.Pkg().Scope() || o.Pos() < source.Pos() ||
			o.Pos() >= source.End() {
			return false
		}
		u.session.Table.Local(o, args)
		return true
	})
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

// mentions reports whether t is made of a type that pkg declares.
func mentions(t types.Type, pkg *types.Package) (found bool) {
	walkTypes(t, func(n *types.Named) bool {
		found = found || n.Obj().Pkg() == pkg
		return false
	})
	return found
}

// walkTypes visits the declared types of which t is made, and those in the declaration of one for
// which visit is true.
func walkTypes(t types.Type, visit func(*types.Named) bool) {
	w := typeWalk{visit, map[types.Type]bool{}}
	w.walk(t)
}

type typeWalk struct {
	visit func(*types.Named) bool
	seen  map[types.Type]bool
}

func (w *typeWalk) walk(x types.Type) {
	x = types.Unalias(x)
	if w.seen[x] {
		return
	}
	w.seen[x] = true
	t, ok := x.(*types.Named)
	if !ok {
		engine.Parts(x, w.walk)
		return
	}
	for a := range t.TypeArgs().Types() {
		w.walk(a)
	}
	if w.visit(t) {
		w.walk(t.Underlying())
	}
}
