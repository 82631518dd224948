package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Comparisons of half precision (sections 9.7.7.1 and 9.7.7.2).

// halfRelation gives the instruction's comparison of two halves.
func (c *compiler) halfRelation(t ptx.Type) (func(x, y uint16) bool, error) {
	f, m := formatOf(t), c.modifiers()
	for _, mod := range c.in.Mods {
		if rel := num.Relations[mod]; rel != nil {
			return func(x, y uint16) bool { return rel(f.Read(x, m), f.Read(y, m)) }, nil
		}
	}
	return nil, c.refuse("this device does not execute the comparison for this type")
}

// compareHalf compares operands 1 and 2, single halves, into predicate d.
func (c *compiler) compareHalf(d slot, t ptx.Type) error {
	rel, err := c.halfRelation(t)
	if err != nil {
		return err
	}
	a, b, err := c.twoSources(t)
	if err != nil {
		return err
	}
	c.emit(each2(rel)(d, a, b))
	return nil
}

func (c *compiler) twoSources(t ptx.Type) (a, b slot, err error) {
	if a, err = c.src(1, t); err != nil {
		return noSlot, noSlot, err
	}
	b, err = c.src(2, t)
	return a, b, err
}

// compareHalves compares both halves of a pair into two predicates.
func (c *compiler) compareHalves(lo, hi slot, t ptx.Type) error {
	rel, err := c.halfRelation(t)
	if err != nil {
		return err
	}
	a, b, err := c.twoSources(t)
	if err != nil {
		return err
	}
	c.emit(each2(func(x, y uint32) bool { return rel(uint16(x), uint16(y)) })(lo, a, b))
	c.emit(each2(func(x, y uint32) bool { return rel(uint16(x>>16), uint16(y>>16)) })(hi, a, b))
	return nil
}

// buildSetpHalves is setp of a pair: p|q are the results of the lower and the upper half.
func buildSetpHalves(c *compiler, t ptx.Type) error {
	o := &c.in.Operands[0]
	if o.Kind != ptx.OpPair {
		return c.refuse("the comparison of a pair has two destinations, p|q")
	}
	var d, raw [2]slot
	for i := range d {
		var err error
		if d[i], err = c.target(&o.Elems[i], ptx.Pred); err != nil {
			return err
		}
		raw[i] = c.temp(1)
	}
	if err := c.compareHalves(raw[0], raw[1], t); err != nil {
		return err
	}
	hold := c.temp(1)
	if err := c.combine(hold, raw[0], false); err != nil {
		return err
	}
	if err := c.combine(raw[1], raw[1], false); err != nil {
		return err
	}
	c.emit(copyLanes(1)(d[0], hold))
	c.emit(copyLanes(1)(d[1], raw[1]))
	return nil
}

// setYes is what set writes where the comparison holds, by destination type.
var setYes = map[ptx.Type]uint32{
	ptx.U16: 0xffff, ptx.S16: 0xffff, ptx.U32: 0xffffffff, ptx.S32: 0xffffffff, ptx.F32: 0x3f800000,
	ptx.F16: 0x3c00, ptx.F16x2: 0x3c00, ptx.BF16: 0x3f80, ptx.BF16x2: 0x3f80,
}

// buildSetHalves is set of a pair: each half of the destination is a result.
func buildSetHalves(c *compiler, to, t ptx.Type) error {
	lo, hi := c.temp(1), c.temp(1)
	if err := c.compareHalves(lo, hi, t); err != nil {
		return err
	}
	for _, p := range []slot{lo, hi} {
		if err := c.combine(p, p, false); err != nil {
			return err
		}
	}
	d, err := c.dst(0, to)
	if err != nil {
		return err
	}
	yes := setYes[to] & 0xffff
	c.emit(each2(func(p, q uint8) uint32 { return yes*uint32(p) | yes*uint32(q)<<16 })(d, lo, hi))
	return nil
}
