package vm

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/generics"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// renewed puts the code of fn in the place of an instance's, when the unit is loaded whole.
func (u *unit) renewed(fn *ssa.Function, t *target) { u.targets[fn], u.again[t] = t, fn }

// instance is the target of an instance of a cell's generic function, nil for other functions.
func (u *unit) instance(fn *ssa.Function) *target {
	t, ok := u.generics.Instance(fn, func(body *ssa.Function) *target { return u.newTarget(fn, body) })
	if !ok {
		return nil
	}
	u.targets[fn] = t
	return t
}

// madeMethod remembers a method of a generic type whose runtime type was made.
func (v *vm) madeMethod(m *rtype.Method) {
	if !generics.IsInstance(m.RecvType) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.made = append(v.made, m.Selection)
}

// compileInstances compiles them.
func (u *unit) compileInstances() {
	for {
		u.vm.mu.Lock()
		made := u.vm.made
		u.vm.made = nil
		u.vm.mu.Unlock()
		if len(made) == 0 {
			return
		}
		for _, sel := range made {
			u.method(sel)
		}
		u.compilePending()
	}
}
