package vm

import (
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// loadFrom loads a text that another compiler than nvcc wrote.
func loadFrom(t *testing.T, name string) *machine {
	t.Helper()
	return loadWith(t, name, Checked())
}

func loadWith(t *testing.T, name string, o Options) *machine {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "testdata", "compilers", name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return onBoth(loadText(t, name, string(src), o), src)
}

// only gives a module's one kernel, whose name some compilers mangle.
func (m *machine) only() *Kernel {
	m.t.Helper()
	names := m.program.Kernels()
	if len(names) != 1 {
		m.t.Fatalf("kernels %v", names)
	}
	k, _ := m.program.Kernel(names[0])
	return k
}

// compilerTests run the kernels of a text, by the beginning of its name.
var compilerTests = map[string]func(*testing.T, string){
	"clang-": clangKernels, "rustc-": rustKernels, "nvrtc12": nvrtcKernels, "nvrtc13": nvrtcKernels, "numba-saxpy": numbaSaxpy, "numba-block_sum": numbaSum,
	"triton-add": tritonAdd, "triton-softmax": tritonSoftmax, "triton-matmul": tritonMatmul,
	"triton-tma": tritonTensors,
}

// The kernels of every compiler give what the host computes.
func TestCompilers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "compilers", "*.ptx"))
	if err != nil || len(files) < 16 {
		t.Fatalf("%d texts, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ptx")
		ran := false
		for prefix, test := range compilerTests {
			if strings.HasPrefix(name, prefix) {
				ran = true
				t.Run(name, func(t *testing.T) { test(t, name) })
			}
		}
		if !ran {
			t.Errorf("no test runs %s", name)
		}
	}
}

// quarters are numbers that single precision adds and multiplies exactly.
func quarters(n int, seed uint64) []float32 {
	v := smallIntegers(n, seed)
	for i := range v {
		v[i] /= 4
	}
	return v
}

func saxpyWant(a float32, x, y []float32) []float32 {
	out := make([]float32, len(x))
	for i := range x {
		out[i] = a*x[i] + y[i]
	}
	return out
}

func clangKernels(t *testing.T, name string) {
	m := loadFrom(t, name)
	x, y := quarters(300, 1), quarters(300, 2)
	py := upload(m, y)
	m.run("saxpy", 3, 128, len(x), float32(1.5), upload(m, x), py)
	same(t, "y", download[float32](m, py, len(y)), saxpyWant(1.5, x, y))

	in, sum := ints(1000, 50), int32(0)
	for _, v := range in {
		sum += v
	}
	out := upload(m, []int32{0})
	m.run("block_sum", 3, 128, upload(m, in), out, len(in))
	same(t, "sum", download[int32](m, out, 1), []int32{sum})

	values := []float64{3, -2, 40, 39.5, 7}
	best := m.alloc(16 * 32)
	m.run("arg_max", 1, 32, upload(m, values), best, len(values))
	got := download[uint64](m, best, 2*32)
	for l := range 32 {
		at, most := -1, -1e300
		for i, v := range values {
			if w := v*float64(l+1) - float64(i); w > most {
				at, most = i, w
			}
		}
		if int32(got[2*l]) != int32(at) || math.Float64frombits(got[2*l+1]) != most {
			t.Fatalf("lane %d: %d %v, want %d %v", l, int32(got[2*l]), math.Float64frombits(got[2*l+1]), at, most)
		}
	}

	steps := m.alloc(4 * 200)
	m.run("collatz_steps", 2, 128, steps, 200)
	for i, v := range download[int32](m, steps, 200) {
		n := int32(0)
		for x := uint64(i + 1); x != 1; n++ {
			if x&1 == 1 {
				x = 3*x + 1
			} else {
				x >>= 1
			}
		}
		if v != n {
			t.Fatalf("collatz of %d: %d, want %d", i+1, v, n)
		}
	}

	ws := m.alloc(128)
	m.run("warp_sum", 1, 32, upload(m, in[:32]), ws)
	sum = 0
	for _, v := range in[:32] {
		sum += v
	}
	same(t, "warp sums", download[int32](m, ws, 32), slices.Repeat([]int32{sum}, 32))
}

func rustKernels(t *testing.T, name string) {
	m := loadFrom(t, name)
	x, y := quarters(200, 3), quarters(200, 4)
	py := upload(m, y)
	m.run("saxpy", 2, 128, len(x), float32(-2), upload(m, x), py)
	same(t, "y", download[float32](m, py, len(y)), saxpyWant(-2, x, y))
	const n = 16
	a, v := ints(n*n, 30), ints(n, 20)
	out := m.alloc(4 * n)
	m.run("row_times", 1, n, n, upload(m, a), upload(m, v), out)
	want := make([]int32, n)
	for i := range n {
		for k := range n {
			want[i] += a[i*n+k] * v[k]
		}
	}
	same(t, "rows", download[int32](m, out, n), want)
}

