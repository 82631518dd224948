package link

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// Load makes the code of the whole unit before anything of it can be seen from outside.
func (s *Session[T]) Load(cell *engine.Unit) (err error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	u := s.newUnit(cell)
	u.building.Lock()
	defer u.building.Unlock()
	if len(cell.Gained) > 0 {
		engine.MethodSets.Lock()
		defer engine.MethodSets.Unlock()
	}
	before := s.enter(u)
	defer func() {
		if r := recover(); r != nil {
			s.leave(u, before)
			err = s.Refusal(r)
		}
	}()
	u.gain()
	u.variables()
	u.functions()
	u.methodsOfEarlier()
	u.make()
	u.makeInstances()
	u.commit()
	for _, p := range cell.Pkg.Imports() {
		standin.Imported(p.Path())
	}
	return nil
}

// enter lets methods of types that are made be found in u, and returns the unit where they were
// found before.
func (s *Session[T]) enter(u *Unit[T]) (before *Unit[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.latest = s.latest, u
	return before
}

// leave makes a unit that failed one that never was. Types of earlier units that it was the first
// to use stay, and their methods are left to the next.
func (s *Session[T]) leave(u *Unit[T], before *Unit[T]) {
	s.mu.Lock()
	s.latest = before
	s.made = slices.DeleteFunc(append(u.instances, s.made...), func(m *types.Selection) bool {
		return mentions(m.Recv(), u.Cell.Pkg) || m.Obj().Pkg() == u.Cell.Pkg
	})
	s.mu.Unlock()
	if len(u.Cell.Gained) > 0 {
		u.Cell.Retract()
		s.Table.Undo()
	}
}

// gain gives types of earlier units the methods that this one declares for them: to go/types now,
// to the runtime when the unit is committed.
func (u *Unit[T]) gain() {
	if len(u.Cell.Gained) == 0 {
		return
	}
	var receivers []*types.TypeName
	generic := false
	for _, m := range u.Cell.Gained {
		t := engine.ReceiverOf(m)
		receivers = append(receivers, t.Obj())
		generic = generic || t.TypeParams().Len() > 0
	}
	if generic {
		engine.NoteTypes(u.session.Table.News()...)
		engine.NoteTypes(u.session.generics.News()...)
	}
	u.Cell.Gain()
	u.session.Table.Begin()
	g, err := u.session.Table.Gain(receivers...)
	if err != nil {
		panic(err)
	}
	u.gains = g
}

// Gaining reports whether types have methods that their runtime types do not have yet.
func (u *Unit[T]) Gaining() bool { return u.gains != nil }

// variables gives the unit's package-level variables memory: that of the variable a name replaces
// where the type is the same, so that earlier functions see the new value.
func (u *Unit[T]) variables() {
	for _, m := range u.Cell.SSA.Members {
		g, ok := m.(*ssa.Global)
		if !ok || g.Object() == nil {
			continue
		}
		if old, ok := u.Cell.Replaces[g.Object()].(*types.Var); ok && types.Identical(old.Type(), g.Object().Type()) {
			if p, ok := u.session.global(old); ok {
				u.vars[g.Object()] = p
				continue
			}
		}
		u.Global(g)
	}
}

// functions asks for all the unit's functions and methods, the last in the text first: what was
// asked for last is made first, and of several that an engine refuses it names the first.
func (u *Unit[T]) functions() {
	byPlace := func(a, b ssa.Member) int {
		return cmp.Or(cmp.Compare(b.Pos(), a.Pos()), cmp.Compare(b.Name(), a.Name()))
	}
	for _, m := range slices.SortedFunc(maps.Values(u.Cell.SSA.Members), byPlace) {
		switch m := m.(type) {
		case *ssa.Function:
			u.function(m)
		case *ssa.Type:
			u.methods(m)
		}
	}
	for _, fn := range []*ssa.Function{u.Cell.Init, u.Cell.Entry} {
		if fn != nil {
			u.Target(fn)
		}
	}
}

func (u *Unit[T]) function(fn *ssa.Function) {
	if fn.Synthetic == "package initializer" {
		return
	}
	if f, ok := fn.Object().(*types.Func); ok && fn.TypeParams().Len() > 0 {
		u.generics.Declare(f)
		return
	}
	if fn.Blocks == nil {
		if !u.Declared(fn) {
			u.maker.Native(fn)
		}
		return
	}
	if old, ok := u.Cell.Replaces[fn.Object()].(*types.Func); ok && fn.Object() != nil &&
		types.Identical(old.Type(), fn.Object().Type()) {
		if t, ok := u.session.function(old); ok {
			u.renew(fn, t)
			return
		}
	}
	u.Target(fn)
}

func (u *Unit[T]) methods(t *ssa.Type) {
	n, ok := t.Type().(*types.Named)
	if !ok || n.Obj().Pkg() != u.Cell.Pkg {
		return
	}
	for m := range n.Methods() {
		if n.TypeParams().Len() > 0 || m.Signature().TypeParams().Len() > 0 {
			u.generics.Declare(m)
		} else if fn := u.Prog.FuncValue(m); fn != nil && fn.Blocks != nil {
			u.Target(fn)
		}
	}
}

// methodsOfEarlier asks for the methods that the unit declares for types of earlier ones.
func (u *Unit[T]) methodsOfEarlier() {
	for _, m := range u.Cell.Gained {
		if fn := u.Prog.FuncValue(m); fn.TypeParams().Len() > 0 {
			u.generics.Declare(m)
		} else {
			u.Target(fn)
		}
	}
	for m, was := range u.Cell.Redeclared {
		fn := u.Prog.FuncValue(m)
		if fn.TypeParams().Len() > 0 {
			u.generics.Redeclare(m, was)
			continue
		}
		t, ok := u.session.function(was)
		if !ok {
			panic(fmt.Errorf("link: internal: %s was not loaded", was.FullName()))
		}
		u.renew(fn, t)
	}
}

// makeInstances makes the methods of instances of generic types whose runtime types were made.
func (u *Unit[T]) makeInstances() {
	for {
		u.session.mu.Lock()
		made := u.session.made
		u.session.made = nil
		u.session.mu.Unlock()
		if len(made) == 0 {
			return
		}
		u.instances = append(u.instances, made...)
		for _, sel := range made {
			u.method(sel)
		}
		u.make()
	}
}

// commit makes the unit what later ones see.
func (u *Unit[T]) commit() {
	s := u.session
	var altered []rtype.Word
	if u.gains != nil {
		altered = u.gains.Apply()
		s.Table.End()
		u.gains = nil
	}
	u.maker.Publish(altered)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.units[u.Cell.Pkg] = u
	for _, old := range u.Cell.Replaces {
		if !u.Cell.Lasting[old] {
			delete(s.globals, old)
			delete(s.functions, old)
		}
	}
	maps.Copy(s.globals, u.vars)
	for fn, t := range u.targets {
		if u.hasName(fn) {
			s.functions[fn.Object()] = t
		}
	}
	u.generics.Commit()
	u.vars, u.instances = nil, nil
}

// hasName reports whether later units can name fn. What takes the place of a method is called by
// the name of that.
func (u *Unit[T]) hasName(fn *ssa.Function) bool {
	o := fn.Object()
	if o == nil || len(fn.TypeArgs()) > 0 || fn.Parent() != nil || fn.Synthetic != "" || fn == u.Cell.Init ||
		fn == u.Cell.Entry {
		return false
	}
	f, ok := o.(*types.Func)
	return !ok || u.Cell.Redeclared[f] == nil
}
