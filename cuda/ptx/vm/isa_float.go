package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Floating-point arithmetic (section 9.7.3). Round-to-nearest operations are the
// host's IEEE 754 operations; directed roundings and all else of numbers are in package num. A single-
// precision result that is a NaN is the canonical one, as on hardware.

// float2 is an operation of two operands in both precisions: a loop for the plain
// form and functions of one lane for a given rounding, exact32 with the pair that
// round32 takes.
type float2 struct {
	loop32  func(d, a, b []float32)
	loop64  func(d, a, b []float64)
	exact32 func(x, y float32, r num.Rounding) (s, e float64)
	one64   func(x, y float64, r num.Rounding) float64
	half    func(x, y float64) float64
}

var (
	floatAdd = float2{
		addFloats,
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x + y }) },
		num.Sum32, num.Add64, func(x, y float64) float64 { return x + y },
	}
	floatSub = float2{
		func(d, a, b []float32) { map2(d, a, b, func(x, y float32) float32 { return num.Canon(x - y) }) },
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x - y }) },
		func(x, y float32, r num.Rounding) (s, e float64) { return num.Sum32(x, -y, r) },
		func(x, y float64, r num.Rounding) float64 { return num.Add64(x, -y, r) },
		func(x, y float64) float64 { return x - y },
	}
	floatMul = float2{
		func(d, a, b []float32) { map2(d, a, b, func(x, y float32) float32 { return num.Canon(x * y) }) },
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x * y }) },
		num.Product32, num.Mul64, func(x, y float64) float64 { return x * y },
	}
	floatDiv = float2{
		func(d, a, b []float32) { map2(d, a, b, func(x, y float32) float32 { return num.Canon(x / y) }) },
		func(d, a, b []float64) { map2(d, a, b, func(x, y float64) float64 { return x / y }) },
		num.Quotient32, num.Div64, nil,
	}
)

func (c *compiler) modifiers() num.Modifiers {
	m := num.Modifiers{FTZ: c.in.Has("ftz"), Sat: c.in.Has("sat")}
	for name, r := range num.Roundings {
		if c.in.Has(name) {
			m.Round = r
		}
	}
	return m
}

func buildFloat2(c *compiler, op float2) error {
	t, m := c.lastType(), c.modifiers()
	switch {
	case isHalf(t):
		return buildHalf2(c, op.half)
	case t == ptx.F32 && m.Plain() && !c.general():
		return c.apply2(lift2(op.loop32), t, t, t)
	case t == ptx.F32:
		return c.apply2(each2(func(x, y float32) float32 {
			return m.Finish(op.exact32(m.In(x), m.In(y), m.Round))
		}), t, t, t)
	case m.Round == num.Nearest && !c.general():
		return c.apply2(lift2(op.loop64), t, t, t)
	}
	return c.apply2(each2(func(x, y float64) float64 { return op.one64(x, y, m.Round) }), t, t, t)
}

func buildFma(c *compiler) error {
	t, m := c.lastType(), c.modifiers()
	switch {
	case isHalf(t):
		return buildHalfFma(c)
	case t == ptx.F32 && m.Plain() && !c.general():
		return c.apply3(lift3(func(d, a, b, e []float32) {
			map3(d, a, b, e, func(x, y, z float32) float32 { return num.FMA32(x, y, z) })
		}), t, t, t, t)
	case t == ptx.F32:
		return c.apply3(each3(func(x, y, z float32) float32 {
			return m.Finish(num.Fused32(m.In(x), m.In(y), m.In(z), m.Round))
		}), t, t, t, t)
	case m.Round == num.Nearest && !c.general():
		return c.apply3(lift3(func(d, a, b, e []float64) {
			map3(d, a, b, e, func(x, y, z float64) float64 { return math.FMA(x, y, z) })
		}), t, t, t, t)
	}
	return c.apply3(each3(func(x, y, z float64) float64 { return num.FMA64(x, y, z, m.Round) }), t, t, t, t)
}

// float1 is an operation of one operand; one64 nil where there is no such form.
type float1 struct {
	one32 func(x float32, m num.Modifiers) float32
	one64 func(x float64, m num.Modifiers) float64
	half  func(x float64) float64
	bits  func(f num.Format, x uint16) uint16 // half precision by bits, where that is exact
}

