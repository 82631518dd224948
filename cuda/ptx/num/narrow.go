package num

import (
	"math"
	"sync"
)

// HalfTable has the values of all half-precision numbers.
var HalfTable = sync.OnceValue(func() *[1 << 16]float32 {
	t := new([1 << 16]float32)
	for i := range t {
		t[i] = float32(F16.Decode(uint16(i)))
	}
	return t
})

// DecodeE4M3 gives the value of an 8-bit number with 4 bits of exponent: there is no
// infinity, and one NaN of either sign.
func DecodeE4M3(b uint8) float64 {
	e, m := int(b>>3&15), float64(b&7)
	v := math.Ldexp(m+8, e-10)
	switch {
	case e == 0:
		v = math.Ldexp(m, -9)
	case b&0x7f == 0x7f:
		return math.NaN()
	}
	if b&0x80 != 0 {
		return -v
	}
	return v
}

var (
	TF32 = Format{10, -126, 127}
	e5m2 = Format{2, -14, 15}
	e4m3 = Format{3, -6, 8}
)

// largestE4M3 is 1.75*2^8: the code above it is the NaN.
const largestE4M3 = 448

// EncodeE4M3 rounds to 8 bits of which 4 are the exponent's; what is too large becomes the largest
// number (.satfinite, which these conversions always have).
func EncodeE4M3(x float64) uint8 { return e4m3.encode8(x, largestE4M3) }

// EncodeE5M2 is encodeE4M3 with 5 bits of exponent.
func EncodeE5M2(x float64) uint8 { return e5m2.encode8(x, e5m2.Largest()) }

// DecodeE5M2 gives the value of an 8-bit number with 5 bits of exponent, the upper half of one of
// 16 bits.
func DecodeE5M2(b uint8) float64 { return F16.Decode(uint16(b) << 8) }

// ReLU makes what is below 0 a 0 where it is on, also of -0; a NaN stays.
func ReLU(x float64, on bool) float64 {
	if on && !(x > 0) && x == x {
		return 0
	}
	return x
}

// RoundTF32 rounds ties away from zero (.rna).
func RoundTF32(x uint32) uint32 {
	if x&0x7f800000 == 0x7f800000 {
		return x &^ 0x1fff
	}
	return (x + 0x1000) &^ 0x1fff
}
