package vm

import (
	"go/types"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A unit is one engine.Unit as this engine holds it.
type unit struct {
	vm   *vm
	cell *engine.Unit
	prog *ssa.Program

	compiling sync.Mutex // held while functions of the unit are compiled; guards what follows
	typs      map[types.Type]*typ
	targets   map[*ssa.Function]*target
	pending   []*target // not compiled yet
	// vars is the memory of this unit's variables, and of those of packages executed from source.
	vars      map[types.Object]pointer
	synthetic map[*ssa.Global]pointer
	// again are functions that take the place of an earlier cell's: their code is put in when the unit is loaded whole.
	again   map[*target]*ssa.Function
	current *ssa.Function // being compiled
	fresh   map[*target]*code

	generics *generics.Unit[*target]
	gains    *rtype.Gain // of the runtime's types; nil: no type of an earlier unit has new methods
	late     []func()    // what waits until they have them
}

func (v *vm) newUnit(cell *engine.Unit) *unit {
	for _, p := range cell.SSA.Prog.AllPackages() {
		if hasBodies(p) {
			v.sources.Store(p.Pkg.Path(), true)
		}
	}
	u := &unit{
		vm: v, cell: cell, prog: cell.SSA.Prog,
		typs: map[types.Type]*typ{}, targets: map[*ssa.Function]*target{}, vars: map[types.Object]pointer{}, synthetic: map[*ssa.Global]pointer{},
		again: map[*target]*ssa.Function{}, fresh: map[*target]*code{},
	}
	u.generics = v.generics.Unit(cell, u.renewed)
	return u
}

// fromSource tells whether the program has the bodies of a package's functions.
func (u *unit) fromSource(path string) bool {
	for _, p := range u.prog.AllPackages() {
		if p.Pkg.Path() == path {
			return hasBodies(p)
		}
	}
	return false
}

func hasBodies(p *ssa.Package) bool {
	init := p.Func("init")
	return init != nil && init.Blocks != nil
}

// declared tells whether an earlier unit has the code of fn.
func (u *unit) declared(fn *ssa.Function) bool {
	return u.vm.declared(fn) != nil || u.generics.Has(fn)
}

func (v *vm) declared(fn *ssa.Function) *target {
	o := fn.Object()
	if o == nil || len(fn.TypeArgs()) > 0 {
		return nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.funcs[o]
}

// target is how callers see fn.
func (u *unit) target(fn *ssa.Function) *target {
	if t, ok := u.targets[fn]; ok {
		return t
	}
	if t := u.instance(fn); t != nil {
		return t
	}
	if fn.Blocks == nil || fn.Prog != u.prog && fn.Synthetic == "" && fn.Parent() == nil {
		if t := u.vm.declared(fn); t != nil {
			return t
		}
		if fn.Blocks == nil {
			panic(internal("%s has no code", fn))
		}
	}
	return u.newTarget(fn, fn)
}

// newTarget makes the target of fn, with the code of body.
func (u *unit) newTarget(fn, body *ssa.Function) *target {
	t := &target{fn: body, unit: u}
	u.targets[fn] = t
	u.pending = append(u.pending, t)
	return t
}

// compileNow compiles a function that is called before anybody asked for its code.
func (u *unit) compileNow(t *target) *code {
	engine.MethodSets.RLock()
	defer engine.MethodSets.RUnlock()
	u.compiling.Lock()
	defer u.compiling.Unlock()
	if c := t.now.Load(); c != nil {
		return c
	}
	if t.failed != nil {
		panic(t.failed)
	}
	u.compilePending()
	return t.now.Load()
}

// compilePending compiles what was asked for, and what that asks for.
func (u *unit) compilePending() {
	for len(u.pending) > 0 {
		t := u.pending[len(u.pending)-1]
		u.pending = u.pending[:len(u.pending)-1]
		u.compileTarget(t)
	}
}

func (u *unit) compileTarget(t *target) {
	if t.now.Load() != nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			t.failed = refusal(r)
			panic(t.failed)
		}
	}()
	var parent *code
	if p := t.fn.Parent(); p != nil {
		if pt := u.targets[p]; pt != nil {
			parent = u.fresh[pt]
			if parent == nil {
				parent = pt.now.Load()
			}
		}
	}
	t.now.Store(u.compile(t.fn, parent))
}

// global is the memory of a package-level variable. It panics with a refusal where a compiled package's is not reachable.
func (u *unit) global(g *ssa.Global) pointer {
	o := g.Object()
	if o == nil { // go/ssa made it: init$guard
		return u.syntheticGlobal(g)
	}
	if p, ok := u.vars[o]; ok {
		return p
	}
	u.vm.mu.RLock()
	p, ok := u.vm.globals[o]
	u.vm.mu.RUnlock()
	if ok {
		return p
	}
	path := g.Pkg.Pkg.Path()
	if path != "main" {
		if v, ok := u.vm.options.Symbols(path, g.Name()); ok && v.CanAddr() {
			return v.Addr().UnsafePointer()
		}
		if !hasBodies(g.Pkg) {
			panic(&engine.Refusal{Pos: g.Pkg.Prog.Fset.Position(g.Pos()), What: "variable " + path + "." + g.Name(),
				Reason: "this kernel's tables of compiled variables do not have it"})
		}
	}
	t := u.typ(g.Type().Underlying().(*types.Pointer).Elem())
	p = rtype.New(t.word)
	u.vars[o] = p
	return p
}

func (u *unit) syntheticGlobal(g *ssa.Global) pointer {
	p, ok := u.synthetic[g]
	if !ok {
		p = rtype.New(u.typ(g.Type().Underlying().(*types.Pointer).Elem()).word)
		u.synthetic[g] = p
	}
	return p
}

// isWrapper tells functions that go/ssa made around a method: their frames are nobody's.
func isWrapper(fn *ssa.Function) bool {
	s := fn.Synthetic
	return strings.HasPrefix(s, "wrapper") || strings.HasPrefix(s, "bound method wrapper") || strings.HasPrefix(s, "thunk") ||
		strings.HasPrefix(s, "method wrapper") || strings.HasPrefix(s, "interface method wrapper")
}
