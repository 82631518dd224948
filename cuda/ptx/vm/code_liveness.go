package vm

import (
	"sort"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// interval is the stretch of instructions over which a register must keep its
// value, both ends included.
type interval struct{ reg, from, to int }

// bitset is a set of registers of one function.
type bitset []uint64

func newBitset(n int) bitset       { return make(bitset, (n+63)/64) }
func (s bitset) add(i int)         { s[i>>6] |= 1 << (i & 63) }
func (s bitset) has(i int) bool    { return s[i>>6]>>(i&63)&1 != 0 }
func (s bitset) copyFrom(o bitset) { copy(s, o) }

func (s bitset) union(o bitset) bool {
	changed := false
	for i := range s {
		n := s[i] | o[i]
		changed = changed || n != s[i]
		s[i] = n
	}
	return changed
}

// references calls use for each register that an instruction reads, and then def for
// each that it writes. A guarded write reads too: lanes that sit it out keep their
// value.
func references(in *ptx.Instruction, f *ptx.Form, use, def func(*ptx.Register)) {
	if in.Guard != nil {
		use(in.Guard.Reg)
	}
	for i := range in.Operands {
		operandReferences(&in.Operands[i], f.Dest(i), func(r *ptx.Register, dest bool) {
			if !dest || in.Guard != nil || r.Vector > 1 || in.Op == "wgmma" {
				use(r)
			}
		})
	}
	for i := range in.Operands {
		operandReferences(&in.Operands[i], f.Dest(i), func(r *ptx.Register, dest bool) {
			if dest {
				def(r)
			}
		})
	}
}

func operandReferences(o *ptx.Operand, dest bool, each func(r *ptx.Register, dest bool)) {
	for i := range o.Elems {
		operandReferences(&o.Elems[i], dest && o.Kind != ptx.OpAddr, each)
	}
	if o.Kind == ptx.OpReg {
		each(o.Reg, dest)
	}
}

// liveIntervals computes where each register of a function is live: backward
// data flow over its basic blocks, then one interval a register (Poletto and
// Sarkar, "Linear Scan Register Allocation", 1999).
//
// entry are the registers that the function may read before it has written them.
func liveIntervals(g *graph) (intervals []interval, entry bitset) {
	n := len(g.fn.Regs)
	use, def := make([]bitset, len(g.spans)), make([]bitset, len(g.spans))
	liveIn := make([]bitset, len(g.spans))
	for i := range g.spans {
		use[i], def[i], liveIn[i] = newBitset(n), newBitset(n), newBitset(n)
		for k := g.spans[i].from; k < g.spans[i].to; k++ {
			references(&g.fn.Code[k], g.forms[k],
				func(r *ptx.Register) {
					if !def[i].has(r.Index) {
						use[i].add(r.Index)
					}
				},
				func(r *ptx.Register) {
					if g.fn.Code[k].Guard == nil && r.Vector == 1 {
						def[i].add(r.Index)
					}
				})
		}
		liveIn[i].copyFrom(use[i])
	}
	g.liveOut = solve(g, n, use, def, liveIn)
	return spread(g, n, liveIn, g.liveOut), liveIn[0]
}

func solve(g *graph, n int, use, def, liveIn []bitset) []bitset {
	liveOut := make([]bitset, len(g.spans))
	for i := range liveOut {
		liveOut[i] = newBitset(n)
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.spans) - 1; i >= 0; i-- {
			grew := false
			for _, next := range g.spans[i].next {
				grew = liveOut[i].union(liveIn[next]) || grew
			}
			if !grew {
				continue
			}
			for w := range liveIn[i] {
				v := liveIn[i][w] | liveOut[i][w]&^def[i][w]
				changed = changed || v != liveIn[i][w]
				liveIn[i][w] = v
			}
		}
	}
	return liveOut
}

func spread(g *graph, n int, liveIn, liveOut []bitset) []interval {
	list := make([]interval, n)
	for r := range list {
		list[r] = interval{r, -1, -1}
	}
	touch := func(r, at int) {
		if list[r].from < 0 || at < list[r].from {
			list[r].from = at
		}
		list[r].to = max(list[r].to, at)
	}
	for i, s := range g.spans {
		for k := s.from; k < s.to; k++ {
			mark := func(r *ptx.Register) { touch(r.Index, k) }
			references(&g.fn.Code[k], g.forms[k], mark, mark)
		}
		for r := range n {
			if liveIn[i].has(r) {
				touch(r, s.from)
			}
			if liveOut[i].has(r) {
				touch(r, max(s.to-1, s.from))
			}
		}
	}
	out := list[:0]
	for _, v := range list {
		if v.from >= 0 {
			out = append(out, v)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].from < out[j].from || out[i].from == out[j].from && out[i].reg < out[j].reg
	})
	return out
}

// assignSlots gives every register of a function a slot; registers that are
// never live together share one.
func (c *compiler) assignSlots(g *graph) error {
	type held struct {
		to    int
		width int
		slots slot
	}
	c.regs = make([]slot, len(g.fn.Regs))
	for i := range c.regs {
		c.regs[i] = noSlot
	}
	free := map[int][]slot{}
	var active []held
	intervals, entry := liveIntervals(g)
	for _, iv := range intervals {
		kept := active[:0]
		for _, h := range active {
			if h.to < iv.from {
				free[h.width] = append(free[h.width], h.slots)
			} else {
				kept = append(kept, h)
			}
		}
		active = kept
		r := g.fn.Regs[iv.reg]
		width := r.Type.Size()
		switch {
		case r.Vector > 1:
			c.regs[iv.reg] = c.newSlots(width, r.Vector)
			continue
		case c.alias[iv.reg] != "":
			s, err := c.specialSlot(c.alias[iv.reg])
			if err != nil {
				return err
			}
			c.regs[iv.reg] = s
			continue
		case c.invariant[iv.reg]:
			c.regs[iv.reg] = c.newSlots(width, 1)
			c.code.slots[c.regs[iv.reg]].kind = slotInvariant
			continue
		}
		s := noSlot
		if list := free[width]; len(list) > 0 && !c.general() {
			s, free[width] = list[len(list)-1], list[:len(list)-1]
		} else {
			s = c.newSlots(width, 1)
			c.code.slots[s].kind = slotTransient
		}
		if entry.has(iv.reg) {
			c.code.slots[s].kind = slotRegister
		}
		c.regs[iv.reg] = s
		active = append(active, held{iv.to, width, s})
	}
	return nil
}

func (c *compiler) newSlots(width, n int) slot {
	s := slot(len(c.code.slots))
	for range n {
		c.code.slots = append(c.code.slots, slotInfo{width: width})
	}
	return s
}
