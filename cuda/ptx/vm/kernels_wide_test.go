package vm

import (
	"math"
	"math/big"
	"testing"
)

// words128 are 32 pairs: small, large, negative, equal, divisors of one word and of four.
func words128() []uint64 {
	v := []uint64{7, 0, 3, 0, 1 << 63, 1 << 63, 1, 0, 5, ^uint64(0), ^uint64(0), ^uint64(0), 0, 1 << 63, 2, 0, 9, 9, 9, 9}
	r := random(128)
	for len(v) < 4*32 {
		shift := r.IntN(128)
		v = append(v, r.Uint64(), r.Uint64()>>(shift/3), r.Uint64()>>(shift&63)|1, r.Uint64()>>shift)
	}
	return v
}

var (
	two64  = new(big.Int).Lsh(big.NewInt(1), 64)
	two128 = new(big.Int).Lsh(big.NewInt(1), 128)
)

func unsigned128(lo, hi uint64) *big.Int {
	x := new(big.Int).SetUint64(hi)
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(lo))
}

func signed128(x *big.Int) *big.Int {
	if x.Bit(127) == 1 {
		return new(big.Int).Sub(x, two128)
	}
	return x
}

// wideOnHost is the kernel wide of testdata/kernels/wide.cu.
func wideOnHost(i uint, a, b *big.Int) (out [16]uint64) {
	s, t := signed128(a), signed128(b)
	n := func() *big.Int { return new(big.Int) }
	less := func(c int) *big.Int {
		if c < 0 {
			return big.NewInt(1)
		}
		return big.NewInt(0)
	}
	low := new(big.Int).SetUint64(n().And(b, big.NewInt(math.MaxUint32)).Uint64() | 1)
	last := n().Add(less(a.Cmp(b)), n().Mul(big.NewInt(2), less(s.Cmp(t))))
	last.Add(last, n().Quo(a, low)).Add(last, n().Quo(b, big.NewInt(1000003)))
	for k, x := range []*big.Int{n().Mul(a, b), n().Quo(a, b), n().Rem(a, b), n().Quo(s, t), n().Rem(s, t),
		n().Lsh(n().Mod(n().Sub(a, b), two128), i&127), n().Rsh(s, i*3&127), last} {
		x.Mod(x, two128)
		hi, lo := n().QuoRem(x, two64, n())
		out[2*k], out[2*k+1] = lo.Uint64(), hi.Uint64()
	}
	return out
}

// Division of 128-bit integers looks at the carry behind a chain of subtractions.
func TestWideIntegers(t *testing.T) {
	m := load(t, "wide", Checked())
	in := words128()
	out := m.alloc(16 * 8 * 32)
	m.run("wide", 1, 32, upload(m, in), out)
	got := download[uint64](m, out, 16*32)
	for i := range 32 {
		want := wideOnHost(uint(i), unsigned128(in[4*i], in[4*i+1]), unsigned128(in[4*i+2], in[4*i+3]))
		for k, w := range want {
			if g := got[16*i+k]; g != w {
				t.Errorf("lane %d, word %d: %#x, want %#x", i, k, g, w)
			}
		}
	}
}

// fieldsOnHost is the function fields of wide.cu.
func fieldsOnHost(x int32) int64 {
	narrow := func(v int64, bits uint) int64 { return v << (64 - bits) >> (64 - bits) }
	a := uint32(x) & 7
	b, d := narrow(int64(x)*3, 7), narrow(-int64(x), 11)
	c := (uint64(int64(x))*0x123456789 + uint64(a)) & (1<<37 - 1)
	b = narrow(b-d, 7)
	return int64(a) + b*1000 + int64(c%1000003) + d
}

func callsOnHost(t int32) (sum uint32) {
	for i := range int32(6) {
		a, b := t*1000-i*77, i-3
		var r int32
		switch (t + i) % 3 {
		case 0:
			r = a
			if b != 0 {
				r = a / b
			}
		case 1:
			r = a % 3
			if b != 0 {
				r = a % b
			}
		default:
			r = a<<(uint32(b)&31) ^ a>>(uint32(b)&15)
		}
		sum = sum*7 + uint32(r)
	}
	return sum
}

func mixedOnHost(t int32) int64 {
	var v [20]int32
	for i := range v {
		v[i] = int32(i) * t
	}
	d, c := float64(t)*1.25, int8(t*9)
	for _, k := range []int32{t % 5, 3} {
		for i := range v {
			v[(int32(i)*7+k)%20] += v[i] * k
		}
		d, c = d*0.5+float64(k), c+int8(k)
	}
	var hash uint64
	for _, x := range v {
		hash = hash*31 + uint64(int64(x))
	}
	return int64(hash) + int64(d) + int64(c)
}

func TestObjects(t *testing.T) {
	m := load(t, "wide", Checked())
	out := m.alloc(4 * 8 * 32)
	m.run("objects", 1, 32, out)
	got := download[int64](m, out, 4*32)
	for i := range int32(32) {
		square := func(side, k int64) int64 { return side*side + k }
		k := int64(i) * 5
		r := float64(i) * 0.5
		area := []int64{square(int64(i)+2, k), int64(r*r*3) - k + square(3, k), int64(i+1) * k}[i%3]
		for j, w := range []int64{area, int64(callsOnHost(i)), fieldsOnHost(i*13 - 50), mixedOnHost(i)} {
			if g := got[4*int(i)+j]; g != w {
				t.Errorf("lane %d, word %d: %d, want %d", i, j, g, w)
			}
		}
	}
}
