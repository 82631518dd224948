package vm

import (
	"golang.org/x/tools/go/ssa"
)

// fuseEnd makes a comparison and the branch on it one term, where nothing else reads the comparison's result and
// nothing that writes its operands' slots comes between.
func (c *compiler) fuseEnd(b *ssa.BasicBlock) term {
	n := len(b.Instrs)
	end, ok := b.Instrs[n-1].(*ssa.If)
	if !ok || n < 2 {
		return nil
	}
	cmp, ok := end.Cond.(*ssa.BinOp)
	if !ok || b.Instrs[n-2] != ssa.Instruction(cmp) || len(*cmp.Referrers()) != 1 {
		return nil
	}
	cond := c.comparison(cmp)
	if cond == nil {
		return nil
	}
	c.fused[cmp] = true
	if t := c.intBranch(b, cmp); t != nil {
		return t
	}
	return c.branch(b, cond)
}

// fuse makes one op of instruction i and the next where that is quicker: the address of an element or a field, and the
// load through it.
func (c *compiler) fuse(b *ssa.BasicBlock, i int) op {
	if i+1 >= len(b.Instrs) {
		return nil
	}
	load, ok := b.Instrs[i+1].(*ssa.UnOp)
	if !ok {
		return nil
	}
	addr, ok := b.Instrs[i].(*ssa.IndexAddr)
	if !ok || load.X != ssa.Value(addr) || len(*addr.Referrers()) != 1 {
		return nil
	}
	o := c.loadElement(addr, load)
	if o != nil {
		c.fused[load] = true
	}
	return o
}