func nvrtcKernels(t *testing.T, name string) {
	m := loadFrom(t, name)
	if strings.HasSuffix(name, "cooperative") {
		gridSum(t, m)
		return
	}
	x, y := quarters(500, 5), quarters(500, 6)
	out := m.alloc(4)
	m.run("dot", 1, 128, upload(m, x), upload(m, y), out, len(x))
	s := float32(0)
	for i := range x {
		s += x[i] * y[i]
	}
	same(t, "dot", download[float32](m, out, 1), []float32{s})

	in := make([]uint64, 100)
	r := random(7)
	for i := range in {
		in[i] = r.Uint64() >> r.IntN(50)
	}
	po := m.alloc(800)
	m.run("words", 1, 128, upload(m, in), po, len(in))
	for i, got := range download[uint64](m, po, len(in)) {
		hi, _ := bits.Mul64(in[i], 0x9e3779b97f4a7c15)
		half := uint64(math.MaxInt64)
		if f := math.RoundToEven(float64(in[i]) * 0.5); f < 1<<63 {
			half = uint64(f)
		}
		if want := []uint64{bits.Reverse64(in[i]), uint64(bits.OnesCount64(in[i])) * 1000003, in[i]/1000 + in[i]%1000, hi, half}[i%5]; got != want {
			t.Fatalf("words(%#x), case %d: %#x, want %#x", in[i], i%5, got, want)
		}
	}
}

// array is numba's form of a one-dimensional array of 4-byte elements.
func array(p uint64, n int) []any {
	return []any{uint64(0), uint64(0), uint64(n), uint64(4), p, uint64(n), uint64(4)}
}

func numbaSaxpy(t *testing.T, name string) {
	m := loadFrom(t, name)
	x, y := quarters(200, 8), quarters(200, 9)
	py := upload(m, y)
	args := append([]any{float32(0.5)}, array(upload(m, x), len(x))...)
	m.run(m.only().Name, 2, 128, append(args, array(py, len(y))...)...)
	same(t, "y", download[float32](m, py, len(y)), saxpyWant(0.5, x, y))
}

func numbaSum(t *testing.T, name string) {
	m := loadFrom(t, name)
	x := quarters(700, 10)
	out := upload(m, []float32{0})
	m.run(m.only().Name, 6, 128, append(array(upload(m, x), len(x)), array(out, 1)...)...)
	s := float32(0)
	for _, v := range x {
		s += v
	}
	same(t, "sum", download[float32](m, out, 1), []float32{s})
}

// tritonShared is more than any of Triton's kernels here needs of dynamic shared memory.
const tritonShared = 32 << 10

func runTriton(t *testing.T, m *machine, grid Dim3, args ...any) {
	t.Helper()
	k := m.only()
	l := Launch{Grid: grid, Block: Dim3{X: uint32(k.Func.RequiredThreads[0]), Y: 1, Z: 1}, SharedBytes: tritonShared}
	if _, err := m.tryWith(k.Name, l, append(args, uint64(0), uint64(0))...); err != nil {
		t.Fatal(err)
	}
}

func tritonAdd(t *testing.T, name string) {
	m := loadFrom(t, name)
	x, y := quarters(1000, 11), quarters(1000, 12)
	out := m.alloc(4000)
	runTriton(t, m, Dim3{X: 4, Y: 1, Z: 1}, upload(m, x), upload(m, y), out, len(x))
	same(t, "sum", download[float32](m, out, len(x)), saxpyWant(1, x, y))
}

func tritonSoftmax(t *testing.T, name string) {
	m := loadFrom(t, name)
	const rows, n = 3, 100
	x := quarters(rows*n, 13)
	out := m.alloc(4 * rows * n)
	runTriton(t, m, Dim3{X: rows, Y: 1, Z: 1}, upload(m, x), out, n)
	got := download[float32](m, out, rows*n)
	for r := range rows {
		sum := 0.0
		for _, v := range x[r*n : r*n+n] {
			sum += math.Exp(float64(v))
		}
		for i := range n {
			near(t, "softmax", float64(got[r*n+i]), math.Exp(float64(x[r*n+i]))/sum, 1e-6)
		}
	}
}

func tritonMatmul(t *testing.T, name string) {
	m := loadFrom(t, name)
	const n = 64
	a, av := halfs(smallIntegers(n*n, 14))
	b, bv := halfs(smallIntegers(n*n, 15))
	c := m.alloc(4 * n * n)
	runTriton(t, m, Dim3{X: n / 32, Y: n / 32, Z: 1}, upload(m, a), upload(m, b), c, n)
	same(t, "c", download[float32](m, c, n*n), matrixProduct(av, bv, n))
}

// gridSum is TestGridSync's kernel, with an atomic of cuda::.
func gridSum(t *testing.T, m *machine) {
	x := quarters(1000, 16)
	var sum float32
	for _, v := range x {
		sum += v
	}
	out := upload(m, []float32{0, 0})
	l := Launch{Grid: Dim3{X: 4, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, Cooperative: true}
	if _, err := m.tryWith("gridsum", l, upload(m, x), out, len(x)); err != nil {
		t.Fatal(err)
	}
	same(t, "sums", download[float32](m, out, 2), []float32{sum, 2 * sum})
}
