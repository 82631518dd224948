package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// The sums of wgmma, as tensor cores of sm_90 make them: the products of one instruction and the
// accumulator are aligned to the largest exponent among them, cut off below a fixed number of
// fractional bits, and summed exactly; the sum is rounded once. PTX leaves this open. What is
// written here gave every bit that an H200 gave, over random operands of all exponents.

// fused says how the sums of factors of a type are made.
type fused struct {
	bits int // fractional bits that are kept of each term
	drop uint32
}

// fusedSum are the sums by type of the factors; 8-bit ones leave thirteen bits behind the point in the
// result as well.
var fusedSums = map[ptx.Type]fused{
	ptx.F16: {bits: 25}, ptx.BF16: {bits: 25}, ptx.TF32: {bits: 25},
	ptx.E4M3: {bits: 13, drop: 1<<10 - 1}, ptx.E5M2: {bits: 13, drop: 1<<10 - 1},
}

// term is a number m·2^e, with e that of the leading bit of normal numbers less the bits behind it.
type term struct {
	m int32
	e int32
}

// noExponent is that of zero, below all others.
const noExponent = math.MinInt32 / 4

// floatLayout is how a format's numbers are encoded; plain formats have no infinity and one NaN.
type floatLayout struct {
	exponent, mantissa uint
	plain              bool
}

var floatLayouts = map[ptx.Type]floatLayout{
	ptx.F16: {exponent: 5, mantissa: 10}, ptx.BF16: {exponent: 8, mantissa: 7}, ptx.TF32: {exponent: 8, mantissa: 10},
	ptx.E4M3: {exponent: 4, mantissa: 3, plain: true}, ptx.E5M2: {exponent: 5, mantissa: 2},
	ptx.F32: {exponent: 8, mantissa: 23},
}

// term gives the number that bits encode, with the exponent of its first bit; special is for infinities and NaN.
func (f floatLayout) term(v uint32) (t term, special bool) {
	e, m := v>>f.mantissa&(1<<f.exponent-1), v&(1<<f.mantissa-1)
	switch {
	case e == 1<<f.exponent-1 && (!f.plain || m == 1<<f.mantissa-1):
		return term{}, true
	case e == 0 && m == 0:
		return term{0, noExponent}, false
	case e == 0:
		e = 1
	default:
		m |= 1 << f.mantissa
	}
	t = term{int32(m), int32(e) - (1<<(f.exponent-1) - 1)}
	if v>>(f.exponent+f.mantissa)&1 != 0 {
		t.m = -t.m
	}
	return t, false
}

// value gives what bits encode, for the sums with infinities and NaN among them.
func (f floatLayout) value(v uint32) float64 {
	t, special := f.term(v)
	switch {
	case !special:
		return math.Ldexp(float64(t.m), int(t.e)-int(f.mantissa))
	case f.plain || v&(1<<f.mantissa-1) != 0:
		return math.NaN()
	}
	return math.Inf(1 - 2*int(v>>(f.exponent+f.mantissa)&1))
}

// cut shifts a number right, towards zero.
func cut(x int64, by int32) int64 {
	if by > 62 {
		return 0
	}
	return (x + x>>63&(1<<by-1)) >> by
}

// dot sums the products of two rows of terms, whose mantissas have so many bits behind the point
// together, and an accumulator with accBits behind it. The sum is x·2^e.
func (f fused) dot(a, b []term, behind int, acc term, accBits int) (x int64, e int) {
	top := acc.e
	for i := range a {
		top = max(top, a[i].e+b[i].e)
	}
	if top <= noExponent/2 {
		return 0, 0
	}
	up := f.bits - behind
	for i := range a {
		x += cut(int64(a[i].m)*int64(b[i].m)<<up, top-a[i].e-b[i].e)
	}
	x += f.accumulated(acc, accBits, top)
	return x, int(top) - f.bits
}

func (f fused) accumulated(acc term, behind int, top int32) int64 {
	if acc.m == 0 {
		return 0
	}
	if up := f.bits - behind; up >= 0 {
		return cut(int64(acc.m)<<up, top-acc.e)
	}
	return cut(int64(acc.m), top-acc.e+int32(behind-f.bits))
}

// single gives x·2^e as a number of 32 bits, cut off towards zero; what comes to nothing is +0.
func (f fused) single(x int64, e int) uint32 {
	v := math.Ldexp(float64(x), e)
	r := math.Float32bits(float32(v))
	switch abs := math.Abs(v); {
	case abs >= 0x1p128:
		return r
	case math.Abs(float64(math.Float32frombits(r))) > abs:
		r--
	}
	if r &^= f.drop; r<<1 == 0 {
		return 0
	}
	return r
}

// half gives x·2^e as a number of 16 bits, rounded to the nearest.
func (f fused) half(x int64, e int) uint16 {
	r := f16.round(math.Ldexp(float64(x), e), nearest)
	if r<<1 == 0 {
		return 0
	}
	return r
}
