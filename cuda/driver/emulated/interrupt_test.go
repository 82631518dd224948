package emulated_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// endless counts in a register, so that it never comes back to a state that it was in. With wide
// threads a basic block takes long.
const endless = `.version 8.0
.target sm_80
.address_size 64
.visible .entry endless() {
.reg .b64 %r<2>;
mov.u64 %r1, 0;
L:
add.u64 %r1, %r1, 1;
bra L;
}
`

var one = driver.Dim3{X: 1, Y: 1, Z: 1}

// A bench is a context with what tests use.
type bench struct {
	*testing.T
	ctx     driver.Context
	s       driver.Stream
	endless driver.Function
	affine  driver.Function
	nothing driver.Function
	x       driver.DevicePtr // a u32 that is 1
}

func newBench(t *testing.T, o emulated.Options) *bench {
	d := emulated.NewWith(o)
	b := &bench{T: t}
	b.check(d.Init())
	dev, err := d.Device(0)
	b.check(err)
	b.ctx, err = dev.NewContext()
	b.check(err)
	t.Cleanup(func() { b.check(b.ctx.Reset()) })
	b.s = b.stream()
	b.endless = b.kernel(endless, "endless")
	kernels := string(drivertest.KernelsPTX())
	b.affine, b.nothing = b.kernel(kernels, "affine"), b.kernel(kernels, "nothing")
	b.x, err = b.ctx.Alloc(4)
	b.check(err)
	b.check(b.ctx.CopyHtoD(b.x, []byte{1, 0, 0, 0}))
	return b
}

func (b *bench) check(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) stream() driver.Stream {
	s, err := b.ctx.CreateStream(driver.StreamNonBlocking, 0)
	b.check(err)
	return s
}

func (b *bench) kernel(text, name string) driver.Function {
	m, _, err := b.ctx.LoadModule([]byte(text), driver.JITOptions{})
	b.check(err)
	f, err := m.Function(name)
	b.check(err)
	return f
}

func (b *bench) launch(f driver.Function, s driver.Stream, params []byte) {
	b.Helper()
	wide := driver.LaunchConfig{Grid: driver.Dim3{X: 4, Y: 1, Z: 1}, Block: driver.Dim3{X: 1024, Y: 1, Z: 1}, Stream: s}
	b.check(f.Launch(&wide, params))
}

// times multiplies x, in the first thread of one block.
func (b *bench) times(s driver.Stream, by uint32) {
	b.Helper()
	p := binary.LittleEndian.AppendUint64(nil, uint64(b.x))
	for _, v := range []uint32{by, 0, 1} {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	b.check(b.affine.Launch(&driver.LaunchConfig{Grid: one, Block: one, Stream: s}, p))
}

func (b *bench) value() uint32 {
	b.Helper()
	raw := make([]byte, 4)
	b.check(b.ctx.CopyDtoH(raw, b.x))
	return binary.LittleEndian.Uint32(raw)
}

// interrupt interrupts what runs, and reports how long that took.
func (b *bench) interrupt() {
	b.Helper()
	time.Sleep(20 * time.Millisecond)
	start := time.Now()
	emulated.Interrupt()
	if took := time.Since(start); took > 100*time.Millisecond {
		b.Errorf("the interrupt took %s", took)
	}
}

func (b *bench) wasInterrupted(what string, err error, work string) {
	b.Helper()
	var e *driver.InterruptedError
	if !errors.As(err, &e) || !strings.Contains(e.Work, work) {
		b.Errorf("%s: %v", what, err)
	}
}

// An interrupt ends a kernel, of a stream, a graph or a loop, and what is enqueued behind it; the context goes on.
func TestInterruptEndsWhatRuns(t *testing.T) { // U4, P12
	enqueue := map[string]func(b *bench){
		"kernel": func(b *bench) { b.launch(b.endless, b.s, nil) },
		"graph": func(b *bench) {
			g, err := b.ctx.CreateGraph()
			b.check(err)
			_, err = g.AddKernel(nil, driver.KernelNodeParams{Function: b.endless, Grid: one, Block: one})
			b.check(err)
			b.run(g)
		},
		"loop": func(b *bench) {
			g, err := b.ctx.CreateGraph()
			b.check(err)
			h, err := g.CreateConditionalHandle(1, true)
			b.check(err)
			_, bodies, err := g.AddConditional(nil, h, driver.ConditionalWhile, 1)
			b.check(err)
			_, err = bodies[0].AddKernel(nil, driver.KernelNodeParams{Function: b.nothing, Grid: one, Block: one})
			b.check(err)
			b.run(g)
		},
		"empty loop": func(b *bench) {
			g, err := b.ctx.CreateGraph()
			b.check(err)
			h, err := g.CreateConditionalHandle(1, true)
			b.check(err)
			_, _, err = g.AddConditional(nil, h, driver.ConditionalWhile, 1)
			b.check(err)
			b.run(g)
		},
	}
	for name, do := range enqueue {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, emulated.Options{})
			e, err := b.ctx.CreateEvent(0)
			b.check(err)
			do(b)
			b.times(b.s, 7)
			b.check(e.Record(b.s))
			waits := make(chan error)
			go func() { waits <- b.s.Synchronize() }()
			b.interrupt()
			names := map[string]string{"kernel": "kernel endless, launch 1", "graph": "kernel endless"}
			b.wasInterrupted("the wait", <-waits, names[name])
			b.wasInterrupted("an event behind it", e.Synchronize(), "")
			b.wasInterrupted("its query", e.Query(), "")
			b.check(b.s.Synchronize()) // it was told
			b.check(b.ctx.Synchronize())
			b.times(b.s, 3)
			b.check(b.s.Synchronize())
			if v := b.value(); v != 3 {
				t.Errorf("%d, want 3: what was behind the interrupted work must not run, and what comes later must", v)
			}
		})
	}
}

