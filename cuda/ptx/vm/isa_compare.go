package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Comparison and selection (sections 9.7.6 and 9.7.7).

type ordered interface{ integer | ~float32 | ~float64 }

func eqLanes[T ordered](d []bool, a, b []T) { map2(d, a, b, func(x, y T) bool { return x == y }) }
func neLanes[T ordered](d []bool, a, b []T) { map2(d, a, b, func(x, y T) bool { return x != y }) }
func ltLanes[T ordered](d []bool, a, b []T) { map2(d, a, b, func(x, y T) bool { return x < y }) }
func leLanes[T ordered](d []bool, a, b []T) { map2(d, a, b, func(x, y T) bool { return x <= y }) }
func gtLanes[T ordered](d []bool, a, b []T) { map2(d, a, b, func(x, y T) bool { return x > y }) }
func geLanes[T ordered](d []bool, a, b []T) { map2(d, a, b, func(x, y T) bool { return x >= y }) }

// relations are the comparisons of integers. For floating-point numbers eq to ge
// are false where an operand is a NaN; Go's != is true there, so ne is not Go's.
func relations[T ordered]() map[string]binaryOp {
	return map[string]binaryOp{"eq": lift2(eqLanes[T]), "ne": lift2(neLanes[T]), "lt": lift2(ltLanes[T]),
		"le": lift2(leLanes[T]), "gt": lift2(gtLanes[T]), "ge": lift2(geLanes[T])}
}

func unsignedRelations[T integer]() map[string]binaryOp {
	m := relations[T]()
	m["lo"], m["ls"], m["hi"], m["hs"] = m["lt"], m["le"], m["gt"], m["ge"]
	return m
}

func floatRelations[T float32 | float64]() map[string]binaryOp {
	m := relations[T]()
	m["neu"] = m["ne"]
	m["ne"] = each2(func(x, y T) bool { return x < y || x > y })
	m["equ"] = each2(func(x, y T) bool { return !(x < y || x > y) })
	m["ltu"] = each2(func(x, y T) bool { return !(x >= y) })
	m["leu"] = each2(func(x, y T) bool { return !(x > y) })
	m["gtu"] = each2(func(x, y T) bool { return !(x <= y) })
	m["geu"] = each2(func(x, y T) bool { return !(x < y) })
	m["num"] = each2(func(x, y T) bool { return x == x && y == y })
	m["nan"] = each2(func(x, y T) bool { return x != x || y != y })
	return m
}

var comparisons = map[ptx.Type]map[string]binaryOp{
	ptx.U16: unsignedRelations[uint16](), ptx.U32: unsignedRelations[uint32](), ptx.U64: unsignedRelations[uint64](),
	ptx.B16: unsignedRelations[uint16](), ptx.B32: unsignedRelations[uint32](), ptx.B64: unsignedRelations[uint64](),
	ptx.S16: relations[int16](), ptx.S32: relations[int32](), ptx.S64: relations[int64](),
	ptx.F32: floatRelations[float32](), ptx.F64: floatRelations[float64](),
}

// relation finds the comparison that the modifiers name for type t, with flushed
// operands where .ftz asks for it.
func (c *compiler) relation(t ptx.Type) (binaryOp, error) {
	table := comparisons[t]
	for _, m := range c.in.Mods {
		f := table[m]
		if f == nil {
			continue
		}
		if !c.in.Has("ftz") || t != ptx.F32 {
			return f, nil
		}
		fa, fb := c.temp(4), c.temp(4)
		return func(d, a, b slot) step {
			return sequence([]step{each1(num.Flush)(fa, a), each1(num.Flush)(fb, b), f(d, fa, fb)})
		}, nil
	}
	return nil, c.refuse("this device does not execute the comparison for this type")
}

// compareTo emits the comparison of operands 1 and 2 into predicate d.
func (c *compiler) compareTo(d slot, t ptx.Type) error {
	if isHalf(t) {
		return c.compareHalf(d, t)
	}
	f, err := c.relation(t)
	if err != nil {
		return err
	}
	a, err := c.src(1, t)
	if err != nil {
		return err
	}
	b, err := c.src(2, t)
	if err != nil {
		return err
	}
	c.emit(f(d, a, b))
	return nil
}

