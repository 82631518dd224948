package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Half-precision arithmetic (section 9.7.4): f16 and bf16, alone or in pairs. A
// result is computed in double precision, rounded to odd where that is not exact,
// and then rounded once.

// format is a narrow floating-point format in 16 bits.
type format struct {
	mantissa int // bits stored
	least    int // exponent of the least normal number
	most     int // exponent of the largest
}

var (
	f16  = format{10, -14, 15}
	bf16 = format{7, -126, 127}
	f32f = format{23, -126, 127}
)

func isHalf(t ptx.Type) bool {
	return t == ptx.F16 || t == ptx.F16x2 || t == ptx.BF16 || t == ptx.BF16x2
}

func formatOf(t ptx.Type) format {
	if t == ptx.BF16 || t == ptx.BF16x2 {
		return bf16
	}
	return f16
}

// quantize rounds x to the format's precision: a multiple of its last place.
func (f format) quantize(x float64, r rounding) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	_, e := math.Frexp(x) // x = m * 2^e, m in [0.5, 1)
	place := max(e-1, f.least) - f.mantissa
	q := math.Ldexp(x, -place)
	switch r {
	case nearest:
		q = math.RoundToEven(q)
	case towardZero:
		q = math.Trunc(q)
	case downward:
		q = math.Floor(q)
	case upward:
		q = math.Ceil(q)
	}
	q = math.Ldexp(q, place)
	limit := f.largest()
	if math.Abs(q) <= limit {
		return math.Copysign(q, x)
	}
	if r == nearest || r == upward && x > 0 || r == downward && x < 0 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return math.Copysign(limit, x)
}

// largest is the largest finite number.
func (f format) largest() float64 { return math.Ldexp(2-math.Ldexp(1, -f.mantissa), f.most) }

// encode gives the 16 bits of a value that quantize has made.
func (f format) encode(x float64) uint16 {
	sign := uint16(math.Float64bits(x) >> 48 & 0x8000)
	top := uint16(1<<(15-f.mantissa) - 1)
	switch {
	case x != x:
		return 0x7fff
	case x == 0:
		return sign
	case math.IsInf(x, 0):
		return sign | top<<f.mantissa
	}
	x = math.Abs(x)
	_, e := math.Frexp(x)
	e--
	if e < f.least {
		return sign | uint16(math.Ldexp(x, f.mantissa-f.least))
	}
	m := uint16(math.Ldexp(x, f.mantissa-e)) &^ (1 << f.mantissa)
	return sign | uint16(e-f.least+1)<<f.mantissa | m
}

func (f format) round(x float64, r rounding) uint16 { return f.encode(f.quantize(x, r)) }

// decode gives the value of 16 bits.
func (f format) decode(b uint16) float64 {
	if f.mantissa == bf16.mantissa {
		return float64(math.Float32frombits(uint32(b) << 16))
	}
	e, m := int(b>>10&0x1f), float64(b&0x3ff)
	var v float64
	switch e {
	case 0:
		v = math.Ldexp(m, -24)
	case 31:
		v = math.Inf(1)
		if m != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(m+1024, e-25)
	}
	if b&0x8000 != 0 {
		return math.Copysign(v, -1)
	}
	return v
}

// flushHalf is .ftz: subnormal numbers become zero.
func (f format) flush(b uint16) uint16 {
	if b>>f.mantissa&(1<<(15-f.mantissa)-1) == 0 {
		return b & 0x8000
	}
	return b
}

// finish applies .ftz, .sat and .relu and encodes.
func (f format) finish(x float64, m modifiers, relu bool) uint16 {
	if m.sat {
		x = saturate(x)
	}
	if relu && !(x > 0) && x == x {
		x = 0
	}
	if m.ftz && f.tiny(x, m.round) {
		x = math.Copysign(0, x)
	}
	return f.round(x, m.round)
}

// tiny reports whether a result is subnormal as hardware sees it: after rounding to the format's digits, as if
// there were no least exponent.
func (f format) tiny(x float64, r rounding) bool {
	least := math.Ldexp(1, f.least)
	f.least = -1000
	return math.Abs(f.quantize(x, r)) < least
}

