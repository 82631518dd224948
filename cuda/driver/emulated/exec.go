package emulated

import (
	"container/heap"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// graphExec is a graph made runnable. plan is replaced, never changed, so that a
// launch runs what it was when it was enqueued.
type graphExec struct {
	ctx    *context
	handle uintptr
	dead   bool
	plan   *plan
	last   *op // runs of one graphExec do not overlap
	memory *graphMemory
	resets []driver.ConditionalHandle
}

// plan is the nodes of a graph in an order that respects its edges: of those that
// are ready always the one that was made first.
type plan struct {
	order []*node
	byID  map[driver.GraphNode]*node
}

func (g *graph) planLocked(call string) (*plan, error) {
	p := &plan{byID: make(map[driver.GraphNode]*node, len(g.nodes))}
	place := make(map[driver.GraphNode]int, len(g.nodes))
	for i, n := range g.nodes {
		place[n.id] = i
	}
	waits, next := make([]int, len(g.nodes)), make([][]int, len(g.nodes))
	var ready places
	for i, n := range g.nodes {
		for _, a := range n.after {
			next[place[a]] = append(next[place[a]], i)
		}
		if waits[i] = len(n.after); waits[i] == 0 {
			ready = append(ready, i) // ascending, so it is a heap
		}
	}
	for len(ready) > 0 {
		i := heap.Pop(&ready).(int)
		m := *g.nodes[i]
		m.kernel.Params = slices.Clone(m.kernel.Params)
		p.order = append(p.order, &m)
		p.byID[m.id] = &m
		for _, to := range next[i] {
			if waits[to]--; waits[to] == 0 {
				heap.Push(&ready, to)
			}
		}
	}
	if len(p.order) < len(g.nodes) {
		return nil, fail(call, driver.ErrorInvalidValue, "the graph has a cycle")
	}
	return p, nil
}

// places is a heap of places in a graph's list of nodes, the least first.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(x any)        { *p = append(*p, x.(int)) }
func (p *places) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

// with gives a plan in which one node is replaced.
func (p *plan) with(m *node) *plan {
	q := &plan{order: slices.Clone(p.order), byID: make(map[driver.GraphNode]*node, len(p.byID))}
	for i, n := range q.order {
		if n.id == m.id {
			q.order[i] = m
		}
		q.byID[q.order[i].id] = q.order[i]
	}
	return q
}

func (g *graph) Instantiate() (driver.GraphExec, error) {
	const call = "cuGraphInstantiateWithFlags"
	unlock, err := g.lock(call)
	if err != nil {
		return nil, err
	}
	defer unlock()
	p, err := g.planLocked(call)
	if err != nil {
		return nil, err
	}
	g.memory.hold()
	x := &graphExec{ctx: g.ctx, handle: g.ctx.device.driver.handle(), plan: p, memory: g.memory}
	for h, v := range g.ctx.values {
		if v.graph == g && v.reset {
			x.resets = append(x.resets, h)
		}
	}
	return x, g.checkBodiesLocked(call)
}

// checkBodiesLocked looks for cycles in the graphs inside.
func (g *graph) checkBodiesLocked(call string) error {
	for _, n := range g.nodes {
		var inner []*graph
		if n.child != nil {
			inner = append(inner, n.child)
		}
		if n.condition != nil {
			inner = append(inner, n.condition.bodies...)
		}
		for _, b := range inner {
			if _, err := b.planLocked(call); err != nil {
				return err
			}
			if err := b.checkBodiesLocked(call); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *graphExec) Handle() uintptr { return x.handle }

func (x *graphExec) stateLocked(call string) error {
	if x.dead {
		return fail(call, driver.ErrorInvalidHandle, "the graph was destroyed")
	}
	return x.ctx.stateLocked(call)
}

func (x *graphExec) Launch(s driver.Stream) error {
	const call = "cuGraphLaunch"
	st, err := x.ctx.stream(call, s)
	if err != nil {
		return err
	}
	x.ctx.mu.Lock()
	err = x.stateLocked(call)
	p, last := x.plan, x.last
	waits := p.waitsLocked()
	x.ctx.mu.Unlock()
	if err != nil {
		return err
	}
	if k := st.capturing(); k != nil {
		return st.notCaptured(call)
	}
	o := st.submit(false, func() error {
		x.reset()
		return p.run(x.ctx)
	}, append(waits, last)...)
	x.ctx.mu.Lock()
	x.last = o
	x.ctx.mu.Unlock()
	for _, n := range p.order {
		if n.kind == driver.GraphNodeEventRecord {
			n.event.attach(o)
		}
	}
	return nil
}

// waitsLocked gives what the plan's wait nodes wait for at this moment.
func (p *plan) waitsLocked() []*op {
	var ops []*op
	for _, n := range p.order {
		if n.kind == driver.GraphNodeWaitEvent {
			ops = append(ops, n.event.last)
		}
	}
	return ops
}

func (x *graphExec) reset() {
	x.ctx.mu.Lock()
	defer x.ctx.mu.Unlock()
	for _, h := range x.resets {
		if v := x.ctx.values[h]; v != nil {
			v.value = v.initial
		}
	}
}

// runners execute a node by its type.
var runners map[driver.GraphNodeType]func(c *context, n *node) error

func init() {
	nothing := func(*context, *node) error { return nil }
	transfer := func(c *context, n *node) error { return n.transfer(c) }
	runners = map[driver.GraphNodeType]func(c *context, n *node) error{
		driver.GraphNodeKernel:      func(c *context, n *node) error { return n.launch(c, c.launches.Add(1)) },
		driver.GraphNodeMemcpy:      transfer,
		driver.GraphNodeMemset:      transfer,
		driver.GraphNodeHost:        func(_ *context, n *node) error { n.host(); return nil },
		driver.GraphNodeGraph:       func(c *context, n *node) error { return n.child.run(c) },
		driver.GraphNodeEventRecord: func(_ *context, n *node) error { return n.event.stamp() },
		driver.GraphNodeConditional: func(c *context, n *node) error { return n.condition.run(c) },
		driver.GraphNodeEmpty:       nothing,
		driver.GraphNodeWaitEvent:   nothing,
		driver.GraphNodeMemAlloc:    nothing,
		driver.GraphNodeMemFree:     nothing,
	}
}

// run executes the nodes one after another.
func (p *plan) run(c *context) error {
	for _, n := range p.order {
		if n.disabled {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := runners[n.kind](c, n); err != nil {
			return err
		}
	}
	return nil
}

// run executes a graph inside another as it is now.
func (g *graph) run(c *context) error {
	c.mu.Lock()
	p, err := g.planLocked("cuGraphLaunch")
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return p.run(c)
}

// run looks at the handle's value and runs the body that it chooses.
func (k *conditional) run(c *context) error {
	for {
		c.mu.Lock()
		value := c.values[k.handle].value
		c.mu.Unlock()
		body := k.choose(value)
		if body == nil {
			return nil
		}
		if err := body.run(c); err != nil || k.kind != driver.ConditionalWhile {
			return err
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
}

func (k *conditional) choose(value uint32) *graph {
	i := 0
	switch k.kind {
	case driver.ConditionalSwitch:
		i = int(value)
	case driver.ConditionalIf:
		if value == 0 {
			i = 1
		}
	default:
		if value == 0 {
			return nil
		}
	}
	if i < len(k.bodies) {
		return k.bodies[i]
	}
	return nil
}

func (x *graphExec) Upload(s driver.Stream) error {
	const call = "cuGraphUpload"
	if _, err := x.ctx.stream(call, s); err != nil {
		return err
	}
	x.ctx.mu.Lock()
	defer x.ctx.mu.Unlock()
	return x.stateLocked(call)
}

// differ compares the shapes of two graphs, node by node in the order they were
// made; nil means that one can be updated from the other.
func differ(old, fresh []*node) *driver.GraphExecUpdate {
	if len(old) != len(fresh) {
		return &driver.GraphExecUpdate{Result: driver.GraphExecUpdateTopologyChanged}
	}
	index := map[driver.GraphNode]int{}
	for i := range old {
		index[old[i].id], index[fresh[i].id] = i, i
	}
	for i := range old {
		a, b := old[i], fresh[i]
		switch {
		case a.kind != b.kind:
			return &driver.GraphExecUpdate{Result: driver.GraphExecUpdateNodeTypeChanged, ErrorNode: b.id}
		case a.kind == driver.GraphNodeConditional || a.kind == driver.GraphNodeMemAlloc || a.kind == driver.GraphNodeMemFree:
			return &driver.GraphExecUpdate{Result: driver.GraphExecUpdateNotSupported, ErrorNode: b.id}
		case len(a.after) != len(b.after):
			return &driver.GraphExecUpdate{Result: driver.GraphExecUpdateTopologyChanged, ErrorNode: b.id}
		}
		for _, d := range b.after {
			if !slices.ContainsFunc(a.after, func(e driver.GraphNode) bool { return index[e] == index[d] }) {
				return &driver.GraphExecUpdate{Result: driver.GraphExecUpdateTopologyChanged, ErrorNode: b.id, ErrorFrom: d}
			}
		}
		if a.child != nil {
			if why := differ(a.child.nodes, b.child.nodes); why != nil {
				return why
			}
		}
	}
	return nil
}

func (x *graphExec) Update(g driver.Graph) (driver.GraphExecUpdate, error) {
	const call = "cuGraphExecUpdate"
	gr, ok := g.(*graph)
	if !ok || gr.ctx != x.ctx {
		return driver.GraphExecUpdate{Result: driver.GraphExecUpdateError}, fail(call, driver.ErrorInvalidHandle, "the graph is of another context")
	}
	x.ctx.mu.Lock()
	defer x.ctx.mu.Unlock()
	if err := x.stateLocked(call); err != nil {
		return driver.GraphExecUpdate{Result: driver.GraphExecUpdateError}, err
	}
	if err := gr.stateLocked(call); err != nil {
		return driver.GraphExecUpdate{Result: driver.GraphExecUpdateError}, err
	}
	fresh, err := gr.planLocked(call)
	if err != nil {
		return driver.GraphExecUpdate{Result: driver.GraphExecUpdateError}, err
	}
	if why := differ(x.plan.order, fresh.order); why != nil {
		return *why, fail(call, driver.ErrorGraphExecUpdateFailure, "%v", why.Result)
	}
	// Nodes keep the names that they were instantiated under.
	p := &plan{byID: map[driver.GraphNode]*node{}}
	for i, n := range fresh.order {
		m := *n
		m.id, m.after, m.disabled = x.plan.order[i].id, x.plan.order[i].after, x.plan.order[i].disabled
		p.order = append(p.order, &m)
		p.byID[m.id] = &m
	}
	x.plan = p
	return driver.GraphExecUpdate{}, nil
}

func (x *graphExec) Destroy() error {
	const call = "cuGraphExecDestroy"
	x.ctx.mu.Lock()
	defer x.ctx.mu.Unlock()
	if x.dead {
		return fail(call, driver.ErrorInvalidHandle, "the graph was destroyed before")
	}
	x.dead = true
	x.memory.drop()
	return x.ctx.stateLocked(call)
}
