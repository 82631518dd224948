package vm

import (
	"fmt"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// What nothing has written may be loaded to be copied: the padding of a structure, the elements of a vector that
// nobody looks at, the bytes of a loop like memcpy's. It is a fault where it is used: by any instruction
// that does more with it than to move its bytes about, as an address, and by a store to global memory, from where
// others read it, unless it may be padding: less than four bytes, or an element of a vector, with something around
// them that was written, stored as wide as they were loaded.
//
// A load whose value its basic block uses anyhow is told at once. The registers of the others have a flag a lane, which
// goes with the value through the instructions that move bytes (check_definedness_moves.go), and to memory and back: a
// store of what is flagged leaves memory unwritten. The flags are looked at from the first such load of a block on.

// A flag names the load, by its place in code.origins; 0 is for what was written.
const (
	originMask  = 1<<5 - 1 // the last stands for all from there on
	flagPacked  = 1 << 5   // of several parts
	flagPartial = 1 << 6   // only a part of the value is unwritten
	flagAlone   = 1 << 7   // nothing around was written: no padding
)

// paddingGroup is the alignment of what has padding: a byte with none written in its group is none of it.
const (
	paddingGroup = 16
	paddingBytes = 4 // padding of so many bytes is no different from an element
)

// carriers finds the loads of a function whose values may be copied, and the registers that may have them.
func (c *compiler) carriers(g *graph) {
	c.flags, c.carrying = map[*ptx.Register]slot{}, map[int]bool{}
	if !c.code.options.Uninitialized {
		return
	}
	var moves []int
	for k := range g.fn.Code {
		in := &g.fn.Code[k]
		switch {
		case g.mayCarry(k):
			c.carrying[k] = true
			references(in, g.forms[k], func(*ptx.Register) {}, c.flagged)
		case movesBytes(in):
			moves = append(moves, k)
		}
	}
	for n := 0; n < len(c.flags); {
		n = len(c.flags)
		for _, k := range moves {
			if reads, _ := g.touchesAny(k, c.flags); reads {
				references(&g.fn.Code[k], g.forms[k], func(*ptx.Register) {}, c.flagged)
			}
		}
	}
}

// flagged gives a register flags.
func (c *compiler) flagged(r *ptx.Register) {
	if _, ok := c.flags[r]; !ok {
		c.flags[r] = c.newSlots(1, 1)
	}
}

// mayCarry reports whether instruction k is a load that is not told at once where nothing wrote what it reads.
func (g *graph) mayCarry(k int) bool {
	in := &g.fn.Code[k]
	if in.Op != "ld" && in.Op != "ldu" || in.Has("volatile") || in.Has("relaxed") || in.Has("acquire") ||
		in.Space() == ptx.Const || g.updatesBits(k) {
		return false
	}
	into := map[*ptx.Register]bool{}
	plain := true
	references(in, g.forms[k], func(*ptx.Register) {}, func(r *ptx.Register) {
		into[r] = true
		plain = plain && r.Vector <= 1
	})
	return plain && len(into) > 0 && !g.usesAtOnce(k, into)
}

// usesAtOnce reports whether the basic block of load k does more with what it loads than to move it about.
func (g *graph) usesAtOnce(k int, own map[*ptx.Register]bool) bool {
	span := &g.spans[g.at[k]]
	guarded := g.fn.Code[k].Guard
	for i := k + 1; i < span.to && len(own) > 0; i++ {
		in := &g.fn.Code[i]
		reads, writes := g.touches(i, own)
		switch {
		case reads && movesBytes(in):
			references(in, g.forms[i], func(*ptx.Register) {}, func(r *ptx.Register) { own[r] = true })
		case reads && in.Op == "st" && !inAddress(&in.Operands[0], own):
		case reads && (in.Guard == nil || guarded != nil && *guarded == *in.Guard):
			return true
		case writes && in.Guard == nil:
			references(in, g.forms[i], func(*ptx.Register) {}, func(r *ptx.Register) { delete(own, r) })
		}
	}
	return false
}

func inAddress(o *ptx.Operand, regs map[*ptx.Register]bool) bool {
	return len(o.Elems) == 1 && o.Elems[0].Kind == ptx.OpReg && regs[o.Elems[0].Reg]
}

// touchesAny is touches for registers with flags.
func (g *graph) touchesAny(i int, flags map[*ptx.Register]slot) (reads, writes bool) {
	references(&g.fn.Code[i], g.forms[i],
		func(r *ptx.Register) { _, ok := flags[r]; reads = reads || ok },
		func(r *ptx.Register) { _, ok := flags[r]; writes = writes || ok })
	return reads, writes
}

// checkUses emits, before an instruction, the look at the flags of what it uses.
func (c *compiler) checkUses(in *ptx.Instruction, form *ptx.Form) {
	if len(c.flags) == 0 || movesBytes(in) {
		return
	}
	seen := map[slot]bool{}
	use := func(r *ptx.Register) {
		if flag, ok := c.flags[r]; ok && !seen[flag] {
			seen[flag] = true
			c.emit(func(b *block) {
				if b.carried {
					b.checkUse(flag, in)
				}
			})
		}
	}
	if in.Op == "st" {
		for i := range in.Operands[0].Elems {
			operandReferences(&in.Operands[0].Elems[i], false, func(r *ptx.Register, _ bool) { use(r) })
		}
		return
	}
	for i := range in.Operands { // not what a guarded write leaves as it is
		operandReferences(&in.Operands[i], form.Dest(i), func(r *ptx.Register, dest bool) {
			if !dest {
				use(r)
			}
		})
	}
}

// passFlags emits, behind an instruction, what becomes of the flags of what it writes.
func (c *compiler) passFlags(in *ptx.Instruction, form *ptx.Form) {
	if len(c.flags) == 0 || c.carrying[c.index] {
		return
	}
	pass := c.flagsOf(in, form)
	references(in, form, func(*ptx.Register) {}, func(r *ptx.Register) {
		flag, ok := c.flags[r]
		if !ok {
			return
		}
		c.emit(func(b *block) {
			switch {
			case !b.carried:
			case pass == nil:
				setAll[uint8](b, flag, 0)
			default:
				all := view[uint8](b, flag)
				for i := range b.count {
					l := b.lane(i)
					all[l] = pass(b, l)
				}
			}
		})
	})
}

// carryLoad prepares a load to flag what it reads and nothing wrote.
func (c *compiler) carryLoad(a *access, elems []ptx.Operand) {
	if !c.carrying[c.index] || a.param || a.update {
		return
	}
	if a.origin = min(len(c.code.origins), originMask-1) + 1; a.origin < originMask {
		c.code.origins = append(c.code.origins, a)
	}
	for i := range elems {
		flag := noSlot
		if elems[i].Kind == ptx.OpReg {
			flag = c.flags[elems[i].Reg]
			c.emit(func(b *block) {
				if b.carried {
					setAll[uint8](b, flag, 0)
				}
			})
		}
		a.carry = append(a.carry, flag)
	}
}

// carryStore finds the flags of the values that a store writes.
func (c *compiler) carryStore(a *access, elems []ptx.Operand) {
	carry := make([]slot, len(elems))
	for i := range elems {
		carry[i] = noSlot
		if elems[i].Kind == ptx.OpReg {
			if flag, ok := c.flags[elems[i].Reg]; ok {
				carry[i], a.carry = flag, carry
			}
		}
	}
}

// carries notes that the i-th active lane loads what nothing has written, at an offset of a segment; false says
// that this is to be told at once.
func (a *access) carries(b *block, k, i int, seg *segment, off uint64) bool {
	if a.carry == nil {
		return false
	}
	if b.carried = true; a.carry[k] == noSlot {
		return true // the value goes nowhere
	}
	flag := uint8(a.origin)
	if a.alone(seg, k, off) {
		flag |= flagAlone
	}
	l := b.lane(i)
	view[uint8](b, a.carry[k])[l] = flag
	if b.origins == nil {
		b.origins = make([][]uint64, originMask+1)
	}
	if b.origins[a.origin] == nil {
		b.origins[a.origin] = make([]uint64, b.n)
	}
	b.origins[a.origin][l] = off + seg.base
	return true
}

// alone reports whether nothing has written the bytes around element k of an access, at an offset of the segment.
func (a *access) alone(seg *segment, k int, off uint64) bool {
	from, n := off-uint64(k*a.elem), a.size // of a vector, all of it
	if a.elem < paddingBytes {
		from = off &^ (paddingGroup - 1)
		n = min(paddingGroup, seg.size-from)
	}
	for _, w := range unsafe.Slice((*byte)(unsafe.Add(seg.shadow, from)), n) {
		if w != 0 {
			return false
		}
	}
	return true
}

// brings reports whether all that the i-th active lane stores is uninitialised.
func (a *access) brings(b *block, k, i int) bool {
	if a.carry == nil || a.carry[k] == noSlot || !b.carried {
		return false
	}
	flag := view[uint8](b, a.carry[k])[b.lane(i)]
	return flag != 0 && flag&flagPartial == 0
}

// keepsIn refuses to store in global memory what is uninitialised and no padding.
func (a *access) keepsIn(b *block, addrs []uint64, k int) bool {
	if !b.carried || a.carry[k] == noSlot {
		return true
	}
	flags := view[uint8](b, a.carry[k])
	for i, addr := range addrs {
		l := b.lane(i)
		space, _ := genericSpace(addr + a.offset)
		if a.publishes(b, flags[l]) && (a.space == ptx.Global || a.space == ptx.Generic && space == ptx.Global) {
			b.raiseUse(l, flags, a.in, "stored in global memory")
			return false
		}
	}
	return true
}

// publishes reports whether a flagged value is no padding that the store moves.
func (a *access) publishes(b *block, flag uint8) bool {
	origin := flag & originMask
	switch {
	case origin == 0 || flag&flagPartial != 0:
		return false
	case flag&flagAlone != 0:
		return true
	}
	return flag&flagPacked == 0 && origin != originMask && a.elem > b.code.origins[origin-1].elem
}

// checkUse looks for lanes that use what nothing has written.
func (b *block) checkUse(flag slot, in *ptx.Instruction) {
	flags := view[uint8](b, flag)
	for i := range b.count {
		if l := b.lane(i); flags[l] != 0 {
			b.raiseUse(l, flags, in, "used")
			return
		}
	}
}

// raiseUse tells the load of what a lane uses, and the use.
func (b *block) raiseUse(l int, flags []uint8, in *ptx.Instruction, how string) {
	if b.fault != nil {
		return
	}
	var lanes laneBits
	origin := flags[l] & originMask
	for i := range b.count {
		if x := b.lane(i); x >= l && flags[x]&originMask == origin {
			lanes.add(x)
		}
	}
	b.raise(driver.FaultUninitialized, &lanes, "")
	if origin == originMask {
		b.fault.Detail = "the value was read from memory that nothing wrote"
		b.placeFault(in)
		return
	}
	a, addr := b.code.origins[origin-1], b.origins[origin][l]
	space := a.space
	if space == ptx.Generic {
		var base uint64
		space, base = genericSpace(addr)
		addr -= base
	}
	var al *Allocation
	if space == ptx.Global {
		al, _ = b.launch.memory.find(addr)
	}
	b.describe(space, a, addr, al)
	b.fault.Bytes = uint64(a.elem)
	b.placeFault(a.in)
	b.addDetail(fmt.Sprintf("the value is %s at %s (%s)", how, b.lineOf(in), in.Mnemonic()))
}
