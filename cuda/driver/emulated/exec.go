package emulated

import (
	"container/heap"
	gocontext "context"
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

// plan is the nodes of a graph in an order that respects its edges: which of those that
// are ready comes first is for the schedule to say.
type plan struct {
	order []*node
	byID  map[driver.GraphNode]*node
	reach func() [][]uint64 // made when it is first asked for: see reaches
}

func (g *graph) planLocked(call string) (*plan, error) {
	p := newPlan(len(g.nodes))
	place := make(map[driver.GraphNode]int, len(g.nodes))
	for i, n := range g.nodes {
		place[n.id] = i
	}
	waits, next := make([]int, len(g.nodes)), make([][]int, len(g.nodes))
	ready := places{nodes: g.nodes, schedule: g.ctx.device.driver.options.Schedule}
	for i, n := range g.nodes {
		for _, a := range n.after {
			next[place[a]] = append(next[place[a]], i)
		}
		if waits[i] = len(n.after); waits[i] == 0 {
			heap.Push(&ready, i)
		}
	}
	for ready.Len() > 0 {
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

// places is a heap of places in a graph's list of nodes, the one of least rank first. Events are
// recorded at once, as nothing holds a device back from that.
type places struct {
	nodes    []*node
	schedule uint64
	at       []int
}

func (p *places) Len() int { return len(p.at) }
func (p *places) Less(i, j int) bool {
	return p.rank(p.at[i]) < p.rank(p.at[j])
}
func (p *places) rank(at int) uint64 {
	if p.nodes[at].kind == driver.GraphNodeEventRecord {
		return 0
	}
	return rank(p.schedule, uint64(at))
}
func (p *places) Swap(i, j int) { p.at[i], p.at[j] = p.at[j], p.at[i] }
func (p *places) Push(x any)    { p.at = append(p.at, x.(int)) }
func (p *places) Pop() any {
	last := len(p.at) - 1
	x := p.at[last]
	p.at = p.at[:last]
	return x
}

// with gives a plan in which one node is replaced.
func (p *plan) with(m *node) *plan {
	q := newPlan(len(p.order))
	q.order = slices.Clone(p.order)
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
	waits, joins := p.waitsLocked()
	x.ctx.mu.Unlock()
	if err != nil {
		return err
	}
	if k := st.capturing(); k != nil {
		return st.notCaptured(call)
	}
	o := st.enqueue(&op{beside: true, joins: joins, run: func(_ gocontext.Context, o *op) error {
		x.reset()
		return p.launch(x.ctx, o)
	}}, append(waits, last)...)
	x.ctx.mu.Lock()
	x.last = o
	x.ctx.mu.Unlock()
	for _, n := range p.order {
		if n.kind == driver.GraphNodeEventRecord {
			n.event.attach(st, o)
		}
	}
	return nil
}

// waitsLocked gives what the plan's wait nodes wait for at this moment.
func (p *plan) waitsLocked() (ops []*op, joins clock) {
	for _, n := range p.order {
		if n.kind == driver.GraphNodeWaitEvent {
			ops, joins = append(ops, n.event.last), joins.join(n.event.clockLocked()...)
		}
	}
	return ops, joins
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

// runners execute a node of a launch by its type; types without one do nothing.
var runners map[driver.GraphNodeType]func(c *context, at place, n *node) error

func init() {
	transfer := func(c *context, at place, n *node) error {
		return c.queue.do(at.o, func(gocontext.Context, *op) error { return n.transfer(c, at) })
	}
	runners = map[driver.GraphNodeType]func(c *context, at place, n *node) error{
		driver.GraphNodeKernel: func(c *context, at place, n *node) error {
			return c.queue.do(at.o, func(ctx gocontext.Context, _ *op) error {
				return n.launch(ctx, c, at, c.launches.Add(1))
			})
		},
		driver.GraphNodeMemcpy: transfer,
		driver.GraphNodeMemset: transfer,
		driver.GraphNodeHost: func(c *context, at place, n *node) error {
			c.forget(at.o, nil) // what the function tells others is behind the nodes before it
			return c.callHost(at.o.before, func() error { return c.queue.call(at.o, n.host) })
		},
		driver.GraphNodeGraph:       func(c *context, at place, n *node) error { return n.child.run(c, at) },
		driver.GraphNodeEventRecord: func(_ *context, _ place, n *node) error { return n.event.stamp() },
		driver.GraphNodeConditional: func(c *context, at place, n *node) error { return n.condition.run(c, at) },
	}
}

// run executes the nodes one after another, until one fails or the context does.
func (p *plan) run(c *context, at place) error {
	for i, n := range p.order {
		run := runners[n.kind]
		if n.disabled || run == nil {
			continue
		}
		if !c.usable() {
			return nil
		}
		if err := run(c, at.in(p, i), n); err != nil {
			return err
		}
	}
	return nil
}

// run executes a graph inside another as it is now.
func (g *graph) run(c *context, at place) error {
	c.mu.Lock()
	p, err := g.planLocked("cuGraphLaunch")
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return p.run(c, at)
}

// run looks at the handle's value and runs the body that it chooses.
func (k *conditional) run(c *context, at place) error {
	for ; c.usable(); at.round++ {
		if err := c.queue.goesOn(at.o); err != nil {
			return err
		}
		c.mu.Lock()
		value := c.values[k.handle].value
		c.mu.Unlock()
		body := k.choose(value)
		if body == nil {
			return nil
		}
		if err := body.run(c, at); err != nil || k.kind != driver.ConditionalWhile {
			return err
		}
	}
	return nil
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
		return driver.GraphExecUpdate{Result: driver.GraphExecUpdateError},
			fail(call, driver.ErrorInvalidHandle, "the graph is of another context")
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
	p := newPlan(len(fresh.order))
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
