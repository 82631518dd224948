package cuda

import (
	"errors"
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A GraphBuilder makes a graph node by node, for work that has no order of calls to be recorded: After says what a node waits
// for, and nodes without it begin at once. Its methods give the node that they add. Where one fails it gives nil, what comes after
// is left out, and Build tells the first error with its line. It is for one goroutine.
type GraphBuilder struct {
	dev   *Device
	name  string
	graph driver.Graph
	r     *recording
	done  bool
}

// NewGraphBuilder begins a graph, which Named names. It has to be ended by Build.
func (d *Device) NewGraphBuilder(options ...LaunchOption) *GraphBuilder {
	const op = "Device.NewGraphBuilder"
	b := &GraphBuilder{dev: d, name: nameOr("", options), r: &recording{op: op, dev: d, names: map[string]int{}, buffers: map[*allocation]*Buffer{}, modules: map[*Module]bool{}}}
	err := d.open(op)
	if err == nil {
		b.graph, err = d.ctx.CreateGraph()
		err = wrap(op, "", err)
	}
	_ = b.r.fail(err)
	return b
}

// After says what a node of a GraphBuilder waits for. Elsewhere the order of calls decides, and After is refused.
func After(nodes ...*Node) LaunchOption {
	return optionFunc(func(o *options) { o.after, o.ordered = append(o.after, nodes...), true })
}

// Launch adds a launch, checked as every launch is.
func (b *GraphBuilder) Launch(k *Kernel, grid GridDim, block BlockDim, args ...any) *Node {
	const op = "GraphBuilder.Launch"
	o, values := split(args)
	after := o.after
	o.after, o.ordered = nil, false
	var p *Prepared
	return b.add(op, o.name, after, func(deps []driver.GraphNode) (n *Node, id driver.GraphNode, err error) {
		if p, err = b.dev.prepare(op, k, grid, block, append(values, o.asArguments()...)); err != nil {
			return nil, 0, err
		}
		if p.config.Cooperative {
			return nil, 0, &Error{Op: op, What: p.label, Want: "a launch that is not cooperative", Got: "Cooperative", Fix: "capture it: Device.Capture"}
		}
		b.r.uses(p.buffers...)
		b.r.modules[k.mod] = true
		id, err = b.graph.AddKernel(deps, p.nodeParams())
		return &Node{Name: k.name, Kind: driver.GraphNodeKernel, launch: p}, id, err
	})
}

// Fill adds a fill of every byte of a buffer.
func (b *GraphBuilder) Fill(x *Buffer, value byte, options ...LaunchOption) *Node {
	return b.addOn("GraphBuilder.Fill", options, []*Buffer{x}, func(deps []driver.GraphNode) (n *Node, id driver.GraphNode, err error) {
		params := zeros(x.a.ptr, x.a.bytes)
		params.Value = uint32(value)
		id, err = b.graph.AddMemset(deps, params)
		return &Node{Name: "fill", Kind: driver.GraphNodeMemset, buffers: []*Buffer{x}, fill: &value}, id, err
	})
}

// Copy adds a copy of a buffer into another of the same size.
func (b *GraphBuilder) Copy(dst, src *Buffer, options ...LaunchOption) *Node {
	const op = "GraphBuilder.Copy"
	return b.addOn(op, options, []*Buffer{dst, src}, func(deps []driver.GraphNode) (n *Node, id driver.GraphNode, err error) {
		if dst.a.bytes != src.a.bytes {
			return nil, 0, &Error{Op: op, What: dst.String(), Want: fmt.Sprintf("%d bytes", dst.a.bytes), Got: fmt.Sprint(src.a.bytes)}
		}
		id, err = b.graph.AddMemcpy(deps, copyParams(dst, src))
		return &Node{Name: "copy", Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{dst, src}}, id, err
	})
}

// Write and Read add copies between a buffer and a slice, which is read or written each time the graph runs.
func (b *GraphBuilder) Write(dst *Buffer, values any, options ...LaunchOption) *Node {
	return b.hostCopy("GraphBuilder.Write", "write", dst, values, options)
}

// Read is described with Write.
func (b *GraphBuilder) Read(src *Buffer, into any, options ...LaunchOption) *Node {
	return b.hostCopy("GraphBuilder.Read", "read", src, into, options)
}

func (b *GraphBuilder) hostCopy(op, name string, x *Buffer, values any, options []LaunchOption) *Node {
	return b.addOn(op, options, []*Buffer{x}, func(deps []driver.GraphNode) (n *Node, id driver.GraphNode, err error) {
		raw, elem, count, err := rawSlice(op, values)
		if err == nil {
			err = b.r.allows(op, "a copy between host and device")
		}
		if err == nil {
			err = x.fits(op, elem, 0, count)
		}
		if err == nil && count == 0 {
			err = &Error{Op: op, What: x.String(), Want: "at least one element", Got: "an empty slice"}
		}
		if err != nil {
			return nil, 0, err
		}
		b.r.keep = append(b.r.keep, values)
		n = &Node{Name: name, Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{x}, host: raw, write: name == "write"}
		id, err = b.graph.AddMemcpy(deps, n.copyParams())
		return n, id, err
	})
}

// Host adds a call of a Go function. It may not call CUDA, and what it panics with ends the process.
func (b *GraphBuilder) Host(call func(), options ...LaunchOption) *Node {
	return b.addOn("GraphBuilder.Host", options, nil, func(deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
		if err := b.r.allows("GraphBuilder.Host", "a call of Go"); err != nil {
			return nil, 0, err
		}
		id, err := b.graph.AddHost(deps, call)
		return &Node{Name: "host", Kind: driver.GraphNodeHost, what: "a Go function"}, id, err
	})
}

// Join adds a node that does nothing: others can wait for it instead of for all that it waits for.
func (b *GraphBuilder) Join(options ...LaunchOption) *Node {
	return b.addOn("GraphBuilder.Join", options, nil, func(deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
		id, err := b.graph.AddEmpty(deps)
		return &Node{Name: "join", Kind: driver.GraphNodeEmpty}, id, err
	})
}

// Graph adds a whole graph as one node: a copy of it, with the parameters that it has now.
func (b *GraphBuilder) Graph(g *Graph, options ...LaunchOption) *Node {
	const op = "GraphBuilder.Graph"
	return b.addOn(op, options, nil, func(deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
		if g == nil || g.dev != b.dev {
			return nil, 0, &Error{Op: op, Want: "a graph of " + b.dev.String(), Got: fmt.Sprint(g)}
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
			return 0, &Error{Op: op, What: g.name, Want: "a graph whose nodes are all on", Got: n.Name + " is off", Fix: "Enable it"}
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

// addOn is add for nodes whose options are apart and whose buffers have to be live.
func (b *GraphBuilder) addOn(op string, list []LaunchOption, buffers []*Buffer, make func([]driver.GraphNode) (*Node, driver.GraphNode, error)) *Node {
	var o options
	for _, option := range list {
		option.apply(&o)
	}
	return b.add(op, o.name, o.after, func(deps []driver.GraphNode) (*Node, driver.GraphNode, error) {
		for _, x := range buffers {
			if err := x.live(op, b.dev); err != nil {
				return nil, 0, err
			}
		}
		b.r.uses(buffers...)
		return make(deps)
	})
}

// add makes a node behind others and notes it.
func (b *GraphBuilder) add(op, name string, after []*Node, make func([]driver.GraphNode) (*Node, driver.GraphNode, error)) *Node {
	if b.done || b.r.err != nil {
		return nil
	}
	deps, err := b.places(op, after)
	var n *Node
	var id driver.GraphNode
	if err == nil {
		n, id, err = make(deps)
	}
	if err != nil {
		var told *Error
		if !errors.As(err, &told) {
			err = b.dev.late(op, name, err)
		}
		_ = b.r.fail(err)
		return nil
	}
	if name != "" {
		n.Name = name
	}
	n.node, n.Name = id, b.r.unique(n.Name)
	b.r.nodes = append(b.r.nodes, n)
	return n
}

// places are the handles of nodes of this builder.
func (b *GraphBuilder) places(op string, nodes []*Node) ([]driver.GraphNode, error) {
	var deps []driver.GraphNode
	seen := map[*Node]bool{}
	for _, n := range nodes {
		if !b.has(n) {
			return nil, &Error{Op: op, Want: "nodes of this builder", Got: fmt.Sprint(n)}
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
	if b.done {
		return nil, &Error{Op: op, What: b.name, Got: "it was called already", Fix: "begin another builder"}
	}
	b.done = true
	if b.r.err != nil {
		if b.graph != nil {
			return nil, errors.Join(b.r.err, wrap(op, b.name, b.graph.Destroy()))
		}
		return nil, b.r.err
	}
	return newGraph(op, b.name, b.r, b.graph)
}

// MustBuild is Build for cells.
func (b *GraphBuilder) MustBuild() *Graph { return must(b.Build()) }
