package vm

import (
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A unit is this engine's side of a unit: it compiles. All of it is guarded as the link.Unit is.
type unit struct {
	*link.Unit[*target]
	vm    *vm
	typs  map[types.Type]*typ
	fresh map[*target]*code // of functions of earlier units, whose code it takes the place of when the unit is loaded whole
	late  []func()          // what waits until types have the methods that they gain
}

func (v *vm) newUnit(u *link.Unit[*target]) link.Maker[*target] {
	return &unit{Unit: u, vm: v, typs: map[types.Type]*typ{}, fresh: map[*target]*code{}}
}

// New makes a target.
func (u *unit) New() *target { return &target{unit: u} }

// Native refuses what is not there.
func (u *unit) Native(fn *ssa.Function) { u.native(fn, nil) }

// Make compiles functions one by one.
func (u *unit) Make(jobs iter.Seq[link.Job[*target]]) {
	for j := range jobs {
		c := u.compile(j.Fn, u.parent(j.Fn))
		if j.Renewed {
			u.fresh[j.Target] = c
		} else {
			j.Target.now.Store(c)
		}
	}
}

// compileNow compiles a function that is called before anybody asked for its code. It stays out of (*target).code, which calls inline.
//
//go:noinline
func (u *unit) compileNow(t *target) *code {
	u.Need(t)
	return t.now.Load()
}

// parent is the code of the function that a func literal stands in, which was compiled before.
func (u *unit) parent(fn *ssa.Function) *code {
	if fn.Parent() == nil {
		return nil
	}
	t := u.Target(fn.Parent())
	if c := u.fresh[t]; c != nil {
		return c
	}
	return t.now.Load()
}

// Publish puts code in the place of earlier units'.
func (u *unit) Publish(altered []rtype.Word) {
	u.vm.forgetMethods(altered)
	for _, f := range u.late {
		f()
	}
	for t, c := range u.fresh {
		t.now.Store(c)
		t.unit = u
	}
	u.fresh, u.late = nil, nil
}
