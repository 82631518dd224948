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
	addr, size := m.global("needle")
	if size != 16 {
		t.Fatalf("needle: %d bytes", size)
	}
	m.write(addr, []byte("abra"))
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

func TestSwitchStruct(t *testing.T) {
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
}

func TestPrintf(t *testing.T) {
	m := load(t, "programs", Checked())
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

// The generator's first and 10,000th numbers of seed 5489 are those of the C++
// standard and of its authors' program.
func TestMersenneTwister(t *testing.T) {
	m := load(t, "programs", Checked())
	const n = 10000
	out := m.alloc(4 * 2 * n)
	m.run("mersenne", 2, 256, out, n)
	got := download[uint32](m, out, 2*n)
	if got[0] != 3499211612 || got[n-1] != 4123659995 {
		t.Errorf("%d and %d", got[0], got[n-1])
	}
	s := mersenne(5490)
	for i := range n {
		if want := s(); got[n+i] != want {
			t.Fatalf("number %d of the second block: %d, want %d", i, got[n+i], want)
		}
	}
}

// mersenne is the sequential form of the generator.
func mersenne(seed uint32) func() uint32 {
	var s [624]uint32
	s[0] = seed
	for i := 1; i < len(s); i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	at := 0
	return func() uint32 {
		i, next := at%624, (at+1)%624
		x := s[i]&0x80000000 | s[next]&0x7fffffff
		v := s[(at+397)%624] ^ x>>1
		if x&1 != 0 {
			v ^= 0x9908b0df
		}
		s[i] = v
		at++
		v ^= v >> 11
		v ^= v << 7 & 0x9d2c5680
		v ^= v << 15 & 0xefc60000
		return v ^ v>>18
	}
}
