package drivertest

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var captureLaws = []law{
	{"records", "a capture records and does not run; the graph runs as often as it is launched", func(f *fixture) {
		p, s, k := upload(f, []uint32{0}), f.stream(), f.kernel("affine")
		f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
		f.launch(k, 1, 1, s, pack(p, uint32(1), uint32(5), uint32(1)))
		f.launch(k, 1, 1, s, pack(p, uint32(2), uint32(0), uint32(1)))
		g := f.endCapture(s)
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 0 {
			f.broken("the capture ran: %d", v)
		}
		x := f.instantiate(g)
		for range 3 {
			f.must("Launch", x.Launch(s))
		}
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 70 {
			f.broken("%d, want ((0+5)*2+5)*2+5)*2 = 70", v)
		}
	}},
	{"inventory", "captured nodes have their types, in a chain", captureInventory},
	{"state", "CaptureInfo tells none and active, the nodes so far and what comes next depends on", func(f *fixture) {
		s, k := f.stream(), f.kernel("nothing")
		if i := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo()); i.Status != driver.CaptureNone || i.Graph != nil {
			f.broken("before: %+v", i)
		}
		f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
		f.launch(k, 1, 1, s, nil)
		i := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo())
		if i.Status != driver.CaptureActive || i.Graph == nil || len(i.Dependencies) != 1 {
			f.broken("during: %+v", i)
		} else if nodes := get[[]driver.GraphNode](f, "Nodes")(i.Graph.Nodes()); len(nodes) != 1 ||
			nodes[0] != i.Dependencies[0] {
			f.broken("during: nodes %v, dependencies %v", nodes, i.Dependencies)
		}
		f.endCapture(s)
		if i := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo()); i.Status != driver.CaptureNone {
			f.broken("after: %+v", i)
		}
	}},
	{"nodes by hand", "a node added to the graph under construction comes into the capture by SetCaptureDependencies",
		func(f *fixture) {
			s, k := f.stream(), f.kernel("nothing")
			f.wants("outside a capture", s.SetCaptureDependencies(nil), driver.ErrorIllegalState)
			f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
			f.launch(k, 1, 1, s, nil)
			i := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo())
			byHand := get[driver.GraphNode](f, "AddEmpty")(i.Graph.AddEmpty(i.Dependencies))
			f.must("SetCaptureDependencies", s.SetCaptureDependencies([]driver.GraphNode{byHand}))
			f.launch(k, 1, 1, s, nil)
			last := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo()).Dependencies
			g := f.endCapture(s)
			edges := get[[]driver.GraphEdge](f, "Edges")(g.Edges())
			if len(edges) != 2 || len(last) != 1 || !slices.Contains(edges, driver.GraphEdge{From: byHand, To: last[0]}) ||
				!slices.Contains(edges, driver.GraphEdge{From: i.Dependencies[0], To: byHand}) {
				f.broken("edges %v, want %d -> %d -> %d", edges, i.Dependencies, byHand, last)
			}
		}},
	{"conditional in a capture", "a conditional node made by hand takes its place in a capture", func(f *fixture) {
		left, p, s := upload(f, []uint32{3}), upload(f, []uint32{0}), f.stream()
		k := f.kernel("affine")
		count := get[driver.Function](f, "countdown")(f.load(conditional).Function("countdown"))
		f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
		f.launch(k, 1, 1, s, pack(p, uint32(1), uint32(100), uint32(1)))
		i := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo())
		h, err := i.Graph.CreateConditionalHandle(1, true)
		var node driver.GraphNode
		var bodies []driver.Graph
		if err == nil {
			node, bodies, err = i.Graph.AddConditional(i.Dependencies, h, driver.ConditionalWhile, 1)
		}
		if err != nil {
			f.endCapture(s)
			f.needs(err)
		}
		// No f.node here: it loads a module, which a capture need not bear.
		a := f.addKernel(bodies[0], nil, k, pack(p, uint32(1), uint32(1), uint32(1)))
		f.addKernel(bodies[0], []driver.GraphNode{a}, count, pack(uint64(h), left))
		f.must("SetCaptureDependencies", s.SetCaptureDependencies([]driver.GraphNode{node}))
		f.launch(k, 1, 1, s, pack(p, uint32(2), uint32(0), uint32(1)))
		g := f.endCapture(s)
		f.must("Launch", f.instantiate(g).Launch(s))
		f.must("Synchronize", s.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 206 {
			f.broken("%d, want (100+3)*2", v)
		}
	}},
	{"fork and join", "an event carries a capture to another stream and back", func(f *fixture) {
		p, q, r := upload(f, []uint32{1}), upload(f, []uint32{2}), upload(f, []uint32{0})
		a, b, k := f.stream(), f.stream(), f.kernel("affine")
		fork, join := f.event(driver.EventDisableTiming), f.event(driver.EventDisableTiming)
		f.must("BeginCapture", a.BeginCapture(driver.CaptureThreadLocal))
		f.must("Record", fork.Record(a))
		f.must("WaitEvent", b.WaitEvent(fork))
		f.launch(k, 1, 1, a, pack(p, uint32(10), uint32(0), uint32(1)))
		f.launch(k, 1, 1, b, pack(q, uint32(10), uint32(0), uint32(1)))
		f.must("Record", join.Record(b))
		f.must("WaitEvent", a.WaitEvent(join))
		f.launch(f.kernel("vadd"), 1, 1, a, pack(p, q, r, uint32(1)))
		g := f.endCapture(a)
		edges := get[[]driver.GraphEdge](f, "Edges")(g.Edges())
		nodes := get[[]driver.GraphNode](f, "Nodes")(g.Nodes())
		if len(nodes) != 3 || len(edges) != 2 {
			f.broken("%d nodes and %d edges, want two kernels that a third waits for", len(nodes), len(edges))
		}
		f.must("Launch", f.instantiate(g).Launch(a))
		f.must("Synchronize", a.Synchronize())
		if x, y := download[uint32](f, p, 1)[0], download[uint32](f, q, 1)[0]; x != 10 || y != 20 {
			f.broken("%d and %d", x, y)
		}
	}},
	{"unjoined", "a stream that was forked into a capture and not joined is ErrorStreamCaptureUnjoined", func(f *fixture) {
		a, b, fork := f.stream(), f.stream(), f.event(driver.EventDisableTiming)
		f.must("BeginCapture", a.BeginCapture(driver.CaptureThreadLocal))
		f.must("Record", fork.Record(a))
		f.must("WaitEvent", b.WaitEvent(fork))
		f.launch(f.kernel("nothing"), 1, 1, b, nil)
		_, err := a.EndCapture()
		f.wants("EndCapture", err, driver.ErrorStreamCaptureUnjoined)
		f.must("the stream works again", a.Synchronize())
	}},
	{"invalidated", "waiting for a capturing stream is refused and spoils the capture; the stream survives",
		func(f *fixture) {
			s := f.stream()
			k := f.kernel("nothing")
			f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
			f.launch(k, 1, 1, s, nil)
			f.wants("Synchronize", s.Synchronize(), driver.ErrorStreamCaptureUnsupported)
			if i := get[driver.CaptureInfo](f, "CaptureInfo")(s.CaptureInfo()); i.Status != driver.CaptureInvalidated {
				f.broken("status %s", i.Status)
			}
			_, err := s.EndCapture()
			f.wants("EndCapture", err, driver.ErrorStreamCaptureInvalidated)
			f.launch(k, 1, 1, s, nil)
			f.must("Synchronize", s.Synchronize())
		}},
	{"begin and end", "a capture begins once and ends where it began", func(f *fixture) {
		s := f.stream()
		_, err := s.EndCapture()
		f.wants("EndCapture without a capture", err, driver.ErrorIllegalState)
		f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
		f.wants("BeginCapture again", s.BeginCapture(driver.CaptureThreadLocal), driver.ErrorIllegalState)
		g := f.endCapture(s)
		if nodes := get[[]driver.GraphNode](f, "Nodes")(g.Nodes()); len(nodes) != 0 {
			f.broken("an empty capture has %d nodes", len(nodes))
		}
		f.wants("the default stream", f.ctx.DefaultStream().BeginCapture(driver.CaptureThreadLocal),
			driver.ErrorStreamCaptureUnsupported)
	}},
	{"no event timing", "an event recorded in a capture cannot be waited for on the host", func(f *fixture) {
		s, e := f.stream(), f.event(0)
		f.must("BeginCapture", s.BeginCapture(driver.CaptureRelaxed))
		f.must("Record", e.Record(s))
		f.wants("Event.Synchronize", e.Synchronize(), driver.ErrorCapturedEvent)
		_, _ = s.EndCapture()
		f.must("the stream works again", s.Synchronize())
	}},
}

