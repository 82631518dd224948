package emulated

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// graph is a recipe. All its fields are guarded by the context's mu.
type graph struct {
	ctx    *context
	handle uintptr
	dead   bool
	nodes  []*node // in the order they were made
	// owned graphs belong to a node and are not destroyed by the caller.
	owned bool
	// origins are the nodes that a clone's nodes were copied from.
	origins map[driver.GraphNode]driver.GraphNode
	// memory is what the graph's allocation nodes reserve.
	memory *graphMemory
}

// node is one step of a graph; which fields count follows from kind.
type node struct {
	id          driver.GraphNode
	kind        driver.GraphNodeType
	after       []driver.GraphNode
	kernel      driver.KernelNodeParams
	cooperative bool
	cluster     driver.Dim3
	copy        driver.MemcpyNodeParams
	fill        driver.MemsetNodeParams
	host        func()
	child       *graph
	event       *event
	memory      driver.DevicePtr
	bytes       uint64
	condition   *conditional
	disabled    bool // in a graph made runnable
}

// conditional is what a conditional node looks at and runs.
type conditional struct {
	handle driver.ConditionalHandle
	kind   driver.ConditionalKind
	bodies []*graph
}

func newGraph(c *context) *graph {
	return &graph{ctx: c, handle: c.device.driver.handle(), memory: newGraphMemory(c)}
}

func (c *context) CreateGraph() (driver.Graph, error) {
	if err := c.enter("cuGraphCreate"); err != nil {
		return nil, err
	}
	return newGraph(c), nil
}

func (g *graph) stateLocked(call string) error {
	if err := g.ctx.stateLocked(call); err != nil {
		return err
	}
	if g.dead {
		return fail(call, driver.ErrorInvalidHandle, "the graph was destroyed")
	}
	return nil
}

// lock takes the context's lock for a call on a live graph.
func (g *graph) lock(call string) (unlock func(), err error) {
	g.ctx.mu.Lock()
	if err := g.stateLocked(call); err != nil {
		g.ctx.mu.Unlock()
		return nil, err
	}
	return g.ctx.mu.Unlock, nil
}