// Negation and absolute value act on the sign alone, but a NaN becomes the canonical one, and in double
// precision is negated to itself.
var (
	floatNeg = float1{
		one32: func(x float32, m num.Modifiers) float32 {
			return m.In(num.Canon(math.Float32frombits(math.Float32bits(x) ^ 1<<31)))
		},
		one64: func(x float64, _ num.Modifiers) float64 {
			if x != x {
				return x
			}
			return -x
		},
		bits: func(f num.Format, x uint16) uint16 { return f.Canon(x ^ 0x8000) },
	}
	floatAbs = float1{
		one32: func(x float32, m num.Modifiers) float32 {
			return m.In(num.Canon(math.Float32frombits(math.Float32bits(x) &^ (1 << 31))))
		},
		one64: func(x float64, _ num.Modifiers) float64 { return math.Abs(x) },
		bits:  func(f num.Format, x uint16) uint16 { return f.Canon(x &^ 0x8000) },
	}
	floatSqrt = float1{one32: func(x float32, m num.Modifiers) float32 { return m.Out(num.Sqrt32(m.In(x), m.Round)) },
		one64: func(x float64, m num.Modifiers) float64 { return num.Sqrt64(x, m.Round) }}
	floatRcp = float1{one32: func(x float32, m num.Modifiers) float32 { return m.Out(num.Div32(1, m.In(x), m.Round)) },
		one64: func(x float64, m num.Modifiers) float64 { return num.Div64(1, x, m.Round) }}
	floatRsqrt = float1{
		one32: func(x float32, m num.Modifiers) float32 { return m.Out(float32(1 / math.Sqrt(float64(m.In(x))))) },
		one64: func(x float64, _ num.Modifiers) float64 { return 1 / math.Sqrt(x) }}
	floatSin  = float1{one32: approximate(math.Sin)}
	floatCos  = float1{one32: approximate(math.Cos)}
	floatLg2  = float1{one32: approximate(math.Log2)}
	floatEx2  = float1{one32: approximate(math.Exp2), half: math.Exp2}
	floatTanh = float1{one32: approximate(math.Tanh), half: math.Tanh}
)

// approximate gives an approximate instruction the value that double precision
// has, which is well inside the bounds that PTX documents.
func approximate(f func(float64) float64) func(x float32, m num.Modifiers) float32 {
	return func(x float32, m num.Modifiers) float32 { return m.Out(float32(f(float64(m.In(x))))) }
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

func buildFloatMinMax(c *compiler, most bool) error {
	t, m := c.lastType(), c.modifiers()
	nan := c.in.Has("NaN")
	pick32, pick64 := num.Minimum[float32], num.Minimum[float64]
	if most {
		pick32, pick64 = num.Maximum[float32], num.Maximum[float64]
	}
	if c.in.Has("xorsign") {
		pick32, pick64 = num.XorSign(pick32), num.XorSign(pick64)
	}
	if len(c.in.Operands) > 3 {
		if t != ptx.F32 || c.in.Has("xorsign") {
			return c.refuse("three sources are for .f32 without .xorsign alone")
		}
		return c.apply3(each3(func(x, y, z float32) float32 {
			return m.Out(pick32(m.In(z), pick32(m.In(x), m.In(y), nan), nan))
		}), t, t, t, t)
	}
	switch {
	case isHalf(t):
		return buildHalf2(c, func(x, y float64) float64 { return pick64(x, y, nan) })
	case t == ptx.F32:
		return c.apply2(each2(func(x, y float32) float32 { return m.Out(pick32(m.In(x), m.In(y), nan)) }), t, t, t)
	}
	return c.apply2(each2(func(x, y float64) float64 { return pick64(x, y, nan) }), t, t, t)
}

// buildTestp tests the class of a number (section 9.7.3.1).
func buildTestp(c *compiler) error {
	t := c.lastType()
	test := num.Classes[c.in.Mods[0]]
	if t == ptx.F32 {
		return c.apply1(each1(func(x float32) bool { return test(float64(x), math.Float32bits(x)&0x7f800000 == 0) }), ptx.Pred, t)
	}
	return c.apply1(each1(func(x float64) bool { return test(x, math.Float64bits(x)&0x7ff0000000000000 == 0) }), ptx.Pred, t)
}

// buildCopysign gives the second source the sign of the first.
func buildCopysign(c *compiler) error {
	if t := c.lastType(); t == ptx.F64 {
		return c.apply2(each2(func(x, y uint64) uint64 { return y&^(1<<63) | x&(1<<63) }), t, t, t)
	}
	return c.apply2(each2(func(x, y uint32) uint32 { return y&^(1<<31) | x&(1<<31) }), ptx.F32, ptx.F32, ptx.F32)
}
