package vm

import (
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func numbers(n int, f func(r *rand.Rand) float32) []float32 {
	r := random(uint64(n))
	v := make([]float32, n)
	for i := range v {
		v[i] = f(r)
	}
	return v
}

func ints(n, below int) []int32 {
	r := random(uint64(n))
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(r.IntN(below))
	}
	return v
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func near(t *testing.T, what string, got float64, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestWarpKernels(t *testing.T) {
	m := load(t, "warps", Checked())
	x := ints(256, 100)
	px := upload(m, x)
	sum := int32(0)
	for _, v := range x[:250] {
		sum += v
	}
	out := upload(m, []int32{0})
	m.run("warp_sum", 2, 128, px, out, 250)
	same(t, "sum", download[int32](m, out, 1), []int32{sum})

	out = m.alloc(4 * 256)
	m.run("warp_scan", 2, 128, px, out)
	want := make([]int32, 256)
	for i, v := range x {
		want[i] = v
		if i%32 != 0 {
			want[i] += want[i-1]
		}
	}
	same(t, "scan", download[int32](m, out, 256), want)
	testBallots(t, m, x, px)
}

func testBallots(t *testing.T, m *machine, x []int32, px uint64) {
	votes, equal, red := m.alloc(1024), m.alloc(1024), m.alloc(1024)
	m.run("ballots", 2, 128, px, votes, equal, red)
	gv, ge, gr := download[uint32](m, votes, 256), download[uint32](m, equal, 256), download[int32](m, red, 256)
	for i := range x {
		var b, e uint32
		var s int32
		var any uint32
		for l := range 32 {
			v := x[i/32*32+l]
			b |= uint32(v&1) << l
			if v%5 == x[i]%5 {
				e |= 1 << l
			}
			if v == 7 {
				any = 1
			}
			s += v
		}
		if gv[i] != b^2^any || ge[i] != e || gr[i] != s {
			t.Fatalf("lane %d: %#x %#x %d, want %#x %#x %d", i, gv[i], ge[i], gr[i], b^2^any, e, s)
		}
	}
}

func TestCompact(t *testing.T) {
	m := load(t, "warps", Checked())
	x := ints(300, 10)
	for i := range x {
		x[i] -= 5
	}
	out, count := m.alloc(1200), upload(m, []int32{0})
	m.run("compact", 3, 128, upload(m, x), out, count, len(x))
	var want []int32
	for _, v := range x {
		if v > 0 {
			want = append(want, v)
		}
	}
	n := download[int32](m, count, 1)[0]
	if int(n) != len(want) {
		t.Fatalf("%d kept, want %d", n, len(want))
	}
	same(t, "kept", download[int32](m, out, len(want)), want)
}

func TestGridSync(t *testing.T) {
	m := load(t, "warps", Checked())
	x := numbers(1000, func(r *rand.Rand) float32 { return float32(r.IntN(100)) })
	var sum float32
	for _, v := range x {
		sum += v
	}
	out := upload(m, []float32{0, 0})
	_, err := m.tryWith("gridsum", Launch{Grid: Dim3{X: 4, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, Cooperative: true}, upload(m, x), out, len(x))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "sums", download[float32](m, out, 2), []float32{sum, 2 * sum})
}

func TestSpinLockInsideAWarp(t *testing.T) {
	m := load(t, "warps", Checked())
	lock, total := upload(m, []int32{0}), upload(m, []int32{0})
	m.run("spinlock", 3, 64, lock, total)
	same(t, "total", download[int32](m, total, 1), []int32{192})
}

func TestLastBlock(t *testing.T) {
	m := load(t, "warps", Checked())
	x := numbers(5000, func(r *rand.Rand) float32 { return float32(r.IntN(50)) })
	var sum float32
	for _, v := range x {
		sum += v
	}
	out := m.alloc(4)
	for range 2 {
		m.run("last_block", 7, 128, upload(m, x), m.alloc(28), out, len(x))
		same(t, "sum", download[float32](m, out, 1), []float32{sum})
	}
}

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
		h := f16.decode(f16.round(float64(v), nearest))
		s := f16.decode(f16.round(h+h, nearest))
		lo := f16.decode(f16.round(h*h+0.5, nearest))
		hi := f16.decode(f16.round(s*s+0.5, nearest))
		b := bf16.decode(bf16.round(float64(v), nearest))
		p := bf16.decode(bf16.round(b*b, nearest))
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

func TestPrograms(t *testing.T) {
	m := load(t, "programs", Checked())
	x := ints(200, 50)
	out := m.alloc(800)
	_, err := m.tryWith("scan", Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 256, Y: 1, Z: 1}, SharedBytes: 2048}, upload(m, x), out, len(x))
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(x)
	for i := 1; i < len(want); i++ {
		want[i] += want[i-1]
	}
	same(t, "scan", download[int32](m, out, 200), want)

	keys := make([]uint32, 512)
	r := random(5)
	for i := range keys {
		keys[i] = r.Uint32()
	}
	pk := upload(m, keys)
	for k := 2; k <= 512; k *= 2 {
		for j := k / 2; j > 0; j /= 2 {
			m.run("bitonic", 2, 256, pk, j, k)
		}
	}
	slices.Sort(keys)
	same(t, "sorted", download[uint32](m, pk, 512), keys)

	p := m.alloc(4 * 128)
	m.run("rng", 2, 64, p, 10)
	got := download[uint32](m, p, 128)
	for i := range got {
		if want := xorshift(uint32(i%64), uint32(i/64), 10); got[i] != want {
			t.Fatalf("rng[%d] = %d, want %d", i, got[i], want)
		}
	}
}

