package vm

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

func buildBra(c *compiler) error {
	o := &c.in.Operands[0]
	if o.Kind != ptx.OpLabel {
		return c.wrong("the target is not a label")
	}
	target := c.base + c.graph.target(o.Name)
	if g := c.in.Guard; g != nil {
		c.end = branch(c.regs[g.Reg.Index], g.Negate, target, c.next)
		return nil
	}
	c.end = jump(target)
	return nil
}

// buildBrx is brx.idx: a jump through a list of labels.
func buildBrx(c *compiler) error {
	names := c.graph.fn.Targets[c.in.Operands[1].Name]
	if len(names) == 0 {
		return c.refuse("the second operand names no .branchtargets list")
	}
	targets := make([]int, len(names))
	for i, n := range names {
		targets[i] = c.base + c.graph.target(n)
	}
	idx, err := c.src(0, ptx.U32)
	if err != nil {
		return err
	}
	c.end = func(b *block) { b.jumpTable(view[uint32](b, idx), targets) }
	return nil
}

func (b *block) jumpTable(idx []uint32, targets []int) {
	sets := make([]laneBits, len(targets))
	var bad laneBits
	b.bits.each(func(l int) {
		if int(idx[l]) >= len(targets) {
			bad.add(l)
			return
		}
		sets[idx[l]].add(l)
	})
	if !bad.empty() {
		b.raise(driver.FaultOutOfBounds, &bad, fmt.Sprintf("the index of a jump table is past its %d targets", len(targets)))
		return
	}
	b.clearActive()
	for i := range sets {
		if !sets[i].empty() {
			b.addGroup(targets[i], &sets[i])
		}
	}
}

func buildRet(c *compiler) error {
	c.end = c.returnEnd()
	return nil
}

func buildExit(c *compiler) error {
	c.end = exit
	return nil
}

func buildTrap(c *compiler) error {
	c.end = func(b *block) { b.raise(driver.FaultTrap, &b.bits, "") }
	return nil
}

// buildNothing is for hints and events, which change no result.
func buildNothing(*compiler) error { return nil }

// buildSleep is nanosleep: another group or block may run meanwhile.
func buildSleep(c *compiler) error {
	c.emit(func(b *block) { b.polls++; b.streak += patience / 16 })
	return nil
}

func buildBarrier(c *compiler) error {
	if c.in.Has("warp") {
		return c.warpBarrier()
	}
	if c.in.Has("cluster") {
		return buildClusterBarrier(c)
	}
	u := &barrierUse{in: c.in, next: c.next, count: noSlot, value: noSlot, arrive: c.in.Has("arrive")}
	u.aligned = c.in.Op == "bar" || c.in.Has("aligned")
	ops := c.in.Operands
	if c.in.Has("red") {
		if err := c.barrierReduction(u); err != nil {
			return err
		}
		ops = ops[1 : len(ops)-1]
	}
	var err error
	if u.id, err = c.value(&ops[0], ptx.U32); err != nil {
		return err
	}
	if len(ops) > 1 {
		if u.count, err = c.value(&ops[1], ptx.U32); err != nil {
			return err
		}
	}
	c.end = u.arriveAt
	return nil
}

// barrierReduction reads destination and predicate of .red.
func (c *compiler) barrierReduction(u *barrierUse) error {
	p := &c.in.Operands[len(c.in.Operands)-1]
	if p.Kind != ptx.OpReg || p.Reg.Type != ptx.Pred {
		return c.refuse("the last operand is not a predicate register")
	}
	u.value, u.negate = c.regs[p.Reg.Index], p.Negate
	t := c.lastType()
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	post := append([]step(nil), c.post...)
	c.post = c.post[:0]
	all, any := c.in.Has("and"), c.in.Has("or")
	u.reduce = func(b *block, ones, total int) {
		switch {
		case all:
			setAll(b, d, ones == total)
		case any:
			setAll(b, d, ones > 0)
		default:
			setAll(b, d, uint32(ones))
		}
		for _, s := range post {
			s(b)
		}
	}
	return nil
}

// setAll writes one value to all active lanes.
func setAll[T any](b *block, d slot, v T) {
	o := out[T](b, d)
	for i := range o {
		o[i] = v
	}
	put(b, d, o)
}