// run launches a graph once.
func (b *bench) run(g driver.Graph) {
	x, err := g.Instantiate()
	b.check(err)
	b.check(x.Launch(b.s))
}

// An interrupt that nobody waited through is told to the next who waits for the stream, once.
// Endless kernels of other streams, which wait for the device, end as well; work of theirs that
// comes later runs.
func TestInterruptIsToldLater(t *testing.T) {
	b := newBench(t, emulated.Options{})
	other := b.stream()
	b.launch(b.endless, b.s, nil)
	b.launch(b.endless, other, nil)
	b.interrupt()
	b.times(other, 5)
	b.wasInterrupted("the stream", b.s.Synchronize(), "kernel endless")
	b.check(b.s.Synchronize())
	b.wasInterrupted("the other stream", other.Synchronize(), "kernel endless")
	b.check(b.ctx.Synchronize())
	if v := b.value(); v != 5 {
		t.Errorf("%d, want 5", v)
	}
}

// A host function is not ended, nor what is behind it.
func TestInterruptLeavesHostFunctions(t *testing.T) {
	b := newBench(t, emulated.Options{})
	gate := make(chan struct{})
	b.check(b.s.LaunchHost(func() { <-gate }))
	b.times(b.s, 7)
	other := b.stream()
	b.launch(b.endless, other, nil)
	b.interrupt()
	b.wasInterrupted("the kernel", other.Synchronize(), "endless")
	close(gate)
	b.check(b.s.Synchronize())
	if v := b.value(); v != 7 {
		t.Errorf("%d, want 7", v)
	}
}

// A loop of nothing is a deadlock, and named so; the context is lost as with any fault, and no other.
func TestLoopOfNothingIsADeadlock(t *testing.T) { // P12
	b, c := newBench(t, emulated.Options{}), newBench(t, emulated.Options{})
	f := b.kernel(strings.Replace(endless, "add.u64 %r1, %r1, 1;", "", 1), "endless")
	b.launch(f, b.s, nil)
	var fault *driver.Fault
	if err := b.s.Synchronize(); !errors.As(err, &fault) || fault.Kind != driver.FaultDeadlock {
		t.Error(err)
	}
	c.times(c.s, 9)
	c.check(c.s.Synchronize())
	if v := c.value(); v != 9 {
		t.Errorf("%d, want 9", v)
	}
}
