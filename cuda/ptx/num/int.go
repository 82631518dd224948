package num

import (
	"math"
	"math/bits"
)

// Field gives byte or halfword i of a word, signed or not.
func Field(v uint32, i, width int, signed bool) int32 {
	f := v >> (i * width)
	if signed {
		return int32(f<<(32-width)) >> (32 - width)
	}
	return int32(f & (1<<width - 1))
}

// MulHiU16 is the upper half of the product (.hi).
func MulHiU16(x, y uint16) uint16 { return uint16(uint32(x) * uint32(y) >> 16) }

// MulHiS16 is MulHiU16 of signed numbers.
func MulHiS16(x, y int16) int16 { return int16(int32(x) * int32(y) >> 16) }

// MulHiU32 is MulHiU16 of 32 bits.
func MulHiU32(x, y uint32) uint32 { return uint32(uint64(x) * uint64(y) >> 32) }

// MulHiS32 is MulHiS16 of 32 bits.
func MulHiS32(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }

// MulHiU64 is MulHiU16 of 64 bits.
func MulHiU64(x, y uint64) uint64 { h, _ := bits.Mul64(x, y); return h }

// MulHiS64 is MulHiS16 of 64 bits.
func MulHiS64(x, y int64) int64 {
	h, _ := bits.Mul64(uint64(x), uint64(y))
	return int64(h) - x>>63&y - y>>63&x
}

// SatS32 clamps to 32 bits (.sat).
func SatS32(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }

// The 24-bit forms read the low 24 bits of each source (sections 9.7.1.5, 9.7.1.6).
func Mul24LoU(x, y uint32) uint32 { return uint32(uint64(x&0xffffff) * uint64(y&0xffffff)) }

// Mul24HiU has bits 16 to 47 of the product.
func Mul24HiU(x, y uint32) uint32 { return uint32(uint64(x&0xffffff) * uint64(y&0xffffff) >> 16) }

// Mul24LoS is Mul24LoU of signed numbers.
func Mul24LoS(x, y int32) int32 { return int32(int64(x<<8>>8) * int64(y<<8>>8)) }

// Mul24HiS is Mul24HiU of signed numbers.
func Mul24HiS(x, y int32) int32 { return int32(int64(x<<8>>8) * int64(y<<8>>8) >> 16) }
