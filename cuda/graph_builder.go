package cuda

import (
	"errors"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A GraphBuilder makes a graph node by node, for work that has no order of calls to be recorded:
// After says what a node waits for, and nodes without it begin immediately. Its methods give the
// node that they add. Where one fails it gives nil, what comes after is left out, and Build tells
// the first error with its line; once it was built they panic with an *Error. It is for one
// goroutine: a second one at the same time is refused.
type GraphBuilder struct {
	dev   *Device
	name  string
	graph driver.Graph
	r     *recording
	busy  atomic.Bool
	done  string // why nothing can be added any more
}

// NewGraphBuilder begins a graph, which Named names. It has to be ended by Build.
func (d *Device) NewGraphBuilder(name ...NameOption) *GraphBuilder {
	const op = "Device.NewGraphBuilder"
	b := &GraphBuilder{dev: d, r: newRecording(op, d)}
	err := d.checkOpen(op)
	if err == nil {
		b.name, err = nameOr(op, "", name)
	}
	if err == nil {
		b.graph, err = d.ctx.CreateGraph()
		err = wrap(op, "", err)
	}
	_ = b.r.fail(err)
	return b
}

// Launch adds a launch, checked as every launch is; what stands among the arguments is described
// with Device.Launch, and NodeOptions may stand there too.
func (b *GraphBuilder) Launch(k *Kernel, grid GridDim, block BlockDim, args ...any) *Node {
	const op = "GraphBuilder.Launch"
	return b.add(op, func() (settings, error) {
		o, values, err := split(op, byNode, args)
		args = values
		return o, err
	}, func(o settings, deps []driver.GraphNode) (n *Node, id driver.GraphNode, err error) {
		if err := errors.Join(k.check(op), k.of(op, b.dev)); err != nil {
			return nil, 0, err
		}
		p, err := k.prepareWith(op, o, grid, block, args)
		if err != nil {
			return nil, 0, err
		}
		id, err = b.graph.AddKernel(deps, p.nodeParams())
		return &Node{Name: k.name, Kind: driver.GraphNodeKernel, launch: p}, id, err
	})
}

// Fill adds a fill of every byte of a buffer.
func (b *GraphBuilder) Fill(x *Buffer, value byte, options ...NodeOption) *Node {
	return b.addOn("GraphBuilder.Fill", options, []*Buffer{x}, func(o settings, deps []driver.GraphNode) (n *Node,
		id driver.GraphNode, err error) {
		params := zeros(x.a.ptr, x.a.bytes)
		params.Value = uint32(value)
		id, err = b.graph.AddMemset(deps, params)
		return &Node{Name: "fill", Kind: driver.GraphNodeMemset, buffers: []*Buffer{x}, fill: &value}, id, err
	})
}

// Copy adds a copy of a buffer into another of the same size.
func (b *GraphBuilder) Copy(dst, src *Buffer, options ...NodeOption) *Node {
	const op = "GraphBuilder.Copy"
	return b.addOn(op, options, []*Buffer{dst, src}, func(o settings, deps []driver.GraphNode) (n *Node,
		id driver.GraphNode, err error) {
		if err := sameSize(op, dst, src); err != nil {
			return nil, 0, err
		}
		id, err = b.graph.AddMemcpy(deps, copyParams(dst, src))
		return &Node{Name: "copy", Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{dst, src}}, id, err
	})
}

// Write and Read add copies between a buffer and a slice, which is read or written each time the
// graph runs.
func (b *GraphBuilder) Write(dst *Buffer, values any, options ...NodeOption) *Node {
	return b.hostCopy("GraphBuilder.Write", dst, values, true, options)
}

// Read is described with Write.
func (b *GraphBuilder) Read(src *Buffer, into any, options ...NodeOption) *Node {
	return b.hostCopy("GraphBuilder.Read", src, into, false, options)
}

func (b *GraphBuilder) hostCopy(op string, x *Buffer, values any, write bool, options []NodeOption) *Node {
	return b.addOn(op, options, []*Buffer{x}, func(_ settings, deps []driver.GraphNode) (n *Node, id driver.GraphNode,
		err error) {
		if n, err = newHostCopy(op, b.r, b.dev, x, values, write); err != nil {
			return nil, 0, err
		}
		id, err = b.graph.AddMemcpy(deps, n.copyParams())
		return n, id, err
	})
}

// Host adds a call of a Go function, as Stream.Host records one.
func (b *GraphBuilder) Host(call func(), options ...NodeOption) *Node {
	const op = "GraphBuilder.Host"
	return b.addOn(op, options, nil, func(_ settings, deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
		if err := b.r.allowsCall(op, call); err != nil {
			return nil, 0, err
		}
		id, err := b.graph.AddHost(deps, call)
		return &Node{Name: "host", Kind: driver.GraphNodeHost, what: "a Go function"}, id, err
	})
}

// Join adds a node that does nothing: others can wait for it instead of for all that it waits for.
func (b *GraphBuilder) Join(options ...NodeOption) *Node {
	return b.addOn("GraphBuilder.Join", options, nil, func(o settings, deps []driver.GraphNode) (*Node,
		driver.GraphNode, error) {
		id, err := b.graph.AddEmpty(deps)
		return &Node{Name: "join", Kind: driver.GraphNodeEmpty}, id, err
	})
}

// Graph adds a whole graph as one node: a copy of it, with the parameters that it has now.
func (b *GraphBuilder) Graph(g *Graph, options ...NodeOption) *Node {
	const op = "GraphBuilder.Graph"
	return b.addOn(op, options, nil, func(o settings, deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
		if err := g.of(op, b.dev); err != nil {
			return nil, 0, err
		}
		id, err := g.embed(op, b, deps)
		return &Node{Name: g.name, Kind: driver.GraphNodeGraph, what: g.name}, id, err
	})
}

// embed adds a copy of g to the builder's graph.
func (g *Graph) embed(op string, b *GraphBuilder, deps []driver.GraphNode) (id driver.GraphNode, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0, g.isClosed(op)
	}
	for _, n := range g.nodes {
		if n.off.Load() {
			return 0, &Error{Op: op, What: g.name, Want: "a graph whose nodes are all on", Got: n.Name + " is off",
				Fix: "Enable it"}
		}
	}
	for _, m := range g.modules {
		b.r.modules[m] = true
	}
	c, err := g.graph.Clone()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Destroy()) }()
	for _, n := range g.nodes {
		if err := g.setInClone(c, n); err != nil {
			return 0, err
		}
	}
	b.r.uses(g.refs...)
	b.r.keep = append(b.r.keep, g.keep...)
	return b.graph.AddChildGraph(deps, c)
}

