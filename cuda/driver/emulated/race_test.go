package emulated_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// adds changes a counter by an atomic.
const adds = `.version 8.0
.target sm_80
.address_size 64
.visible .entry adds(.param .u64 x) {
.reg .b64 %d; .reg .b32 %r;
ld.param.u64 %d, [x];
atom.global.add.u32 %r, [%d], 1;
ret;
}
`

// follow makes a stream wait for what another has so far.
func (b *bench) follow(later, earlier driver.Stream) {
	b.Helper()
	e, err := b.ctx.CreateEvent(driver.EventDisableTiming)
	b.check(err)
	b.check(e.Record(earlier))
	b.check(later.WaitEvent(e))
	b.check(e.Destroy())
}

func (b *bench) fill(p driver.DevicePtr, n uint64, s driver.Stream) {
	b.Helper()
	b.check(b.ctx.MemsetD8Async(p, 5, n, s))
}

// adding enqueues an atomic addition to x.
func (b *bench) adding(f driver.Function, s driver.Stream) {
	b.Helper()
	params := binary.LittleEndian.AppendUint64(nil, uint64(b.x))
	b.check(f.Launch(&driver.LaunchConfig{Grid: driver.Dim3{X: 3, Y: 1, Z: 1}, Block: one, Stream: s}, params))
}

// node is a kernel that changes x, behind others.
func (b *bench) node(g driver.Graph, after ...driver.GraphNode) driver.GraphNode {
	b.Helper()
	p := binary.LittleEndian.AppendUint64(nil, uint64(b.x))
	for _, v := range []uint32{2, 0, 1} {
		p = binary.LittleEndian.AppendUint32(p, v)
	}
	n, err := g.AddKernel(after, driver.KernelNodeParams{Function: b.affine, Grid: one, Block: one, Params: p})
	b.check(err)
	return n
}

func (b *bench) graph() driver.Graph {
	b.Helper()
	g, err := b.ctx.CreateGraph()
	b.check(err)
	return g
}

