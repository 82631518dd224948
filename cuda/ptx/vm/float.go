package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Floating-point arithmetic (section 9.7.3). Round-to-nearest operations are the
// host's IEEE 754 operations; directed roundings are in rounding.go. A single-
// precision result that is a NaN is the canonical one, as on hardware.

// canonicalNaN is the NaN that single-precision instructions give.
const canonicalNaN uint32 = 0x7fffffff

func canon(x float32) float32 {
	if x != x {
		return math.Float32frombits(canonicalNaN)
	}
	return x
}

// flush replaces a subnormal by a zero of its sign (.ftz).
func flush(x float32) float32 {
	b := math.Float32bits(x)
	if b&0x7f800000 == 0 {
		return math.Float32frombits(b & 0x80000000)
	}
	return x
}

// saturate clamps to [0, 1]; a NaN becomes +0 (.sat).
func saturate[T float32 | float64](x T) T {
	switch {
	case x >= 1:
		return 1
	case x > 0:
		return x
	}
	return 0
}

// float2 is an operation of two operands in both precisions: a loop for the plain
// form and functions of one lane for a given rounding, exact32 with the pair that
// round32 takes.
type float2 struct {
	loop32  func(d, a, b []float32)
	loop64  func(d, a, b []float64)
	exact32 func(x, y float32, r rounding) (s, e float64)
	one64   func(x, y float64, r rounding) float64
	half    func(x, y float64) float64
}

var (
	floatAdd = float2{
		addFloats,
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x + y }) },
		sum32, add64r, func(x, y float64) float64 { return x + y },
	}
	floatSub = float2{
		func(d, a, b []float32) { map2(d, a, b, func(x, y float32) float32 { return canon(x - y) }) },
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x - y }) },
		func(x, y float32, r rounding) (s, e float64) { return sum32(x, -y, r) },
		func(x, y float64, r rounding) float64 { return add64r(x, -y, r) },
		func(x, y float64) float64 { return x - y },
	}
	floatMul = float2{
		func(d, a, b []float32) { map2(d, a, b, func(x, y float32) float32 { return canon(x * y) }) },
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x * y }) },
		product32, mul64r, func(x, y float64) float64 { return x * y },
	}
	floatDiv = float2{
		func(d, a, b []float32) { map2(d, a, b, func(x, y float32) float32 { return canon(x / y) }) },
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x / y }) },
		quotient32, div64r, nil,
	}
)

// divApprox is the quotient, but for a divisor whose reciprocal is subnormal: that becomes zero, so that the
// quotient is zero or, of an infinity, a NaN (section 9.7.3.9).
func divApprox(x, y float32) float32 {
	if a := math.Abs(float64(y)); a > 0x1p126 && a < 0x1p128 {
		y = float32(math.Copysign(0, float64(y)))
		return x * y
	}
	return x / y
}

// modifiers are those that change a floating-point result.
type modifiers struct {
	ftz, sat bool
	round    rounding
}

func (c *compiler) modifiers() modifiers {
	m := modifiers{ftz: c.in.Has("ftz"), sat: c.in.Has("sat")}
	for name, r := range roundings {
		if c.in.Has(name) {
			m.round = r
		}
	}
	return m
}

func (m modifiers) plain() bool { return !m.ftz && !m.sat && m.round == nearest }

// in and out apply ftz and sat around a single-precision operation.
func (m modifiers) in(x float32) float32 {
	if m.ftz {
		return flush(x)
	}
	return x
}

func (m modifiers) out(x float32) float32 {
	x = m.in(x)
	if m.sat {
		return saturate(x)
	}
	return canon(x)
}

// finish rounds an exact result, and applies ftz and sat. .ftz flushes what is subnormal after
// rounding without a least exponent, as hardware does: the least normal number may have been
// rounded up to from below.
func (m modifiers) finish(s, e float64) float32 {
	v := round32(s, e, m.round)
	if m.ftz && math.Float32bits(v)&0x7fffffff == 0x00800000 && tiny32(s, e, m.round) {
		v = float32(math.Copysign(0, float64(v)))
	}
	return m.out(v)
}

// tiny32 reports whether an exact result, rounded to 24 digits with any exponent, is below the
// normal numbers.
func tiny32(s, e float64, r rounding) bool {
	return math.Abs(float64(round32(s*0x1p64, e, r))) < 0x1p-126*0x1p64
}