func xorshift(thread, block uint32, rounds int) (sum uint32) {
	s := [4]uint32{thread + 1, 362436069, 521288629, block + 88675123}
	for range rounds {
		x := s[0] ^ s[0]<<11
		s[0], s[1], s[2] = s[1], s[2], s[3]
		s[3] = s[3] ^ s[3]>>19 ^ x ^ x>>8
		sum += s[3]
	}
	return sum
}

func TestHashTableAndUnionFind(t *testing.T) {
	m := load(t, "programs", Checked())
	keys := make([]uint32, 400)
	r := random(6)
	count := map[uint32]uint32{}
	for i := range keys {
		keys[i] = uint32(r.IntN(150)) + 1
		count[keys[i]]++
	}
	table, vals := upload(m, make([]uint32, 512)), upload(m, make([]uint32, 512))
	m.run("hash_insert", 4, 128, upload(m, keys), table, vals, len(keys), uint32(511))
	gk, gv := download[uint32](m, table, 512), download[uint32](m, vals, 512)
	for i, k := range gk {
		if k != 0 && gv[i] != count[k] || k == 0 && gv[i] != 0 {
			t.Fatalf("slot %d: key %d has %d, want %d", i, k, gv[i], count[k])
		}
	}
	const n = 200
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i)
	}
	a, b := ints(150, n), ints(151, n)[:150]
	pp := upload(m, parent)
	m.run("unite", 2, 96, pp, upload(m, a), upload(m, b), 150)
	got := download[int32](m, pp, n)
	root := func(p []int32, x int32) int32 {
		for p[x] != x {
			x = p[x]
		}
		return x
	}
	for i := range a {
		x, y := root(parent, a[i]), root(parent, b[i])
		parent[max(x, y)] = min(x, y)
	}
	for i := range int32(n) {
		if root(got, i) != root(parent, i) {
			t.Fatalf("root of %d is %d, want %d", i, root(got, i), root(parent, i))
		}
	}
}

func TestSearchLocalsCalls(t *testing.T) {
	m := load(t, "programs", Checked())
	text := strings.Repeat("abracadabra", 20)
	addr, size, ok := m.program.Global("needle")
	if !ok || size != 16 {
		t.Fatalf("needle: %d bytes, %v", size, ok)
	}
	if err := m.mem.Write(addr, []byte("abra")); err != nil {
		t.Fatal(err)
	}
	hits := upload(m, []int32{0})
	m.run("search", 2, 128, upload(m, []byte(text)), len(text), 4, hits)
	same(t, "hits", download[int32](m, hits, 1), []int32{40})

	in := ints(40, 1000)
	out := m.alloc(256)
	m.run("local_array", 1, 64, upload(m, in), out, len(in))
	for i, got := range download[int32](m, out, 64) {
		var a [32]int32
		var s int32
		for k := range a {
			a[k] = int32(i * k)
		}
		for k, v := range in {
			a[v&31] += int32(k)
			s ^= a[(int(v)*7+i)&31]
		}
		if got != s {
			t.Fatalf("local_array[%d] = %d, want %d", i, got, s)
		}
	}
	x := numbers(50, func(r *rand.Rand) float32 { return float32(r.IntN(20) - 10) })
	px, po := upload(m, x), m.alloc(200)
	m.run("calls", 1, 64, px, po, 50)
	pi := m.alloc(200)
	m.run("indirect", 1, 64, px, pi, 50)
	gi := download[float32](m, pi, 50)
	for i, got := range download[float32](m, po, 50) {
		v, want := x[i], x[i]*x[i]+1
		if v > 0 {
			want = v * v * v
		}
		wantIndirect := v * v
		if i&1 == 1 {
			wantIndirect *= v
		}
		if got != want || gi[i] != wantIndirect {
			t.Fatalf("calls[%d] = %v and %v, want %v and %v", i, got, gi[i], want, wantIndirect)
		}
	}
}

