package num

import "math"

// CanonicalNaN is the NaN that single-precision instructions give.
const CanonicalNaN uint32 = 0x7fffffff

// Canon makes a NaN the canonical one.
func Canon(x float32) float32 {
	if x != x {
		return math.Float32frombits(CanonicalNaN)
	}
	return x
}

// Flush replaces a subnormal by a zero of its sign (.ftz).
func Flush(x float32) float32 {
	b := math.Float32bits(x)
	if b&0x7f800000 == 0 {
		return math.Float32frombits(b & 0x80000000)
	}
	return x
}

// Saturate clamps to [0, 1]; a NaN becomes +0 (.sat).
func Saturate[T float32 | float64](x T) T {
	switch {
	case x >= 1:
		return 1
	case x > 0:
		return x
	}
	return 0
}

// DivApprox is the quotient, but for a divisor whose reciprocal is subnormal: that becomes zero, so
// that the quotient is zero or, of an infinity, a NaN (section 9.7.3.9).
func DivApprox(x, y float32) float32 {
	if a := math.Abs(float64(y)); a > 0x1p126 && a < 0x1p128 {
		y = float32(math.Copysign(0, float64(y)))
		return x * y
	}
	return x / y
}

// Modifiers are those that change a floating-point result.
type Modifiers struct {
	FTZ, Sat bool
	Round    Rounding
}

// Plain reports whether nothing but the nearest number is asked for.
func (m Modifiers) Plain() bool { return !m.FTZ && !m.Sat && m.Round == Nearest }

// In and out apply ftz and sat around a single-precision operation.
func (m Modifiers) In(x float32) float32 {
	if m.FTZ {
		return Flush(x)
	}
	return x
}

// Out applies ftz and sat to the result of a single-precision operation, and makes a NaN the
// canonical one.
func (m Modifiers) Out(x float32) float32 {
	x = m.In(x)
	if m.Sat {
		return Saturate(x)
	}
	return Canon(x)
}

// Finish rounds an exact result, and applies ftz and sat. .ftz flushes what is subnormal after
// rounding without a least exponent, as hardware does: the least normal number may have been
// rounded up to from below.
func (m Modifiers) Finish(s, e float64) float32 {
	v := Round32(s, e, m.Round)
	if m.FTZ && math.Float32bits(v)&0x7fffffff == 0x00800000 && tiny32(s, e, m.Round) {
		v = float32(math.Copysign(0, float64(v)))
	}
	return m.Out(v)
}

// tiny32 reports whether an exact result, rounded to 24 digits with any exponent, is below the
// normal numbers.
func tiny32(s, e float64, r Rounding) bool {
	return math.Abs(float64(Round32(s*0x1p64, e, r))) < 0x1p-126*0x1p64
}

// Minimum and maximum give the operand that is a number where one is a NaN, and
// the NaN with .NaN; -0 is less than +0 (sections 9.7.3.11, 9.7.3.12).
func Minimum[T float32 | float64](x, y T, takeNaN bool) T {
	switch {
	case x != x || y != y:
		return nanOf(x, y, takeNaN)
	case x < y || x == y && math.Signbit(float64(x)):
		return x
	}
	return y
}

// Maximum is the greater, as Minimum is the smaller.
func Maximum[T float32 | float64](x, y T, takeNaN bool) T {
	switch {
	case x != x || y != y:
		return nanOf(x, y, takeNaN)
	case x > y || x == y && !math.Signbit(float64(x)):
		return x
	}
	return y
}

func nanOf[T float32 | float64](x, y T, takeNaN bool) T {
	switch {
	case takeNaN || x != x && y != y:
		return T(math.NaN())
	case x != x:
		return y
	}
	return x
}

// XorSign gives the magnitude that pick chooses of |x| and |y| the sign that the signs
// of x and y have together (.xorsign.abs).
func XorSign[T float32 | float64](pick func(x, y T, nan bool) T) func(x, y T, nan bool) T {
	return func(x, y T, nan bool) T {
		v := pick(T(math.Abs(float64(x))), T(math.Abs(float64(y))), nan)
		if v == v && math.Signbit(float64(x)) != math.Signbit(float64(y)) {
			return -v
		}
		return v
	}
}

// Classes take a value and whether its exponent field is zero.
var Classes = map[string]func(x float64, small bool) bool{
	"finite":     func(x float64, _ bool) bool { return !math.IsInf(x, 0) && x == x },
	"infinite":   func(x float64, _ bool) bool { return math.IsInf(x, 0) },
	"number":     func(x float64, _ bool) bool { return x == x },
	"notanumber": func(x float64, _ bool) bool { return x != x },
	// 0 is normal too, on hardware
	"normal": func(x float64, small bool) bool {
		return (!small || x == 0) && !math.IsInf(x, 0) && x == x
	},
	"subnormal": func(x float64, small bool) bool { return small && x != 0 },
}
