package emulated

import (
	gocontext "context"
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func (g *graph) AddKernel(after []driver.GraphNode, p driver.KernelNodeParams) (driver.GraphNode, error) {
	const call = "cuGraphAddKernelNode"
	n, err := g.ctx.kernelNode(call, p)
	if err != nil {
		return 0, err
	}
	return g.add(call, after, n)
}

// kernelNode checks kernel parameters and keeps a copy of them.
func (c *context) kernelNode(call string, p driver.KernelNodeParams) (*node, error) {
	f, ok := p.Function.(*function)
	if !ok || f.module.ctx != c {
		return nil, fail(call, driver.ErrorInvalidHandle, "the kernel is of another context")
	}
	if err := f.module.live(call); err != nil {
		return nil, err
	}
	p.Params = slices.Clone(p.Params)
	n := &node{kind: driver.GraphNodeKernel, kernel: p}
	return n, n.check(call)
}

func (g *graph) AddMemcpy(after []driver.GraphNode, p driver.MemcpyNodeParams) (driver.GraphNode, error) {
	const call = "cuGraphAddMemcpyNode"
	if err := g.ctx.checkCopy(call, p); err != nil {
		return 0, err
	}
	return g.add(call, after, &node{kind: driver.GraphNodeMemcpy, copy: p})
}

// checkCopy refuses addresses that are none.
func (c *context) checkCopy(call string, p driver.MemcpyNodeParams) error {
	if p.Bytes == 0 {
		return fail(call, driver.ErrorInvalidValue, "a copy of 0 bytes")
	}
	if p.DstHost == nil {
		if _, err := c.memory.Find(uint64(p.Dst), p.Bytes); err != nil {
			return memoryError(call, err)
		}
	}
	if p.SrcHost == nil {
		if _, err := c.memory.Find(uint64(p.Src), p.Bytes); err != nil {
			return memoryError(call, err)
		}
	}
	return nil
}

func (g *graph) AddMemset(after []driver.GraphNode, p driver.MemsetNodeParams) (driver.GraphNode, error) {
	const call = "cuGraphAddMemsetNode"
	if err := g.ctx.checkFill(call, p); err != nil {
		return 0, err
	}
	return g.add(call, after, &node{kind: driver.GraphNodeMemset, fill: p})
}

func (c *context) checkFill(call string, p driver.MemsetNodeParams) error {
	size := uint64(p.ElementSize)
	switch {
	case size != 1 && size != 2 && size != 4:
		return fail(call, driver.ErrorInvalidValue, "elements of %d bytes", size)
	case uint64(p.Dst)%size != 0:
		return fail(call, driver.ErrorInvalidValue, "the address %s is not a multiple of %d", p.Dst, size)
	case p.Width == 0 || p.Height == 0 || p.Width > 1<<46/size || p.Height > 1<<46/(p.Width*size):
		return fail(call, driver.ErrorInvalidValue, "%d rows of %d elements", p.Height, p.Width)
	case p.Height > 1 && (p.Pitch < p.Width*size || p.Pitch > 1<<46/p.Height):
		return fail(call, driver.ErrorInvalidValue, "a pitch of %d bytes for rows of %d", p.Pitch, p.Width*size)
	}
	if _, err := c.memory.Find(uint64(p.Dst), (p.Height-1)*p.Pitch*min(p.Height-1, 1)+p.Width*size); err != nil {
		return memoryError(call, err)
	}
	return nil
}

func (g *graph) AddHost(after []driver.GraphNode, fn func()) (driver.GraphNode, error) {
	const call = "cuGraphAddHostNode"
	if fn == nil {
		return 0, fail(call, driver.ErrorInvalidValue, "the function is nil")
	}
	return g.add(call, after, &node{kind: driver.GraphNodeHost, host: fn})
}

func (g *graph) AddEmpty(after []driver.GraphNode) (driver.GraphNode, error) {
	return g.add("cuGraphAddEmptyNode", after, &node{kind: driver.GraphNodeEmpty})
}

func (g *graph) AddChildGraph(after []driver.GraphNode, child driver.Graph) (driver.GraphNode, error) {
	const call = "cuGraphAddChildGraphNode"
	ch, err := g.ctx.childOf(call, child)
	if err != nil {
		return 0, err
	}
	return g.add(call, after, &node{kind: driver.GraphNodeGraph, child: ch})
}

// childOf copies a graph to be embedded.
func (c *context) childOf(call string, child driver.Graph) (*graph, error) {
	ch, ok := child.(*graph)
	if !ok || ch.ctx != c {
		return nil, fail(call, driver.ErrorInvalidHandle, "the child graph is of another context")
	}
	unlock, err := ch.lock(call)
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, n := range ch.nodes {
		if n.kind == driver.GraphNodeMemAlloc || n.kind == driver.GraphNodeMemFree || n.kind == driver.GraphNodeConditional {
			return nil, fail(call, driver.ErrorNotSupported, "a graph with memory or conditional nodes cannot be embedded")
		}
	}
	cp := ch.copyLocked()
	cp.owned = true
	return cp, nil
}

func (g *graph) AddEventRecord(after []driver.GraphNode, e driver.Event) (driver.GraphNode, error) {
	const call = "cuGraphAddEventRecordNode"
	ev, err := g.ctx.event(call, e)
	if err != nil {
		return 0, err
	}
	return g.add(call, after, &node{kind: driver.GraphNodeEventRecord, event: ev})
}

func (g *graph) AddEventWait(after []driver.GraphNode, e driver.Event) (driver.GraphNode, error) {
	const call = "cuGraphAddEventWaitNode"
	ev, err := g.ctx.event(call, e)
	if err != nil {
		return 0, err
	}
	return g.add(call, after, &node{kind: driver.GraphNodeWaitEvent, event: ev})
}

// graphMemory is what allocation nodes reserve: it lives as long as the graph or
// anything made from it.
type graphMemory struct {
	ctx    *context
	mu     sync.Mutex
	users  int
	blocks []driver.DevicePtr
	// handles are the conditional handles, whose values live as long; guarded by the context's mu.
	handles []driver.ConditionalHandle
}

func newGraphMemory(c *context) *graphMemory { return &graphMemory{ctx: c, users: 1} }

func (m *graphMemory) hold() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.users++
}