func buildFloat2(c *compiler, op float2) error {
	t, m := c.lastType(), c.modifiers()
	switch {
	case isHalf(t):
		return buildHalf2(c, op.half)
	case t == ptx.F32 && m.plain() && !c.general():
		return c.apply2(lift2(op.loop32), t, t, t)
	case t == ptx.F32:
		return c.apply2(each2(func(x, y float32) float32 {
			return m.finish(op.exact32(m.in(x), m.in(y), m.round))
		}), t, t, t)
	case m.round == nearest && !c.general():
		return c.apply2(lift2(op.loop64), t, t, t)
	}
	return c.apply2(each2(func(x, y float64) float64 { return op.one64(x, y, m.round) }), t, t, t)
}

func buildFma(c *compiler) error {
	t, m := c.lastType(), c.modifiers()
	switch {
	case isHalf(t):
		return buildHalfFma(c)
	case t == ptx.F32 && m.plain() && !c.general():
		return c.apply3(lift3(func(d, a, b, e []float32) {
			map3(d, a, b, e, func(x, y, z float32) float32 { return fma32(x, y, z) })
		}), t, t, t, t)
	case t == ptx.F32:
		return c.apply3(each3(func(x, y, z float32) float32 {
			return m.finish(fused32(m.in(x), m.in(y), m.in(z), m.round))
		}), t, t, t, t)
	case m.round == nearest && !c.general():
		return c.apply3(lift3(func(d, a, b, e []float64) {
			map3(d, a, b, e, func(x, y, z float64) float64 { return math.FMA(x, y, z) })
		}), t, t, t, t)
	}
	return c.apply3(each3(func(x, y, z float64) float64 { return fma64r(x, y, z, m.round) }), t, t, t, t)
}

// float1 is an operation of one operand; one64 nil where there is no such form.
type float1 struct {
	one32 func(x float32, m modifiers) float32
	one64 func(x float64, m modifiers) float64
	half  func(x float64) float64
	bits  func(f format, x uint16) uint16 // half precision by bits, where that is exact
}

// Negation and absolute value act on the sign alone, but a NaN becomes the canonical one, and in double
// precision is negated to itself.
var (
	floatNeg = float1{
		one32: func(x float32, m modifiers) float32 {
			return m.in(canon(math.Float32frombits(math.Float32bits(x) ^ 1<<31)))
		},
		one64: func(x float64, _ modifiers) float64 {
			if x != x {
				return x
			}
			return -x
		},
		bits: func(f format, x uint16) uint16 { return f.canon(x ^ 0x8000) },
	}
	floatAbs = float1{
		one32: func(x float32, m modifiers) float32 {
			return m.in(canon(math.Float32frombits(math.Float32bits(x) &^ (1 << 31))))
		},
		one64: func(x float64, _ modifiers) float64 { return math.Abs(x) },
		bits:  func(f format, x uint16) uint16 { return f.canon(x &^ 0x8000) },
	}
	floatSqrt = float1{one32: func(x float32, m modifiers) float32 { return m.out(sqrt32r(m.in(x), m.round)) },
		one64: func(x float64, m modifiers) float64 { return sqrt64r(x, m.round) }}
	floatRcp = float1{one32: func(x float32, m modifiers) float32 { return m.out(div32r(1, m.in(x), m.round)) },
		one64: func(x float64, m modifiers) float64 { return div64r(1, x, m.round) }}
	floatRsqrt = float1{one32: func(x float32, m modifiers) float32 { return m.out(float32(1 / math.Sqrt(float64(m.in(x))))) },
		one64: func(x float64, _ modifiers) float64 { return 1 / math.Sqrt(x) }}
	floatSin  = float1{one32: approximate(math.Sin)}
	floatCos  = float1{one32: approximate(math.Cos)}
	floatLg2  = float1{one32: approximate(math.Log2)}
	floatEx2  = float1{one32: approximate(math.Exp2), half: math.Exp2}
	floatTanh = float1{one32: approximate(math.Tanh), half: math.Tanh}
)

// approximate gives an approximate instruction the value that double precision
// has, which is well inside the bounds that PTX documents.
func approximate(f func(float64) float64) func(x float32, m modifiers) float32 {
	return func(x float32, m modifiers) float32 { return m.out(float32(f(float64(m.in(x))))) }
}

func buildFloat1(c *compiler, op float1) error {
	t, m := c.lastType(), c.modifiers()
	switch {
	case isHalf(t) && op.bits != nil:
		return buildHalfBits(c, op.bits)
	case isHalf(t):
		return buildHalf1(c, op.half)
	case t == ptx.F32:
		return c.apply1(each1(func(x float32) float32 { return op.one32(x, m) }), t, t)
	case op.one64 == nil:
		return c.refuse("this device does not execute the instruction with this type")
	}
	return c.apply1(each1(func(x float64) float64 { return op.one64(x, m) }), t, t)
}

