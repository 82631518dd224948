package yaegi

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/traefik/yaegi/interp"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A unit is one engine.Unit as this engine holds it.
type unit struct {
	e    *yaegi
	cell *engine.Unit
	prog *ssa.Program

	printing  sync.Mutex // held while functions are printed and read; guards what follows
	targets   map[*ssa.Function]*target
	pending   []*target
	again     map[*target]*ssa.Function // take the place of an earlier unit's when all is loaded
	fresh     map[*target]*body
	vars      map[types.Object]unsafe.Pointer
	synthetic map[*ssa.Global]unsafe.Pointer
	current   *ssa.Function
	numbers   int
	generics  *generics.Unit[*target]
	gains     *rtype.Gain

	// what texts refer to by number
	tables    sync.RWMutex
	constants []*V
	ops       []operation
}

// A target is a function as its callers know it: whatever body was declared last.
type target struct {
	u   *unit
	fn  *ssa.Function
	now atomic.Pointer[body]
}

// A body is a function that yaegi has read.
type body struct {
	u         *unit
	fn        *ssa.Function
	name      string
	run       func(*Frame)
	recover   func(*Frame) // what runs after a recovered panic; nil: nothing
	results   []reflect.Type
	deferring bool
	wrapper   bool
}

// An operation is what an instruction does that the text leaves to it.
type operation struct {
	run func(f *Frame, a []reflect.Value) reflect.Value
	at  ssa.Instruction
}

// Load prints the unit's functions and has a fresh interpreter read them before anything of it can be seen from outside.
func (e *yaegi) Load(cell *engine.Unit) (err error) {
	e.loading.Lock()
	defer e.loading.Unlock()
	u := e.newUnit(cell)
	u.printing.Lock()
	defer u.printing.Unlock()
	if len(cell.Gained) > 0 {
		engine.MethodSets.Lock()
		defer engine.MethodSets.Unlock()
	}
	e.mu.Lock()
	before := e.latest
	e.latest = u
	e.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			e.mu.Lock()
			e.latest = before
			e.mu.Unlock()
			u.retract()
			err = refusal(r)
		}
	}()
	u.gain()
	u.variables()
	u.functions()
	u.methodsOfEarlier()
	u.readPending()
	u.readInstances()
	u.commit()
	return nil
}

func (e *yaegi) newUnit(cell *engine.Unit) *unit {
	for _, p := range cell.SSA.Prog.AllPackages() {
		if hasBodies(p) {
			e.sources.Store(p.Pkg.Path(), true)
		}
	}
	u := &unit{e: e, cell: cell, prog: cell.SSA.Prog, targets: map[*ssa.Function]*target{}, again: map[*target]*ssa.Function{}, fresh: map[*target]*body{},
		vars: map[types.Object]unsafe.Pointer{}, synthetic: map[*ssa.Global]unsafe.Pointer{}}
	u.generics = e.generics.Unit(cell, u.renewed)
	return u
}

// variables gives the unit's variables memory, that of the variable of the same name and type which an earlier cell declared.
func (u *unit) variables() {
	for _, m := range u.cell.SSA.Members {
		g, ok := m.(*ssa.Global)
		if !ok || g.Object() == nil {
			continue
		}
		if old, ok := u.cell.Replaces[g.Object()].(*types.Var); ok && types.Identical(old.Type(), g.Object().Type()) {
			u.e.mu.RLock()
			p, ok := u.e.globals[old]
			u.e.mu.RUnlock()
			if ok {
				u.vars[g.Object()] = p
				continue
			}
		}
		u.global(g)
	}
}

func (u *unit) functions() {
	for _, m := range u.cell.SSA.Members {
		switch m := m.(type) {
		case *ssa.Function:
			u.function(m)
		case *ssa.Type:
			if n, ok := m.Type().(*types.Named); ok && n.Obj().Pkg() == u.cell.Pkg {
				u.methods(n)
			}
		}
	}
	for _, fn := range []*ssa.Function{u.cell.Init, u.cell.Entry} {
		if fn != nil {
			u.target(fn)
		}
	}
}

func (u *unit) methods(n *types.Named) {
	for m := range n.Methods() {
		if n.TypeParams().Len() > 0 {
			u.generics.Declare(m)
		} else if fn := u.prog.FuncValue(m); fn != nil && fn.Blocks != nil {
			u.target(fn)
		}
	}
}

func (u *unit) function(fn *ssa.Function) {
	if fn.Synthetic == "package initializer" {
		return
	}
	if f, ok := fn.Object().(*types.Func); ok && fn.TypeParams().Len() > 0 {
		u.generics.Declare(f)
		return
	}
	if fn.Blocks == nil {
		if !u.declared(fn) {
			u.native(fn, fn.Prog.Fset.Position(fn.Pos()))
		}
		return
	}
	if old, ok := u.cell.Replaces[fn.Object()].(*types.Func); ok && fn.Object() != nil && types.Identical(old.Type(), fn.Object().Type()) {
		u.e.mu.RLock()
		t := u.e.funcs[old]
		u.e.mu.RUnlock()
		if t != nil {
			u.renewed(fn, t)
			return
		}
	}
	u.target(fn)
}

