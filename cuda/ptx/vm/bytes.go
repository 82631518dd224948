package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// prmt picks bytes of b:a by four nibbles; bit 3 of a nibble replicates the sign
// (section 9.7.9.7).
func prmt(a, b, sel uint32) uint32 {
	v := uint64(b)<<32 | uint64(a)
	var r uint32
	for i := range 4 {
		n := sel >> (4 * i)
		by := uint32(v>>(8*(n&7))) & 0xff
		if n&8 != 0 {
			by = uint32(int32(by<<24)>>31) & 0xff
		}
		r |= by << (8 * i)
	}
	return r
}

// prmtModes are the forward, backward, replicating and edge-clamping forms; each
// gives the selector for the low two bits of c.
var prmtModes = map[string][4]uint32{
	"f4e":  {0x3210, 0x4321, 0x5432, 0x6543},
	"b4e":  {0x5670, 0x6701, 0x7012, 0x0123},
	"rc8":  {0x0000, 0x1111, 0x2222, 0x3333},
	"ecl":  {0x3210, 0x3211, 0x3222, 0x3333},
	"ecr":  {0x0000, 0x1110, 0x2210, 0x3210},
	"rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

func buildPrmt(c *compiler) error {
	for name, sel := range prmtModes {
		if c.in.Has(name) {
			return c.apply3(each3(func(a, b, m uint32) uint32 { return prmt(a, b, sel[m&3]) }), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
		}
	}
	if o := &c.in.Operands[3]; o.Kind == ptx.OpInt && o.Int&0x8888 == 0 && !c.general() {
		return c.apply2(lift2(prmtConst(uint32(o.Int))), ptx.B32, ptx.B32, ptx.B32)
	}
	return c.apply3(each3(prmt), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
}

// field gives byte or halfword i of a word, signed or not.
func field(v uint32, i, width int, signed bool) int32 {
	f := v >> (i * width)
	if signed {
		return int32(f<<(32-width)) >> (32 - width)
	}
	return int32(f & (1<<width - 1))
}

// buildDp4a is the dot product of four bytes (section 9.7.1.23).
func buildDp4a(c *compiler) error {
	t := c.types()
	sa, sb := t[0] == ptx.S32, t[1] == ptx.S32
	return c.apply3(each3(func(a, b, acc uint32) uint32 {
		for i := range 4 {
			acc += uint32(field(a, i, 8, sa) * field(b, i, 8, sb))
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
				d := field(a, i, width, sa) - field(b, i, width, sb)
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
			acc += uint32(field(a, i, 16, sa) * field(b, first+i, 8, sb))
		}
		return acc
	}), ptx.B32, ptx.B32, ptx.B32, ptx.B32)
}
