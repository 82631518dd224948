package num

import (
	"math"
	"math/bits"
)

// IntRange are the bounds of an integer type, as the 64-bit values that saturate.
type IntRange struct {
	Signed bool
	Size   int
}

// Clamp brings a signed (or, with unsigned set, an unsigned) value into the range.
func (r IntRange) Clamp(v uint64, unsigned bool) uint64 {
	hi := uint64(1)<<(8*r.Size-1) - 1
	if !r.Signed {
		hi = hi<<1 | 1
	}
	if unsigned {
		return min(v, hi)
	}
	if int64(v) < 0 {
		if !r.Signed {
			return 0
		}
		lo := -int64(hi) - 1
		return uint64(max(int64(v), lo))
	}
	return min(v, hi)
}

// FromFloat converts a number with an integral value; what is out of range is
// clamped. A NaN is 0 unless source (wide) or destination has 64 bits: then it is the
// topmost bit alone.
func (r IntRange) FromFloat(v float64, wide bool) uint64 {
	if v != v {
		if r.Size == 8 || wide {
			return 1 << (8*r.Size - 1)
		}
		return 0
	}
	if r.Signed {
		limit := math.Ldexp(1, 8*r.Size-1)
		switch {
		case v >= limit:
			return uint64(1)<<(8*r.Size-1) - 1
		case v < -limit:
			return uint64(-int64(uint64(1)<<(8*r.Size-1)-1) - 1)
		}
		return uint64(int64(v))
	}
	limit := math.Ldexp(1, 8*r.Size)
	switch {
	case v >= limit:
		return math.MaxUint64 >> (64 - 8*r.Size)
	case v <= 0:
		return 0
	case v >= 1<<63:
		return uint64(v-1<<63) | 1<<63
	}
	return uint64(v)
}

// Integral are the roundings to an integer by the modifier that names them.
var Integral = map[string]func(float64) float64{
	"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil,
}

// NarrowNaN is a NaN of double precision in single precision: its sign and the upper bits of its
// payload, quiet.
func NarrowNaN(v uint64) uint64 { return v>>32&(1<<31) | 0x7fc00000 | v>>29&0x7fffff }

// Narrow64 converts to single precision, a NaN as hardware does.
func Narrow64(x float64) float32 {
	if x != x {
		return math.Float32frombits(uint32(NarrowNaN(math.Float64bits(x))))
	}
	return float32(x)
}

// OddFloat64 converts an integer to double precision, rounded to odd.
func OddFloat64(v uint64, unsigned bool) float64 {
	neg := !unsigned && int64(v) < 0
	if neg {
		v = -v
	}
	if v>>53 != 0 {
		low := v & 0x7ff
		v &^= 0x7ff
		if low != 0 {
			v |= 0x800
		}
	}
	x := float64(v)
	if neg {
		return -x
	}
	return x
}

// Int64ToFloat64 converts an integer with a direction.
func Int64ToFloat64(v uint64, unsigned bool, r Rounding) float64 {
	near := float64(int64(v))
	if unsigned {
		near = float64(v)
	}
	if r == Nearest {
		return near
	}
	neg := !unsigned && int64(v) < 0
	mag := v
	if neg {
		mag = -v
	}
	drop := max(0, 64-53-bits.LeadingZeros64(mag))
	trunc := mag >> drop << drop
	away := trunc != mag && (r == Upward && !neg || r == Downward && neg)
	x := float64(trunc)
	if away {
		x += math.Ldexp(1, drop)
	}
	if neg {
		return -x
	}
	return x
}
