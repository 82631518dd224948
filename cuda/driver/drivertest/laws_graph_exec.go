package drivertest

import (
	"bytes"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var execLaws = []law{
	{"fill update", "a fill captured with 0x5A and set to 0xA5 fills with 0xA5", func(f *fixture) {
		p, s := f.alloc(4096), f.stream()
		f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
		f.must("MemsetD8Async", f.ctx.MemsetD8Async(p, 0x5A, 4096, s))
		g := f.endCapture(s)
		nodes := get[[]driver.GraphNode](f, "Nodes")(g.Nodes())
		if len(nodes) != 1 {
			f.broken("%d nodes, want 1", len(nodes))
		}
		x := f.instantiate(g)
		params := get[driver.MemsetNodeParams](f, "MemsetParams")(g.MemsetParams(nodes[0]))
		params.Value = 0xA5
		f.must("SetMemsetParams", x.SetMemsetParams(nodes[0], params))
		for range 3 {
			f.must("Launch", x.Launch(s))
		}
		out := make([]byte, 4096)
		f.must("Synchronize", s.Synchronize())
		f.must("CopyDtoH", f.ctx.CopyDtoH(out, p))
		equal(f, "bytes", out, bytes.Repeat([]byte{0xA5}, 4096))
	}},
	{"kernel update", "kernel parameters set between launches hold for launches after them alone", func(f *fixture) {
		p, s, g := upload(f, []uint32{0}), f.stream(), f.graph()
		n := f.node(g, nil, "affine", pack(p, uint32(1), uint32(1), uint32(1)))
		x := f.instantiate(g)
		params := get[driver.KernelNodeParams](f, "KernelParams")(g.KernelParams(n))
		want := uint32(1)
		f.must("Launch", x.Launch(s))
		for i := range uint32(10) {
			params.Params = pack(p, uint32(2), i, uint32(1))
			f.must("SetKernelParams", x.SetKernelParams(n, params))
			f.must("Launch", x.Launch(s))
			want = 2*want + i
		}
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != want {
			f.broken("%d, want %d", v, want)
		}
	}},
	{"copy update", "a copy can be pointed elsewhere", func(f *fixture) {
		a, b, s, g := upload(f, []uint32{11}), upload(f, []uint32{22}), f.stream(), f.graph()
		out := make([]byte, 4)
		params := driver.MemcpyNodeParams{DstHost: unsafe.Pointer(&out[0]), Src: a, Bytes: 4}
		n := get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy(nil, params))
		x := f.instantiate(g)
		params.Src = b
		f.must("SetMemcpyParams", x.SetMemcpyParams(n, params))
		f.must("Launch", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := decode[uint32](out)[0]; v != 22 {
			f.broken("%d", v)
		}
	}},
	{"switched off", "a node that is switched off does nothing and holds nothing up", func(f *fixture) {
		p, s, g := upload(f, []uint32{1}), f.stream(), f.graph()
		a := f.node(g, nil, "affine", pack(p, uint32(10), uint32(0), uint32(1)))
		f.node(g, []driver.GraphNode{a}, "affine", pack(p, uint32(1), uint32(3), uint32(1)))
		x := f.instantiate(g)
		f.must("SetEnabled", x.SetEnabled(a, false))
		if on := get[bool](f, "Enabled")(x.Enabled(a)); on {
			f.broken("still on")
		}
		f.must("Launch", x.Launch(s))
		f.must("SetEnabled", x.SetEnabled(a, true))
		f.must("Launch", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 43 {
			f.broken("%d, want (1+3)*10+3", v)
		}
	}},
	{"whole update", "Update takes all parameters of a graph of the same shape, and refuses another shape",
		func(f *fixture) {
			p, s, g, other := upload(f, []uint32{1}), f.stream(), f.graph(), f.graph()
			f.node(g, nil, "affine", pack(p, uint32(2), uint32(0), uint32(1)))
			n := f.node(other, nil, "affine", pack(p, uint32(50), uint32(0), uint32(1)))
			x := f.instantiate(g)
			up, err := x.Update(other)
			f.must("Update", err)
			if up.Result != driver.GraphExecUpdateSuccess {
				f.broken("result %s", up.Result)
			}
			f.must("Launch", x.Launch(s))
			f.must("Synchronize", s.Synchronize())
			if v := download[uint32](f, p, 1)[0]; v != 50 {
				f.broken("%d", v)
			}
			f.node(other, []driver.GraphNode{n}, "affine", pack(p, uint32(1), uint32(1), uint32(1)))
			up, err = x.Update(other)
			f.wants("Update to another shape", err, driver.ErrorGraphExecUpdateFailure)
			if up.Result != driver.GraphExecUpdateTopologyChanged {
				f.broken("result %s", up.Result)
			}
		}},
	{"child update", "a child graph's parameters can be taken from another graph", func(f *fixture) {
		p, s, g, child, other := upload(f, []uint32{1}), f.stream(), f.graph(), f.graph(), f.graph()
		f.node(child, nil, "affine", pack(p, uint32(3), uint32(0), uint32(1)))
		f.node(other, nil, "affine", pack(p, uint32(7), uint32(0), uint32(1)))
		n := get[driver.GraphNode](f, "AddChildGraph")(g.AddChildGraph(nil, child))
		x := f.instantiate(g)
		f.must("SetChildGraphParams", x.SetChildGraphParams(n, other))
		f.must("Launch", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 7 {
			f.broken("%d", v)
		}
	}},
	{"upload", "Upload ahead of a launch changes nothing but time", func(f *fixture) {
		p, s, g := upload(f, []uint32{1}), f.stream(), f.graph()
		f.node(g, nil, "affine", pack(p, uint32(2), uint32(0), uint32(1)))
		x := f.instantiate(g)
		f.must("Upload", x.Upload(s))
		f.must("Launch", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 2 {
			f.broken("%d", v)
		}
	}},
	{"while", "a WHILE node runs its body until a kernel sets the condition to 0", func(f *fixture) {
		left, p, s, g := upload(f, []uint32{5}), upload(f, []uint32{0}), f.stream(), f.graph()
		f.conditionalNode(g, driver.ConditionalWhile, 1, 1,
			func(h driver.ConditionalHandle, bodies []driver.Graph, k driver.Function) {
				a := f.node(bodies[0], nil, "affine", pack(p, uint32(1), uint32(1), uint32(1)))
				f.addKernel(bodies[0], []driver.GraphNode{a}, k, pack(uint64(h), left))
			})
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 5 {
			f.broken("the body ran %d times, want 5", v)
		}
	}},
	{"if", "an IF node runs its body only where the condition is not 0", func(f *fixture) {
		for _, initial := range []uint32{0, 1} {
			p, s, g := upload(f, []uint32{0}), f.stream(), f.graph()
			f.conditionalNode(g, driver.ConditionalIf, initial, 1,
				func(_ driver.ConditionalHandle, bodies []driver.Graph, _ driver.Function) {
					f.node(bodies[0], nil, "affine", pack(p, uint32(1), uint32(1), uint32(1)))
				})
			x := f.instantiate(g)
			f.must("Launch", x.Launch(s))
			f.must("Launch", x.Launch(s))
			f.must("Synchronize", s.Synchronize())
			if v := download[uint32](f, p, 1)[0]; v != 2*initial {
				f.broken("condition %d, and the body ran %d times in two launches", initial, v)
			}
		}
	}},
	{"else and switch", "an IF node has an else body, and a SWITCH runs the body of its value", func(f *fixture) {
		for _, c := range []struct {
			kind   driver.ConditionalKind
			value  uint32
			bodies int
			want   uint32
		}{{driver.ConditionalIf, 1, 2, 1}, {driver.ConditionalIf, 0, 2, 10}, {driver.ConditionalSwitch, 2, 3, 100},
			{driver.ConditionalSwitch, 3, 3, 0}} {
			p, s, g := upload(f, []uint32{0}), f.stream(), f.graph()
			f.conditionalNode(g, c.kind, c.value, c.bodies,
				func(_ driver.ConditionalHandle, bodies []driver.Graph, _ driver.Function) {
					add := uint32(1)
					for _, b := range bodies {
						f.node(b, nil, "affine", pack(p, uint32(1), add, uint32(1)))
						add *= 10
					}
				})
			f.must("Launch", f.instantiate(g).Launch(s))
			f.must("Synchronize", s.Synchronize())
			if v := download[uint32](f, p, 1)[0]; v != c.want {
				f.broken("%s of %d: %d, want %d", c.kind, c.value, v, c.want)
			}
		}
	}},
	{"captured body", "a capture can fill the body of a conditional node", func(f *fixture) {
		p, s, g := upload(f, []uint32{0}), f.stream(), f.graph()
		k := f.kernel("affine")
		f.conditionalNode(g, driver.ConditionalIf, 1, 1,
			func(_ driver.ConditionalHandle, bodies []driver.Graph, _ driver.Function) {
				f.needs(s.BeginCaptureToGraph(bodies[0], nil, driver.CaptureThreadLocal))
				f.launch(k, 1, 1, s, pack(p, uint32(1), uint32(6), uint32(1)))
				if got := get[driver.Graph](f, "EndCapture")(s.EndCapture()); got != bodies[0] {
					f.broken("EndCapture gave another graph")
				}
			})
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 6 {
			f.broken("%d", v)
		}
	}},
}

func (f *fixture) addKernel(g driver.Graph, after []driver.GraphNode, k driver.Function,
	params []byte) driver.GraphNode {
	f.Helper()
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	return get[driver.GraphNode](f, "AddKernel")(g.AddKernel(after,
		driver.KernelNodeParams{Function: k, Grid: one, Block: one, Params: params}))
}

// conditionalNode adds a conditional node to g and lets fill fill its bodies.
func (f *fixture) conditionalNode(g driver.Graph, kind driver.ConditionalKind, initial uint32, bodies int,
	fill func(driver.ConditionalHandle, []driver.Graph, driver.Function)) {
	f.Helper()
	h, err := g.CreateConditionalHandle(initial, true)
	f.needs(err)
	_, graphs, err := g.AddConditional(nil, h, kind, bodies)
	f.needs(err)
	if len(graphs) != bodies {
		f.broken("%d bodies, want %d", len(graphs), bodies)
	}
	fill(h, graphs, get[driver.Function](f, "countdown")(f.load(conditional).Function("countdown")))
}
