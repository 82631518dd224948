package generics

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A Table holds the generics of a session, for an engine whose functions are T.
type Table[T any] struct {
	mu   sync.RWMutex
	of   map[*types.Func]*generic[T] // by what instances name
	news []types.Type                // since News was asked
}

// News are the type arguments of the instances that were made since it was asked last.
func (t *Table[T]) News() []types.Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	news := t.news
	t.news = nil
	return news
}

// set makes an instance one that units see. t.mu must be held.
func (t *Table[T]) set(i instance[T]) {
	i.of.instances.Set(i.args, i.target)
	t.news = append(t.news, i.args)
}

// A generic is a function or method that has type parameters.
type generic[T any] struct {
	newest    *types.Func  // whose body it is, and
	cell      *engine.Unit // the unit that declares that one
	instances typeutil.Map // type arguments as a *types.Tuple -> T
}

// A Unit is what a unit that is being loaded does to a Table.
type Unit[T any] struct {
	table *Table[T]
	cell  *engine.Unit
	// renewed is told of each instance that gets the body of fn.
	renewed func(fn *ssa.Function, t T)

	declared map[*types.Func]*generic[T]
	newest   map[*generic[T]]*types.Func
	made     []instance[T]
	loaded   bool
}

type instance[T any] struct {
	of     *generic[T]
	args   *types.Tuple
	target T
}

// Unit begins with a unit.
func (t *Table[T]) Unit(cell *engine.Unit, renewed func(fn *ssa.Function, target T)) *Unit[T] {
	return &Unit[T]{table: t, cell: cell, renewed: renewed, declared: map[*types.Func]*generic[T]{},
		newest: map[*generic[T]]*types.Func{}}
}

// Declare adds a function of the unit, or lets the one that it takes the place of have its body.
func (u *Unit[T]) Declare(f *types.Func) {
	if old, ok := u.cell.Replaces[f].(*types.Func); ok && types.Identical(old.Type(), f.Type()) {
		if g := u.find(old); g != nil {
			u.renew(g, f)
			u.declared[f] = g
			return
		}
	}
	u.declared[f] = &generic[T]{newest: f, cell: u.cell}
}

// Redeclare gives a method of an earlier unit's type the body of m.
func (u *Unit[T]) Redeclare(m, was *types.Func) {
	if g := u.find(was); g != nil {
		u.renew(g, m)
	}
}

func (u *Unit[T]) renew(g *generic[T], f *types.Func) {
	u.newest[g] = f
	u.table.mu.RLock()
	defer u.table.mu.RUnlock()
	g.instances.Iterate(func(args types.Type, t any) {
		u.renewed(u.cell.Instance(f, argsOf(args.(*types.Tuple))), t.(T))
	})
}

func (u *Unit[T]) find(f *types.Func) *generic[T] {
	if g := u.declared[f]; g != nil {
		return g
	}
	u.table.mu.RLock()
	defer u.table.mu.RUnlock()
	return u.table.of[f]
}

// HasInstance reports whether a unit has made the instance, which others then need no body of.
func (t *Table[T]) HasInstance(f *types.Func, args []types.Type) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	g := t.of[f]
	return g != nil && g.instances.At(tupleOf(args)) != nil
}

// Has reports whether fn is an instance of one of the session's generics.
func (u *Unit[T]) Has(fn *ssa.Function) bool {
	f := originOf(fn)
	return f != nil && u.find(f) != nil
}

// originOf is what fn is an instance of, nil if it is none, or one that no two units share: of a
// compiled package's function, with types of cells.
func originOf(fn *ssa.Function) *types.Func {
	if fn.Parent() != nil || !strings.HasPrefix(fn.Synthetic, "instance of") {
		return nil
	}
	f, ok := fn.Origin().Object().(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "main" && ofCells(fn.TypeArgs()...) {
		return nil
	}
	return f
}

// Instance is the target that all units have for fn. Where there is none yet, add makes one of the
// function that has the newest body, which need not be the one that the unit's program has. ok is
// false for functions that are no instances of the session's generics.
func (u *Unit[T]) Instance(fn *ssa.Function, add func(body *ssa.Function) T) (t T, ok bool) {
	f := originOf(fn)
	if f == nil {
		return t, false
	}
	g := u.find(f)
	if g == nil {
		if f.Pkg().Path() == "main" || fn.Blocks == nil || u.loaded {
			return t, false
		}
		g = &generic[T]{newest: f, cell: u.cell} // of a package that is made from source
		u.declared[f] = g
	}
	args := tupleOf(fn.TypeArgs())
	if t, ok = u.lookup(g, args); ok {
		return t, true
	}
	t = add(u.body(g, fn, f))
	u.add(instance[T]{g, args, t})
	return t, true
}

func (u *Unit[T]) body(g *generic[T], fn *ssa.Function, f *types.Func) *ssa.Function {
	u.table.mu.RLock()
	newest, by := g.newest, g.cell
	u.table.mu.RUnlock()
	if now := u.newest[g]; now != nil {
		newest, by = now, u.cell
	}
	if newest == f && fn.Blocks != nil {
		return fn
	}
	body := by.Instance(newest, fn.TypeArgs())
	if body.Blocks == nil {
		panic(fmt.Errorf("%s has no code", body))
	}
	return body
}

func (u *Unit[T]) lookup(g *generic[T], args *types.Tuple) (t T, ok bool) {
	for _, i := range u.made {
		if i.of == g && types.Identical(i.args, args) {
			return i.target, true
		}
	}
	u.table.mu.RLock()
	defer u.table.mu.RUnlock()
	t, ok = g.instances.At(args).(T)
	return t, ok
}

// add makes an instance one that other units see, when this one is loaded.
func (u *Unit[T]) add(i instance[T]) {
	if !u.loaded {
		u.made = append(u.made, i)
		return
	}
	u.table.mu.Lock()
	defer u.table.mu.Unlock()
	u.table.set(i)
}

// Commit lets others see what the unit declared and made.
func (u *Unit[T]) Commit() {
	t := u.table
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, old := range u.cell.Replaces {
		if f, ok := old.(*types.Func); ok && !u.cell.Lasting[old] {
			delete(t.of, f)
		}
	}
	for g, f := range u.newest {
		g.newest, g.cell = f, u.cell
	}
	if t.of == nil {
		t.of = map[*types.Func]*generic[T]{}
	}
	for f, g := range u.declared {
		t.of[f] = g
	}
	for _, i := range u.made {
		t.set(i)
	}
	u.declared, u.newest, u.made, u.loaded = nil, nil, nil, true
}

// tupleOf makes a key of type arguments.
func tupleOf(args []types.Type) *types.Tuple {
	vars := make([]*types.Var, len(args))
	for i, a := range args {
		vars[i] = types.NewParam(token.NoPos, nil, "", a)
	}
	return types.NewTuple(vars...)
}

func argsOf(t *types.Tuple) (args []types.Type) {
	for v := range t.Variables() {
		args = append(args, v.Type())
	}
	return args
}

// IsInstance reports whether t is a generic type of cells with type arguments: its methods are
// compiled when its runtime type is made, by the unit that makes it, whose program has what their
// bodies name.
func IsInstance(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.TypeArgs().Len() > 0 && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "main"
}