// canon makes a NaN the canonical one.
func (f format) canon(b uint16) uint16 {
	if b&0x7fff > (1<<(15-f.mantissa)-1)<<f.mantissa {
		return 0x7fff
	}
	return b
}

func (f format) read(b uint16, m modifiers) float64 {
	if m.ftz {
		b = f.flush(b)
	}
	return f.decode(b)
}

// pairwise applies a 16-bit operation to both halves of a pair.
func pairwise2(f func(x, y uint16) uint16) func(x, y uint32) uint32 {
	return func(x, y uint32) uint32 {
		return uint32(f(uint16(x), uint16(y))) | uint32(f(uint16(x>>16), uint16(y>>16)))<<16
	}
}

func (c *compiler) half2(t ptx.Type, f func(x, y uint16) uint16) error {
	if t.Size() == 4 {
		return c.apply2(each2(pairwise2(f)), t, t, t)
	}
	return c.apply2(each2(f), t, t, t)
}

func (c *compiler) half1(t ptx.Type, f func(x uint16) uint16) error {
	if t.Size() == 4 {
		return c.apply1(each1(func(x uint32) uint32 { return uint32(f(uint16(x))) | uint32(f(uint16(x>>16)))<<16 }), t, t)
	}
	return c.apply1(each1(f), t, t)
}

func buildHalf2(c *compiler, op func(x, y float64) float64) error {
	if op == nil {
		return c.refuse("there is no such instruction in half precision")
	}
	t, m := c.lastType(), c.modifiers()
	f := formatOf(t)
	return c.half2(t, func(x, y uint16) uint16 {
		a, b := f.read(x, m), f.read(y, m)
		s := op(a, b)
		if c := op(1, 1); c == 2 || c == 0 { // addition and subtraction may be inexact
			if c == 0 {
				b = -b
			}
			s = oddSum(a, b, s)
		}
		return f.finish(s, m, false)
	})
}

func buildHalfFma(c *compiler) error {
	t, m := c.lastType(), c.modifiers()
	f, relu := formatOf(t), c.in.Has("relu")
	one := func(x, y, z uint16) uint16 {
		p, a := f.read(x, m)*f.read(y, m), f.read(z, m)
		return f.finish(oddSum(p, a, p+a), m, relu)
	}
	if t.Size() == 4 {
		return c.apply3(each3(func(x, y, z uint32) uint32 {
			return uint32(one(uint16(x), uint16(y), uint16(z))) | uint32(one(uint16(x>>16), uint16(y>>16), uint16(z>>16)))<<16
		}), t, t, t, t)
	}
	return c.apply3(each3(one), t, t, t, t)
}

func buildHalf1(c *compiler, op func(x float64) float64) error {
	if op == nil {
		return c.refuse("there is no such instruction in half precision")
	}
	t, m := c.lastType(), c.modifiers()
	f := formatOf(t)
	return c.half1(t, func(x uint16) uint16 { return f.finish(op(f.read(x, m)), m, false) })
}

func buildHalfBits(c *compiler, op func(f format, x uint16) uint16) error {
	t, m := c.lastType(), c.modifiers()
	f := formatOf(t)
	return c.half1(t, func(x uint16) uint16 {
		if x = op(f, x); m.ftz {
			x = f.flush(x)
		}
		return x
	})
}

var halfRelations = map[string]func(x, y float64) bool{
	"eq": func(x, y float64) bool { return x == y }, "ne": func(x, y float64) bool { return x < y || x > y },
	"lt": func(x, y float64) bool { return x < y }, "le": func(x, y float64) bool { return x <= y },
	"gt": func(x, y float64) bool { return x > y }, "ge": func(x, y float64) bool { return x >= y },
	"equ": func(x, y float64) bool { return !(x < y || x > y) }, "neu": func(x, y float64) bool { return x != y },
	"ltu": func(x, y float64) bool { return !(x >= y) }, "leu": func(x, y float64) bool { return !(x > y) },
	"gtu": func(x, y float64) bool { return !(x <= y) }, "geu": func(x, y float64) bool { return !(x < y) },
	"num": func(x, y float64) bool { return x == x && y == y }, "nan": func(x, y float64) bool { return x != x || y != y },
}
