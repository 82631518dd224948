package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// What reads uninitialised memory and is legal: unoptimised code writes bit fields
// into memory that nothing has written, and copies structures with their unwritten
// members from local or shared memory to local memory.

// updatesBits says whether the load at index k only fetches what a bit field is
// written into: its value goes through and, or, xor, shl, shr and bfi alone, with an
// and or bfi among them that gives bits up, and back to where it came from, all in
// one basic block. Unoptimised code initialises bit fields so, and reads memory
// for it that nothing has written.
func (g *graph) updatesBits(k int) bool {
	load := &g.fn.Code[k]
	span := &g.spans[g.at[k]]
	if load.Guard != nil || load.Operands[0].Kind != ptx.OpReg || len(load.Operands) != 2 {
		return false
	}
	carries := map[*ptx.Register]bool{load.Operands[0].Reg: true}
	masked, stored := false, false
	for i := k + 1; i < span.to; i++ {
		in := &g.fn.Code[i]
		reads, writes := g.touches(i, carries)
		switch {
		case !reads && !writes:
		case in.Guard != nil:
			return false
		case reads && in.Op == "st":
			if !sameAddress(&in.Operands[0], &load.Operands[1]) {
				return false
			}
			stored = true
		case reads && bitOps[in.Op]:
			carries[in.Operands[0].Reg] = true
			masked = masked || in.Op == "bfi" || in.Op == "and"
		case reads:
			return false
		default:
			delete(carries, in.Operands[0].Reg)
		}
	}
	return masked && stored && g.usedWithin(span, carries)
}

// bitOps are what compilers write bit fields with.
var bitOps = map[string]bool{"and": true, "or": true, "xor": true, "shl": true, "shr": true, "bfi": true, "mov": true, "cvt": true}

// touches says whether instruction i reads or writes one of the registers.
func (g *graph) touches(i int, regs map[*ptx.Register]bool) (reads, writes bool) {
	references(&g.fn.Code[i], g.forms[i],
		func(r *ptx.Register) { reads = reads || regs[r] },
		func(r *ptx.Register) { writes = writes || regs[r] })
	return reads, writes
}

// usedWithin says whether nothing outside the basic block reads the registers.
func (g *graph) usedWithin(s *span, regs map[*ptx.Register]bool) bool {
	for i := range g.fn.Code {
		if i >= s.from && i < s.to {
			continue
		}
		if reads, _ := g.touches(i, regs); reads {
			return false
		}
	}
	return true
}

func sameAddress(x, y *ptx.Operand) bool {
	if x.Kind != ptx.OpAddr || y.Kind != ptx.OpAddr || len(x.Elems) != 1 || len(y.Elems) != 1 || x.Offset != y.Offset {
		return false
	}
	p, q := &x.Elems[0], &y.Elems[0]
	return p.Kind == q.Kind && p.Reg == q.Reg && p.Var == q.Var
}

// copiesOnly says whether what instruction k loads into r is only stored again, or packed with others and then stored, all
// in one basic block.
func (g *graph) copiesOnly(k int, r *ptx.Register) bool {
	span := &g.spans[g.at[k]]
	own := map[*ptx.Register]bool{r: true}
	if r.Vector > 1 || g.fn.Code[k].Guard != nil {
		return false
	}
	for i := k + 1; i < span.to && len(own) > 0; i++ {
		in := &g.fn.Code[i]
		reads, writes := g.touches(i, own)
		switch {
		case reads && packs(in):
			own[in.Operands[0].Reg] = true
		case reads && (in.Op != "st" || in.Guard != nil || inAddress(&in.Operands[0], own)):
			return false
		case writes && in.Guard == nil:
			references(in, g.forms[i], func(*ptx.Register) {}, func(r *ptx.Register) { delete(own, r) })
		}
	}
	return g.usedWithin(span, own)
}

