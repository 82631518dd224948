package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// A load that only fetches what a bit field is written into reads uninitialised memory legally: unoptimised
// code does so. check_definedness.go has the loads whose values are copied.

// updatesBits reports whether the load at index k only fetches what a bit field is
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

// touches reports whether instruction i reads or writes one of the registers.
func (g *graph) touches(i int, regs map[*ptx.Register]bool) (reads, writes bool) {
	references(&g.fn.Code[i], g.forms[i],
		func(r *ptx.Register) { reads = reads || regs[r] },
		func(r *ptx.Register) { writes = writes || regs[r] })
	return reads, writes
}

// usedWithin reports whether nothing outside the basic block reads the registers.
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
