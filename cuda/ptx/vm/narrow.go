package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Conversions to and from the formats of tensor instructions: tf32 and the two of 8 bits
// (section 9.7.9.21).

var (
	tf32 = format{10, -126, 127}
	e5m2 = format{2, -14, 15}
	e4m3 = format{3, -6, 8}
)

// largestE4M3 is 1.75*2^8: the code above it is the NaN.
const largestE4M3 = 448

// encodeE4M3 rounds to 8 bits of which 4 are the exponent's; what is too large becomes the largest
// number (.satfinite, which these conversions always have).
func encodeE4M3(x float64) uint8 { return e4m3.encode8(x, largestE4M3) }

// encodeE5M2 is encodeE4M3 with 5 bits of exponent.
func encodeE5M2(x float64) uint8 { return e5m2.encode8(x, e5m2.largest()) }

// decodeE5M2 gives the value of an 8-bit number with 5 bits of exponent, the upper half of one of 16 bits.
func decodeE5M2(b uint8) float64 { return f16.decode(uint16(b) << 8) }

func (f format) encode8(x, limit float64) uint8 {
	if x != x {
		return 0x7f
	}
	q := f.quantize(math.Copysign(math.Min(math.Abs(x), limit), x), nearest)
	sign := uint8(0)
	if math.Signbit(q) {
		sign = 0x80
	}
	q = math.Min(math.Abs(q), limit)
	if q == 0 {
		return sign
	}
	_, e := math.Frexp(q)
	if e--; e < f.least {
		return sign | uint8(math.Ldexp(q, f.mantissa-f.least))
	}
	return sign | uint8(e-f.least+1)<<f.mantissa | uint8(math.Ldexp(q, f.mantissa-e))&^(1<<f.mantissa)
}

func encodeByte(t ptx.Type, x float64) uint16 {
	if t == ptx.E4M3x2 {
		return uint16(encodeE4M3(x))
	}
	return uint16(encodeE5M2(x))
}

func decodeByte(t ptx.Type, b uint8) float64 {
	if t == ptx.E4M3x2 {
		return decodeE4M3(b)
	}
	return decodeE5M2(b)
}

// relu makes what is below 0 a 0 where it is on, also of -0; a NaN stays.
func relu(x float64, on bool) float64 {
	if on && !(x > 0) && x == x {
		return 0
	}
	return x
}

// buildCvtBytes rounds two singles into a pair of bytes; the first source is the upper.
func buildCvtBytes(c *compiler, t ptx.Type) error {
	clip := c.in.Has("relu")
	return c.apply2(each2(func(hi, lo float32) uint16 {
		return encodeByte(t, relu(float64(lo), clip)) | encodeByte(t, relu(float64(hi), clip))<<8
	}), ptx.B16, ptx.F32, ptx.F32)
}

// buildCvtBytePairs converts between pairs of bytes and pairs of halves.
func buildCvtBytePairs(c *compiler, t []ptx.Type) error {
	clip := c.in.Has("relu")
	if t[1] == ptx.F16x2 {
		return c.apply1(each1(func(v uint32) uint16 {
			return encodeByte(t[0], relu(f16.decode(uint16(v)), clip)) | encodeByte(t[0], relu(f16.decode(uint16(v>>16)), clip))<<8
		}), ptx.B16, ptx.B32)
	}
	return c.apply1(each1(func(v uint16) uint32 {
		lo, hi := relu(decodeByte(t[1], uint8(v)), clip), relu(decodeByte(t[1], uint8(v>>8)), clip)
		return uint32(f16.round(lo, nearest)) | uint32(f16.round(hi, nearest))<<16
	}), ptx.B32, ptx.B16)
}

// buildCvtTF32 rounds to the 10 bits of mantissa that tf32 has; .rna takes ties away
// from zero.
func buildCvtTF32(c *compiler) error {
	m, clip, limit := c.modifiers(), c.in.Has("relu"), c.in.Has("satfinite")
	away := c.in.Has("rna")
	return c.apply1(each1(func(x uint32) uint32 {
		v := roundTF32(x)
		if !away {
			v = math.Float32bits(canon(float32(tf32.quantize(float64(math.Float32frombits(x)), m.round)))) &^ 0x1fff
		}
		f := math.Float32frombits(v)
		switch {
		case clip && f < 0:
			return 0
		case limit && math.IsInf(float64(f), 0):
			return v&(1<<31) | math.Float32bits(float32(tf32.largest()))
		}
		return v
	}), ptx.B32, ptx.B32)
}

// roundTF32 rounds ties away from zero (.rna).
func roundTF32(x uint32) uint32 {
	if x&0x7f800000 == 0x7f800000 {
		return x &^ 0x1fff
	}
	return (x + 0x1000) &^ 0x1fff
}
