package cuda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
)

func TestDispatchSaxpy(t *testing.T) {
	d, m := openKernels(t)
	const n = 1000
	x, y, want := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i)*0.25, float32(n-i)
		want[i] = float32(math.FMA(2.5, float64(x[i]), float64(y[i])))
	}
	dx, dy := d.MustUpload(x), d.MustUpload(y)
	run := d.MustDispatch(m.MustKernel("saxpy"), GridFor(n, 256), Block(256), n, float32(2.5), dx, dy, Elements(n))
	equal(t, MustSlice[float32](dy), want)
	if run.DeviceTime <= 0 || run.Threads != 1024 || run.BufferBytes != 8*n || run.Name() != "saxpy" || len(run.Samples()) != 1 {
		t.Errorf("%+v", run)
	}
	text := run.Table().Text()
	t.Log("\n" + text)
	for _, want := range []string{"saxpy", "4 blocks of 256 threads", ".f32 alpha", "2.5", "device time"} {
		if !strings.Contains(text, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
}

func TestLaunchRefuses(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("saxpy")
	x := d.MustUpload(make([]float32, 8))
	other, err := Open()
	check(t, err)
	defer other.Close()
	foreign := other.MustUpload(make([]float32, 8))
	freed := d.MustUpload(make([]float32, 8))
	check(t, freed.Close())
	_, absent := m.Kernel("sazpy")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"count":          {d.Launch(k, Grid(1), Block(32), 8, float32(2), x), "want 4 arguments, got 3"},
		"type":           {d.Launch(k, Grid(1), Block(32), 8, 2, x, x), "parameter 1 (.f32 alpha)"},
		"no blocks":      {d.Launch(k, Grid(0), Block(32), 8, float32(2), x, x), "at least one block"},
		"big block":      {d.Launch(k, Grid(1), Block(2048), 8, float32(2), x, x), "at most 1024 threads"},
		"freed":          {d.Launch(k, Grid(1), Block(32), 8, float32(2), x, freed), "was freed"},
		"other device":   {d.Launch(k, Grid(1), Block(32), 8, float32(2), x, foreign), "made by another cuda.Open of "},
		"other's kernel": {other.Launch(k, Grid(1), Block(32), 8, float32(2), foreign, foreign), "want a kernel of"},
		"no kernel":      {d.Launch(nil, Grid(1), Block(32)), "want a kernel"},
		"no such kernel": {absent, "saxpy"},
	} {
		var e *Error
		if !errors.As(c.err, &e) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	check(t, d.Synchronize())
}

func TestBadPTXNamesTheLine(t *testing.T) {
	d := openTest(t)
	_, err := d.LoadPTX(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tnot.an.instruction;\n}\n")
	var e *Error
	if !errors.As(err, &e) || e.Code() != driver.ErrorInvalidPTX || !strings.Contains(err.Error(), "6") {
		t.Errorf("%v", err)
	}
}

// Blocks of a cooperative launch wait for each other; a grid that the device cannot hold at once is refused, with the bound.
func TestCooperativeLaunches(t *testing.T) {
	d, m := openKernels(t)
	k, arrived := m.MustKernel("rendezvous"), d.MustUpload([]uint32{0})
	check(t, d.Launch(k, Grid(6), Block(1), arrived, Cooperative()))
	equal(t, MustSlice[uint32](arrived), []uint32{6})
	p := k.MustPlan(Grid(4), Block(1), InOut("arrived"), Cooperative())
	check(t, arrived.Write(0, []uint32{0}))
	p.MustSubmit([]*Buffer{arrived}).MustWait()
	equal(t, MustSlice[uint32](arrived), []uint32{4})
	check(t, arrived.Write(0, []uint32{0}))
	g := d.MustCapture(func(s *Stream) { check(t, s.Launch(k, Grid(3), Block(1), arrived, Cooperative())) })
	check(t, g.Launch())
	equal(t, MustSlice[uint32](arrived), []uint32{3})
	check(t, g.Close())
	most, err := k.Occupancy(Block(1), 0)
	check(t, err)
	_, err = k.Plan(Grid(most*d.Info().Multiprocessors+1), Block(1), arrived, Cooperative())
	if want := fmt.Sprintf("at most %d blocks of 1 threads", most*d.Info().Multiprocessors); !errors.Is(err, driver.ErrorCooperativeLaunchTooLarge) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

func TestPreparedLaunches(t *testing.T) {
	d, m := openKernels(t)
	b := d.MustUpload([]uint32{1})
	p, err := m.MustKernel("affine").Plan(Grid(1), Block(1), b, 3, 1, 1)
	check(t, err)
	for range 4 {
		check(t, p.Launch())
	}
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](b), []uint32{((3+1)*3+1)*3*3 + 3 + 1})
	timing := p.MustTime(300)
	if len(timing.Samples()) != 300 || timing.Percentile(50) <= 0 || timing.Percentile(0) > timing.Percentile(100) {
		t.Errorf("%s", timing)
	}
	t.Log("\n" + timing.Table().Text())
	if _, err := p.Time(0); err == nil {
		t.Error("0 rounds are nothing to time")
	}
	if !d.Emulated() {
		if n := testing.AllocsPerRun(100, func() { check(t, p.Launch()) }); n >= 1 {
			t.Errorf("%v allocations a launch", n)
		}
		check(t, d.Synchronize())
	}
}