func (f *fixture) endCapture(s driver.Stream) driver.Graph {
	f.Helper()
	g := get[driver.Graph](f, "EndCapture")(s.EndCapture())
	f.release("Graph.Destroy", g.Destroy)
	return g
}

func captureInventory(f *fixture) {
	p, q, s := f.alloc(4096), f.alloc(4096), f.stream()
	k := f.kernel("affine")
	out := make([]byte, 4096)
	f.must("BeginCapture", s.BeginCapture(driver.CaptureThreadLocal))
	f.must("MemsetD8Async", f.ctx.MemsetD8Async(p, 0x5A, 4096, s))
	f.launch(k, 4, 256, s, pack(p, uint32(1), uint32(1), uint32(1024)))
	f.must("CopyDtoDAsync", f.ctx.CopyDtoDAsync(q, p, 4096, s))
	f.must("LaunchHost", s.LaunchHost(func() {}))
	f.must("CopyDtoHAsync", f.ctx.CopyDtoHAsync(out, q, s))
	g := f.endCapture(s)
	nodes := chain(f, g)
	var types []driver.GraphNodeType
	for _, n := range nodes {
		types = append(types, get[driver.GraphNodeType](f, "NodeType")(g.NodeType(n)))
	}
	want := []driver.GraphNodeType{driver.GraphNodeMemset, driver.GraphNodeKernel, driver.GraphNodeMemcpy,
		driver.GraphNodeHost, driver.GraphNodeMemcpy}
	equal(f, "types", types, want)
	f.must("Launch", f.instantiate(g).Launch(s))
	f.must("Synchronize", s.Synchronize())
	equal(f, "words", decode[uint32](out), repeated(0x5A5A5A5B, 1024))
}

// chain gives the nodes of a graph that is a chain, first to last.
func chain(f *fixture, g driver.Graph) []driver.GraphNode {
	f.Helper()
	nodes := get[[]driver.GraphNode](f, "Nodes")(g.Nodes())
	depth := map[driver.GraphNode]int{}
	for range nodes {
		for _, n := range nodes {
			deps := get[[]driver.GraphNode](f, "Dependencies")(g.Dependencies(n))
			for _, d := range deps {
				depth[n] = max(depth[n], depth[d]+1)
			}
		}
	}
	slices.SortFunc(nodes, func(a, b driver.GraphNode) int { return depth[a] - depth[b] })
	for i, n := range nodes {
		if depth[n] != i {
			f.broken("the nodes are no chain: depths %v", depth)
			break
		}
	}
	return nodes
}
