package num

import "math"

// The sums of wgmma, as tensor cores of sm_90 make them: the products of one instruction and the
// accumulator are aligned to the largest exponent among them, cut off below a fixed number of
// fractional bits, and summed exactly; the sum is rounded once. PTX leaves this open. What is
// written here gave every bit that an H200 gave, over random operands of all exponents.

// Sums says how the sums of factors of a type are made.
type Sums struct {
	Bits int // fractional bits that are kept of each term
	Drop uint32
}

// Term is a number m·2^e, with e that of the leading bit of normal numbers less the bits behind it.
type Term struct {
	m int32
	e int32
}

// noExponent is that of zero, below all others.
const noExponent = math.MinInt32 / 4

// Layout is how a format's numbers are encoded; plain formats have no infinity and one NaN.
type Layout struct {
	Exponent, Mantissa uint
	Plain              bool
}

// Term gives the number that bits encode, with the exponent of its first bit; special is for
// infinities and NaN.
func (f Layout) Term(v uint32) (t Term, special bool) {
	e, m := v>>f.Mantissa&(1<<f.Exponent-1), v&(1<<f.Mantissa-1)
	switch {
	case e == 1<<f.Exponent-1 && (!f.Plain || m == 1<<f.Mantissa-1):
		return Term{}, true
	case e == 0 && m == 0:
		return Term{0, noExponent}, false
	case e == 0:
		e = 1
	default:
		m |= 1 << f.Mantissa
	}
	t = Term{int32(m), int32(e) - (1<<(f.Exponent-1) - 1)}
	if v>>(f.Exponent+f.Mantissa)&1 != 0 {
		t.m = -t.m
	}
	return t, false
}

// Value gives what bits encode, for the sums with infinities and NaN among them.
func (f Layout) Value(v uint32) float64 {
	t, special := f.Term(v)
	switch {
	case !special:
		return math.Ldexp(float64(t.m), int(t.e)-int(f.Mantissa))
	case f.Plain || v&(1<<f.Mantissa-1) != 0:
		return math.NaN()
	}
	return math.Inf(1 - 2*int(v>>(f.Exponent+f.Mantissa)&1))
}

// cut shifts a number right, towards zero.
func cut(x int64, by int32) int64 {
	if by > 62 {
		return 0
	}
	return (x + x>>63&(1<<by-1)) >> by
}

// Dot sums the products of two rows of terms, whose mantissas have so many bits behind the point
// together, and an accumulator with accBits behind it. The sum is x·2^e.
func (f Sums) Dot(a, b []Term, behind int, acc Term, accBits int) (x int64, e int) {
	top := acc.e
	for i := range a {
		top = max(top, a[i].e+b[i].e)
	}
	if top <= noExponent/2 {
		return 0, 0
	}
	up := f.Bits - behind
	for i := range a {
		x += cut(int64(a[i].m)*int64(b[i].m)<<up, top-a[i].e-b[i].e)
	}
	x += f.accumulated(acc, accBits, top)
	return x, int(top) - f.Bits
}

func (f Sums) accumulated(acc Term, behind int, top int32) int64 {
	if acc.m == 0 {
		return 0
	}
	if up := f.Bits - behind; up >= 0 {
		return cut(int64(acc.m)<<up, top-acc.e)
	}
	return cut(int64(acc.m), top-acc.e+int32(behind-f.Bits))
}

// Single gives x·2^e as a number of 32 bits, cut off towards zero; what comes to nothing is +0.
func (f Sums) Single(x int64, e int) uint32 {
	v := math.Ldexp(float64(x), e)
	r := math.Float32bits(float32(v))
	switch abs := math.Abs(v); {
	case abs >= 0x1p128:
		return r
	case math.Abs(float64(math.Float32frombits(r))) > abs:
		r--
	}
	if r &^= f.Drop; r<<1 == 0 {
		return 0
	}
	return r
}

// Half gives x·2^e as a number of 16 bits, rounded to the nearest.
func (f Sums) Half(x int64, e int) uint16 {
	r := F16.Round(math.Ldexp(float64(x), e), Nearest)
	if r<<1 == 0 {
		return 0
	}
	return r
}
