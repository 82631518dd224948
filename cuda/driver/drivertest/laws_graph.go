package drivertest

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var graphLaws = []law{
	{"built", "a graph built node by node runs in the order of its edges", func(f *fixture) {
		p, s, g := upload(f, []uint32{1}), f.stream(), f.graph()
		a := f.node(g, nil, "affine", pack(p, uint32(1), uint32(2), uint32(1)))
		b := f.node(g, []driver.GraphNode{a}, "affine", pack(p, uint32(10), uint32(0), uint32(1)))
		f.node(g, []driver.GraphNode{b}, "affine", pack(p, uint32(1), uint32(4), uint32(1)))
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 34 {
			f.broken("%d, want (1+2)*10+4", v)
		}
	}},
	{"shape", "nodes, edges and dependencies are what was built, and can be changed", func(f *fixture) {
		g := f.graph()
		a := get[driver.GraphNode](f, "AddEmpty")(g.AddEmpty(nil))
		b := get[driver.GraphNode](f, "AddEmpty")(g.AddEmpty(nil))
		c := get[driver.GraphNode](f, "AddEmpty")(g.AddEmpty([]driver.GraphNode{a}))
		f.must("AddDependencies", g.AddDependencies([]driver.GraphEdge{{From: b, To: c}}))
		deps := get[[]driver.GraphNode](f, "Dependencies")(g.Dependencies(c))
		slices.Sort(deps)
		want := []driver.GraphNode{a, b}
		slices.Sort(want)
		equal(f, "dependencies", deps, want)
		f.must("RemoveDependencies", g.RemoveDependencies([]driver.GraphEdge{{From: a, To: c}}))
		equal(f, "edges", get[[]driver.GraphEdge](f, "Edges")(g.Edges()), []driver.GraphEdge{{From: b, To: c}})
		f.must("DestroyNode", g.DestroyNode(b))
		if n, e := get[[]driver.GraphNode](f, "Nodes")(g.Nodes()),
			get[[]driver.GraphEdge](f, "Edges")(g.Edges()); len(n) != 2 || len(e) != 0 {
			f.broken("%d nodes and %d edges after a node was destroyed", len(n), len(e))
		}
		if t := get[driver.GraphNodeType](f, "NodeType")(g.NodeType(a)); t != driver.GraphNodeEmpty {
			f.broken("type %s", t)
		}
	}},
	{"empty", "an empty graph instantiates and launches", func(f *fixture) {
		s, g := f.stream(), f.graph()
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
	}},
	{"cycle", "a cycle is ErrorInvalidValue, when it is made or when it is instantiated", func(f *fixture) {
		g := f.graph()
		a := get[driver.GraphNode](f, "AddEmpty")(g.AddEmpty(nil))
		b := get[driver.GraphNode](f, "AddEmpty")(g.AddEmpty([]driver.GraphNode{a}))
		err := g.AddDependencies([]driver.GraphEdge{{From: b, To: a}})
		if err == nil {
			_, err = g.Instantiate()
		}
		f.wants("a cycle", err, driver.ErrorInvalidValue)
	}},
	{"parameters", "parameters of kernel, copy and fill nodes read as they were set", graphParameters},
	{"captured parameters", "parameters of captured nodes can be read", func(f *fixture) {
		p, s, k := upload(f, []uint32{1}), f.stream(), f.kernel("affine")
		params := pack(p, uint32(3), uint32(4), uint32(1))
		f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
		f.must("Launch", k.Launch(&driver.LaunchConfig{Grid: driver.Dim3{X: 2, Y: 1, Z: 1},
			Block: driver.Dim3{X: 32, Y: 2, Z: 1}, SharedBytes: 16, Stream: s}, params))
		g := f.endCapture(s)
		nodes := get[[]driver.GraphNode](f, "Nodes")(g.Nodes())
		got := get[driver.KernelNodeParams](f, "KernelParams")(g.KernelParams(nodes[0]))
		if got.Function.Name() != "affine" || got.Grid != (driver.Dim3{X: 2, Y: 1, Z: 1}) ||
			got.Block != (driver.Dim3{X: 32, Y: 2, Z: 1}) || got.SharedBytes != 16 {
			f.broken("%+v", got)
		}
		equal(f, "parameter block", got.Params, params)
	}},
	{"wrong type", "parameters of a node of another type are refused", func(f *fixture) {
		g := f.graph()
		n := get[driver.GraphNode](f, "AddEmpty")(g.AddEmpty(nil))
		_, err1 := g.KernelParams(n)
		_, err2 := g.MemcpyParams(n)
		_, err3 := g.MemsetParams(n)
		_, err4 := g.ChildGraph(n)
		for _, err := range []error{err1, err2, err3, err4} {
			f.wants("an empty node", err, driver.ErrorInvalidValue)
		}
		x := f.instantiate(g)
		f.wants("SetMemsetParams", x.SetMemsetParams(n, driver.MemsetNodeParams{Dst: f.alloc(4), ElementSize: 1, Width: 4,
			Height: 1}), driver.ErrorInvalidValue)
	}},
	{"copies", "copy nodes move bytes between host and device, both ways and on the device", func(f *fixture) {
		p, q, s, g := f.alloc(64), f.alloc(64), f.stream(), f.graph()
		in, out := encode(counting(16)), make([]byte, 64)
		a := get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy(nil,
			driver.MemcpyNodeParams{Dst: p, SrcHost: unsafe.Pointer(&in[0]), Bytes: 64}))
		b := get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy([]driver.GraphNode{a},
			driver.MemcpyNodeParams{Dst: q, Src: p, Bytes: 64}))
		get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy([]driver.GraphNode{b},
			driver.MemcpyNodeParams{DstHost: unsafe.Pointer(&out[0]), Src: q, Bytes: 64}))
		x := f.instantiate(g)
		f.must("Launch", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		equal(f, "bytes", out, in)
		in[0] = 99
		f.must("Launch again", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		equal(f, "bytes, read anew", out, in)
	}},
	{"fills", "fill nodes fill rows with a pitch", func(f *fixture) {
		p, s, g := f.alloc(64), f.stream(), f.graph()
		f.must("MemsetD8", f.ctx.MemsetD8(p, 0, 64))
		get[driver.GraphNode](f, "AddMemset")(g.AddMemset(nil,
			driver.MemsetNodeParams{Dst: p, Pitch: 16, Value: 0xABCD, ElementSize: 2, Width: 3, Height: 2}))
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		want := make([]uint32, 16)
		want[0], want[1], want[4], want[5] = 0xABCDABCD, 0xABCD, 0xABCDABCD, 0xABCD
		equal(f, "words", download[uint32](f, p, 16), want)
	}},
	{"host nodes", "a host node runs at every launch, between what it depends on and what depends on it",
		func(f *fixture) {
			p, s, g := upload(f, []uint32{5}), f.stream(), f.graph()
			out := make([]byte, 4)
			var sum atomic.Uint32
			a := get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy(nil,
				driver.MemcpyNodeParams{DstHost: unsafe.Pointer(&out[0]), Src: p, Bytes: 4}))
			b := get[driver.GraphNode](f, "AddHost")(g.AddHost([]driver.GraphNode{a}, func() {
				sum.Add(decode[uint32](out)[0])
			}))
			f.node(g, []driver.GraphNode{b}, "affine", pack(p, uint32(2), uint32(0), uint32(1)))
			x := f.instantiate(g)
			for range 3 {
				f.must("Launch", x.Launch(s))
			}
			f.must("Synchronize", s.Synchronize())
			if sum.Load() != 5+10+20 {
				f.broken("the host function saw a sum of %d, want 35", sum.Load())
			}
		}},
	{"events", "event nodes record and wait", func(f *fixture) {
		p, a, b, e, g := upload(f, []uint32{0}), f.stream(), f.stream(), f.event(0), f.graph()
		n := f.node(g, nil, "slow", pack(p, uint32(slowSpins)))
		get[driver.GraphNode](f, "AddEventRecord")(g.AddEventRecord([]driver.GraphNode{n}, e))
		waits := f.graph()
		w := get[driver.GraphNode](f, "AddEventWait")(waits.AddEventWait(nil, e))
		f.node(waits, []driver.GraphNode{w}, "affine", pack(p, uint32(10), uint32(0), uint32(1)))
		x, y := f.instantiate(g), f.instantiate(waits)
		f.must("Launch", x.Launch(a))
		f.must("Launch", y.Launch(b))
		f.must("Synchronize", b.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 10 {
			f.broken("%d, want (0+1)*10", v)
		}
	}},
	{"children", "a child graph runs as one node, as it was when it was added", func(f *fixture) {
		p, s, g, child := upload(f, []uint32{1}), f.stream(), f.graph(), f.graph()
		f.node(child, nil, "affine", pack(p, uint32(3), uint32(0), uint32(1)))
		a := f.node(g, nil, "affine", pack(p, uint32(1), uint32(1), uint32(1)))
		c := get[driver.GraphNode](f, "AddChildGraph")(g.AddChildGraph([]driver.GraphNode{a}, child))
		f.node(g, []driver.GraphNode{c}, "affine", pack(p, uint32(1), uint32(7), uint32(1)))
		f.node(child, nil, "affine", pack(p, uint32(0), uint32(0), uint32(1)))
		inner := get[driver.Graph](f, "ChildGraph")(g.ChildGraph(c))
		if n := get[[]driver.GraphNode](f, "Nodes")(inner.Nodes()); len(n) != 1 {
			f.broken("the embedded graph has %d nodes", len(n))
		}
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 13 {
			f.broken("%d, want (1+1)*3+7", v)
		}
	}},
	{"memory nodes", "memory that a graph allocates is there while it runs", func(f *fixture) {
		out, s, g := f.alloc(64), f.stream(), f.graph()
		a, p, err := g.AddMemAlloc(nil, 4096)
		f.must("AddMemAlloc", err)
		b := get[driver.GraphNode](f, "AddMemset")(g.AddMemset([]driver.GraphNode{a},
			driver.MemsetNodeParams{Dst: p, Value: 0x77, ElementSize: 1, Width: 4096, Height: 1}))
		c := get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy([]driver.GraphNode{b},
			driver.MemcpyNodeParams{Dst: out, Src: p, Bytes: 64}))
		get[driver.GraphNode](f, "AddMemFree")(g.AddMemFree([]driver.GraphNode{c}, p))
		x := f.instantiate(g)
		for range 2 {
			f.must("Launch", x.Launch(s))
		}
		f.must("Synchronize", s.Synchronize())
		equal(f, "words", download[uint32](f, out, 16), repeated(0x77777777, 16))
	}},
	{"clone", "a clone is a graph of its own and finds each node's copy", func(f *fixture) {
		p, s, g := upload(f, []uint32{1}), f.stream(), f.graph()
		n := f.node(g, nil, "affine", pack(p, uint32(2), uint32(0), uint32(1)))
		clone := get[driver.Graph](f, "Clone")(g.Clone())
		f.release("Destroy", clone.Destroy)
		copied := get[driver.GraphNode](f, "NodeInClone")(g.NodeInClone(n, clone))
		params := get[driver.KernelNodeParams](f, "KernelParams")(clone.KernelParams(copied))
		params.Params = pack(p, uint32(100), uint32(0), uint32(1))
		f.must("SetKernelParams", clone.SetKernelParams(copied, params))
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Launch", f.instantiate(clone).Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 200 {
			f.broken("%d, want 1*2*100", v)
		}
	}},
	{"destroyed", "a graph is refused after it was destroyed, and what was made from it runs on", func(f *fixture) {
		p, s := upload(f, []uint32{1}), f.stream()
		g := get[driver.Graph](f, "CreateGraph")(f.ctx.CreateGraph())
		f.node(g, nil, "affine", pack(p, uint32(2), uint32(0), uint32(1)))
		x := get[driver.GraphExec](f, "Instantiate")(g.Instantiate())
		f.must("Destroy", g.Destroy())
		f.wants("Destroy again", g.Destroy(), driver.ErrorInvalidHandle)
		_, err := g.Nodes()
		f.wants("Nodes", err, driver.ErrorInvalidHandle)
		f.must("Launch", x.Launch(s))
		f.must("Synchronize", s.Synchronize())
		f.must("GraphExec.Destroy", x.Destroy())
		f.wants("Launch after Destroy", x.Launch(s), driver.ErrorInvalidHandle)
		if v := download[uint32](f, p, 1)[0]; v != 2 {
			f.broken("%d", v)
		}
	}},
}