// packs says whether the instruction does nothing but move bytes of its operands about: what compilers put the elements of a vector
// together with that they load as bytes and store as words.
func packs(in *ptx.Instruction) bool {
	if in.Guard != nil || len(in.Operands) < 2 || in.Operands[0].Kind != ptx.OpReg || in.Operands[0].Reg.Vector > 1 {
		return false
	}
	switch in.Op {
	case "mov":
		return true
	case "or":
		return true
	case "prmt":
		return in.Operands[3].Kind == ptx.OpInt
	case "and", "shl", "shr":
		return in.Operands[2].Kind == ptx.OpInt
	case "cvt":
		for _, t := range in.Types() {
			if t.Kind() == ptx.Floating || in.Has("sat") || in.Has("pack") {
				return false
			}
		}
		return true
	}
	return false
}

// packedFrom lists the flags of what an instruction packs. There are none where a part of it was written: like memory written in part
// the whole is taken for written.
func (c *compiler) packedFrom(in *ptx.Instruction, form *ptx.Form) []slot {
	if len(c.carried) == 0 || !packs(in) {
		return nil
	}
	var flags []slot
	whole := true
	references(in, form, func(r *ptx.Register) {
		flag, ok := c.carried[r]
		flags, whole = append(flags, flag), whole && ok
	}, func(*ptx.Register) {})
	if !whole {
		return nil
	}
	return flags
}

// carryPacked flags what was packed where all of it is flagged.
func (c *compiler) carryPacked(in *ptx.Instruction, from []slot) {
	if len(from) == 0 {
		return
	}
	flag := c.newSlots(1, 1)
	c.emit(copyLanes(1)(flag, from[0]))
	for _, f := range from[1:] {
		c.emit(logicAnd[ptx.Pred](flag, flag, f))
	}
	c.carried[in.Operands[0].Reg] = flag
}

func inAddress(o *ptx.Operand, regs map[*ptx.Register]bool) bool {
	return len(o.Elems) == 1 && o.Elems[0].Kind == ptx.OpReg && regs[o.Elems[0].Reg]
}

// carryLoad prepares a load from local or shared memory to say which lanes copy what nothing
// has written.
func (c *compiler) carryLoad(a *access, elems []ptx.Operand) {
	if !c.code.options.Uninitialized || a.space != ptx.Generic && a.space != ptx.Local || a.update {
		return
	}
	for i := range elems {
		if elems[i].Kind != ptx.OpReg || !c.graph.copiesOnly(c.index, elems[i].Reg) {
			return
		}
	}
	for i := range elems {
		flags := c.newSlots(1, 1)
		a.carry = append(a.carry, flags)
		c.carried[elems[i].Reg] = flags
		c.emit(func(b *block) { setAll[uint8](b, flags, 0) })
	}
}

// carryStore finds the flags of the values that a store writes.
func (c *compiler) carryStore(a *access, elems []ptx.Operand) {
	carry := make([]slot, len(elems))
	for i := range elems {
		carry[i] = noSlot
		if flags, ok := c.carried[elems[i].Reg]; ok && elems[i].Kind == ptx.OpReg {
			carry[i], a.carry = flags, carry
		}
	}
}

// forgetCarried drops the flags of registers that the instruction writes anew.
func (c *compiler) forgetCarried(in *ptx.Instruction, form *ptx.Form) {
	if len(c.carried) > 0 {
		references(in, form, func(*ptx.Register) {}, func(r *ptx.Register) { delete(c.carried, r) })
	}
}

// carries notes that the i-th active lane copies something uninitialised; false
// says that the access is no copy.
func (a *access) carries(b *block, k, i int) bool {
	if a.carry == nil {
		return false
	}
	view[uint8](b, a.carry[k])[b.lane(i)] = 1
	return true
}

// brings says whether what the i-th active lane stores is uninitialised.
func (a *access) brings(b *block, k, i int) bool {
	return a.carry != nil && a.carry[k] != noSlot && view[uint8](b, a.carry[k])[b.lane(i)] != 0
}

// staysInLocal refuses to copy what is uninitialised to other memory.
func (a *access) staysInLocal(b *block, addrs []uint64, k int) bool {
	for i, addr := range addrs {
		if space, _ := genericSpace(addr + a.offset); a.brings(b, k, i) && a.space != ptx.Local && space != ptx.Local {
			al, _ := b.launch.memory.find(addr + a.offset)
			b.raiseAccess(driver.FaultUninitialized, a, i, addr+a.offset, al)
			b.fault.Detail += "; what is stored there was read from memory that nothing wrote"
			return false
		}
	}
	return true
}
