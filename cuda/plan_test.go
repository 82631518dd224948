package cuda

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func words(values ...uint32) []byte {
	raw, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return raw
}

// The vectors of the resident dispatch specification.

func TestResidentArithmetic(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x := d.MustUpload([]uint32{1, 2, 3, 4})
	times3 := k.MustPlan(Grid(1), Block(32), InOut("x"), 3, 0, 4)
	out, err := times3.Run([]*Buffer{x}, x.All())
	check(t, err)
	equal(t, out[0], words(3, 6, 9, 12))
	plus7 := k.MustPlan(Grid(1), Block(32), InOut("x"), 1, 7, 4)
	for range 2 {
		_, err := plus7.Run([]*Buffer{x})
		check(t, err)
	}
	equal(t, MustSlice[uint32](x), []uint32{17, 20, 23, 26})
}

func TestResidentSequenceReadsBackOnlyWhatIsAsked(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x := d.MustUpload([]uint32{1, 2, 3, 4})
	plus7 := k.MustPlan(Grid(1), Block(32), InOut("x"), 1, 7, 4)
	times2 := k.MustPlan(Grid(1), Block(32), InOut("x"), 2, 0, 4)
	before := d.Telemetry()
	for range 2 {
		_, err := plus7.Submit([]*Buffer{x})
		check(t, err)
	}
	q, err := times2.Submit([]*Buffer{x}, x.Range(4, 8))
	check(t, err)
	out, err := q.Wait()
	check(t, err)
	equal(t, out[0], words(32, 34))
	since := d.Telemetry().Sub(before)
	if since.Values["launches"] != 3 || since.Values["device_to_host_bytes"] != 8 {
		t.Errorf("%v", since.Values)
	}
}

func TestRangesAreCoalesced(t *testing.T) {
	d := openTest(t)
	a := d.MustUpload(words(0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c))
	b := d.MustUpload([]byte{10, 11, 12, 13, 14, 15, 16, 17})
	for _, c := range []struct {
		name          string
		ranges        []BufferRange
		want          [][]byte
		copies, bytes uint64
	}{
		{"touching and overlapping", []BufferRange{a.Range(0, 8), a.Range(4, 8), a.Range(12, 4)},
			[][]byte{{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 8, 9, 10, 11}, {12, 13, 14, 15}}, 1, 16},
		{"two buffers", []BufferRange{a.Range(2, 3), b.Range(4, 2)}, [][]byte{{2, 3, 4}, {14, 15}}, 2, 5},
		{"out of order", []BufferRange{a.Range(8, 2), a.Range(0, 2)}, [][]byte{{8, 9}, {0, 1}}, 2, 4},
		{"nothing", []BufferRange{a.Range(16, 0)}, [][]byte{{}}, 0, 0},
	} {
		before := d.Telemetry()
		got, err := d.ReadRanges(c.ranges...)
		check(t, err)
		since := d.Telemetry().Sub(before).Values
		for i := range c.want {
			if !bytes.Equal(got[i], c.want[i]) {
				t.Errorf("%s: range %d is %v", c.name, i, got[i])
			}
		}
		if since["device_to_host_copies"] != c.copies || since["device_to_host_bytes"] != c.bytes || since["synchronizations"] != 1 {
			t.Errorf("%s: %v", c.name, since)
		}
	}
}

func TestOverlappingWritesLaterWins(t *testing.T) {
	d := openTest(t)
	b := d.MustMake(8, byte(0))
	before := d.Telemetry()
	check(t, d.WriteRanges(BufferWrite{b, 1, []byte{1, 2, 3, 4}}, BufferWrite{b, 3, []byte{9, 8}}))
	since := d.Telemetry().Sub(before).Values
	got, err := Slice[byte](b)
	check(t, err)
	equal(t, got, []byte{0, 1, 2, 9, 8, 0, 0, 0})
	if since["host_to_device_copies"] != 1 || since["host_to_device_bytes"] != 4 {
		t.Errorf("%v", since)
	}
}

func TestFixpoint(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	for _, n := range []int{1, 8, 64} {
		x := d.MustUpload([]uint32{0})
		p := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1, Iterations(n), Timed())
		before := d.Telemetry()
		q, err := p.Submit([]*Buffer{x}, x.All())
		check(t, err)
		out, err := q.Wait()
		check(t, err)
		equal(t, out[0], words(uint32(n)))
		since := d.Telemetry().Sub(before).Values
		if since["launches"] != uint64(n) || since["synchronizations"] != 1 || q.DeviceTime() <= 0 {
			t.Errorf("%d iterations: %v, %s", n, since, q.DeviceTime())
		}
	}
	if _, err := k.Plan(Grid(1), Block(1), InOut("x"), 1, 1, 1, Iterations(0)); err == nil || !strings.Contains(err.Error(), "at least one iteration") {
		t.Error(err)
	}
}

