// Package numtest draws operands for tests of arithmetic: values at the edges against each other,
// and random ones of all sizes.
package numtest

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Specials are the values that each class tries against each other.
func Specials(class string) []uint64 {
	switch class {
	case "f32":
		return []uint64{0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
			0x7fc00000, 0xffc12345, 0x7f800001, 1, 0x807fffff, 0x00800000,
			0x7f7fffff, 0x4b000000, 0x4f000000, 0xcf000000, 0x5f000000, 0x3effffff,
			0x33800000}
	case "f64":
		return []uint64{0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
			0x7ff8000000000000, 0xfff8000012345678, 0x7ff0000000000001, 1, 0x800fffffffffffff, 0x0010000000000000,
			0x7fefffffffffffff, 0x4330000000000000, 0x41e0000000000000, 0x43e0000000000000, 0x36a0000000000000,
			0x47efffffe0000000}
	case "f16", "f16x2":
		return []uint64{0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00,
			0x7e00, 0xfd01, 0x7c01, 1, 0x83ff, 0x0400,
			0x7bff, 0x6400, 0x3bff}
	case "bf16", "bf16x2":
		return []uint64{0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80,
			0x7fc0, 0xffc1, 0x7f81, 1, 0x807f, 0x0080,
			0x7f7f, 0x4b00, 0x3f7f}
	}
	return []uint64{0, 1, 2, 7, 31, 32,
		33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000,
		0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 1 << 63,
		math.MaxUint64}
}

// Operands draws n triples for a class: specials against each other, numbers near
// them and of all sizes. A divisor of an integer division is never 0, as the result is open.
func Operands(class string, n int, r *rand.Rand) [][3]uint64 {
	sp := Specials(class)
	pick := func() uint64 {
		v := sp[r.IntN(len(sp))]
		switch r.IntN(5) {
		case 0:
			return v
		case 1:
			return v + uint64(r.IntN(5)) - 2
		case 2:
			if class == "int" {
				return r.Uint64() >> r.IntN(64)
			}
			return nearOne(class, r)
		}
		return r.Uint64()
	}
	out := make([][3]uint64, n)
	for i := range out {
		for k := range out[i] {
			out[i][k] = pick()
			if strings.HasSuffix(class, "x2") {
				out[i][k] = out[i][k]&0xffff | pick()&0xffff<<16
			}
		}
		if i < len(sp)*len(sp) {
			out[i][0], out[i][1] = sp[i%len(sp)], sp[i/len(sp)]
		}
	}
	return out
}

// nearOne draws a number of moderate size, so that sums and products do not overflow.
func nearOne(class string, r *rand.Rand) uint64 {
	v := (r.Float64() - 0.5) * math.Pow(2, float64(r.IntN(24)-12))
	switch class {
	case "f32":
		return uint64(math.Float32bits(float32(v)))
	case "f64":
		return math.Float64bits(v)
	case "f16", "f16x2":
		return uint64(num.F16.Round(v, num.Nearest))
	}
	return uint64(num.BF16.Round(v, num.Nearest))
}

// FMA32 rounds the exact a*b+c once, by math/big.
func FMA32(a, b, c float32) float32 {
	x, y, z := float64(a), float64(b), float64(c)
	if x*y == 0 || x*y-x*y != 0 || z-z != 0 {
		return float32(math.FMA(x, y, z))
	}
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(v) }
	sum := exact(x)
	if sum.Mul(sum, exact(y)).Add(sum, exact(z)); sum.Sign() == 0 {
		return 0
	}
	v, _ := sum.Float32()
	return v
}