func float1Builder(op float1) builder { return func(c *compiler) error { return buildFloat1(c, op) } }

func init() {
	register(map[string]builder{
		"fma": buildFma,
		"rcp": float1Builder(floatRcp), "sqrt": float1Builder(floatSqrt), "rsqrt": float1Builder(floatRsqrt),
		"sin": float1Builder(floatSin), "cos": float1Builder(floatCos), "lg2": float1Builder(floatLg2), "ex2": float1Builder(floatEx2),
		"tanh": float1Builder(floatTanh), "testp": buildTestp, "copysign": buildCopysign,
	})
}

// minimum and maximum give the operand that is a number where one is a NaN, and
// the NaN with .NaN; -0 is less than +0 (sections 9.7.3.11, 9.7.3.12).
func minimum[T float32 | float64](x, y T, takeNaN bool) T {
	switch {
	case x != x || y != y:
		return nanOf(x, y, takeNaN)
	case x < y || x == y && math.Signbit(float64(x)):
		return x
	}
	return y
}

func maximum[T float32 | float64](x, y T, takeNaN bool) T {
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

// signXor gives the magnitude that pick chooses of |x| and |y| the sign that the signs
// of x and y have together (.xorsign.abs).
func signXor[T float32 | float64](pick func(x, y T, nan bool) T) func(x, y T, nan bool) T {
	return func(x, y T, nan bool) T {
		v := pick(T(math.Abs(float64(x))), T(math.Abs(float64(y))), nan)
		if v == v && math.Signbit(float64(x)) != math.Signbit(float64(y)) {
			return -v
		}
		return v
	}
}

func buildFloatMinMax(c *compiler, most bool) error {
	t, m := c.lastType(), c.modifiers()
	nan := c.in.Has("NaN")
	pick32, pick64 := minimum[float32], minimum[float64]
	if most {
		pick32, pick64 = maximum[float32], maximum[float64]
	}
	if c.in.Has("xorsign") {
		pick32, pick64 = signXor(pick32), signXor(pick64)
	}
	if len(c.in.Operands) > 3 {
		if t != ptx.F32 || c.in.Has("xorsign") {
			return c.refuse("three sources are for .f32 without .xorsign alone")
		}
		return c.apply3(each3(func(x, y, z float32) float32 { return m.out(pick32(m.in(z), pick32(m.in(x), m.in(y), nan), nan)) }), t, t, t, t)
	}
	switch {
	case isHalf(t):
		return buildHalf2(c, func(x, y float64) float64 { return pick64(x, y, nan) })
	case t == ptx.F32:
		return c.apply2(each2(func(x, y float32) float32 { return m.out(pick32(m.in(x), m.in(y), nan)) }), t, t, t)
	}
	return c.apply2(each2(func(x, y float64) float64 { return pick64(x, y, nan) }), t, t, t)
}

// buildTestp tests the class of a number (section 9.7.3.1).
func buildTestp(c *compiler) error {
	t := c.lastType()
	test := floatClasses[c.in.Mods[0]]
	if t == ptx.F32 {
		return c.apply1(each1(func(x float32) bool { return test(float64(x), math.Float32bits(x)&0x7f800000 == 0) }), ptx.Pred, t)
	}
	return c.apply1(each1(func(x float64) bool { return test(x, math.Float64bits(x)&0x7ff0000000000000 == 0) }), ptx.Pred, t)
}

// floatClasses take a value and whether its exponent field is zero.
var floatClasses = map[string]func(x float64, small bool) bool{
	"finite":     func(x float64, _ bool) bool { return !math.IsInf(x, 0) && x == x },
	"infinite":   func(x float64, _ bool) bool { return math.IsInf(x, 0) },
	"number":     func(x float64, _ bool) bool { return x == x },
	"notanumber": func(x float64, _ bool) bool { return x != x },
	"normal":     func(x float64, small bool) bool { return (!small || x == 0) && !math.IsInf(x, 0) && x == x }, // 0 too, on hardware
	"subnormal":  func(x float64, small bool) bool { return small && x != 0 },
}

// buildCopysign gives the second source the sign of the first.
func buildCopysign(c *compiler) error {
	if t := c.lastType(); t == ptx.F64 {
		return c.apply2(each2(func(x, y uint64) uint64 { return y&^(1<<63) | x&(1<<63) }), t, t, t)
	}
	return c.apply2(each2(func(x, y uint32) uint32 { return y&^(1<<31) | x&(1<<31) }), ptx.F32, ptx.F32, ptx.F32)
}
