package yaegi

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// gain gives types of earlier units the methods that this one declares for them: to go/types now, to the runtime when the unit is
// loaded whole (gainApplied).
func (u *unit) gain() {
	if len(u.cell.Gained) == 0 {
		return
	}
	u.cell.Gain()
	u.e.table.Begin()
	g, err := u.e.table.Gain()
	if err != nil {
		panic(err)
	}
	u.gains = g
}

// retract is gain undone.
func (u *unit) retract() {
	if len(u.cell.Gained) > 0 {
		u.cell.Retract()
		u.e.table.Undo()
	}
}

func (u *unit) gainApplied() {
	if u.gains != nil {
		u.gains.Apply()
		u.e.table.End()
		u.gains = nil
	}
}

// methodsOfEarlier asks for the bodies of methods that the unit declares for types of earlier ones.
func (u *unit) methodsOfEarlier() {
	for _, m := range u.cell.Gained {
		u.target(u.prog.FuncValue(m))
	}
	for m, was := range u.cell.Redeclared {
		fn := u.prog.FuncValue(m)
		if fn.TypeParams().Len() > 0 {
			u.generics.Redeclare(m, was)
			continue
		}
		u.e.mu.RLock()
		t := u.e.funcs[was]
		u.e.mu.RUnlock()
		if t == nil {
			panic(refusal(was.FullName() + " was not loaded"))
		}
		u.renewed(fn, t)
	}
}

// renewed puts fn in the place of a function of an earlier unit, when the unit is loaded whole.
func (u *unit) renewed(fn *ssa.Function, t *target) {
	u.targets[fn], u.again[t] = t, fn
	u.pending = append(u.pending, t)
}

// redeclares: callers name the method that the type has.
func (u *unit) redeclares(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && u.cell.Redeclared[f] != nil
}

// declared tells whether an earlier unit has the code of fn.
func (u *unit) declared(fn *ssa.Function) bool { return u.e.declared(fn) != nil || u.generics.Has(fn) }

// instance is the target of an instance of a cell's generic function, nil for other functions.
func (u *unit) instance(fn *ssa.Function) *target {
	t, ok := u.generics.Instance(fn, func(body *ssa.Function) *target { return u.newTarget(fn, body) })
	if !ok {
		return nil
	}
	u.targets[fn] = t
	return t
}

// method is the target of a method, declared or promoted.
func (u *unit) method(sel *types.Selection) *target {
	fn := u.prog.MethodValue(sel)
	if fn == nil {
		panic(refusal("no code for " + sel.String()))
	}
	return u.target(fn)
}

// readInstances reads the methods of instances of generic types that the unit made.
func (u *unit) readInstances() {
	for {
		u.e.mu.Lock()
		made := u.e.made
		u.e.made = nil
		u.e.mu.Unlock()
		if len(made) == 0 {
			return
		}
		for _, sel := range made {
			u.method(sel)
		}
		u.readPending()
	}
}
