package num

import (
	"math"
	"math/bits"
)

// Prmt picks bytes of b:a by four nibbles; bit 3 of a nibble replicates the sign
// (section 9.7.9.7).
func Prmt(a, b, sel uint32) uint32 {
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

// PrmtModes are the forward, backward, replicating and edge-clamping forms; each
// gives the selector for the low two bits of c.
var PrmtModes = map[string][4]uint32{
	"f4e":  {0x3210, 0x4321, 0x5432, 0x6543},
	"b4e":  {0x5670, 0x6701, 0x7012, 0x0123},
	"rc8":  {0x0000, 0x1111, 0x2222, 0x3333},
	"ecl":  {0x3210, 0x3211, 0x3222, 0x3333},
	"ecr":  {0x0000, 0x1110, 0x2210, 0x3210},
	"rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

// bfe gives the field of length bits at pos; a signed field that reaches past the
// top takes its sign from the topmost bit (section 9.7.1.19). Of a position and a length
// above 255, which PTX does not define, the 32-bit instructions take the low byte and the
// 64-bit ones the whole, as an H200 does.
func BfeU32(a, pos, length uint32) uint32 {
	return a >> (pos & 0xff) & (1<<(length&0xff) - 1)
}

// BfeU64 is BfeU32 of 64 bits.
func BfeU64(a uint64, pos, length uint32) uint64 {
	return a >> pos & (1<<length - 1)
}

// BfeS32 is BfeU32 with a sign.
func BfeS32(a int32, pos, length uint32) int32 {
	return int32(bfeSigned(int64(a), pos&0xff, length&0xff, 31))
}

// BfeS64 is BfeS32 of 64 bits.
func BfeS64(a int64, pos, length uint32) int64 {
	return bfeSigned(a, min(pos, 0xff), min(length, 0xff), 63)
}

func bfeSigned(a int64, pos, length, msb uint32) int64 {
	if length == 0 {
		return 0
	}
	sign := a >> min(pos+length-1, msb) & 1
	switch {
	case pos > msb:
		return -sign
	case pos+length > msb:
		return a >> pos
	}
	return a << (64 - pos - length) >> (64 - length)
}

// Bfi puts the length low bits of f into base at pos.
func Bfi[T uint32 | uint64](f, base T, pos, length uint32) T {
	if ^T(0) == math.MaxUint32 {
		pos, length = pos&0xff, length&0xff
	}
	mask := (T(1)<<length - 1) << pos
	return base&^mask | f<<pos&mask
}

// BfindU32 is the place of the topmost bit, or all ones; of a signed number, of the topmost that is
// not its sign.
func BfindU32(x uint32) uint32 { return uint32(bits.Len32(x)) - 1 }

// BfindU64 is BfindU32 of 64 bits.
func BfindU64(x uint64) uint32 { return uint32(bits.Len64(x)) - 1 }

// BfindS32 is BfindU32 of a signed number.
func BfindS32(x int32) uint32 { return BfindU32(uint32(x ^ x>>31)) }

// BfindS64 is BfindS32 of 64 bits.
func BfindS64(x int64) uint32 { return BfindU64(uint64(x ^ x>>63)) }

// ShiftAmount turns a bit position into the shift that brings it to the top.
func ShiftAmount(pos, msb uint32) uint32 {
	if pos == ^uint32(0) {
		return pos
	}
	return msb - pos
}

// Fns finds the n-th set bit from base on, upwards or downwards (section 9.7.1.17).
func Fns(mask, base uint32, offset int32) uint32 {
	if offset == 0 {
		if base < 32 && mask>>base&1 != 0 {
			return base
		}
		return ^uint32(0)
	}
	step := 1
	if offset < 0 {
		step, offset = -1, -offset
	}
	for pos := int(base); pos >= 0 && pos < 32; pos += step {
		if mask>>pos&1 != 0 {
			if offset--; offset == 0 {
				return uint32(pos)
			}
		}
	}
	return ^uint32(0)
}

// Lop3 is any function of three bits, whose truth table lut is.
func Lop3(x, y, z, lut uint32) uint32 {
	var r uint32
	for i := range uint32(8) {
		if lut>>i&1 == 0 {
			continue
		}
		r |= sel(x, i>>2) & sel(y, i>>1) & sel(z, i)
	}
	return r
}

func sel(v, bit uint32) uint32 { return v ^ (bit&1 - 1) }

// Funnel is shf: the 64 bits hi:lo shifted by n.
func Funnel(left, clamp bool) func(lo, hi, n uint32) uint32 {
	return func(lo, hi, n uint32) uint32 {
		if clamp {
			n = min(n, 32)
		} else {
			n &= 31
		}
		v := uint64(hi)<<32 | uint64(lo)
		if left {
			return uint32(v << n >> 32)
		}
		return uint32(v >> n)
	}
}
