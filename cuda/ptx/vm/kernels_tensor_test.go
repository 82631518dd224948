package vm

import (
	"math"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// halfs rounds numbers to half precision and gives their bits, and what they are then.
func halfs(v []float32) (bits []uint16, values []float64) {
	for _, x := range v {
		h := num.F16.Round(float64(x), num.Nearest)
		bits, values = append(bits, h), append(values, halfValue(h))
	}
	return bits, values
}

func smallIntegers(n int, seed uint64) []float32 {
	r := random(seed)
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.IntN(9) - 4)
	}
	return v
}

// matrixProduct multiplies two square matrices; the integers here make every order exact.
func matrixProduct(a, b []float64, n int) []float32 {
	c := make([]float32, n*n)
	for i := range n {
		for j := range n {
			s := 0.0
			for k := range n {
				s += a[i*n+k] * b[k*n+j]
			}
			c[i*n+j] = float32(s)
		}
	}
	return c
}

func TestTensorMatmul(t *testing.T) {
	m := load(t, "tensor", Checked())
	const n = 64
	a, av := halfs(smallIntegers(n*n, 1))
	b, bv := halfs(smallIntegers(n*n, 2))
	want := matrixProduct(av, bv, n)
	pa, pb := upload(m, a), upload(m, b)
	c := m.alloc(4 * n * n)
	if _, err := m.tryWith("matmul_async", Launch{Grid: Dim3{X: 2, Y: 2, Z: 1}, Block: Dim3{X: 128, Y: 1, Z: 1}}, pa, pb, c, n); err != nil {
		t.Fatal(err)
	}
	same(t, "c", download[float32](m, c, n*n), want)

	c = m.alloc(4 * n * n)
	if _, err := m.tryWith("matmul_wmma", Launch{Grid: Dim3{X: 4, Y: 4, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1}}, pa, pb, c, n); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		want[i] *= 2
	}
	same(t, "c by wmma", download[float32](m, c, n*n), want)
}

func TestByteMatmul(t *testing.T) {
	m := load(t, "tensor", Checked())
	const n = 32
	r := random(3)
	a, b := make([]int8, n*n), make([]int8, n*n)
	for i := range a {
		a[i], b[i] = int8(r.Uint32()), int8(r.Uint32())
	}
	c := m.alloc(4 * n * n)
	if _, err := m.tryWith("matmul_bytes", Launch{Grid: Dim3{X: 4, Y: 2, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1}}, upload(m, a), upload(m, b), c, n); err != nil {
		t.Fatal(err)
	}
	want := make([]int32, n*n)
	for i := range n {
		for j := range n {
			for k := range n {
				want[i*n+j] += int32(a[i*n+k]) * int32(b[j*n+k])
			}
		}
	}
	same(t, "c", download[int32](m, c, n*n), want)
}

func TestTensorAttention(t *testing.T) {
	m := load(t, "tensor", Checked())
	const queries, keys, dim = 32, 48, 16
	scaled := func(n int, seed uint64) []float32 {
		v := smallIntegers(n, seed)
		for i := range v {
			v[i] /= 4
		}
		return v
	}
	q, qv := halfs(scaled(queries*dim, 4))
	k, kv := halfs(scaled(keys*dim, 5))
	v, vv := halfs(scaled(keys*dim, 6))
	o := m.alloc(4 * queries * dim)
	m.run("attention_mma", queries/16, 32, upload(m, q), upload(m, k), upload(m, v), o, keys)
	got := download[float32](m, o, queries*dim)
	for i := range queries {
		weights, sum := make([]float64, keys), 0.0
		for j := range keys {
			s := 0.0
			for d := range dim {
				s += qv[i*dim+d] * kv[j*dim+d]
			}
			weights[j] = math.Exp(s)
			sum += weights[j]
		}
		for d := range dim {
			acc := 0.0
			for j := range keys {
				acc += weights[j] * vv[j*dim+d]
			}
			near(t, "o", float64(got[i*dim+d]), acc/sum, 2e-3)
		}
	}
}

func TestHandover(t *testing.T) {
	m := load(t, "tensor", Checked())
	const rounds = 5
	in := ints(32*rounds, 100)
	out := m.alloc(128)
	m.run("handover", 1, 64, upload(m, in), out, rounds)
	want := make([]int32, 32)
	for r := range rounds {
		for l := range want {
			want[l] = want[l]*3 + in[r*32+31-l]
		}
	}
	same(t, "sums", download[int32](m, out, 32), want)
}

// half2 and bfloat162 arithmetic against exact arithmetic and one rounding.
func TestPairs(t *testing.T) {
	m := load(t, "tensor", Checked())
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.1, -3.3, 65504, 1e-6, -6e-8, float32(math.Inf(1)), float32(math.NaN()), 70000}
	var x, y []float32
	for _, a := range special {
		for _, b := range special {
			x, y = append(x, a, b), append(y, b, a*0.75)
		}
	}
	n := len(x) / 2
	o := m.alloc(uint64(4 * 14 * n))
	m.run("pairs", 2, 128, upload(m, x), upload(m, y), o, n)
	got := download[uint32](m, o, 14*n)
	for i := range 2 * n {
		for k := range 14 {
			f, j := num.F16, k
			if k >= 8 {
				f, j = num.BF16, k-8+100
			}
			g := uint16(got[i/2*14+k] >> (16 * (i % 2)))
			half := func(v float32) float64 { return f.Decode(f.Round(float64(v), num.Nearest)) }
			want := f.Encode(pairWant(f, j, half(x[i]), half(y[i])))
			if g != want {
				t.Errorf("result %d of %v and %v: %#x, want %#x", k, x[i], y[i], g, want)
			}
		}
	}
}

// pairWant gives result k of the kernel pairs; those of bfloat16 count from 100.
func pairWant(f num.Format, k int, a, b float64) float64 {
	once := func(v float64) float64 { return f.Quantize(v, num.Nearest) }
	clip := func(v float64) float64 {
		if v <= 0 {
			return 0
		}
		return v
	}
	choose := func(nan bool, less bool) float64 {
		switch {
		case a != a && b != b, nan && (a != a || b != b):
			return math.NaN()
		case a != a:
			return b
		case b != b:
			return a
		case less:
			return math.Min(a, b)
		}
		return math.Max(a, b)
	}
	switch k {
	case 0, 100:
		return once(a + b)
	case 1:
		v := once(a - b)
		if v != v {
			return 0
		}
		return math.Min(clip(v), 1)
	case 2, 101:
		return once(a * b)
	case 3:
		return clip(once(math.FMA(a, b, a)))
	case 4:
		return choose(true, true)
	case 5:
		return choose(false, false)
	case 6:
		if a < b {
			return 1
		}
		return 0
	case 7:
		return once(math.Sqrt(math.Abs(a)))
	case 102:
		return once(math.FMA(a, b, a))
	case 103:
		return clip(once(math.FMA(a, b, b)))
	case 104:
		return choose(false, true)
	}
	return choose(true, false)
}
