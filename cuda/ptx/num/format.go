package num

import "math"

// Format is a narrow floating-point format in 16 bits.
type Format struct {
	mantissa int // bits stored
	least    int // exponent of the least normal number
	most     int // exponent of the largest
}

var (
	F16  = Format{10, -14, 15}
	BF16 = Format{7, -126, 127}
	F32  = Format{23, -126, 127}
)

// Quantize rounds x to the format's precision: a multiple of its last place.
func (f Format) Quantize(x float64, r Rounding) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	_, e := math.Frexp(x) // x = m * 2^e, m in [0.5, 1)
	place := max(e-1, f.least) - f.mantissa
	q := math.Ldexp(x, -place)
	switch r {
	case Nearest:
		q = math.RoundToEven(q)
	case TowardZero:
		q = math.Trunc(q)
	case Downward:
		q = math.Floor(q)
	case Upward:
		q = math.Ceil(q)
	}
	q = math.Ldexp(q, place)
	limit := f.Largest()
	if math.Abs(q) <= limit {
		return math.Copysign(q, x)
	}
	if r == Nearest || r == Upward && x > 0 || r == Downward && x < 0 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return math.Copysign(limit, x)
}

// Largest is the largest finite number.
func (f Format) Largest() float64 { return math.Ldexp(2-math.Ldexp(1, -f.mantissa), f.most) }

// Encode gives the 16 bits of a value that quantize has made.
func (f Format) Encode(x float64) uint16 {
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

// Round rounds x once and encodes it.
func (f Format) Round(x float64, r Rounding) uint16 { return f.Encode(f.Quantize(x, r)) }

// Decode gives the value of 16 bits.
func (f Format) Decode(b uint16) float64 {
	if f.mantissa == BF16.mantissa {
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
func (f Format) Flush(b uint16) uint16 {
	if b>>f.mantissa&(1<<(15-f.mantissa)-1) == 0 {
		return b & 0x8000
	}
	return b
}

// Finish applies .ftz, .sat and .relu and encodes.
func (f Format) Finish(x float64, m Modifiers, relu bool) uint16 {
	if m.Sat {
		x = Saturate(x)
	}
	if relu && !(x > 0) && x == x {
		x = 0
	}
	if m.FTZ && f.tiny(x, m.Round) {
		x = math.Copysign(0, x)
	}
	return f.Round(x, m.Round)
}

// tiny reports whether a result is subnormal as hardware sees it: after rounding to the format's
// digits, as if there were no least exponent.
func (f Format) tiny(x float64, r Rounding) bool {
	least := math.Ldexp(1, f.least)
	f.least = -1000
	return math.Abs(f.Quantize(x, r)) < least
}

// Canon makes a NaN the canonical one.
func (f Format) Canon(b uint16) uint16 {
	if b&0x7fff > (1<<(15-f.mantissa)-1)<<f.mantissa {
		return 0x7fff
	}
	return b
}

// Read is Decode with .ftz where the modifiers have it.
func (f Format) Read(b uint16, m Modifiers) float64 {
	if m.FTZ {
		b = f.Flush(b)
	}
	return f.Decode(b)
}

// Relations are the comparisons by the modifier that names them.
var Relations = map[string]func(x, y float64) bool{
	"eq": func(x, y float64) bool { return x == y }, "ne": func(x, y float64) bool { return x < y || x > y },
	"lt": func(x, y float64) bool { return x < y }, "le": func(x, y float64) bool { return x <= y },
	"gt": func(x, y float64) bool { return x > y }, "ge": func(x, y float64) bool { return x >= y },
	"equ": func(x, y float64) bool { return !(x < y || x > y) }, "neu": func(x, y float64) bool { return x != y },
	"ltu": func(x, y float64) bool { return !(x >= y) }, "leu": func(x, y float64) bool { return !(x > y) },
	"gtu": func(x, y float64) bool { return !(x <= y) }, "geu": func(x, y float64) bool { return !(x < y) },
	"num": func(x, y float64) bool { return x == x && y == y }, "nan": func(x, y float64) bool { return x != x || y != y },
}

func (f Format) encode8(x, limit float64) uint8 {
	if x != x {
		return 0x7f
	}
	q := f.Quantize(math.Copysign(math.Min(math.Abs(x), limit), x), Nearest)
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
