package cuda

import (
	"testing"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// The benchmarks measure what this package adds to a driver's calls: the driver under them does nothing.

type nullFunction struct{ driver.Function }

func (nullFunction) Launch(*driver.LaunchConfig, []byte) error { return nil }

type nullEvent struct{ driver.Event }

func (nullEvent) Record(driver.Stream) error { return nil }
func (nullEvent) Query() error               { return nil }
func (nullEvent) Destroy() error             { return nil }

func nullKernel(b *testing.B) (*Device, *Kernel, *Buffer) {
	d, m := openKernels(b)
	k := m.MustKernel("affine")
	k.fn = nullFunction{k.fn}
	for range 2 * reapEvery {
		d.fences = append(d.fences, nullEvent{})
	}
	return d, k, d.MustUpload([]uint32{0})
}

func BenchmarkPlannedLaunch(b *testing.B) {
	_, k, x := nullKernel(b)
	p, err := k.Plan(Grid(1), Block(32), x, 1, 1, 1)
	check(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Launch(); err != nil {
			b.Fatal(err)
		}
	}
}

// What is checked once costs no allocation when it is launched.
func TestLaunchesOfPlansAllocateNothing(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	k.fn = nullFunction{k.fn}
	p := k.MustPlan(Grid(1), Block(32), d.MustUpload([]uint32{0}), 1, 1, 1)
	if n := testing.AllocsPerRun(100, func() { _ = p.Launch() }); n != 0 {
		t.Errorf("%v allocations a launch", n)
	}
	if n := testing.AllocsPerRun(100, func() { _ = p.LaunchOn(d.Stream()) }); n != 0 {
		t.Errorf("%v allocations a launch on a stream", n)
	}
}

func BenchmarkCheckedLaunch(b *testing.B) {
	d, k, x := nullKernel(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Launch(k, Grid(1), Block(32), x, 1, 1, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResidentSubmit(b *testing.B) {
	_, k, x := nullKernel(b)
	p := k.MustPlan(Grid(1), Block(32), InOut("x"), 1, 1, 1)
	buffers := []*Buffer{x}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Submit(buffers); err != nil {
			b.Fatal(err)
		}
	}
}

type nullExec struct{ driver.GraphExec }

func (nullExec) Launch(driver.Stream) error                                      { return nil }
func (nullExec) SetKernelParams(driver.GraphNode, driver.KernelNodeParams) error { return nil }

func BenchmarkGraphLaunch(b *testing.B) {
	d, k, x := nullKernel(b)
	k.fn = k.fn.(nullFunction).Function
	g := d.MustCapture(func(s *Stream) { _ = s.Launch(k, Grid(1), Block(32), x, 1, 1, 1) })
	real := g.exec
	g.exec = nullExec{real}
	b.ReportAllocs()
	for b.Loop() {
		if err := g.Launch(); err != nil {
			b.Fatal(err)
		}
	}
	g.exec = real
	check(b, g.Close())
}

func BenchmarkSetArg(b *testing.B) {
	d, k, x := nullKernel(b)
	k.fn = k.fn.(nullFunction).Function
	g := d.MustCapture(func(s *Stream) { _ = s.Launch(k, Grid(1), Block(32), x, 1, 1, 1) })
	real := g.exec
	g.exec = nullExec{real}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		if err := g.SetArg("affine", "add", n); err != nil {
			b.Fatal(err)
		}
		if err := g.Launch(); err != nil {
			b.Fatal(err)
		}
	}
	g.exec = real
	check(b, g.Close())
}

// What a launch of a graph looks at is to lie in one line of the caches.
func TestGraphLaunchLooksAtOneLine(t *testing.T) {
	const line = 64
	var g Graph
	if size, end := unsafe.Sizeof(g), unsafe.Offsetof(g.launches)+unsafe.Sizeof(g.launches); size%line != 0 || size > 512 || end > line {
		t.Errorf("a graph has %d bytes, of which a launch needs the first %d", size, end)
	}
}