// An output holds zeros where the kernel does not write, whatever was there, in every variant.
func TestOutputsAreCleared(t *testing.T) {
	d, m := openKernels(t)
	in, s := d.MustUpload(make([]uint32, 256)), d.Stream()
	other, err := d.NewStream()
	check(t, err)
	for name, options := range map[string][]any{"plain": nil, "timed": {Timed()}, "fixpoint": {Iterations(3)}, "stream": {On(other)}} {
		out := d.MustMake(8, uint32(0))
		check(t, s.Fill(out, 0xEE))
		check(t, s.Synchronize())
		p := m.MustKernel("reduce").MustPlan(Grid(1), Block(256), append([]any{Input("in"), Output("sums")}, options...)...)
		got, err := p.Run([]*Buffer{in, out}, out.All())
		check(t, err)
		if !bytes.Equal(got[0], make([]byte, 32)) {
			t.Errorf("%s: %v", name, got[0])
		}
	}
	check(t, other.Close())
}

func TestResidentRefuses(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, small := d.MustUpload([]uint32{1, 2}), d.MustUpload([]byte{1, 2})
	p := k.MustPlan(Grid(1), Block(1), InOut("x").AtLeast(8), 2, 0, 2)
	freed := d.MustUpload([]uint32{1, 2})
	check(t, freed.Close())
	submit := func(buffers []*Buffer, read ...BufferRange) error {
		_, err := p.Submit(buffers, read...)
		return err
	}
	_, role := k.Plan(Grid(1), Block(1), 1, Input("mul"), 0, 2)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"count":    {submit(nil), "want 1 buffer, got 0"},
		"size":     {submit([]*Buffer{small}), "binding 0 (x): want at least 8 bytes, got a buffer of 2"},
		"null":     {submit([]*Buffer{nil}), "binding 0 (x)"},
		"freed":    {submit([]*Buffer{freed}), "was freed"},
		"range":    {submit([]*Buffer{x}, x.Range(6, 4)), "want bytes in [0..8), got requested bytes [6..10)"},
		"overflow": {submit([]*Buffer{x}, x.Range(1<<63, 1<<63)), "requested bytes"},
		"role":     {role, "parameter 1 (.u32 mul)"},
	} {
		var e *Error
		if !errors.As(c.err, &e) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	equal(t, MustSlice[uint32](x), []uint32{1, 2}) // nothing ran
}

func TestInFlightBuffersAreMarked(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	gate := make(chan struct{})
	check(t, d.Stream().Driver().LaunchHost(func() { <-gate })) // keeps what is behind it in flight
	q, err := m.MustKernel("affine").MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1).Submit([]*Buffer{x}, x.All())
	check(t, err)
	if q.Done() {
		t.Error("done behind work that is not")
	}
	for name, err := range map[string]error{"free": x.Close(), "write": x.Write(0, []uint32{9}),
		"ranged write": d.WriteRanges(BufferWrite{x, 0, []byte{1}})} {
		if err == nil || !strings.Contains(err.Error(), "in flight") {
			t.Errorf("%s: %v", name, err)
		}
	}
	close(gate)
	out, err := q.Wait()
	check(t, err)
	again, err := q.Wait()
	check(t, err)
	equal(t, out[0], words(1))
	equal(t, again[0], words(1))
	check(t, x.Close())
}

// A dispatch that nobody waits for is collected when its buffer is freed.
func TestForgottenDispatchIsReaped(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	_, err := m.MustKernel("affine").MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1).Submit([]*Buffer{x})
	check(t, err)
	check(t, d.Synchronize())
	check(t, x.Close())
	if n := len(d.watched()); n != 0 {
		t.Errorf("%d dispatches are still watched", n)
	}
}

func TestDispatchesOnOtherStreamsWaitForEachOther(t *testing.T) {
	d, m := openKernels(t)
	s, err := d.NewStream()
	check(t, err)
	x := d.MustUpload([]uint32{0})
	_, err = m.MustKernel("slow").MustPlan(Grid(1), Block(1), InOut("x"), 20000).Submit([]*Buffer{x})
	check(t, err)
	out, err := m.MustKernel("affine").MustPlan(Grid(1), Block(1), InOut("x"), 10, 5, 1, On(s)).Run([]*Buffer{x}, x.All())
	check(t, err)
	equal(t, out[0], words(15))
	check(t, s.Close())
}

