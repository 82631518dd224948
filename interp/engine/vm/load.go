package vm

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// Load compiles the unit whole before anything of it can be seen from outside.
func (v *vm) Load(cell *engine.Unit) (err error) {
	v.loading.Lock()
	defer v.loading.Unlock()
	u := v.newUnit(cell)
	u.compiling.Lock()
	defer u.compiling.Unlock()
	if len(cell.Gained) > 0 {
		engine.MethodSets.Lock()
		defer engine.MethodSets.Unlock()
	}
	v.mu.Lock()
	before := v.latest
	v.latest = u
	v.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			v.mu.Lock()
			v.latest = before
			v.mu.Unlock()
			u.retract()
			err = refusal(r)
		}
	}()
	u.gain()
	u.variables()
	u.functions()
	u.methods()
	u.compilePending()
	for t, fn := range u.again {
		u.fresh[t] = u.compile(fn, nil)
		u.compilePending()
	}
	u.compileInstances()
	u.commit()
	return nil
}

// refusal makes an *engine.Refusal of what stopped a compilation.
func refusal(r any) error {
	err, ok := r.(error)
	if !ok {
		err = fmt.Errorf("%v", r)
	}
	var refused *engine.Refusal
	if errors.As(err, &refused) {
		return refused
	}
	var untyped *rtype.TypeError
	if errors.As(err, &untyped) {
		return &engine.Refusal{What: "type " + types.TypeString(untyped.Type, types.RelativeTo(nil)), Reason: untyped.Reason}
	}
	var full *rtype.GainError
	if errors.As(err, &full) {
		return &engine.Refusal{What: "a new method of " + types.TypeString(full.Type, types.RelativeTo(nil)), Reason: full.Reason}
	}
	return &engine.Refusal{What: "this cell", Reason: err.Error()}
}

// variables gives the unit's package-level variables memory: that of the variable a name replaces where the type is
// the same, so that earlier functions see the new value.
func (u *unit) variables() {
	for _, m := range u.cell.SSA.Members {
		g, ok := m.(*ssa.Global)
		if !ok || g.Object() == nil {
			continue
		}
		if old, ok := u.cell.Replaces[g.Object()].(*types.Var); ok && types.Identical(old.Type(), g.Object().Type()) {
			u.vm.mu.RLock()
			p, ok := u.vm.globals[old]
			u.vm.mu.RUnlock()
			if ok {
				u.vars[g.Object()] = p
				continue
			}
		}
		u.global(g)
	}
}

// functions asks for the code of all the unit's functions and methods.
func (u *unit) functions() {
	for _, m := range u.cell.SSA.Members {
		switch m := m.(type) {
		case *ssa.Function:
			u.function(m)
		case *ssa.Type:
			u.methodsOf(m)
		}
	}
	for _, fn := range []*ssa.Function{u.cell.Init, u.cell.Entry} {
		if fn != nil {
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
			u.native(fn, nil) // a declaration without a body: refused by name
		}
		return
	}
	if old, ok := u.cell.Replaces[fn.Object()].(*types.Func); ok && fn.Object() != nil && types.Identical(old.Type(), fn.Object().Type()) {
		u.vm.mu.RLock()
		t := u.vm.funcs[old]
		u.vm.mu.RUnlock()
		if t != nil {
			u.targets[fn] = t
			u.again[t] = fn
			return
		}
	}
	u.target(fn)
}

func (u *unit) methodsOf(t *ssa.Type) {
	n, ok := t.Type().(*types.Named)
	if !ok || n.Obj().Pkg() != u.cell.Pkg {
		return
	}
	for m := range n.Methods() {
		if n.TypeParams().Len() > 0 {
			u.generics.Declare(m)
		} else if fn := u.prog.FuncValue(m); fn != nil && fn.Blocks != nil {
			u.target(fn)
		}
	}
}

// commit makes the unit what later ones see.
func (u *unit) commit() {
	v := u.vm
	u.gainApplied()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.units[u.cell.Pkg] = u
	for t, c := range u.fresh {
		if old := t.now.Swap(c); old != nil {
			v.freePool(old.pool)
		}
		t.unit, t.fn = u, u.again[t]
	}
	for _, old := range u.cell.Replaces {
		if !u.cell.Lasting[old] {
			delete(v.globals, old)
			delete(v.funcs, old)
		}
	}
	for o, p := range u.vars {
		v.globals[o] = p
	}
	for fn, t := range u.targets {
		if o := fn.Object(); o != nil && len(fn.TypeArgs()) == 0 && fn.Parent() == nil && fn.Synthetic == "" && !u.redeclares(o) {
			v.funcs[o] = t
		}
	}
	u.generics.Commit()
	u.again, u.fresh, u.vars = nil, nil, map[types.Object]pointer{}
}

// forget drops what only compiling needs of a unit whose functions are all compiled and that declares no type: later
// cells reach its functions by their targets.
func (u *unit) forget() {
	u.vm.mu.Lock()
	defer u.vm.mu.Unlock()
	for _, fn := range []*ssa.Function{u.cell.Init, u.cell.Entry} {
		if fn != nil && fn.Object() != nil { // they run once, and no name leads to them
			delete(u.vm.funcs, fn.Object())
		}
	}
	if !slices.ContainsFunc(u.cell.Pkg.Scope().Names(), func(name string) bool {
		_, ok := u.cell.Pkg.Scope().Lookup(name).(*types.TypeName)
		return ok
	}) {
		delete(u.vm.units, u.cell.Pkg)
	}
}