// node adds a one-thread kernel.
func (f *fixture) node(g driver.Graph, after []driver.GraphNode, kernel string, params []byte) driver.GraphNode {
	f.Helper()
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	return get[driver.GraphNode](f, "AddKernel "+kernel)(g.AddKernel(after,
		driver.KernelNodeParams{Function: f.kernel(kernel), Grid: one, Block: one, Params: params}))
}

func graphParameters(f *fixture) {
	p, g := f.alloc(64), f.graph()
	params := pack(p, uint32(3), uint32(4), uint32(1))
	k := f.node(g, nil, "affine", params)
	got := get[driver.KernelNodeParams](f, "KernelParams")(g.KernelParams(k))
	equal(f, "parameter block", got.Params, params)
	if got.Function.Name() != "affine" {
		f.broken("function %s", got.Function.Name())
	}
	host := make([]byte, 64)
	copied := driver.MemcpyNodeParams{Dst: p, SrcHost: unsafe.Pointer(&host[0]), Bytes: 64}
	c := get[driver.GraphNode](f, "AddMemcpy")(g.AddMemcpy(nil, copied))
	if q := get[driver.MemcpyNodeParams](f, "MemcpyParams")(g.MemcpyParams(c)); q != copied {
		f.broken("copy %+v, want %+v", q, copied)
	}
	fill := driver.MemsetNodeParams{Dst: p, Value: 0x5A, ElementSize: 1, Width: 64, Height: 1}
	m := get[driver.GraphNode](f, "AddMemset")(g.AddMemset(nil, fill))
	q := get[driver.MemsetNodeParams](f, "MemsetParams")(g.MemsetParams(m))
	q.Pitch = 0
	if q != fill {
		f.broken("fill %+v, want %+v", q, fill)
	}
	fill.Value, copied.Bytes = 0xA5, 32
	f.must("SetMemsetParams", g.SetMemsetParams(m, fill))
	f.must("SetMemcpyParams", g.SetMemcpyParams(c, copied))
	if q := get[driver.MemsetNodeParams](f, "MemsetParams")(g.MemsetParams(m)); q.Value != 0xA5 {
		f.broken("fill value %#x", q.Value)
	}
	if q := get[driver.MemcpyNodeParams](f, "MemcpyParams")(g.MemcpyParams(c)); q.Bytes != 32 {
		f.broken("copy of %d bytes", q.Bytes)
	}
}
