package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// movesBytes reports whether the instruction does nothing but move the bytes of its operands about, as compilers do
// with what they load in parts and store together, or load together and store in parts.
func movesBytes(in *ptx.Instruction) bool {
	if len(in.Operands) < 2 || !wholeRegisters(in) {
		return false
	}
	constant := func(from int) bool {
		for _, o := range in.Operands[from:] {
			if o.Kind != ptx.OpInt {
				return false
			}
		}
		return true
	}
	switch in.Op {
	case "mov", "or", "selp":
		return true
	case "prmt", "bfi":
		return constant(3)
	case "and", "shl", "shr", "bfe":
		return constant(2)
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

// wholeRegisters reports whether all registers of the operands are no vectors.
func wholeRegisters(in *ptx.Instruction) bool {
	whole := true
	for i := range in.Operands {
		operandReferences(&in.Operands[i], false, func(r *ptx.Register, _ bool) { whole = whole && r.Vector <= 1 })
	}
	return whole
}

// flagsOf gives, for an instruction that moves what may be flagged, the flag of its results by lane; else nil.
func (c *compiler) flagsOf(in *ptx.Instruction, form *ptx.Form) func(b *block, l int) uint8 {
	if !movesBytes(in) {
		return nil
	}
	var from []slot
	any := false
	for i := range in.Operands {
		operandReferences(&in.Operands[i], form.Dest(i), func(r *ptx.Register, dest bool) {
			if dest || r.Type == ptx.Pred && in.Op == "selp" {
				return
			}
			flag, ok := c.flags[r]
			if any = any || ok; !ok {
				flag = noSlot
			}
			from = append(from, flag)
		})
	}
	switch {
	case !any:
		return nil
	case in.Op == "selp":
		return c.selected(in)
	}
	cuts := in.Op != "mov" && in.Op != "or" || in.Operands[0].Kind == ptx.OpVector
	return func(b *block, l int) uint8 { return combined(b, l, from, cuts) }
}

// combined is the flag of what is put together: whole where all parts are uninitialised. What is cut from
// something with written parts counts as one of those.
func combined(b *block, l int, from []slot, cuts bool) uint8 {
	var flag uint8
	whole := true
	for _, s := range from {
		var f uint8
		if s != noSlot {
			f = view[uint8](b, s)[l]
		}
		if whole = whole && f != 0 && f&flagPartial == 0; flag == 0 {
			flag = f
		}
	}
	switch {
	case flag == 0:
		return 0
	case whole && len(from) > 1:
		return flag | flagPacked
	case whole:
		return flag
	case cuts && len(from) == 1:
		return 0
	}
	return flag | flagPartial
}

// selected is the flag of the operand that selp takes.
func (c *compiler) selected(in *ptx.Instruction) func(b *block, l int) uint8 {
	var from [2]slot
	for i := range from {
		from[i] = noSlot
		if o := &in.Operands[i+1]; o.Kind == ptx.OpReg {
			if flag, ok := c.flags[o.Reg]; ok {
				from[i] = flag
			}
		}
	}
	o := &in.Operands[3]
	p, negate := c.regs[o.Reg.Index], o.Negate
	return func(b *block, l int) uint8 {
		s := from[0]
		if (view[uint8](b, p)[l] != 0) == negate {
			s = from[1]
		}
		if s == noSlot {
			return 0
		}
		return view[uint8](b, s)[l]
	}
}
