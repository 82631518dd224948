package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

func buildPrmt(c *compiler) error {
	for name, sel := range num.PrmtModes {
		if c.in.Has(name) {
			f := each3(func(a, b, m uint32) uint32 { return num.Prmt(a, b, sel[m&3]) })
			return c.apply3(f, ptx.B32, ptx.B32, ptx.B32, ptx.B32)
		}
	}
	if o := &c.in.Operands[3]; o.Kind == ptx.OpInt && o.Int&0x8888 == 0 && !c.general() {
		return c.apply2(lift2(prmtConst(uint32(o.Int))), ptx.B32, ptx.B32, ptx.B32)
	}
	return c.apply3(each3(num.Prmt), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
}

// buildDp4a is the dot product of four bytes (section 9.7.1.23).
func buildDp4a(c *compiler) error {
	t := c.types()
	sa, sb := t[0] == ptx.S32, t[1] == ptx.S32
	return c.apply3(each3(func(a, b, acc uint32) uint32 {
		for i := range 4 {
			acc += uint32(num.Field(a, i, 8, sa) * num.Field(b, i, 8, sb))
		}
		return acc
	}), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
}

// buildVabsdiff is the absolute difference of each byte or half, or with .add their sum and the third operand: what __vabsdiffu4 and __vsadu4, __vsadu2
// are. Parts chosen by selectors and masks, which no compiler writes, are no registers and refused as operands.
func buildVabsdiff(width int) builder {
	return func(c *compiler) error {
		t := c.types()
		sa, sb, sum := t[1] == ptx.S32, t[2] == ptx.S32, c.in.Has("add")
		return c.apply3(each3(func(a, b, acc uint32) uint32 {
			var parts uint32
			for i := range 32 / width {
				d := num.Field(a, i, width, sa) - num.Field(b, i, width, sb)
				d = max(d, -d)
				acc += uint32(d)
				parts |= uint32(d) & (1<<width - 1) << (width * i)
			}
			if sum {
				return acc
			}
			return parts
		}), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
	}
}

// buildDp2a is the dot product of two halfwords with two bytes (section 9.7.1.24).
func buildDp2a(c *compiler) error {
	t := c.types()
	sa, sb := t[0] == ptx.S32, t[1] == ptx.S32
	first := 0
	if c.in.Has("hi") {
		first = 2
	}
	return c.apply3(each3(func(a, b, acc uint32) uint32 {
		for i := range 2 {
			acc += uint32(num.Field(a, i, 16, sa) * num.Field(b, first+i, 8, sb))
		}
		return acc
	}), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
}
