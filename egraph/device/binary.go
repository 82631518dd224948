package device

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// Rows of more than two children become rows of two: children are paired, neighbour by neighbour, until two
// are left, so that n children make n-2 rows of pairs and log2 n levels. A pair has a class of its own,
// which holds this one row: congruence keeps it so.

// pairUp reduces elements to at most two.
func pairUp[T any](elements []T, pair func(a, b T) T) []T {
	for len(elements) > 2 {
		next := make([]T, 0, (len(elements)+1)/2)
		for i := 0; i+1 < len(elements); i += 2 {
			next = append(next, pair(elements[i], elements[i+1]))
		}
		if len(elements)%2 == 1 {
			next = append(next, elements[len(elements)-1])
		}
		elements = next
	}
	return elements
}

// A sideStep is a step over rows of at most two children, by operator code.
type sideStep struct {
	kind   accel.StepKind
	code   int
	on     int
	ground int
	class  int
	checks []accel.Check // Child and Arg of WithChild are sides
	binds  []accel.Bind
}

// side is one side of a row: a child of the whole row, or a pair.
type side struct {
	kid  int
	pair []side
}

// A stepSplitter makes steps over wide rows steps over pairs.
type stepSplitter struct {
	regs int // registers so far
	out  []sideStep
}

// split appends the steps of one step.
func (s *stepSplitter) split(st *accel.Step, arity int) {
	first := sideStep{kind: st.Kind, code: firstCode + st.Op, on: st.On, ground: st.Ground, class: st.Class}
	if st.Kind == accel.ScanClasses || st.Kind == accel.GroundClass {
		s.out = append(s.out, first)
		return
	}
	sides := make([]side, arity)
	for i := range sides {
		sides[i].kid = i
	}
	begin := len(s.out)
	s.out = append(s.out, first)
	queue := [][]side{pairUp(sides, func(a, b side) side { return side{kid: -1, pair: []side{a, b}} })}
	at := make([]place, arity)
	for row := begin; len(queue) > 0; row++ {
		for i, x := range queue[0] {
			if x.pair == nil {
				at[x.kid] = place{row, i}
				continue
			}
			s.out[row].binds = append(s.out[row].binds, accel.Bind{Child: i, Reg: s.regs})
			s.out = append(s.out, sideStep{kind: accel.JoinRows, code: pairCode, on: s.regs, class: -1})
			s.regs++
			queue = append(queue, x.pair)
		}
		queue = queue[1:]
	}
	s.spread(st, at)
}

// place is where a child of a wide row stands.
type place struct{ row, side int }

// spread puts binds and checks where the children stand. Two children in different rows are compared in the
// later one, with a register of the earlier.
func (s *stepSplitter) spread(st *accel.Step, at []place) {
	reg := map[int]int{}
	for _, b := range st.Binds {
		p := at[b.Child]
		s.out[p.row].binds = append(s.out[p.row].binds, accel.Bind{Child: p.side, Reg: b.Reg})
		reg[b.Child] = b.Reg
	}
	for _, c := range st.Checks {
		p := at[c.Child]
		check := accel.Check{Child: p.side, With: c.With, Arg: c.Arg}
		if c.With == accel.WithChild {
			q, early := at[c.Arg], c.Arg
			if q.row > p.row {
				p, q, early = q, p, c.Child
			}
			check.Child, check.Arg = p.side, q.side
			if q.row != p.row {
				if _, bound := reg[early]; !bound {
					reg[early] = s.regs
					s.out[q.row].binds = append(s.out[q.row].binds, accel.Bind{Child: q.side, Reg: s.regs})
					s.regs++
				}
				check.With, check.Arg = accel.WithRegister, reg[early]
			}
		}
		s.out[p.row].checks = append(s.out[p.row].checks, check)
	}
}

// live gives the registers that are read after each step, given those that the right side reads.
func live(steps []sideStep, need []int) [][]int {
	after := make([][]int, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		slices.Sort(need)
		after[i] = slices.Compact(need)
		st := &steps[i]
		st.binds = slices.DeleteFunc(st.binds, func(b accel.Bind) bool { return !slices.Contains(after[i], b.Reg) })
		if !slices.Contains(after[i], st.class) {
			st.class = -1
		}
		need = nil
		for _, r := range after[i] {
			if r != st.class && !slices.ContainsFunc(st.binds, func(b accel.Bind) bool { return b.Reg == r }) {
				need = append(need, r)
			}
		}
		if st.on >= 0 && (st.kind == accel.JoinRows || st.kind == accel.GroundClass) {
			need = append(need, st.on)
		}
		for _, c := range st.checks {
			if c.With == accel.WithRegister {
				need = append(need, c.Arg)
			}
		}
	}
	return after
}