func (g *graph) findLocked(id driver.GraphNode) *node {
	for _, n := range g.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (g *graph) knowsLocked(call string, ids []driver.GraphNode) error {
	for _, id := range ids {
		if g.findLocked(id) == nil {
			return fail(call, driver.ErrorInvalidValue, "node %d is not of this graph", id)
		}
	}
	return nil
}

func (g *graph) addLocked(call string, after []driver.GraphNode, n *node) (driver.GraphNode, error) {
	if err := g.stateLocked(call); err != nil {
		return 0, err
	}
	if err := g.knowsLocked(call, after); err != nil {
		return 0, err
	}
	for _, a := range after {
		if slices.Contains(n.after, a) {
			return 0, fail(call, driver.ErrorInvalidValue, "node %d is named twice", a)
		}
		n.after = append(n.after, a)
	}
	n.id = driver.GraphNode(g.ctx.device.driver.handle())
	g.nodes = append(g.nodes, n)
	return n.id, nil
}

func (g *graph) add(call string, after []driver.GraphNode, n *node) (driver.GraphNode, error) {
	g.ctx.mu.Lock()
	defer g.ctx.mu.Unlock()
	return g.addLocked(call, after, n)
}

// reachLocked collects nodes with all they depend on.
func (g *graph) reachLocked(from []driver.GraphNode, seen map[driver.GraphNode]bool) {
	for _, id := range from {
		if seen[id] {
			continue
		}
		seen[id] = true
		if n := g.findLocked(id); n != nil {
			g.reachLocked(n.after, seen)
		}
	}
}

func (g *graph) Handle() uintptr         { return g.handle }
func (g *graph) Context() driver.Context { return g.ctx }

func (g *graph) Nodes() ([]driver.GraphNode, error) {
	unlock, err := g.lock("cuGraphGetNodes")
	if err != nil {
		return nil, err
	}
	defer unlock()
	out := make([]driver.GraphNode, 0, len(g.nodes))
	for _, n := range g.nodes {
		out = append(out, n.id)
	}
	return out, nil
}

func (g *graph) Edges() ([]driver.GraphEdge, error) {
	unlock, err := g.lock("cuGraphGetEdges")
	if err != nil {
		return nil, err
	}
	defer unlock()
	var out []driver.GraphEdge
	for _, n := range g.nodes {
		for _, a := range n.after {
			out = append(out, driver.GraphEdge{From: a, To: n.id})
		}
	}
	return out, nil
}

// node gives a node of a live graph, and runs f on it under the lock.
func (g *graph) node(call string, id driver.GraphNode, f func(n *node) error) error {
	unlock, err := g.lock(call)
	if err != nil {
		return err
	}
	defer unlock()
	n := g.findLocked(id)
	if n == nil {
		return fail(call, driver.ErrorInvalidValue, "node %d is not of this graph", id)
	}
	return f(n)
}

func (g *graph) NodeType(id driver.GraphNode) (t driver.GraphNodeType, err error) {
	err = g.node("cuGraphNodeGetType", id, func(n *node) error { t = n.kind; return nil })
	return t, err
}

func (g *graph) Dependencies(id driver.GraphNode) (deps []driver.GraphNode, err error) {
	err = g.node("cuGraphNodeGetDependencies", id, func(n *node) error { deps = slices.Clone(n.after); return nil })
	return deps, err
}

func (g *graph) AddDependencies(edges []driver.GraphEdge) error {
	const call = "cuGraphAddDependencies"
	unlock, err := g.lock(call)
	if err != nil {
		return err
	}
	defer unlock()
	for _, e := range edges {
		to := g.findLocked(e.To)
		if to == nil || g.findLocked(e.From) == nil || e.From == e.To || slices.Contains(to.after, e.From) {
			return fail(call, driver.ErrorInvalidValue,
				"the edge from %d to %d: its ends are two nodes of this graph, and it is not there yet", e.From, e.To)
		}
		to.after = append(to.after, e.From)
	}
	return nil
}

func (g *graph) RemoveDependencies(edges []driver.GraphEdge) error {
	const call = "cuGraphRemoveDependencies"
	unlock, err := g.lock(call)
	if err != nil {
		return err
	}
	defer unlock()
	for _, e := range edges {
		to := g.findLocked(e.To)
		if to == nil || !slices.Contains(to.after, e.From) {
			return fail(call, driver.ErrorInvalidValue, "no edge from %d to %d", e.From, e.To)
		}
		to.after = slices.DeleteFunc(to.after, func(a driver.GraphNode) bool { return a == e.From })
	}
	return nil
}

func (g *graph) DestroyNode(id driver.GraphNode) error {
	const call = "cuGraphDestroyNode"
	return g.node(call, id, func(n *node) error {
		if n.kind == driver.GraphNodeMemAlloc || n.kind == driver.GraphNodeMemFree {
			return fail(call, driver.ErrorNotSupported, "memory nodes cannot be removed")
		}
		g.nodes = slices.DeleteFunc(g.nodes, func(m *node) bool { return m == n })
		for _, m := range g.nodes {
			m.after = slices.DeleteFunc(m.after, func(a driver.GraphNode) bool { return a == id })
		}
		return nil
	})
}

func (g *graph) Clone() (driver.Graph, error) {
	const call = "cuGraphClone"
	unlock, err := g.lock(call)
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, n := range g.nodes {
		if n.kind == driver.GraphNodeMemAlloc || n.kind == driver.GraphNodeMemFree || n.kind == driver.GraphNodeConditional {
			return nil, fail(call, driver.ErrorNotSupported, "a graph with memory or conditional nodes cannot be cloned")
		}
	}
	return g.copyLocked(), nil
}

// copyLocked copies a graph; each new node remembers its origin.
func (g *graph) copyLocked() *graph {
	c := newGraph(g.ctx)
	c.origins = map[driver.GraphNode]driver.GraphNode{}
	twin := map[driver.GraphNode]driver.GraphNode{}
	for _, n := range g.nodes {
		m := *n
		m.id = driver.GraphNode(g.ctx.device.driver.handle())
		twin[n.id] = m.id
		c.origins[m.id] = n.id
		if n.child != nil {
			m.child = n.child.copyLocked()
			m.child.owned = true
		}
		m.kernel.Params = slices.Clone(n.kernel.Params)
		c.nodes = append(c.nodes, &m)
	}
	for _, m := range c.nodes {
		after := make([]driver.GraphNode, len(m.after))
		for i, a := range m.after {
			after[i] = twin[a]
		}
		m.after = after
	}
	return c
}

func (g *graph) NodeInClone(original driver.GraphNode, clone driver.Graph) (driver.GraphNode, error) {
	const call = "cuGraphNodeFindInClone"
	c, ok := clone.(*graph)
	if !ok || c.ctx != g.ctx {
		return 0, fail(call, driver.ErrorInvalidHandle, "the clone is of another context")
	}
	unlock, err := c.lock(call)
	if err != nil {
		return 0, err
	}
	defer unlock()
	for id, from := range c.origins {
		if from == original && c.findLocked(id) != nil {
			return id, nil
		}
	}
	return 0, fail(call, driver.ErrorInvalidValue, "node %d has no copy in that graph", original)
}

func (g *graph) Destroy() error {
	const call = "cuGraphDestroy"
	g.ctx.mu.Lock()
	defer g.ctx.mu.Unlock()
	switch {
	case g.dead:
		return fail(call, driver.ErrorInvalidHandle, "the graph was destroyed before")
	case g.owned:
		return fail(call, driver.ErrorInvalidValue, "the graph belongs to a node")
	}
	g.dead = true
	g.memory.drop()
	return g.ctx.stateLocked(call)
}
