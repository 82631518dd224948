package vm

import (
	"math"
	"math/big"
	"testing"
)

// A result that rounds up to the least normal number is flushed where it would be subnormal with any exponent:
// the cases in which an H200 differed.
func TestTinyAfterRounding(t *testing.T) {
	f := math.Float32frombits
	for _, c := range []struct {
		x, y, z uint32
		round   rounding
		tiny    bool
	}{
		{0x33800002, 0x80800000, 0x00800000, upward, true},
		{0x33800002, 0x80800000, 0x00800000, nearest, true},
		{0x33000000, 0x80800000, 0x00800000, nearest, false}, // a quarter of a step below: rounds to the normal number
		{0x3f800000, 0x00800000, 0x80000000, nearest, false},
		{0x3f7fffff, 0x00800000, 0x80000000, upward, true},
	} {
		got := tiny32(c.round, func(z *big.Float) {
			z.Add(new(big.Float).SetPrec(600).Mul(bigOf(f(c.x)), bigOf(f(c.y))), bigOf(f(c.z)))
		})
		if got != c.tiny {
			t.Errorf("%#x * %#x + %#x: tiny is %v", c.x, c.y, c.z, got)
		}
	}
	for _, c := range []struct {
		x    float64
		tiny bool
	}{{2047.0 / 2048 * 0x1p-14, true}, {1025 * 2046.0 / 2048 * 0x1p-24, false}, {0x1p-14, false}, {0, true}} {
		if got := f16.tiny(c.x, nearest); got != c.tiny {
			t.Errorf("%g in half precision: tiny is %v", c.x, got)
		}
	}
}
