package vm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
)

// The tests of kernels and instructions once more on a GPU, where there is one: what
// each reads back must be what the emulated device gave, and what the host computed.

// gpu is the device under test, closed but for TestOnGPU and its like.
var gpu gpuDevice

type gpuDevice struct {
	ctx  driver.Context
	tape tape
}

// tape keeps what a test reads back from the emulated device, to be compared with what
// it reads from the GPU.
type tape struct {
	recording, comparing bool
	list                 [][]byte
	agree                func(emulated, gpu []byte) string
}

func (p *tape) take(m *machine, raw []byte) {
	switch {
	case p.recording && m.gpu == nil:
		p.list = append(p.list, bytes.Clone(raw))
	case p.comparing && m.gpu != nil:
		if len(p.list) == 0 {
			m.t.Error("the GPU run reads more back than the emulated one")
			return
		}
		if why := p.agree(p.list[0], raw); why != "" {
			m.t.Errorf("emulated device and GPU differ: %s", why)
		}
		p.list = p.list[1:]
	}
}

// exactly wants every bit the same.
func exactly(x, y []byte) string {
	for i := range x {
		if x[i] != y[i] {
			at := i &^ 3
			return fmt.Sprintf("byte %d of %d: %x and %x", i, len(x), x[at:min(at+4, len(x))], y[at:min(at+4, len(y))])
		}
	}
	return ""
}

// closely wants single-precision numbers within a part in 2^16, as approximate
// instructions may differ.
func closely(x, y []byte) string {
	for i := 0; i+4 <= len(x); i += 4 {
		a, b := math.Float32frombits(binary.LittleEndian.Uint32(x[i:])), math.Float32frombits(binary.LittleEndian.Uint32(y[i:]))
		if d := math.Abs(float64(a - b)); d > 0x1p-16*math.Max(1, math.Abs(float64(a))) {
			return fmt.Sprintf("number %d: %v and %v", i/4, a, b)
		}
	}
	return ""
}

// anyOrder is for results that depend on the order of lanes: the host alone judges.
func anyOrder([]byte, []byte) string { return "" }

// onBoth gives a machine the GPU's module too, where one is under test.
func onBoth(m *machine, text []byte) *machine {
	if gpu.ctx == nil {
		return m
	}
	m.t.Helper()
	mod, log, err := gpu.ctx.LoadModule(text, driver.JITOptions{})
	if err != nil {
		m.t.Fatalf("%v\n%s", err, log.Error)
	}
	m.t.Cleanup(func() { _ = mod.Unload() }) // fails only where the context is lost already
	m.gpu = mod
	return m
}

func (d *gpuDevice) alloc(t testing.TB, n uint64) uint64 {
	t.Helper()
	p, err := d.ctx.Alloc(max(n, 16))
	if err == nil {
		err = d.ctx.MemsetD8(p, 0, max(n, 16))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.ctx.Free(p) })
	return uint64(p)
}

func (d *gpuDevice) launch(m *machine, kernel string, l Launch) error {
	f, err := m.gpu.Function(kernel)
	if err != nil {
		return err
	}
	if l.SharedBytes > 48<<10 {
		if err := f.SetAttribute(driver.FuncMaxDynamicSharedSizeBytes, int(l.SharedBytes)); err != nil {
			return err
		}
	}
	cfg := &driver.LaunchConfig{Grid: l.Grid, Block: l.Block, SharedBytes: l.SharedBytes, Cooperative: l.Cooperative,
		Cluster: l.Cluster}
	if err := f.Launch(cfg, l.Params); err != nil {
		return err
	}
	return d.ctx.Synchronize()
}

// openGPU skips the test where there is no device.
func openGPU(t *testing.T) driver.Context {
	t.Helper()
	d := native.New()
	if err := d.Init(); err != nil {
		t.Skipf("no NVIDIA device here: %v", err)
	}
	dev, err := d.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := dev.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ctx.Release(); err != nil {
			t.Error(err)
		}
	})
	return ctx
}

type gpuCase struct {
	name  string
	test  func(*testing.T)
	agree func(x, y []byte) string
}