func TestStreams(t *testing.T) {
	d, m := openKernels(t)
	s, err := d.NewStream()
	check(t, err)
	b := d.MustUpload(counting(64))
	got := make([]uint32, 64)
	check(t, s.Write(b, counting(64)))
	check(t, s.Launch(m.MustKernel("affine"), Grid(2), Block(32), b, 2, 5, 64))
	f, err := s.Fork()
	check(t, err)
	check(t, f.Read(b, got))
	check(t, s.Join(f))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	check(t, s.SynchronizeContext(ctx))
	if done, err := s.Done(); !done || err != nil {
		t.Error(done, err)
	}
	want := counting(64)
	for i := range want {
		want[i] = 2*want[i] + 5
	}
	equal(t, got, want)
	check(t, f.Close())
	check(t, s.Close())
	if err := errors.Join(s.Close()); err == nil {
		t.Error("closing twice is an error")
	}
	if err := d.Stream().Close(); err == nil {
		t.Error("the device's own stream is closed with the device")
	}
}

func TestEvents(t *testing.T) {
	d, m := openKernels(t)
	a, err1 := d.NewEvent()
	b, err2 := d.NewEvent()
	check(t, errors.Join(err1, err2))
	x := d.MustUpload([]uint32{0})
	check(t, a.Record(d.Stream()))
	check(t, d.Launch(m.MustKernel("slow"), Grid(1), Block(1), x, 2000))
	check(t, b.Record(d.Stream()))
	check(t, b.Synchronize())
	if dt, err := b.Since(a); err != nil || dt <= 0 {
		t.Error(dt, err)
	}
	check(t, errors.Join(a.Close(), b.Close()))
	if a.Close() == nil {
		t.Error("closing twice is an error")
	}
}

func TestUnloadedModuleIsRefused(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("nothing")
	check(t, m.Close())
	if _, err := m.Kernel("nothing"); err == nil {
		t.Error("a kernel of an unloaded module")
	}
	if err := d.Launch(k, Grid(1), Block(1)); !errors.Is(err, driver.ErrorInvalidHandle) {
		t.Error(err)
	}
	if m.Close() == nil {
		t.Error("unloading twice is an error")
	}
}

func TestTelemetryCounts(t *testing.T) {
	d, m := openKernels(t)
	before := d.Telemetry()
	b := d.MustUpload(counting(64))
	d.MustDispatch(m.MustKernel("affine"), Grid(1), Block(128), b, 1, 1, 64, Elements(64))
	MustSlice[uint32](b)
	since := d.Telemetry().Sub(before)
	for name, want := range map[string]uint64{"host_to_device_bytes": 256, "host_to_device_copies": 1, "device_to_host_bytes": 256,
		"device_to_host_copies": 1, "launches": 1, "allocations": 1, "timed_dispatches": 1, "thread_slots": 128, "launched_elements": 64, "parameter_bytes": 20} {
		if since.Values[name] != want {
			t.Errorf("%s: %d, want %d", name, since.Values[name], want)
		}
	}
	if used, waste, ok := since.Utilisation(); used != 5000 || waste != 5000 || !ok {
		t.Error(used, waste, ok)
	}
	text, err := since.Prometheus()
	check(t, err)
	if !strings.Contains(text, "# TYPE vyre_cuda_launches_total counter\nvyre_cuda_launches_total{device=") {
		t.Error(text)
	}
	if table := since.Table().Text(); !strings.Contains(table, "50.00 %") {
		t.Error(table)
	}
}

func TestCountersStayWhereTheyWouldOverflow(t *testing.T) {
	var c counter
	c.add(math.MaxUint64 - 1)
	c.add(2)
	c.add(1)
	if c.v.Load() != math.MaxUint64 || c.overflows.Load() != 1 {
		t.Errorf("%d, %d overflows", c.v.Load(), c.overflows.Load())
	}
}

func TestLoadCUDA(t *testing.T) {
	d := openTest(t)
	const source = `namespace demo { __global__ void twice(float *x, unsigned n) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= 2;
} }`
	m, err := d.LoadCUDA(source, nvrtc.Options{Name: "cell 1"})
	var absent *nvrtc.NotFoundError
	if errors.As(err, &absent) {
		t.Skipf("no NVRTC here: %v", err)
	}
	check(t, err)
	k := m.MustKernel("demo::twice")
	x := d.MustUpload([]float32{1, 2, 3})
	d.MustDispatch(k, Grid(1), Block(32), x, 3)
	equal(t, MustSlice[float32](x), []float32{2, 4, 6})
	err = d.Launch(k, Grid(1), Block(32), d.MustUpload([]int32{1}), 1)
	if err == nil || !strings.Contains(err.Error(), "(float* x): want a buffer of float32 (float*), got [1]int32") {
		t.Error(err)
	}
	t.Log("\n" + m.Table().Text())
}

// The headers that kernels usually want are found beside NVRTC, and what they need runs.
func TestHeaders(t *testing.T) {
	d := openTest(t)
	const source = `#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
extern "C" __global__ void all(const __half *h, float *sum, unsigned *count) {
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	float x = __half2float(__hmul(h[threadIdx.x], __float2half(2.0f)));
	for (int i = 16; i > 0; i /= 2) x += warp.shfl_down(x, i);
	if (warp.thread_rank() == 0) *sum = x;
	cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*count).fetch_add(3, cuda::memory_order_relaxed);
}`
	m, err := d.LoadCUDA(source, nvrtc.Options{Name: "headers"})
	var absent *nvrtc.NotFoundError
	if errors.As(err, &absent) || err != nil && strings.Contains(err.Error(), "pip install") {
		t.Skipf("no NVRTC with headers here: %v", err)
	}
	check(t, err)
	half := make([]uint16, 32)
	for i := range half {
		half[i] = 0x3e00 // 1.5
	}
	h, sum, count := d.MustUpload(half), d.MustUpload([]float32{0}), d.MustUpload([]uint32{0})
	d.MustDispatch(m.MustKernel("all"), Grid(1), Block(32), h, sum, count)
	equal(t, MustSlice[float32](sum), []float32{96})
	equal(t, MustSlice[uint32](count), []uint32{96})
}