func TestSubmitFromManyGoroutines(t *testing.T) {
	d, m := openKernels(t)
	p := m.MustKernel("affine").MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	x := d.MustUpload([]uint32{0})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if _, err := p.Run([]*Buffer{x}, x.All()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	equal(t, MustSlice[uint32](x), []uint32{160})
}

func TestBudget(t *testing.T) {
	d := openTest(t)
	d.SetBudget(1024)
	a := d.MustAlloc(1000)
	_, err := d.Alloc(100)
	if err == nil || !strings.Contains(err.Error(), "at most the 24 bytes left of the budget of 1024") {
		t.Error(err)
	}
	check(t, a.Close())
	check(t, d.MustAlloc(1024).Close())
	d.SetBudget(0)
	check(t, d.MustAlloc(4096).Close())
}

func TestPoolKeepsClasses(t *testing.T) {
	for n, want := range map[uint64]int{0: 12, 1: 12, 4096: 12, 4097: 13, 1 << 20: 20, 1<<20 + 1: 21} {
		if got := classOf(n); got != want {
			t.Errorf("%d bytes: class %d, want %d", n, got, want)
		}
	}
	d := openTest(t)
	b, err := d.hostPool.lease(d, "test", 5000)
	check(t, err)
	d.hostPool.giveBack(b)
	again, err := d.hostPool.lease(d, "test", 8000)
	check(t, err)
	if again != b || len(b.mem.Bytes()) != 8192 {
		t.Error("the pool made a block where it had one")
	}
	d.hostPool.giveBack(again)
	if _, err := d.hostPool.lease(d, "test", 1<<50); err == nil {
		t.Error("a PiB of host memory")
	}
}

func TestFaultNamesTheLaunch(t *testing.T) {
	d, err := Open("emulated")
	check(t, err)
	m := d.MustLoadPTX(string(kernelsPTX))
	check(t, d.Launch(m.MustKernel("wild"), Grid(1), Block(1)))
	err = d.Synchronize()
	var fault *driver.Fault
	if !errors.As(err, &fault) || fault.Kernel != "wild" || !errors.Is(err, driver.ErrorIllegalAddress) {
		t.Errorf("%v", err)
	}
	t.Log("\n" + err.Error())
	if card := m.MustKernel("wild").Table(); len(card.Notes) != 1 || !strings.Contains(card.Notes[0], "not known: ") || strings.Contains(card.Notes[0], "<nil>") {
		t.Errorf("a kernel's card after a fault: %q", card.Notes)
	}
	fresh, err := d.Reset()
	check(t, err)
	x := fresh.MustUpload([]uint32{1})
	equal(t, MustSlice[uint32](x), []uint32{1})
	check(t, fresh.Close())
}

// A plan's buffers may stand in it, those of its launches' own beside bindings: they are held while a dispatch is
// under way, and an output is none of them.
func TestPlanWithBuffersOfItsOwn(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("saxpy")
	x, y, z := d.MustUpload([]float32{1, 2}), d.MustUpload([]float32{1, 1}), d.MustUpload([]float32{5, 5})
	p := k.MustPlan(Grid(1), Block(2), 2, float32(2), x, InOut("y"))
	check(t, p.Launch(y))
	s, err := d.NewStream()
	check(t, err)
	check(t, d.Synchronize())
	check(t, p.LaunchOn(s, y))
	check(t, s.Synchronize())
	equal(t, MustSlice[float32](y), []float32{5, 9})
	out := k.MustPlan(Grid(1), Block(2), 2, float32(2), x, Output("y"), Iterations(2))
	check(t, out.Launch(z))
	equal(t, MustSlice[float32](z), []float32{4, 8})
	refused(t, "output", out.Launch(x), "buffers of their own for outputs", "an argument of the plan")
	refused(t, "no buffer", p.Launch(), "want 1 buffer, got 0")
	refused(t, "a buffer more", k.MustPlan(Grid(1), Block(2), 2, float32(2), x, y).Launch(y), "want 0 buffers, got 1")
	refused(t, "timed", k.MustPlan(Grid(1), Block(2), 2, float32(2), x, y, Timed()).Launch(), "Plan.Submit")
	g := d.MustCapture(func(s *Stream) { _ = out.LaunchOn(s, z) })
	if n := len(g.Nodes()); n != 3 { // the fill and two launches
		t.Errorf("%d nodes: %v", n, g.Nodes())
	}
	check(t, g.Launch())
	equal(t, MustSlice[float32](z), []float32{4, 8})
	check(t, g.Close())
	own := k.MustPlan(Grid(1), Block(2), 2, float32(2), x, y)
	q := own.MustSubmit(nil, y.All())
	refused(t, "in use", x.Close(), "in flight")
	if _, err := q.Wait(); err != nil {
		t.Error(err)
	}
	check(t, s.Close())
}