// setInClone gives the copy of a node the parameters that were set since the graph was made.
func (g *Graph) setInClone(c driver.Graph, n *Node) error {
	if n.launch == nil && n.fill == nil && (n.Kind != driver.GraphNodeMemcpy || len(n.buffers) == 0) {
		return nil
	}
	id, err := g.graph.NodeInClone(n.node, c)
	if err != nil {
		return err
	}
	switch {
	case n.launch != nil:
		return c.SetKernelParams(id, n.launch.nodeParams())
	case n.fill != nil:
		params, err := c.MemsetParams(id)
		if err != nil {
			return err
		}
		return c.SetMemsetParams(id, filledWith(params, *n.fill))
	}
	return c.SetMemcpyParams(id, n.copyParams())
}

// A maker adds a node to the builder's graph behind others.
type maker func(o settings, deps []driver.GraphNode) (*Node, driver.GraphNode, error)

// addOn is add for nodes whose options are apart and whose buffers have to be live.
func (b *GraphBuilder) addOn(op string, list []NodeOption, buffers []*Buffer, make maker) *Node {
	return b.add(op, func() (settings, error) { return nodeOptions(op, list) },
		func(o settings, deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
			for _, x := range buffers {
				if err := x.live(op, b.dev); err != nil {
					return nil, 0, err
				}
			}
			return make(o, deps)
		})
}

// add makes a node behind others and notes it.
func (b *GraphBuilder) add(op string, asked func() (settings, error), make maker) *Node {
	if err := b.check(op); err != nil {
		panic(err)
	}
	if !b.busy.CompareAndSwap(false, true) {
		_ = b.r.fail(&Error{Op: op, Want: "one call after the other",
			Got: "a call while another is under way, of another goroutine or around a body",
			Fix: "use the builder in one goroutine, and in a body the body's", code: driver.ErrorIllegalState})
		return nil
	}
	defer b.busy.Store(false)
	if b.r.err() != nil {
		return nil
	}
	n, err := b.tryAdd(op, asked, make)
	if err != nil {
		_ = b.r.fail(err)
		return nil
	}
	return n
}

func (b *GraphBuilder) tryAdd(op string, asked func() (settings, error), make maker) (*Node, error) {
	o, err := asked()
	if err != nil {
		return nil, err
	}
	deps, err := b.places(op, o.after)
	if err != nil {
		return nil, err
	}
	n, id, err := make(o, deps)
	if err != nil {
		var told *Error
		if !errors.As(err, &told) {
			err = b.dev.late(op, o.name, err)
		}
		return nil, err
	}
	if o.name != "" {
		n.Name = o.name
	}
	n.node = id
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	b.r.add(n)
	return n, nil
}

// check refuses a builder that nothing began, or that has built its graph.
func (b *GraphBuilder) check(op string) error {
	if b == nil || b.r == nil {
		return missing(op, "a graph builder", "Device.NewGraphBuilder")
	}
	if b.done != "" {
		return &Error{Op: op, What: b.name, Got: b.done, Fix: "begin another builder", code: driver.ErrorIllegalState}
	}
	return nil
}

// places are the handles of nodes of this builder.
func (b *GraphBuilder) places(op string, nodes []*Node) ([]driver.GraphNode, error) {
	var deps []driver.GraphNode
	seen := map[*Node]bool{}
	for _, n := range nodes {
		if !b.has(n) {
			return nil, &Error{Op: op, Want: "After with nodes of this builder", Got: n.String()}
		}
		if !seen[n] {
			seen[n] = true
			deps = append(deps, n.node)
		}
	}
	return deps, nil
}

func (b *GraphBuilder) has(n *Node) bool {
	for _, mine := range b.r.nodes {
		if mine == n {
			return n != nil
		}
	}
	return false
}

// Build ends the building and makes the graph runnable.
func (b *GraphBuilder) Build() (*Graph, error) {
	const op = "GraphBuilder.Build"
	if err := b.check(op); err != nil {
		return nil, err
	}
	b.done = "the graph was built"
	if err := b.r.err(); err != nil {
		if b.graph != nil {
			return nil, errors.Join(err, wrap(op, b.name, b.graph.Destroy()))
		}
		return nil, err
	}
	return newGraph(op, b.name, b.r, b.graph)
}
