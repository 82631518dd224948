package num

import "math"

// Rounding is a rounding mode of section 9.7.3.
type Rounding uint8

const (
	Nearest Rounding = iota
	TowardZero
	Downward
	Upward
)

// Roundings are the modes by the modifier that names them.
var Roundings = map[string]Rounding{"rn": Nearest, "rz": TowardZero, "rm": Downward, "rp": Upward}

// FMA32 is the fused multiply-add in single precision. The product is exact in
// double precision; the sum is rounded to odd so that the second rounding is
// right (Boldo and Melquiond, "Emulation of a FMA and Correctly Rounded Sums",
// 2008). Odd rounding matters only next to a tie, or below the normal range.
func FMA32(x, y, z float32) float32 {
	p := float64(x) * float64(y)
	s := p + float64(z)
	if b := math.Float64bits(s); b&0x1fffffff != 0x10000000 && b&0x7fffffffffffffff >= 0x3810000000000000 {
		return Canon(float32(s))
	}
	return Canon(float32(OddSum(p, float64(z), s)))
}

// twoSum gives the error of the sum s = p+z, which a number of double precision always holds.
func twoSum(p, z, s float64) float64 {
	t := s - p
	return (p - (s - t)) + (z - t)
}

// OddSum corrects s = p+z to round-to-odd.
func OddSum(p, z, s float64) float64 {
	if s-s != 0 {
		return s // infinite or NaN
	}
	return odd(s, twoSum(p, z, s))
}

