package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Conversions to and from the formats of tensor instructions: tf32 and the two of 8 bits
// (section 9.7.9.21).

func encodeByte(t ptx.Type, x float64) uint16 {
	if t == ptx.E4M3x2 {
		return uint16(num.EncodeE4M3(x))
	}
	return uint16(num.EncodeE5M2(x))
}

func decodeByte(t ptx.Type, b uint8) float64 {
	if t == ptx.E4M3x2 {
		return num.DecodeE4M3(b)
	}
	return num.DecodeE5M2(b)
}

// buildCvtBytes rounds two singles into a pair of bytes; the first source is the upper.
func buildCvtBytes(c *compiler, t ptx.Type) error {
	clip := c.in.Has("relu")
	return c.apply2(each2(func(hi, lo float32) uint16 {
		return encodeByte(t, num.ReLU(float64(lo), clip)) | encodeByte(t, num.ReLU(float64(hi), clip))<<8
	}), ptx.B16, ptx.F32, ptx.F32)
}

// buildCvtBytePairs converts between pairs of bytes and pairs of halves.
func buildCvtBytePairs(c *compiler, t []ptx.Type) error {
	clip := c.in.Has("relu")
	if t[1] == ptx.F16x2 {
		return c.apply1(each1(func(v uint32) uint16 {
			one := func(v uint16) uint16 { return encodeByte(t[0], num.ReLU(num.F16.Decode(v), clip)) }
			return one(uint16(v)) | one(uint16(v>>16))<<8
		}), ptx.B16, ptx.B32)
	}
	return c.apply1(each1(func(v uint16) uint32 {
		lo, hi := num.ReLU(decodeByte(t[1], uint8(v)), clip), num.ReLU(decodeByte(t[1], uint8(v>>8)), clip)
		return uint32(num.F16.Round(lo, num.Nearest)) | uint32(num.F16.Round(hi, num.Nearest))<<16
	}), ptx.B32, ptx.B16)
}

// buildCvtTF32 rounds to the 10 bits of mantissa that tf32 has; .rna takes ties away
// from zero.
func buildCvtTF32(c *compiler) error {
	m, clip, limit := c.modifiers(), c.in.Has("relu"), c.in.Has("satfinite")
	away := c.in.Has("rna")
	return c.apply1(each1(func(x uint32) uint32 {
		v := num.RoundTF32(x)
		if !away {
			v = math.Float32bits(num.Canon(float32(num.TF32.Quantize(float64(math.Float32frombits(x)), m.Round)))) &^ 0x1fff
		}
		f := math.Float32frombits(v)
		switch {
		case clip && f < 0:
			return 0
		case limit && math.IsInf(float64(f), 0):
			return v&(1<<31) | math.Float32bits(float32(num.TF32.Largest()))
		}
		return v
	}), ptx.B32, ptx.B32)
}