var gpuCases = []gpuCase{
	{"vadd", TestVectorAdd, exactly}, {"saxpy", TestSaxpy, exactly}, {"reduce", TestReduce, exactly}, {"histogram", TestHistogram, exactly},
	{"integer loop", TestIntegerLoop, exactly}, {"warps", TestWarpKernels, exactly}, {"compact", TestCompact, anyOrder},
	{"gridsync", TestGridSync, exactly}, {"spin lock", TestSpinLockInsideAWarp, exactly}, {"last block", TestLastBlock, exactly},
	{"matmul", TestMatmul, exactly}, {"transpose", TestTranspose, exactly}, {"nbody", TestNBody, closely}, {"sparse", TestSparseAndStencil, exactly},
	{"functions", TestMathFunctions, closely}, {"halves", TestHalfPrecision, exactly}, {"integers", TestIntegerFunctions, exactly},
	{"programs", TestPrograms, exactly}, {"tables", TestHashTableAndUnionFind, anyOrder}, {"calls", TestSearchLocalsCalls, exactly},
	{"switch", TestSwitchStruct, exactly}, {"fourier", TestFourierAndAttention, closely}, {"mersenne", TestMersenneTwister, exactly},
	{"tensor matmul", TestTensorMatmul, exactly}, {"bytes", TestByteMatmul, exactly}, {"tensor attention", TestTensorAttention, closely},
	{"handover", TestHandover, exactly}, {"pairs", TestPairs, exactly}, {"compilers", TestCompilers, closely}, {"mma shapes", TestMmaShapes, exactly}, {"wmma shapes", TestWmmaShapes, exactly},
	{"wide", TestWideIntegers, exactly}, {"objects", TestObjects, exactly}, {"unusual", TestUnusualPrograms, anyOrder},
	{"recursion", TestRecursion, exactly}, {"quicksort", TestQuicksort, exactly},
	{"warp groups", TestGroupMatrices, exactly}, {"call arguments", TestCallArguments, exactly},
	{"clusters", TestClusters, exactly}, {"multicast", TestMulticast, exactly},
	{"tensor copies", TestTensorCopies, exactly}, {"made tensor map", TestKernelMakesTensorMap, exactly},
}

// onGPU runs a test on the emulated device and then on the GPU.
func onGPU(t *testing.T, ctx driver.Context, c gpuCase) {
	gpu.tape = tape{recording: true, agree: c.agree}
	defer func() { gpu.tape, gpu.ctx = tape{}, nil }()
	if !t.Run(c.name+"/emulated", c.test) {
		return
	}
	gpu.tape.recording, gpu.tape.comparing, gpu.ctx = false, true, ctx
	t.Run(c.name+"/gpu", c.test)
	if err := ctx.Synchronize(); err != nil {
		t.Fatalf("%s has left the device unusable: %v", c.name, err)
	}
}

// The kernels that nvcc compiled give on the GPU what they give here.
func TestOnGPU(t *testing.T) {
	ctx := openGPU(t)
	for _, c := range gpuCases {
		onGPU(t, ctx, c)
	}
	defer func() { variant = "" }()
	for _, variant = range []string{"-fast", "-G"} {
		for _, c := range gpuCases {
			if c.name == "sparse" || c.name == "functions" || c.name == "halves" || c.name == "vadd" || c.name == "saxpy" || c.name == "reduce" ||
				c.name == "histogram" || c.name == "integer loop" || strings.HasPrefix(c.name, "tensor") || c.name == "bytes" || c.name == "handover" || c.name == "pairs" || c.name == "compilers" || strings.HasSuffix(c.name, "shapes") ||
				c.name == "unusual" || c.name == "warp groups" || c.name == "made tensor map" || c.name == "call arguments" ||
				variant == "-fast" && (c.name == "wide" || c.name == "objects" ||
					c.name == "recursion" || c.name == "quicksort" || c.name == "clusters") {
				continue
			}
			c.name += variant
			onGPU(t, ctx, c)
		}
	}
}

// endsTheProcess are rows whose instruction stops a GPU's context.
var endsTheProcess = map[string]bool{"trap": true, "brkpt": true}

// Every row of the instruction set gives on the GPU what its test wants.
func TestISAOnGPU(t *testing.T) {
	ctx := openGPU(t)
	for _, r := range isaRows {
		if !endsTheProcess[r.name] {
			onGPU(t, ctx, gpuCase{r.name, func(t *testing.T) { runISA(t, r) }, exactly})
		}
	}
}