// odd rounds s+e, where s is the nearest number, to odd: what is not exact ends in a 1, so that a
// later rounding to fewer digits sees on which side of a tie it was.
func odd(s, e float64) float64 {
	b := math.Float64bits(s)
	switch {
	case e == 0 || e != e || b&1 != 0:
		return s
	case (e > 0) == (s > 0):
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// An exact result is a pair: a number s of double precision, and e, which is what is missing or any
// number of its sign, less than the distance from s to its neighbour. Each rounding is then a step
// from a neighbour of the result to the other, or none, without more digits than the host's numbers
// have.

// Round32 rounds an exact result to single precision.
func Round32(s, e float64, r Rounding) float32 {
	if r == Nearest {
		return float32(odd(s, e))
	}
	f := float32(s)
	d := s - float64(f) // of an infinity f too: s is finite
	if d == 0 {
		d = e
	}
	b := math.Float32bits(f)
	return math.Float32frombits(b + uint32(steps(d, int(b>>31), r)))
}

// round64 rounds an exact result to double precision; d is as e above, where s is a neighbour of
// the result.
func round64(s, d float64, r Rounding) float64 {
	if s-s != 0 {
		d = -s // beyond the numbers, and what is exact is finite
	}
	b := math.Float64bits(s)
	return math.Float64frombits(b + uint64(steps(d, int(b>>63), r)))
}

// steps says by how many numbers the magnitude of a neighbour of the exact result has to change,
// where the result is beyond it in the direction of d. It is written without branches on the
// operands, which nothing predicts.
func steps(d float64, negative int, r Rounding) int {
	above, below := 0, 0
	if d > 0 {
		above = 1
	}
	if d < 0 {
		below = 1
	}
	switch r {
	case Upward:
		return above * (1 - 2*negative)
	case Downward:
		return below * (2*negative - 1)
	}
	return -(above&negative | below&^negative) // towards zero: the nearest is not asked for
}

// zeroSum gives a sum that is zero its sign: of unlike signs -0 when rounding downward, else +0.
func zeroSum(p, z, s float64, r Rounding) float64 {
	if s == 0 && r == Downward && (p != 0 || math.Signbit(p) != math.Signbit(z)) {
		return math.Copysign(0, -1)
	}
	return s
}

// The operations of single precision, exact. Double precision holds sums but for the error and
// products whole.

// Sum32 is x+y as an exact result; the rounding decides the sign of a sum that is zero.
func Sum32(x, y float32, r Rounding) (s, e float64) { return sumOf(float64(x), float64(y), r) }

func sumOf(p, z float64, r Rounding) (s, e float64) {
	s = p + z
	return zeroSum(p, z, s, r), twoSum(p, z, s)
}

// Product32 is x*y as an exact result.
func Product32(x, y float32, _ Rounding) (s, e float64) { return float64(x) * float64(y), 0 }

// Quotient32 compares the product of divisor and rounded quotient, which is exact where it is asked
// for, with the dividend.
func Quotient32(x, y float32, _ Rounding) (s, e float64) {
	s = float64(x) / float64(y)
	return s, math.Copysign(1, float64(y)) * math.FMA(-s, float64(y), float64(x))
}

func root32(x float32) (s, e float64) {
	s = math.Sqrt(float64(x))
	return s, math.FMA(-s, s, float64(x))
}

// Fused32 is x*y+z as an exact result.
func Fused32(x, y, z float32, r Rounding) (s, e float64) {
	return sumOf(float64(x)*float64(y), float64(z), r)
}

// Div32 is the quotient with a direction.
func Div32(x, y float32, r Rounding) float32 {
	if r == Nearest {
		return x / y
	}
	s, e := Quotient32(x, y, r)
	return Round32(s, e, r)
}

// Sqrt32 is the square root with a direction.
func Sqrt32(x float32, r Rounding) float32 {
	s, e := root32(x)
	return Round32(s, e, r)
}

// The operations of double precision with a direction.

// Add64 is the sum.
func Add64(x, y float64, r Rounding) float64 {
	s := x + y
	if r == Nearest || !finite(x, y) {
		return s
	}
	if math.Abs(x) < math.Abs(y) {
		x, y = y, x
	}
	return round64(zeroSum(x, y, s, r), y-(s-x), r) // of the larger first, so that nothing overflows but s
}

// small is where the error of a product would be below the least number, and large where a product
// may overflow.
const small, large = 0x1p-900, 0x1p1000

func within(x float64) bool { return x > small && x < large || x < -small && x > -large }

// Mul64 is the product.
func Mul64(x, y float64, r Rounding) float64 {
	s := x * y
	switch {
	case r == Nearest || !finite(x, y) || x == 0 || y == 0:
		return s
	case within(s):
		return round64(s, math.FMA(x, y, -s), r)
	}
	x, ex := math.Frexp(x)
	y, ey := math.Frexp(y)
	return roundScaled(x*y, math.FMA(x, y, -(x*y)), ex+ey, r)
}

// Div64 is the quotient.
func Div64(x, y float64, r Rounding) float64 {
	s := x / y
	if r == Nearest || !finite(x, y) || x == 0 || y == 0 {
		return s
	}
	side := math.Copysign(1, y)
	if within(s) && within(x) {
		return round64(s, side*math.FMA(-s, y, x), r)
	}
	x, ex := math.Frexp(x)
	y, ey := math.Frexp(y)
	return roundScaled(x/y, side*math.FMA(-(x/y), y, x), ex-ey, r)
}

// Sqrt64 is the square root.
func Sqrt64(x float64, r Rounding) float64 {
	s := math.Sqrt(x)
	if r == Nearest || !finite(x) || x <= 0 {
		return s
	}
	t := s
	switch { // to where the error of the square is a number
	case x <= small:
		x, t = x*0x1p400, s*0x1p200
	case x >= large:
		x, t = x*0x1p-400, s*0x1p-200
	}
	return round64(s, math.FMA(-t, t, x), r)
}

// FMA64 is x*y+z, rounded once.
func FMA64(x, y, z float64, r Rounding) float64 {
	switch {
	case r == Nearest || !finite(x, y, z):
		return math.FMA(x, y, z)
	case x == 0 || y == 0:
		return Add64(x*y, z, r)
	case z == 0:
		return Mul64(x, y, r)
	case within(x*y) && within(z):
		s, d := fused64(x, y, z)
		return round64(zeroSum(x*y, z, s, r), d, r)
	}
	return fmaScaled(x, y, z, r)
}

// fused64 gives the nearest number to x*y+z and the sign of what is missing, where nothing
// overflows and no error is below the least number. Each line is exact: product, then sum with z,
// then with the product's error.
func fused64(x, y, z float64) (s, d float64) {
	s = math.FMA(x, y, z)
	p := x * y
	pe := math.FMA(x, y, -p)
	u := p + z
	v := twoSum(p, z, u)
	w := v + pe
	least := twoSum(v, pe, w)
	top := u + w
	if d = (top - s) + twoSum(u, w, top); d != 0 {
		return s, d
	}
	return s, least // smaller than the last digit of all others
}

// apart is a distance in powers of two from which a number only tells on which side the result is.
const apart = 300

// fmaScaled computes with factors between 1/2 and 1 and a summand to that scale.
func fmaScaled(x, y, z float64, r Rounding) float64 {
	x, ex := math.Frexp(x)
	y, ey := math.Frexp(y)
	m, ez := math.Frexp(z)
	switch k := ez - ex - ey; {
	case k > apart:
		return round64(z, x*y, r)
	case k > -apart:
		z = math.Ldexp(m, k)
	default:
		z = math.Copysign(math.Ldexp(1, -apart), z)
	}
	s, d := fused64(x, y, z)
	return roundScaled(zeroSum(x*y, z, s, r), d, ex+ey, r)
}

// roundScaled rounds (s+d) * 2^k, which may be below the normal numbers or beyond all.
func roundScaled(s, d float64, k int, r Rounding) float64 {
	v := math.Ldexp(s, k)
	if v-v == 0 && s != 0 {
		if cut := s - math.Ldexp(v, -k); cut != 0 {
			d = cut
		}
	}
	return round64(v, d, r)
}

func finite(x ...float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}
