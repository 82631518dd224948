package vm

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// cpuSeconds is the processor time of the process, which other processes do not
// stretch.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func benchLoop(b *testing.B, o Options) {
	m := load(b, "basics", o)
	out := m.alloc(4 * 1024)
	var lanes uint64
	start := cpuSeconds(b)
	for b.Loop() {
		lanes += m.run("lcg", 4, 256, out, 1000).LaneInstructions
	}
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds()/1e9, "Glane/s")
	b.ReportMetric(float64(lanes)/(cpuSeconds(b)-start)/1e9, "Glane/core-s")
}

func BenchmarkIntegerLoopChecked(b *testing.B)   { benchLoop(b, Checked()) }
func BenchmarkIntegerLoopUnchecked(b *testing.B) { benchLoop(b, Options{}) }

func benchKernel(b *testing.B, o Options, kernel string, args func(m *machine) []any) {
	m := load(b, "basics", o)
	list := args(m)
	start := cpuSeconds(b)
	for b.Loop() {
		m.run(kernel, 391, 256, list...)
	}
	b.ReportMetric((cpuSeconds(b)-start)*1e3/float64(b.N), "core-ms/op")
}

// The peer is numba's CUDA simulator (bench/emulator/run.sh), whose figures for 100,000 floats are about 15.9 s for the
// vector addition and 167 s for the reduction in shared memory.
func BenchmarkVectorAdd100k(b *testing.B) {
	benchKernel(b, Checked(), "vadd", func(m *machine) []any {
		x := make([]float32, 100000)
		return []any{upload(m, x), upload(m, x), m.alloc(400000), len(x)}
	})
}

func BenchmarkReduce100k(b *testing.B) {
	benchKernel(b, Checked(), "reduce", func(m *machine) []any {
		x := make([]float32, 100000)
		return []any{upload(m, x), m.alloc(4 * 391), len(x)}
	})
}

// Parsing and compiling the text of about 100 KB that cooperative groups and cuda:: make.
func BenchmarkLoadCooperative(b *testing.B) {
	src, err := os.ReadFile(filepath.Join("..", "testdata", "compilers", "nvrtc13-cooperative.ptx"))
	if err != nil {
		b.Fatal(err)
	}
	text := string(src)
	b.SetBytes(int64(len(text)))
	start := cpuSeconds(b)
	for b.Loop() {
		m, err := ptx.Parse("cooperative", text)
		if err != nil {
			b.Fatal(err)
		}
		p, err := Load(m, NewMemory(1<<32), Checked())
		if err != nil {
			b.Fatal(err)
		}
		p.Unload()
	}
	b.ReportMetric((cpuSeconds(b)-start)*1e3/float64(b.N), "core-ms/op")
}

// The integer loop on one core and on all of them, in turn: how many times faster all
// are, by the medians.
func BenchmarkCores(b *testing.B) {
	m := load(b, "basics", Checked())
	out := m.alloc(4 * 256 * 64)
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	var one, many []time.Duration
	for b.Loop() {
		for _, n := range []int{1, all} {
			runtime.GOMAXPROCS(n)
			start := time.Now()
			m.run("lcg", 64, 256, out, 1000)
			if d := time.Since(start); n == 1 {
				one = append(one, d)
			} else {
				many = append(many, d)
			}
		}
	}
	slices.Sort(one)
	slices.Sort(many)
	b.ReportMetric(float64(one[len(one)/2])/float64(many[len(many)/2]), "times")
	b.ReportMetric(float64(all), "cores")
}

// What the checks cost: kernels that live on memory, with all checks and with none, in turn. times is
// how many times longer they take with checks, by the medians.
func BenchmarkChecks(b *testing.B) {
	for name, c := range map[string]struct {
		file string
		run  func(m *machine) func()
	}{
		"matmul": {"kernels/numeric", func(m *machine) func() {
			const n = 128
			x, y, z := upload(m, make([]float32, n*n)), upload(m, make([]float32, n*n)), m.alloc(4*n*n)
			return func() { m.must("matmul", Dim3{X: n / 16, Y: n / 16, Z: 1}, Dim3{X: 16, Y: 16, Z: 1}, 0, x, y, z, n) }
		}},
		"floyd": {"kernels/memory", func(m *machine) func() {
			const n = 128
			d := upload(m, ints(n*n, 1000))
			return func() {
				for k := range 4 {
					m.must("floyd", Dim3{X: n / 16, Y: n / 16, Z: 1}, Dim3{X: 16, Y: 16, Z: 1}, 0, d, n, k)
				}
			}
		}},
		"floyd rows": {"kernels/memory", func(m *machine) func() {
			const n = 128
			d := upload(m, ints(n*n, 1000))
			return func() {
				for k := range 4 {
					m.must("floyd", Dim3{X: 1, Y: n, Z: 1}, Dim3{X: n, Y: 1, Z: 1}, 0, d, n, k)
				}
			}
		}},
		"bitonic": {"kernels/memory", func(m *machine) func() {
			x := upload(m, ints(512*16, 1<<30))
			return func() { m.must("bitonic_block", Dim3{X: 16, Y: 1, Z: 1}, Dim3{X: 256, Y: 1, Z: 1}, 0, x) }
		}},
		"radix": {"kernels/memory", func(m *machine) func() {
			x := upload(m, ints(256*16, 1<<30))
			return func() { m.must("radix_block", Dim3{X: 16, Y: 1, Z: 1}, Dim3{X: 256, Y: 1, Z: 1}, 0, x, 8) }
		}},
		"triton": {"compilers/triton-matmul-sm80", func(m *machine) func() {
			const n = 128
			x, _ := halfs(smallIntegers(n*n, 14))
			y, _ := halfs(smallIntegers(n*n, 15))
			p, q, z := upload(m, x), upload(m, y), m.alloc(4*n*n)
			k := m.only()
			threads := Dim3{X: uint32(k.Func.RequiredThreads[0]), Y: 1, Z: 1}
			return func() {
				m.must(k.Name, Dim3{X: n / 32, Y: n / 32, Z: 1}, threads, tritonShared, p, q, z, n, uint64(0), uint64(0))
			}
		}},
		"vector": {"kernels/basics", func(m *machine) func() {
			x, y, z := upload(m, make([]float32, 100000)), upload(m, make([]float32, 100000)), m.alloc(400000)
			return func() { m.run("vadd", 391, 256, x, y, z, 100000) }
		}},
	} {
		b.Run(name, func(b *testing.B) {
			src, err := os.ReadFile(filepath.Join("..", "testdata", c.file+".ptx"))
			if err != nil {
				b.Fatal(err)
			}
			var runs [2]func()
			for i, o := range []Options{{}, Checked()} {
				runs[i] = c.run(loadText(b, name, string(src), o))
				runs[i]()
			}
			var took [2][]float64
			for b.Loop() {
				for i := range runs {
					start := cpuSeconds(b)
					runs[i]()
					took[i] = append(took[i], cpuSeconds(b)-start)
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			without, with := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(with/without, "times")
			b.ReportMetric(without*1e3, "ms-unchecked")
		})
	}
}

// must runs a kernel.
func (m *machine) must(kernel string, grid, block Dim3, shared uint32, args ...any) {
	m.t.Helper()
	if _, err := m.tryWith(kernel, Launch{Grid: grid, Block: block, SharedBytes: shared}, args...); err != nil {
		m.t.Fatal(err)
	}
}
