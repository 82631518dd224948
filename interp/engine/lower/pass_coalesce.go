package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// coalesce lets phis and the values that flow into them share a slot where only one of them is to
// be read at any time: the usual i = i + 1 of a loop is computed in place.
func (c *compiler) coalesce() {
	of := c.coalescable()
	if len(of) == 0 || c.unit.machine.General {
		return
	}
	l := newLiveness(c, of)
	if l == nil {
		return
	}
	m := merger{l: l, members: map[ssa.Value][]ssa.Value{}, of: map[ssa.Value]ssa.Value{}}
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for _, v := range phi.Edges {
				if of[v] && types.Identical(v.Type(), phi.Type()) {
					m.merge(phi, v)
				}
			}
		}
	}
	for v, rep := range m.of {
		if v != rep {
			c.alias[v] = rep
		}
	}
}

// coalescable are the phis and the operands of phis whose ops read everything before they write.
func (c *compiler) coalescable() map[ssa.Value]bool {
	of := map[ssa.Value]bool{}
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			of[phi] = true
			for _, v := range phi.Edges {
				if writesLast(v) && !c.folded[v] {
					of[v] = true
				}
			}
		}
	}
	return of
}

func writesLast(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp, *ssa.Call, *ssa.Convert, *ssa.Phi, *ssa.Slice, *ssa.Parameter:
		return true
	case *ssa.UnOp:
		return !v.CommaOk
	}
	return false
}

// A merger holds classes of values that share a slot.
type merger struct {
	l       *liveness
	of      map[ssa.Value]ssa.Value // the value that names the class
	members map[ssa.Value][]ssa.Value
}

func (m *merger) class(v ssa.Value) (rep ssa.Value, members []ssa.Value) {
	rep, ok := m.of[v]
	if !ok {
		m.of[v], m.members[v] = v, []ssa.Value{v}
		rep = v
	}
	return rep, m.members[rep]
}

// maxMembers bounds the work of comparing classes.
const maxMembers = 64

// merge joins the classes of a and b if no two values of them interfere. The class of a parameter
// is named by it, whose place is fixed.
func (m *merger) merge(a, b ssa.Value) {
	x, xs := m.class(a)
	y, ys := m.class(b)
	if x == y || isParameter(x) && isParameter(y) || len(xs)+len(ys) > maxMembers {
		return
	}
	for _, v := range xs {
		for _, w := range ys {
			if m.l.interfere(v, w) {
				return
			}
		}
	}
	if isParameter(y) {
		x, y, xs, ys = y, x, ys, xs
	}
	m.members[x] = append(xs, ys...)
	for _, v := range ys {
		m.of[v] = x
	}
	delete(m.members, y)
}

func isParameter(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}
