package vm

import (
	"math"
	"math/big"
)

// rounding is a rounding mode of section 9.7.3.
type rounding uint8

const (
	nearest rounding = iota
	towardZero
	downward
	upward
	// towardNearestBig is nearest by exact arithmetic, for tests of the quick way.
	towardNearestBig
)

var roundings = map[string]rounding{"rn": nearest, "rz": towardZero, "rm": downward, "rp": upward}

var bigModes = map[rounding]big.RoundingMode{nearest: big.ToNearestEven, towardNearestBig: big.ToNearestEven, towardZero: big.ToZero, downward: big.ToNegativeInf, upward: big.ToPositiveInf}

// fma32 is the fused multiply-add in single precision. The product is exact in
// double precision; the sum is rounded to odd so that the second rounding is
// right (Boldo and Melquiond, "Emulation of a FMA and Correctly Rounded Sums",
// 2008). Odd rounding matters only next to a tie, or below the normal range.
func fma32(x, y, z float32) float32 {
	p := float64(x) * float64(y)
	s := p + float64(z)
	if b := math.Float64bits(s); b&0x1fffffff != 0x10000000 && b&0x7fffffffffffffff >= 0x3810000000000000 {
		return canon(float32(s))
	}
	return canon(float32(oddSum(p, float64(z), s)))
}

// oddSum corrects s = p+z to round-to-odd, by the error that TwoSum finds.
func oddSum(p, z, s float64) float64 {
	if s-s != 0 {
		return s // infinite or NaN
	}
	t := s - p
	e := (p - (s - t)) + (z - t)
	b := math.Float64bits(s)
	if e == 0 || b&1 != 0 {
		return s
	}
	if (e > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// exact computes with as many bits as it takes and rounds once. It serves the
// directed roundings, which are rare. All operands are finite.
func exact(r rounding, f func(z *big.Float), is32 bool, zeroSign bool) float64 {
	z := new(big.Float).SetPrec(4096)
	f(z)
	if z.Sign() == 0 {
		if zeroSign {
			return math.Copysign(0, -1)
		}
		return 0
	}
	return roundBig(z, r, is32)
}

// roundBig rounds a number to single or double precision, subnormals included.
func roundBig(z *big.Float, r rounding, is32 bool) float64 {
	prec, least, most := 53, -1074, 1024
	if is32 {
		prec, least, most = 24, -149, 128
	}
	exp := z.MantExp(nil) // z = m * 2^exp, m in [0.5, 1)
	bits := min(prec, exp-least)
	neg := z.Sign() < 0
	if bits <= 0 {
		return roundTiny(z, r, least, neg)
	}
	q := new(big.Float).SetMode(bigModes[r]).SetPrec(uint(bits)).Set(z)
	if q.MantExp(nil) > most {
		return overflow(r, neg, is32)
	}
	v, _ := q.Float64()
	return v
}

// roundTiny rounds what is below the least subnormal: to it or to zero.
func roundTiny(z *big.Float, r rounding, least int, neg bool) float64 {
	tiny := math.Ldexp(1, least)
	half := new(big.Float).SetMantExp(big.NewFloat(1), least-1)
	away := r == upward && !neg || r == downward && neg ||
		(r == nearest || r == towardNearestBig) && new(big.Float).Abs(z).Cmp(half) > 0
	v := 0.0
	if away {
		v = tiny
	}
	if neg {
		return -v
	}
	return v
}

func overflow(r rounding, neg, is32 bool) float64 {
	largest := math.MaxFloat64
	if is32 {
		largest = math.MaxFloat32
	}
	inf := r == nearest || r == towardNearestBig || r == upward && !neg || r == downward && neg
	v := largest
	if inf {
		v = math.Inf(1)
	}
	if neg {
		return -v
	}
	return v
}

func finite(x ...float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

func add64r(x, y float64, r rounding) float64 { return sumR(x, y, r, false) }
func add32r(x, y float32, r rounding) float32 {
	if r == nearest {
		return x + y
	}
	return float32(sumR(float64(x), float64(y), r, true))
}

// sumR adds; a zero sum of unlike signs is -0 when rounding downward.
func sumR(x, y float64, r rounding, is32 bool) float64 {
	if r == nearest || !finite(x, y) {
		return x + y
	}
	if x == 0 && y == 0 && math.Signbit(x) == math.Signbit(y) {
		return x
	}
	return exact(r, func(z *big.Float) { z.Add(big.NewFloat(x), big.NewFloat(y)) }, is32, r == downward)
}

func mul64r(x, y float64, r rounding) float64 { return productR(x, y, r, false) }
func mul32r(x, y float32, r rounding) float32 {
	if r == nearest {
		return x * y
	}
	return float32(productR(float64(x), float64(y), r, true))
}

func productR(x, y float64, r rounding, is32 bool) float64 {
	if r == nearest || !finite(x, y) || x == 0 || y == 0 {
		return x * y
	}
	return exact(r, func(z *big.Float) { z.Mul(big.NewFloat(x), big.NewFloat(y)) }, is32, false)
}

func div64r(x, y float64, r rounding) float64 { return quotientR(x, y, r, false) }
func div32r(x, y float32, r rounding) float32 {
	if r == nearest {
		return x / y
	}
	return float32(quotientR(float64(x), float64(y), r, true))
}

// quotientR divides: 4096 bits of quotient, then one sticky rounding, is exact
// unless a tie needs more, which a quotient of two doubles cannot.
func quotientR(x, y float64, r rounding, is32 bool) float64 {
	if r == nearest || !finite(x, y) || x == 0 || y == 0 {
		return x / y
	}
	return exact(r, func(z *big.Float) { z.SetPrec(256).Quo(big.NewFloat(x), big.NewFloat(y)) }, is32, false)
}

func sqrt64r(x float64, r rounding) float64 { return rootR(x, r, false) }
func sqrt32r(x float32, r rounding) float32 {
	if r == nearest {
		return float32(math.Sqrt(float64(x)))
	}
	return float32(rootR(float64(x), r, true))
}

func rootR(x float64, r rounding, is32 bool) float64 {
	if r == nearest || !finite(x) || x <= 0 {
		return math.Sqrt(x)
	}
	return exact(r, func(z *big.Float) { z.SetPrec(256).Sqrt(big.NewFloat(x)) }, is32, false)
}

func fma64r(x, y, z float64, r rounding) float64 { return fmaR(x, y, z, r, false) }
func fma32r(x, y, z float32, r rounding) float32 {
	if r == nearest {
		return fma32(x, y, z)
	}
	return float32(fmaR(float64(x), float64(y), float64(z), r, true))
}

func fmaR(x, y, z float64, r rounding, is32 bool) float64 {
	if r == nearest || !finite(x, y, z) || x == 0 || y == 0 {
		if x == 0 || y == 0 {
			return sumR(x*y, z, r, is32)
		}
		return math.FMA(x, y, z)
	}
	return exact(r, func(q *big.Float) {
		p := new(big.Float).SetPrec(4096).Mul(big.NewFloat(x), big.NewFloat(y))
		q.Add(p, big.NewFloat(z))
	}, is32, r == downward)
}
