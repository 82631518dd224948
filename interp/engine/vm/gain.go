package vm

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// gain gives types of earlier units the methods that this one declares for them: to go/types now, to the runtime when the unit is
// loaded whole (gainApplied).
func (u *unit) gain() {
	if len(u.cell.Gained) == 0 {
		return
	}
	u.cell.Gain()
	u.vm.table.Begin()
	g, err := u.vm.table.Gain()
	if err != nil {
		panic(err)
	}
	u.gains = g
}

// retract is gain undone.
func (u *unit) retract() {
	if len(u.cell.Gained) > 0 {
		u.cell.Retract()
		u.vm.table.Undo()
	}
}

func (u *unit) gainApplied() {
	if u.gains == nil {
		return
	}
	u.gains.Apply()
	u.vm.table.End()
	for _, f := range u.late {
		f()
	}
	u.gains, u.late = nil, nil
}

// methods asks for the code of methods that the unit declares for types of earlier ones.
func (u *unit) methods() {
	for _, m := range u.cell.Gained {
		u.target(u.prog.FuncValue(m))
	}
	for m, was := range u.cell.Redeclared {
		fn := u.prog.FuncValue(m)
		if fn.TypeParams().Len() > 0 {
			u.generics.Redeclare(m, was)
			continue
		}
		u.vm.mu.RLock()
		t := u.vm.funcs[was]
		u.vm.mu.RUnlock()
		if t == nil {
			panic(internal("%s was not loaded", was.FullName()))
		}
		u.targets[fn], u.again[t] = t, fn
	}
}

// redeclares: callers name the method that the type has.
func (u *unit) redeclares(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && u.cell.Redeclared[f] != nil
}

// method is the target of a method, declared or promoted.
func (u *unit) method(sel *types.Selection) *target {
	fn := u.prog.MethodValue(sel)
	if fn == nil {
		panic(internal("no code for %s", sel))
	}
	return u.target(fn)
}

// A lateWord is the first word of an interface, known when the types of the unit have their new methods.
func (u *unit) lateWord(iface, t *typ) *pointer {
	w := new(pointer)
	u.late = append(u.late, func() { *w = firstWord(iface, t) })
	return w
}

// lateInterface converts to an interface that the type does not implement before the unit is loaded whole.
func (c *compiler) lateInterface(in *ssa.MakeInterface, iface, t *typ) op {
	d, x := c.dst(in), c.slot(in.X)
	w := c.unit.lateWord(iface, t)
	if rtype.Direct(t.word) {
		return func(fp pointer) { *ref[pair](fp, d) = pair{*w, *ref[pointer](fp, x)} }
	}
	return func(fp pointer) {
		p := rtype.New(t.word)
		t.move(p, at(fp, x))
		*ref[pair](fp, d) = pair{*w, p}
	}
}