// declared is the function of an earlier unit that fn stands for.
func (e *yaegi) declared(fn *ssa.Function) *target {
	o := fn.Object()
	if o == nil || len(fn.TypeArgs()) > 0 {
		return nil
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.funcs[o]
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
		if t := u.e.declared(fn); t != nil {
			return t
		}
		if fn.Blocks == nil {
			panic(refusal(fn.String() + " has no code"))
		}
	}
	return u.newTarget(fn, fn)
}

// newTarget makes the target of fn, with the code of body.
func (u *unit) newTarget(fn, body *ssa.Function) *target {
	t := &target{fn: body, u: u}
	u.targets[fn] = t
	u.pending = append(u.pending, t)
	return t
}

// readPending prints what was asked for, and what that asks for, and has one interpreter read it.
func (u *unit) readPending() {
	var text strings.Builder
	var bodies []*body
	for len(u.pending) > 0 {
		t := u.pending[len(u.pending)-1]
		u.pending = u.pending[:len(u.pending)-1]
		fn, again := t.fn, u.again[t]
		if again != nil {
			fn = again
		}
		b := u.print(fn, &text)
		bodies = append(bodies, b)
		if again != nil {
			u.fresh[t] = b
		} else {
			t.now.Store(b)
		}
	}
	if len(bodies) > 0 {
		u.read(text.String(), bodies)
	}
}

const header = "package main\n\nimport \"h\"\n\n"

func (u *unit) read(text string, bodies []*body) {
	i := interp.New(interp.Options{Stderr: io.Discard, Stdout: io.Discard})
	if err := i.Use(interp.Exports{"h/h": u.helpers()}); err != nil {
		panic(err)
	}
	if _, err := i.Eval(header + text); err != nil {
		panic(&engine.Refusal{What: "this cell", Reason: fmt.Sprintf("yaegi does not take its text: %v%s", err, instead)})
	}
	function := func(name string) func(*Frame) {
		v, err := i.Eval(name)
		if err != nil {
			panic(err)
		}
		f, ok := v.Interface().(func(*Frame))
		if !ok {
			panic(fmt.Errorf("yaegi makes %s of a function", v.Type()))
		}
		return f
	}
	for _, b := range bodies {
		b.run = function(b.name)
		if b.recover != nil {
			b.recover = function(b.name + "r")
		}
	}
}

// commit makes the unit what later ones see.
func (u *unit) commit() {
	e := u.e
	u.gainApplied()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.units[u.cell.Pkg] = u
	for t, b := range u.fresh {
		t.now.Store(b)
		t.u, t.fn = u, u.again[t]
	}
	for _, old := range u.cell.Replaces {
		if !u.cell.Lasting[old] {
			delete(e.globals, old)
			delete(e.funcs, old)
		}
	}
	for o, p := range u.vars {
		e.globals[o] = p
	}
	for fn, t := range u.targets {
		if o := fn.Object(); o != nil && len(fn.TypeArgs()) == 0 && fn.Parent() == nil && fn.Synthetic == "" && fn != u.cell.Init && fn != u.cell.Entry && !u.redeclares(o) {
			e.funcs[o] = t
		}
	}
	u.generics.Commit()
	u.again, u.fresh, u.vars = map[*target]*ssa.Function{}, map[*target]*body{}, map[types.Object]unsafe.Pointer{}
}

// forget drops a unit that declares no type: later cells reach its functions by their targets.
func (u *unit) forget() {
	u.e.mu.Lock()
	defer u.e.mu.Unlock()
	for _, name := range u.cell.Pkg.Scope().Names() {
		if _, ok := u.cell.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
			return
		}
	}
	delete(u.e.units, u.cell.Pkg)
}

// global is the memory of a package-level variable.
func (u *unit) global(g *ssa.Global) unsafe.Pointer {
	t := func() unsafe.Pointer { return reflect.New(u.typeOf(elemOf(g.Type()))).UnsafePointer() }
	o := g.Object()
	if o == nil {
		if u.synthetic[g] == nil {
			u.synthetic[g] = t()
		}
		return u.synthetic[g]
	}
	if p, ok := u.vars[o]; ok {
		return p
	}
	u.e.mu.RLock()
	p, ok := u.e.globals[o]
	u.e.mu.RUnlock()
	if ok {
		return p
	}
	if path := g.Pkg.Pkg.Path(); path != "main" {
		if v, ok := u.e.options.Symbols(path, g.Name()); ok && v.CanAddr() {
			return v.Addr().UnsafePointer()
		}
		if !hasBodies(g.Pkg) {
			refuse(g.Pkg.Prog.Fset.Position(g.Pos()), "variable "+path+"."+g.Name(), "this kernel's tables of compiled variables do not have it")
		}
	}
	u.vars[o] = t()
	return u.vars[o]
}