// raceCases enqueue work on two streams beside each other, a and z.
var raceCases = []struct {
	name string
	race string // what the fault says; empty where all is ordered
	run  func(b *bench, a, z driver.Stream)
}{
	{"two kernels", "kernel affine, launch", func(b *bench, a, z driver.Stream) { b.times(a, 2); b.times(z, 3) }},
	{"fill beside a kernel", "a fill on stream", func(b *bench, a, z driver.Stream) {
		b.fill(b.x, 4, a)
		b.times(z, 3)
	}},
	{"copy beside a kernel", "a copy on stream", func(b *bench, a, z driver.Stream) {
		b.times(a, 3)
		b.check(b.ctx.CopyDtoHAsync(make([]byte, 4), b.x, z))
	}},
	{"values that stay", "kernel affine", func(b *bench, a, z driver.Stream) { b.times(a, 1); b.times(z, 1) }},
	{"two reads", "", func(b *bench, a, z driver.Stream) {
		b.check(b.ctx.CopyDtoHAsync(make([]byte, 4), b.x, a))
		b.check(b.ctx.CopyDtoHAsync(make([]byte, 4), b.x, z))
	}},
	{"bytes beside each other", "", func(b *bench, a, z driver.Stream) { b.fill(b.x, 1, a); b.fill(b.x+1, 3, z) }},
	{"bytes that meet", "byte 1 of the 4-byte buffer", func(b *bench, a, z driver.Stream) {
		b.fill(b.x, 2, a)
		b.fill(b.x+1, 3, z)
	}},
	{"event", "", func(b *bench, a, z driver.Stream) { b.times(a, 2); b.follow(z, a); b.times(z, 3) }},
	{"event too early", "kernel affine", func(b *bench, a, z driver.Stream) {
		b.follow(z, a)
		b.times(a, 2)
		b.times(z, 3)
	}},
	{"event that nobody waits for", "kernel affine", func(b *bench, a, z driver.Stream) {
		b.times(a, 2)
		e, err := b.ctx.CreateEvent(0)
		b.check(err)
		b.check(e.Record(a))
		b.times(z, 3)
	}},
	{"event by a third stream", "", func(b *bench, a, z driver.Stream) {
		third := b.stream()
		b.times(a, 2)
		b.follow(third, a)
		b.follow(z, third)
		b.times(z, 3)
	}},
	{"event of what is done", "", func(b *bench, a, z driver.Stream) {
		b.times(a, 2)
		for a.Query() != nil { // by now nothing is left that the event could wait for
		}
		b.times(a, 2)
		b.check(b.ctx.Synchronize())
		b.follow(z, a)
		b.times(z, 3)
	}},
	{"stream that the host waited for", "", func(b *bench, a, z driver.Stream) {
		b.times(a, 2)
		b.check(a.Synchronize())
		b.times(z, 3)
	}},
	{"another stream that the host waited for", "kernel affine", func(b *bench, a, z driver.Stream) {
		b.times(a, 2)
		b.check(z.Synchronize())
		b.times(z, 3)
	}},
	{"query", "", func(b *bench, a, z driver.Stream) {
		b.times(a, 2)
		for a.Query() != nil {
		}
		b.times(z, 3)
	}},
	{"event that the host asked for", "", func(b *bench, a, z driver.Stream) {
		b.times(a, 2)
		e, err := b.ctx.CreateEvent(0)
		b.check(err)
		b.check(e.Record(a))
		for e.Query() != nil {
		}
		b.times(z, 3)
	}},
	{"told by a host function", "", func(b *bench, a, z driver.Stream) {
		told := make(chan bool)
		b.times(a, 2)
		b.check(a.LaunchHost(func() { close(told) }))
		<-told
		b.times(z, 3)
	}},
	{"held by a host function", "", func(b *bench, a, z driver.Stream) {
		gate := make(chan bool)
		b.check(z.LaunchHost(func() { <-gate }))
		b.times(z, 3)
		b.times(a, 2)
		b.check(a.Synchronize())
		close(gate)
	}},
	{"atomics", "", func(b *bench, a, z driver.Stream) {
		f := b.kernel(adds, "adds")
		b.adding(f, a)
		b.adding(f, z)
	}},
	{"atomic beside a store", "kernel adds", func(b *bench, a, z driver.Stream) {
		b.adding(b.kernel(adds, "adds"), a)
		b.times(z, 2)
	}},
	{"host memory", "at host address", func(b *bench, a, z driver.Stream) {
		mem := make([]byte, 4)
		y, err := b.ctx.Alloc(4)
		b.check(err)
		b.check(b.ctx.CopyDtoHAsync(mem, b.x, a))
		b.check(b.ctx.CopyHtoDAsync(y, mem, z))
	}},
	{"free", "free", func(b *bench, a, z driver.Stream) {
		y, err := b.ctx.AllocAsync(4, a)
		b.check(err)
		b.fill(y, 4, a)
		b.check(b.ctx.FreeAsync(y, z))
	}},
	{"legacy default stream", "", func(b *bench, _, _ driver.Stream) {
		s, err := b.ctx.CreateStream(driver.StreamDefault, 0)
		b.check(err)
		b.times(s, 2)
		b.times(nil, 3)
		b.times(s, 5)
	}},
	{"default stream beside one that does not block", "the default stream", func(b *bench, a, _ driver.Stream) {
		b.times(a, 2)
		b.times(nil, 3)
	}},
	{"graph beside a stream", "kernel affine", func(b *bench, a, z driver.Stream) {
		g := b.graph()
		b.node(g)
		b.run(g)
		b.times(z, 3)
	}},
	{"graph behind a stream", "", func(b *bench, a, z driver.Stream) {
		g := b.graph()
		b.node(g, b.node(g))
		b.times(a, 3)
		b.follow(b.s, a)
		b.run(g)
		b.follow(z, b.s)
		b.times(z, 3)
	}},
	{"branches of a graph", "kernel affine", func(b *bench, _, _ driver.Stream) {
		g := b.graph()
		first := b.node(g)
		b.node(g, first)
		b.node(g, first)
		b.run(g)
	}},
	{"branches that are joined", "", func(b *bench, _, _ driver.Stream) {
		g := b.graph()
		first := b.node(g)
		other, err := g.AddEmpty([]driver.GraphNode{first})
		b.check(err)
		b.node(g, b.node(g, first), other)
		for range 3 {
			b.run(g)
		}
	}},
	{"loop", "", func(b *bench, a, z driver.Stream) {
		g := b.graph()
		h, err := g.CreateConditionalHandle(1, true)
		b.check(err)
		_, bodies, err := g.AddConditional([]driver.GraphNode{b.node(g)}, h, driver.ConditionalIf, 1)
		b.check(err)
		b.node(bodies[0], b.node(bodies[0]))
		b.run(g)
	}},
	{"branches in a loop", "kernel affine", func(b *bench, a, z driver.Stream) {
		g := b.graph()
		h, err := g.CreateConditionalHandle(1, true)
		b.check(err)
		_, bodies, err := g.AddConditional([]driver.GraphNode{b.node(g)}, h, driver.ConditionalIf, 1)
		b.check(err)
		b.node(bodies[0])
		b.node(bodies[0])
		b.run(g)
	}},
}

// What two streams, or two nodes of a graph, do to the same bytes without an order between them is
// a race, whatever the values and whichever came first; what is ordered in any of CUDA's ways is
// none.
func TestRacesBetweenStreams(t *testing.T) { // D4
	for _, c := range raceCases {
		for schedule := range uint64(4) {
			b := newBench(t, emulated.Options{Checks: vm.Checked(), Schedule: schedule})
			c.run(b, b.stream(), b.stream())
			err := b.ctx.Synchronize()
			var fault *driver.Fault
			// What is freed too early may be gone before it is used.
			switch raced := errors.As(err, &fault) && fault.Kind == driver.FaultRace || c.name == "free" && err != nil; {
			case c.race == "" && err != nil:
				t.Errorf("%s, schedule %d: %v", c.name, schedule, err)
			case c.race != "" && (!raced || !strings.Contains(err.Error(), c.race)):
				t.Errorf("%s, schedule %d: %v, want a race with %q", c.name, schedule, err, c.race)
			}
		}
	}
}

// A lacking order shows in the result with some schedule, also where races are not looked for.
func TestALackingOrderShows(t *testing.T) { // D4
	seen := map[uint32]bool{}
	for schedule := range uint64(16) {
		b := newBench(t, emulated.Options{Schedule: schedule})
		a, z, gate := b.stream(), b.stream(), make(chan bool)
		b.check(b.s.LaunchHost(func() { <-gate }))
		b.follow(a, b.s)
		b.follow(z, b.s)
		b.times(a, 3)
		b.fill(b.x, 4, z)
		close(gate)
		b.check(b.ctx.Synchronize())
		seen[b.value()] = true
	}
	if len(seen) != 2 {
		t.Errorf("%v: both orders are CUDA's", seen)
	}
}
