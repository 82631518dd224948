package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Half-precision arithmetic (section 9.7.4): f16 and bf16, alone or in pairs. A
// result is computed in double precision, rounded to odd where that is not exact,
// and then rounded once.

func isHalf(t ptx.Type) bool {
	return t == ptx.F16 || t == ptx.F16x2 || t == ptx.BF16 || t == ptx.BF16x2
}

func formatOf(t ptx.Type) num.Format {
	if t == ptx.BF16 || t == ptx.BF16x2 {
		return num.BF16
	}
	return num.F16
}

// pairwise applies a 16-bit operation to both halves of a pair.
func pairwise2(f func(x, y uint16) uint16) func(x, y uint32) uint32 {
	return func(x, y uint32) uint32 {
		return uint32(f(uint16(x), uint16(y))) | uint32(f(uint16(x>>16), uint16(y>>16)))<<16
	}
}

func (c *compiler) half2(t ptx.Type, f func(x, y uint16) uint16) error {
	if t.Size() == 4 {
		return c.apply2(each2(pairwise2(f)), t, t, t)
	}
	return c.apply2(each2(f), t, t, t)
}

func (c *compiler) half1(t ptx.Type, f func(x uint16) uint16) error {
	if t.Size() == 4 {
		return c.apply1(each1(func(x uint32) uint32 { return uint32(f(uint16(x))) | uint32(f(uint16(x>>16)))<<16 }), t, t)
	}
	return c.apply1(each1(f), t, t)
}

func buildHalf2(c *compiler, op func(x, y float64) float64) error {
	if op == nil {
		return c.refuse("there is no such instruction in half precision")
	}
	t, m := c.lastType(), c.modifiers()
	f := formatOf(t)
	return c.half2(t, func(x, y uint16) uint16 {
		a, b := f.Read(x, m), f.Read(y, m)
		s := op(a, b)
		if c := op(1, 1); c == 2 || c == 0 { // addition and subtraction may be inexact
			if c == 0 {
				b = -b
			}
			s = num.OddSum(a, b, s)
		}
		return f.Finish(s, m, false)
	})
}

func buildHalfFma(c *compiler) error {
	t, m := c.lastType(), c.modifiers()
	f, relu := formatOf(t), c.in.Has("relu")
	one := func(x, y, z uint16) uint16 {
		p, a := f.Read(x, m)*f.Read(y, m), f.Read(z, m)
		return f.Finish(num.OddSum(p, a, p+a), m, relu)
	}
	if t.Size() == 4 {
		return c.apply3(each3(func(x, y, z uint32) uint32 {
			return uint32(one(uint16(x), uint16(y), uint16(z))) | uint32(one(uint16(x>>16), uint16(y>>16), uint16(z>>16)))<<16
		}), t, t, t, t)
	}
	return c.apply3(each3(one), t, t, t, t)
}

func buildHalf1(c *compiler, op func(x float64) float64) error {
	if op == nil {
		return c.refuse("there is no such instruction in half precision")
	}
	t, m := c.lastType(), c.modifiers()
	f := formatOf(t)
	return c.half1(t, func(x uint16) uint16 { return f.Finish(op(f.Read(x, m)), m, false) })
}

func buildHalfBits(c *compiler, op func(f num.Format, x uint16) uint16) error {
	t, m := c.lastType(), c.modifiers()
	f := formatOf(t)
	return c.half1(t, func(x uint16) uint16 {
		if x = op(f, x); m.FTZ {
			x = f.Flush(x)
		}
		return x
	})
}