// combine joins the comparison in d with the predicate operand 3, where .and, .or
// or .xor is written; negated says to join the comparison's opposite.
func (c *compiler) combine(d, compared slot, negated bool) error {
	if negated {
		flipped := c.temp(1)
		c.emit(logicNot[ptx.Pred](flipped, compared))
		compared = flipped
	}
	if len(c.in.Operands) < 4 {
		c.emit(copyLanes(1)(d, compared))
		return nil
	}
	p, err := c.src(3, ptx.Pred)
	if err != nil {
		return err
	}
	for name, table := range map[string]byType[binaryOp]{"and": logicAnd, "or": logicOr, "xor": logicXor} {
		if c.in.Has(name) {
			c.emit(table[ptx.Pred](d, compared, p))
			return nil
		}
	}
	return c.refuse("a fourth operand without .and, .or or .xor")
}

func buildSetp(c *compiler) error {
	t := c.lastType()
	if isHalf(t) && t.Size() == 4 {
		return buildSetpHalves(c, t)
	}
	first, second := &c.in.Operands[0], (*ptx.Operand)(nil)
	if first.Kind == ptx.OpPair {
		first, second = &c.in.Operands[0].Elems[0], &c.in.Operands[0].Elems[1]
	}
	p, err := c.target(first, ptx.Pred)
	if err != nil {
		return err
	}
	if second == nil && len(c.in.Operands) == 3 {
		return c.compareTo(p, t)
	}
	raw := c.temp(1)
	if err := c.compareTo(raw, t); err != nil {
		return err
	}
	if second != nil {
		q, err := c.target(second, ptx.Pred)
		if err != nil {
			return err
		}
		// The second result goes first into scratch: p may be an operand of it.
		hold := c.temp(1)
		if err := c.combine(hold, raw, true); err != nil {
			return err
		}
		c.post = append(c.post, copyLanes(1)(q, hold))
	}
	return c.combine(p, raw, false)
}

// buildSet writes all ones, or 1.0, where the comparison holds.
func buildSet(c *compiler) error {
	t := c.types()
	if isHalf(t[1]) && t[1].Size() == 4 {
		return buildSetHalves(c, t[0], t[1])
	}
	raw, cond := c.temp(1), c.temp(1)
	if err := c.compareTo(raw, t[1]); err != nil {
		return err
	}
	if err := c.combine(cond, raw, false); err != nil {
		return err
	}
	d, err := c.dst(0, t[0])
	if err != nil {
		return err
	}
	yes := setYes[t[0]]
	if t[0].Size() == 2 {
		c.emit(each1(func(p uint8) uint16 { return uint16(yes) * uint16(p) })(d, cond))
		return nil
	}
	c.emit(each1(func(p uint8) uint32 { return yes * uint32(p) })(d, cond))
	return nil
}

func selectLanes[T any](d, a, b []T, p []bool) {
	map3(d, a, b, p, func(x, y T, c bool) T {
		if c {
			return x
		}
		return y
	})
}

var selects = map[int]ternaryOp{2: lift3(selectLanes[uint16]), 4: lift3(selectLanes[uint32]), 8: lift3(selectLanes[uint64])}

func buildSelp(c *compiler) error {
	t := c.lastType()
	return c.apply3(selects[t.Size()], t, t, t, ptx.Pred)
}

// buildSlct selects by the sign of the third source; -0 counts as not negative
// and a NaN as negative.
func buildSlct(c *compiler) error {
	t := c.types()
	ftz := c.in.Has("ftz")
	p := c.temp(1)
	s, err := c.src(3, t[1])
	if err != nil {
		return err
	}
	if t[1] == ptx.S32 {
		c.emit(each1(func(x int32) bool { return x >= 0 })(p, s))
	} else {
		c.emit(each1(func(x float32) bool { return x >= 0 || ftz && num.Flush(x) == 0 })(p, s))
	}
	a, err := c.src(1, t[0])
	if err != nil {
		return err
	}
	b, err := c.src(2, t[0])
	if err != nil {
		return err
	}
	d, err := c.dst(0, t[0])
	if err != nil {
		return err
	}
	c.emit(selects[t[0].Size()](d, a, b, p))
	return nil
}

func init() {
	register(map[string]builder{"setp": buildSetp, "set": buildSet, "selp": buildSelp, "slct": buildSlct})
}
