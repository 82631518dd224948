package lower

import (
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A unit is this engine's side of a unit: it compiles. All of it is guarded as the link.Unit is.
type unit struct {
	*link.Unit[*machine.Function]
	machine *machine.Machine
	typs    map[types.Type]*typ
	// of functions of earlier units, whose code it takes the place of when the unit is loaded whole
	fresh map[*machine.Function]*machine.Code
	late  []func() // what waits until types have the methods that they gain
}

// Units makes this side of the units of a machine's session.
func Units(v *machine.Machine) func(*link.Unit[*machine.Function]) link.Maker[*machine.Function] {
	return func(u *link.Unit[*machine.Function]) link.Maker[*machine.Function] {
		return &unit{Unit: u, machine: v, typs: map[types.Type]*typ{}, fresh: map[*machine.Function]*machine.Code{}}
	}
}

// New makes a target.
func (u *unit) New() *machine.Function { return &machine.Function{Machine: u.machine, Maker: u} }

// Native refuses what is not there.
func (u *unit) Native(fn *ssa.Function) { u.native(fn, nil) }

// Make compiles functions one by one.
func (u *unit) Make(jobs iter.Seq[link.Job[*machine.Function]]) {
	for j := range jobs {
		c := u.compile(j.Fn, u.parent(j.Fn))
		if j.Renewed {
			u.fresh[j.Target] = c
		} else {
			j.Target.Now.Store(c)
		}
	}
}

// parent is the code of the function that a func literal stands in, which was compiled before.
func (u *unit) parent(fn *ssa.Function) *machine.Code {
	if fn.Parent() == nil {
		return nil
	}
	t := u.Target(fn.Parent())
	if c := u.fresh[t]; c != nil {
		return c
	}
	return t.Now.Load()
}

// Publish puts code in the place of earlier units'.
func (u *unit) Publish(altered []rtype.Word) {
	u.machine.ForgetMethods(altered)
	for _, f := range u.late {
		f()
	}
	for t, c := range u.fresh {
		t.Now.Store(c)
		t.Maker = u
	}
	u.fresh, u.late = nil, nil
}

// typ is that of x's runtime type, remembered by the identity of x. It panics with the table's
// error, which loading turns into a refusal.
func (u *unit) typ(x types.Type) *typ {
	if t, ok := u.typs[x]; ok {
		return t
	}
	t := ssaType(x)
	if t == nil {
		t = u.machine.TypeFor(u.TypeOf(x))
	}
	u.typs[x] = t
	return t
}

// ssaType answers for the types that go/ssa invents: iterators and defer stacks, which are pointers
// of this package's choice, and pointers to them.
func ssaType(x types.Type) *typ {
	switch t := x.(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && p.Path() == "$ssa" {
			return machine.PointerType
		}
	case *types.Pointer:
		return ssaType(t.Elem())
	case *types.Basic:
		if t.Kind() == types.Invalid || t.Kind() == types.UntypedNil {
			return machine.PointerType
		}
	}
	return nil
}
