package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// Much of what a kernel begins with is the same in every block of a launch: its
// parameters, the number of a thread in its block, and what is computed from these
// alone. Such instructions run once for all blocks that a worker runs
// (block.attach), and their registers keep slots of their own.

// invariants finds the instructions of the entry whose result is that of every block:
// they are pure, have no guard, are the only ones to write their register, and read
// nothing else than constants, launch-wide special registers and such registers.
func (c *compiler) invariants(g *graph) map[int]bool {
	c.invariant, c.alias = make([]bool, len(g.fn.Regs)), make([]string, len(g.fn.Regs))
	if g.fn != c.entry || c.general() {
		return nil
	}
	writes := make([]int, len(g.fn.Regs))
	for i := range g.fn.Code {
		references(&g.fn.Code[i], g.forms[i], func(*ptx.Register) {}, func(r *ptx.Register) { writes[r.Index]++ })
	}
	found := map[int]bool{}
	for i := range g.fn.Code {
		in := &g.fn.Code[i]
		r := c.invariantResult(in)
		name := sameAs(in)
		switch {
		case c.holds(in):
		case r != nil && writes[r.Index] == 1:
			c.invariant[r.Index], found[i] = true, true
		case name != "" && writes[in.Operands[0].Reg.Index] == 1:
			c.alias[in.Operands[0].Reg.Index] = name
		}
	}
	return found
}

// pureOps are the instructions that do nothing but compute their first operand from
// the others, lane by lane.
var pureOps = map[string]bool{
	"mov": true, "cvta": true, "cvt": true, "add": true, "sub": true, "mul": true, "mad": true, "shl": true, "shr": true,
	"and": true, "or": true, "xor": true, "not": true, "neg": true, "min": true, "max": true, "setp": true, "selp": true,
	"bfe": true, "popc": true, "clz": true, "lop3": true,
}

// invariantResult gives the register that an instruction would write alike in every
// block, or nil.
func (c *compiler) invariantResult(in *ptx.Instruction) *ptx.Register {
	load := in.Op == "ld" && in.Has("param")
	if in.Guard != nil || !load && !pureOps[in.Op] || in.Has("cc") || len(in.Operands) < 2 {
		return nil
	}
	d := &in.Operands[0]
	if d.Kind != ptx.OpReg || d.Reg.Vector > 1 {
		return nil
	}
	for i := range in.Operands[1:] {
		o := &in.Operands[1+i]
		switch {
		case load && o.Kind == ptx.OpAddr && len(o.Elems) == 1 && o.Elems[0].Kind == ptx.OpVar && c.kernelParam(o.Elems[0].Var):
		case load || !c.invariantOperand(o):
			return nil
		}
	}
	return d.Reg
}

func (c *compiler) invariantOperand(o *ptx.Operand) bool {
	switch o.Kind {
	case ptx.OpInt, ptx.OpFloat, ptx.OpVar, ptx.OpFunc:
		return true
	case ptx.OpReg:
		return o.Reg.Vector <= 1 && c.invariant[o.Reg.Index]
	case ptx.OpSpecial:
		return specialValues[o.Name] != nil && !perBlock[o.Name]
	}
	return false
}

// sameAs gives the special register that a register only is another name of, or "".
func sameAs(in *ptx.Instruction) string {
	if in.Op != "mov" || in.Guard != nil || len(in.Operands) != 2 {
		return ""
	}
	d, s := &in.Operands[0], &in.Operands[1]
	if d.Kind != ptx.OpReg || d.Reg.Vector > 1 || s.Kind != ptx.OpSpecial || !perBlock[s.Name] || d.Reg.Type.Size() != ptx.SpecialType(s.Name).Size() {
		return ""
	}
	return s.Name
}