// drop frees the memory and the conditional values behind all work enqueued so far, with the last
// user.
func (m *graphMemory) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users--; m.users > 0 || len(m.blocks)+len(m.handles) == 0 {
		return
	}
	blocks, handles := m.blocks, m.handles
	m.ctx.queue.addLast(&op{always: true, run: func(gocontext.Context, *op) error {
		m.ctx.mu.Lock()
		for _, h := range handles {
			delete(m.ctx.values, h)
		}
		m.ctx.mu.Unlock()
		for _, p := range blocks {
			_ = m.ctx.memory.Free(uint64(p)) // a kernel may have freed it already
		}
		return nil
	}})
}

func (g *graph) newMemAlloc(call string, n uint64) (*node, error) {
	p, err := g.ctx.alloc(call, n)
	if err != nil {
		return nil, err
	}
	g.memory.mu.Lock()
	g.memory.blocks = append(g.memory.blocks, p)
	g.memory.mu.Unlock()
	return &node{kind: driver.GraphNodeMemAlloc, memory: p, bytes: n}, nil
}

func (g *graph) AddMemAlloc(after []driver.GraphNode, n uint64) (driver.GraphNode, driver.DevicePtr, error) {
	const call = "cuGraphAddMemAllocNode"
	nd, err := g.newMemAlloc(call, n)
	if err != nil {
		return 0, 0, err
	}
	id, err := g.add(call, after, nd)
	return id, nd.memory, err
}

func (g *graph) AddMemFree(after []driver.GraphNode, p driver.DevicePtr) (driver.GraphNode, error) {
	const call = "cuGraphAddMemFreeNode"
	if !slices.Contains(g.memory.blocks, p) {
		return 0, fail(call, driver.ErrorInvalidValue, "%s was not allocated by a node of this graph", p)
	}
	return g.add(call, after, &node{kind: driver.GraphNodeMemFree, memory: p})
}

// conditionValue is the value of a conditional handle; guarded by the context's mu.
type conditionValue struct {
	value, initial uint32
	reset          bool
	graph          *graph
}

func (g *graph) CreateConditionalHandle(initial uint32, resetAtLaunch bool) (driver.ConditionalHandle, error) {
	unlock, err := g.lock("cuGraphConditionalHandleCreate")
	if err != nil {
		return 0, err
	}
	defer unlock()
	h := driver.ConditionalHandle(g.ctx.device.driver.handle())
	g.ctx.values[h] = &conditionValue{value: initial, initial: initial, reset: resetAtLaunch, graph: g}
	g.memory.handles = append(g.memory.handles, h)
	return h, nil
}

func (c *context) setConditional(handle uint64, value uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.values[driver.ConditionalHandle(handle)]; v != nil {
		v.value = value
	}
}

// bodiesOf bounds the bodies of each kind of conditional node.
var bodiesOf = map[driver.ConditionalKind][2]int{
	driver.ConditionalIf: {1, 2}, driver.ConditionalWhile: {1, 1}, driver.ConditionalSwitch: {1, 1 << 16},
}

func (g *graph) AddConditional(after []driver.GraphNode, h driver.ConditionalHandle, kind driver.ConditionalKind,
	bodies int) (driver.GraphNode, []driver.Graph, error) {
	const call = "cuGraphAddNode"
	bounds, ok := bodiesOf[kind]
	if !ok || bodies < bounds[0] || bodies > bounds[1] {
		return 0, nil, fail(call, driver.ErrorInvalidValue, "%d bodies for a conditional node of kind %v", bodies, kind)
	}
	unlock, err := g.lock(call)
	if err != nil {
		return 0, nil, err
	}
	defer unlock()
	if v := g.ctx.values[h]; v == nil {
		return 0, nil, fail(call, driver.ErrorInvalidValue, "%d is no conditional handle", h)
	}
	cond := &conditional{handle: h, kind: kind}
	out := make([]driver.Graph, bodies)
	for i := range out {
		b := newGraph(g.ctx)
		b.owned, b.memory = true, g.memory
		cond.bodies = append(cond.bodies, b)
		out[i] = b
	}
	id, err := g.addLocked(call, after, &node{kind: driver.GraphNodeConditional, condition: cond})
	return id, out, err
}
