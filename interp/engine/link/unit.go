package link

import (
	"fmt"
	"go/types"
	"iter"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A Unit is one engine.Unit as it is loaded, and once it is.
type Unit[T Function] struct {
	Cell *engine.Unit
	Prog *ssa.Program

	session *Session[T]
	maker   Maker[T]

	building sync.Mutex // held while code is made; guards what follows, and the Maker
	targets  map[*ssa.Function]T
	pending  []Job[T]
	failed   map[T]error
	generics *generics.Unit[T]
	within   *ssa.Function
	gains    *rtype.Gain // of the runtime's types; nil: no type of an earlier unit has new methods

	// While it is loaded: the memory of its variables, and the methods of instances for which it
	// made code.
	vars      map[types.Object]unsafe.Pointer
	instances []*types.Selection
	synthetic map[*ssa.Global]unsafe.Pointer
}

// A Maker is the engine's side of a unit. It panics with what Session.Refusal is to explain.
type Maker[T Function] interface {
	// New makes a Function without code.
	New() T
	// Make makes the code of all jobs; those that making one asks for (Unit.Target) come among
	// them. Functions that are not renewed have their code then.
	Make(jobs iter.Seq[Job[T]])
	// Native finds the compiled function that one without a body stands for.
	Native(fn *ssa.Function)
	// Publish gives renewed functions their code. The unit is loaded whole, and types have the
	// methods that it declares. What calls of interfaces found for altered types is not to be used
	// any more: a method that they had promoted is another one.
	Publish(altered []rtype.Word)
}

// A Job is code to be made.
type Job[T Function] struct {
	Target T
	Fn     *ssa.Function
	// Renewed: the function has code, of an earlier unit, that it keeps until this one is
	// published.
	Renewed bool
}

func (s *Session[T]) newUnit(cell *engine.Unit) *Unit[T] {
	u := &Unit[T]{
		Cell: cell, Prog: cell.SSA.Prog, session: s,
		targets: map[*ssa.Function]T{}, failed: map[T]error{}, vars: map[types.Object]unsafe.Pointer{},
		synthetic: map[*ssa.Global]unsafe.Pointer{},
	}
	u.generics = s.generics.Unit(cell, u.renew)
	u.maker = s.maker(u)
	return u
}

// Target is how callers see fn.
func (u *Unit[T]) Target(fn *ssa.Function) T {
	if t, ok := u.targets[fn]; ok {
		return t
	}
	if t, ok := u.generics.Instance(fn, u.ask); ok {
		u.targets[fn] = t
		return t
	}
	if fn.Blocks == nil || fn.Prog != u.Prog && fn.Synthetic == "" && fn.Parent() == nil {
		if t, ok := u.declared(fn); ok {
			return t
		}
		if fn.Blocks == nil {
			panic(fmt.Errorf("link: internal: %s has no code", fn))
		}
	}
	return u.ask(fn)
}

// ask makes a function with the code of fn.
func (u *Unit[T]) ask(fn *ssa.Function) T {
	t := u.maker.New()
	u.targets[fn] = t
	u.pending = append(u.pending, Job[T]{Target: t, Fn: fn})
	return t
}

// renew puts the code of fn in the place of t's, when the unit is committed.
func (u *Unit[T]) renew(fn *ssa.Function, t T) {
	u.targets[fn] = t
	u.pending = append(u.pending, Job[T]{t, fn, true})
}

// Declared reports whether an earlier unit has the code of fn.
func (u *Unit[T]) Declared(fn *ssa.Function) bool {
	_, ok := u.declared(fn)
	return ok || u.generics.Has(fn)
}

func (u *Unit[T]) declared(fn *ssa.Function) (t T, ok bool) {
	o := fn.Object()
	if o == nil || len(fn.TypeArgs()) > 0 {
		return t, false
	}
	return u.session.function(o)
}

// method is a method, declared or promoted.
func (u *Unit[T]) method(sel *types.Selection) T {
	fn := u.Prog.MethodValue(sel)
	if fn == nil {
		panic(fmt.Errorf("link: internal: no code for %s", sel))
	}
	return u.Target(fn)
}

// means reports whether the unit's program has no other method by the name of one: that was
// promoted, until a later unit declared this one.
func (u *Unit[T]) means(sel *types.Selection) bool {
	fn := u.Prog.MethodValue(sel)
	if fn == nil {
		return true
	}
	f, ok := fn.Object().(*types.Func)
	return !ok || f.Origin() == sel.Obj().(*types.Func).Origin()
}

// loadedFunction is a function of a unit that is loaded.
func (u *Unit[T]) loadedFunction(fn *ssa.Function) T {
	u.building.Lock()
	defer u.building.Unlock()
	return u.targets[fn]
}

// Need makes the code of a function that is called before anybody asked for it. It panics with a
// refusal.
func (u *Unit[T]) Need(t T) {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	u.building.Lock()
	defer u.building.Unlock()
	if t.Made() {
		return
	}
	if err := u.failed[t]; err != nil {
		panic(err)
	}
	u.make()
}

// make makes the code of what was asked for, and of what that asks for. A function that fails stays
// without.
func (u *Unit[T]) make() {
	var begun []T
	defer func() {
		if r := recover(); r != nil {
			err := u.session.Refusal(r)
			for _, t := range begun {
				if !t.Made() {
					u.failed[t] = err
				}
			}
			panic(err)
		}
	}()
	u.maker.Make(func(yield func(Job[T]) bool) {
		for n := len(u.pending); n > 0; n = len(u.pending) {
			j := u.pending[n-1]
			u.pending = u.pending[:n-1]
			begun = append(begun, j.Target)
			if !yield(j) {
				return
			}
		}
	})
}

// Global is the memory of a package-level variable. It panics with a refusal where a compiled
// package's is not reachable.
func (u *Unit[T]) Global(g *ssa.Global) unsafe.Pointer {
	o := g.Object()
	if o == nil { // go/ssa made it: init$guard
		if u.synthetic[g] == nil {
			u.synthetic[g] = u.allocate(g)
		}
		return u.synthetic[g]
	}
	if p, ok := u.vars[o]; ok {
		return p
	}
	if p, ok := u.session.global(o); ok {
		return p
	}
	if path := g.Pkg.Pkg.Path(); path != "main" {
		if v, ok := u.session.options.Symbols(path, g.Name()); ok && v.CanAddr() {
			return v.Addr().UnsafePointer()
		}
		panic(&engine.Refusal{Pos: g.Pkg.Prog.Fset.Position(g.Pos()), What: "variable " + path + "." + g.Name(),
			Reason: "this kernel's tables of compiled variables do not have it" + u.session.options.Instead})
	}
	if u.vars == nil {
		panic(fmt.Errorf("link: internal: %s has no memory any more", g))
	}
	u.vars[o] = u.allocate(g)
	return u.vars[o]
}

func (u *Unit[T]) allocate(g *ssa.Global) unsafe.Pointer {
	return rtype.New(rtype.WordOf(u.TypeOf(g.Type().Underlying().(*types.Pointer).Elem())))
}
