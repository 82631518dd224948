package vm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

func TestMatmul(t *testing.T) {
	m := load(t, "numeric", Checked())
	const n = 32
	small := func(r *rand.Rand) float32 { return float32(r.IntN(9) - 4) }
	a, b := numbers(n*n, small), numbers(n*n, small)
	c := m.alloc(4 * n * n)
	_, err := m.tryWith("matmul", Launch{Grid: Dim3{X: 2, Y: 2, Z: 1}, Block: Dim3{X: 16, Y: 16, Z: 1}}, upload(m, a), upload(m, b), c, n)
	if err != nil {
		t.Fatal(err)
	}
	got := download[float32](m, c, n*n)
	for i := range n {
		for j := range n {
			var s float32
			for k := range n {
				s += a[i*n+k] * b[k*n+j]
			}
			if got[i*n+j] != s {
				t.Fatalf("c[%d,%d] = %v, want %v", i, j, got[i*n+j], s)
			}
		}
	}
}

func TestTranspose(t *testing.T) {
	m := load(t, "numeric", Checked())
	const w, h = 50, 70
	x := numbers(w*h, func(r *rand.Rand) float32 { return r.Float32() })
	out := m.alloc(4 * w * h)
	_, err := m.tryWith("transpose", Launch{Grid: Dim3{X: 2, Y: 3, Z: 1}, Block: Dim3{X: 32, Y: 8, Z: 1}}, upload(m, x), out, w, h)
	if err != nil {
		t.Fatal(err)
	}
	got := download[float32](m, out, w*h)
	for y := range h {
		for i := range w {
			if got[i*h+y] != x[y*w+i] {
				t.Fatalf("(%d,%d) is wrong", i, y)
			}
		}
	}
}

func TestNBody(t *testing.T) {
	m := load(t, "numeric", Checked())
	const n = 128
	p := numbers(4*n, func(r *rand.Rand) float32 { return r.Float32() })
	acc := m.alloc(16 * n)
	_, err := m.tryWith("nbody", Launch{Grid: Dim3{X: 2, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, SharedBytes: 16 * 64}, upload(m, p), acc, n)
	if err != nil {
		t.Fatal(err)
	}
	got := download[float32](m, acc, 4*n)
	for i := range n {
		var ax float64
		for j := range n {
			var d [3]float64
			s := 0.01
			for k := range 3 {
				d[k] = float64(p[4*j+k]) - float64(p[4*i+k])
				s += d[k] * d[k]
			}
			ax += d[0] * float64(p[4*j+3]) / (s * math.Sqrt(s))
		}
		near(t, "ax", float64(got[4*i]), ax, 1e-3)
	}
}

func TestSparseAndStencil(t *testing.T) {
	m := load(t, "numeric", Checked())
	const n = 100
	row, col, val := []int32{0}, []int32{}, []float64{}
	r := random(9)
	for range n {
		for range r.IntN(6) {
			col, val = append(col, int32(r.IntN(n))), append(val, r.Float64())
		}
		row = append(row, int32(len(col)))
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = r.Float64()
	}
	y := m.alloc(8 * n)
	m.run("spmv", 1, 128, upload(m, row), upload(m, col), upload(m, val), upload(m, x), y, n)
	for i, got := range download[float64](m, y, n) {
		s := 0.0
		for k := row[i]; k < row[i+1]; k++ {
			s = math.FMA(val[k], x[col[k]], s)
		}
		if got != s {
			t.Fatalf("y[%d] = %v, want %v", i, got, s)
		}
	}
	in := numbers(n, func(r *rand.Rand) float32 { return float32(r.IntN(64)) })
	out := m.alloc(4 * n)
	m.run("stencil", 1, 128, upload(m, in), out, n)
	for i, got := range download[float32](m, out, n) {
		want := in[i]
		if i > 0 && i < n-1 {
			want = 0.25*in[i-1] + 0.5*in[i] + 0.25*in[i+1]
		}
		if got != want {
			t.Fatalf("out[%d] = %v, want %v", i, got, want)
		}
	}
}

func TestMathFunctions(t *testing.T) {
	m := load(t, "numeric", Checked())
	const n = 200
	x := numbers(n, func(r *rand.Rand) float32 { return float32(r.NormFloat64() * 3) })
	o, d := m.alloc(32*n), m.alloc(32*n)
	m.run("functions", 2, 128, upload(m, x), o, d, n)
	go32, go64 := download[float32](m, o, 8*n), download[float64](m, d, 4*n)
	for i, v32 := range x {
		v := float64(v32)
		a := math.Abs(v)
		for k, want := range []float64{math.Sin(v), math.Cos(float64(v32 * 100)), math.Exp(v), math.Log(float64(float32(a) + 1e-3)), math.Pow(a, 1.7), math.Tanh(v), 1 / math.Sqrt(a+1), math.Erf(v)} {
			near(t, "function "+string(rune('0'+k)), float64(go32[8*i+k]), want, 2e-6)
		}
		for k, want := range []float64{math.Sin(v), math.Exp(v), math.Log(a + 1e-3), math.Cbrt(v)} {
			near(t, "double function "+string(rune('0'+k)), go64[4*i+k], want, 1e-15)
		}
	}
}

func TestHalfPrecision(t *testing.T) {
	m := load(t, "numeric", Checked())
	x := []float32{0, 1, -2, 0.1, 3.14159, 100, 65504, 1e-5, -1e-7}
	o := m.alloc(uint64(12 * len(x)))
	m.run("halves", 1, 32, upload(m, x), o, len(x))
	got := download[float32](m, o, 3*len(x))
	for i, v := range x {
		h := num.F16.Decode(num.F16.Round(float64(v), num.Nearest))
		s := num.F16.Decode(num.F16.Round(h+h, num.Nearest))
		lo := num.F16.Decode(num.F16.Round(h*h+0.5, num.Nearest))
		hi := num.F16.Decode(num.F16.Round(s*s+0.5, num.Nearest))
		b := num.BF16.Decode(num.BF16.Round(float64(v), num.Nearest))
		p := num.BF16.Decode(num.BF16.Round(b*b, num.Nearest))
		for k, want := range []float64{lo, hi, p} {
			if float64(got[3*i+k]) != want {
				t.Errorf("x = %v, result %d: %v, want %v", v, k, got[3*i+k], want)
			}
		}
	}
}

func TestIntegerFunctions(t *testing.T) {
	m := load(t, "numeric", Checked())
	r := random(3)
	a, b := []int32{0, -1, math.MinInt32, 7, math.MaxInt32}, []int32{5, 3, 2, 0, -7}
	for range 100 {
		a, b = append(a, int32(r.Uint32())), append(b, int32(r.Uint32()>>r.IntN(32)))
	}
	o := m.alloc(uint64(128 * len(a)))
	m.run("integers", 1, 128, upload(m, a), upload(m, b), o, len(a))
	got := download[int64](m, o, 16*len(a))
	for i := range a {
		want := integersOnHost(a[i], b[i])
		for k := range want {
			if got[16*i+k] != want[k] {
				t.Fatalf("x=%d y=%d, result %d: %d, want %d", a[i], b[i], k, got[16*i+k], want[k])
			}
		}
	}
}
