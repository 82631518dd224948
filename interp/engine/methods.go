package engine

import (
	"go/types"
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// MethodSets guards the methods of types that cells declare, to which later cells may add. Who adds
// holds it; an engine holds it for reading where it looks methods up beside Load: on goroutines of
// cells, that is.
var MethodSets sync.RWMutex

// Gain gives types of earlier units the methods that this one declares for them (Gained).
// MethodSets must be held.
func (u *Unit) Gain() {
	for _, m := range u.Gained {
		AddMethod(ReceiverOf(m), m)
	}
}

// Retract is Gain undone. MethodSets must be held.
func (u *Unit) Retract() {
	for _, m := range u.Gained {
		Retract(ReceiverOf(m), m)
	}
}

// AddMethod gives a type of cells, and all its instances, one more method, unless it has it.
// MethodSets must be held.
func AddMethod(t *types.Named, m *types.Func) {
	before := t.NumMethods()
	t.AddMethod(m)
	if t.TypeParams().Len() > 0 && t.NumMethods() > before {
		for _, n := range instancesOf(t) {
			gorelease.Grow(n)
		}
	}
}

// Retract takes back a method that AddMethod gave to t. MethodSets must be held.
func Retract(t *types.Named, m *types.Func) {
	list := gorelease.MethodsOf(t)
	i := slices.Index(*list, m)
	if i < 0 {
		return
	}
	if t.TypeParams().Len() > 0 {
		for _, n := range instancesOf(t) {
			gorelease.Shrink(n, i)
		}
	}
	*list = slices.Delete(slices.Clone(*list), i, i+1)
}

// ReceiverOf is the declared type that a method belongs to, the generic one of an instance.
func ReceiverOf(m *types.Func) *types.Named {
	t := m.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t).(*types.Named).Origin()
}