func TestSwitchStructPrintf(t *testing.T) {
	m := load(t, "programs", Checked())
	in := ints(64, 100000)
	out := m.alloc(256)
	m.run("choose", 1, 64, upload(m, in), out, 64)
	for i, got := range download[int32](m, out, 64) {
		v := in[i]
		if want := []int32{v * 3, v - 7, v ^ 55, v << 2, ^v, v / 3, v % 11, 1}[v&7]; got != want {
			t.Fatalf("choose(%d) = %d, want %d", v, got, want)
		}
	}
	s := make([]byte, 32)
	s[0] = 3
	copy(s[8:], []byte{0, 0, 0, 0, 0, 0, 0xe0, 0x3f}) // 0.5
	for i := range 5 {
		s[16+2*i] = byte(10 * i)
	}
	po := m.alloc(80)
	m.run("by_value", 1, 10, s, po)
	for i, got := range download[float64](m, po, 10) {
		if want := 3.5 + float64(10*(i%5)); got != want {
			t.Errorf("by_value[%d] = %v, want %v", i, got, want)
		}
	}
	var b strings.Builder
	_, err := m.tryWith("hello", Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 8, Y: 1, Z: 1}, Stdout: &b}, 2)
	if want := "thread 0 of 8:  0.00 ok -5 %\nthread 1 of 8:  0.50 ok -5 %\n"; err != nil || b.String() != want {
		t.Errorf("printed %q, %v; want %q", b.String(), err, want)
	}
	_, err = m.try("checked", 1, 8, 5)
	var f *Fault
	if !errors.As(err, &f) || f.Kind != "assertion failed" || !strings.Contains(f.Detail, "threadIdx.x < n") {
		t.Errorf("%v, want a failed assertion", err)
	}
}

func TestFourierAndAttention(t *testing.T) {
	m := load(t, "programs", Checked())
	const n, logn = 64, 6
	x := numbers(2*n, func(r *rand.Rand) float32 { return r.Float32() - 0.5 })
	px := upload(m, x)
	_, err := m.tryWith("fft", Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: n, Y: 1, Z: 1}, SharedBytes: 8 * n}, px, n, logn)
	if err != nil {
		t.Fatal(err)
	}
	got := download[float32](m, px, 2*n)
	for k := range n {
		var s complex128
		for j := range n {
			s += complex(float64(x[2*j]), float64(x[2*j+1])) * cmplx.Exp(complex(0, -2*math.Pi*float64(j*k)/n))
		}
		near(t, "re", float64(got[2*k]), real(s), 1e-4)
		near(t, "im", float64(got[2*k+1]), imag(s), 1e-4)
	}
	const rows = 64
	gen := func(r *rand.Rand) float32 { return r.Float32() }
	q, k, v := numbers(rows*32, gen), numbers(rows*32+1, gen), numbers(rows*32+2, gen)
	o := m.alloc(4 * rows * 32)
	m.run("attention", rows, 32, upload(m, q), upload(m, k), upload(m, v), o, rows)
	res := download[float32](m, o, rows*32)
	for i := range 5 {
		var l float64
		acc := make([]float64, 32)
		for j := range rows {
			var s float64
			for d := range 32 {
				s += float64(q[i*32+d]) * float64(k[j*32+d])
			}
			l += math.Exp(s)
			for d := range acc {
				acc[d] += math.Exp(s) * float64(v[j*32+d])
			}
		}
		for d := range acc {
			near(t, "attention", float64(res[i*32+d]), acc[d]/l, 1e-5)
		}
	}
}

// The same kernels compiled with --use_fast_math for sm_90.
func TestVariants(t *testing.T) {
	defer func() { variant = "" }()
	variant = "-fast"
	for name, test := range map[string]func(*testing.T){
		"warps": TestWarpKernels, "compact": TestCompact, "grid": TestGridSync, "lock": TestSpinLockInsideAWarp, "last": TestLastBlock,
		"matmul": TestMatmul, "transpose": TestTranspose, "bodies": TestNBody, "integers": TestIntegerFunctions,
		"programs": TestPrograms, "tables": TestHashTableAndUnionFind, "calls": TestSearchLocalsCalls, "switch": TestSwitchStructPrintf, "fourier": TestFourierAndAttention,
	} {
		t.Run("fast "+name, test)
	}
}
