package cuda

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// What Set and its like change holds for launches after them; runs enqueued before keep what they
// had.

// Set gives a kernel node new arguments, all of them, checked as a launch's are. A buffer is held
// by the graph from then on.
func (g *Graph) Set(node string, args ...any) error {
	const op = "Graph.Set"
	n, err := g.kernelNode(op, node)
	if err != nil {
		return err
	}
	params, buffers, err := n.launch.kernel.pack(op, args)
	if err != nil {
		return err
	}
	return g.setParams(op, n, params, buffers, args)
}

// SetArg gives one parameter of a kernel node a new value, by the parameter's name or by its place.
func (g *Graph) SetArg(node string, param any, value any) error {
	const op = "Graph.SetArg"
	if g == nil || g.dev == nil {
		return g.check(op)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.latestSet // a program mostly sets parameters of one node
	if n == nil || n.Name != node {
		var err error
		if n, err = g.kernelNode(op, node); err != nil {
			return err
		}
		g.latestSet = n
	}
	if g.closed {
		return g.isClosed(op)
	}
	p := n.launch
	k := p.kernel
	i, err := k.paramIndex(op, param)
	if err != nil {
		return err
	}
	g.scratch = append(g.scratch[:0], p.params...)
	b, err := k.put(op, g.scratch, i, value)
	if err != nil {
		return err
	}
	if b != nil {
		if err := g.adopt(op, []*Buffer{b}); err != nil {
			return err
		}
	}
	if err := g.setKernel(op, n, g.scratch); err != nil {
		return err
	}
	copy(p.params, g.scratch)
	p.args[i] = value
	return nil
}

// setKernel gives a kernel node its parameters; the caller holds mu.
func (g *Graph) setKernel(op string, n *Node, params []byte) error {
	node := n.launch.nodeParams()
	node.Params = params
	if err := g.exec.SetKernelParams(n.node, node); err != nil {
		return g.dev.late(op, g.name+", node "+n.Name, err)
	}
	g.bytes += uint64(len(params))
	return nil
}

// nodeParams are the launch as a node of a graph.
func (p *prepared) nodeParams() driver.KernelNodeParams {
	return driver.KernelNodeParams{Function: p.kernel.fn, Grid: p.config.Grid, Block: p.config.Block,
		SharedBytes: p.config.SharedBytes, Params: p.params}
}

// Args are what a node is called with now: the arguments of a kernel node, the value of a fill, the
// destination and the source of a copy between buffers. Other nodes have none.
func (g *Graph) Args(node string) ([]any, error) {
	n, err := g.find("Graph.Args", node)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case n.launch != nil:
		return slices.Clone(n.launch.args), nil
	case n.fill != nil:
		return []any{*n.fill}, nil
	case n.isCopy():
		return []any{n.buffers[0], n.buffers[1]}, nil
	}
	return nil, nil
}

// paramIndex finds a parameter by name or place.
func (k *Kernel) paramIndex(op string, param any) (int, error) {
	switch p := param.(type) {
	case int:
		if p >= 0 && p < len(k.params) {
			return p, nil
		}
	case string:
		for i := range k.params {
			if k.params[i].Name == p {
				return i, nil
			}
		}
	}
	var names []string
	for _, p := range k.params {
		names = append(names, p.Name)
	}
	return 0, &Error{Op: op, What: "kernel " + k.name,
		Want: fmt.Sprintf("a parameter: %s, or its place", strings.Join(names, ", ")), Got: fmt.Sprint(param)}
}

// kernelNode finds a node that launches a kernel; other kinds are refused by name.
func (g *Graph) kernelNode(op, name string) (*Node, error) {
	n, err := g.find(op, name)
	if err != nil {
		return nil, err
	}
	if n.launch == nil && n.Kind == driver.GraphNodeKernel {
		return nil, &Error{Op: op, What: g.name + ", node " + name, Want: "a node that a launch of this package made",
			Got: "a kernel node made otherwise: " + n.String()}
	}
	if n.launch == nil {
		return nil, &Error{Op: op, What: g.name + ", node " + name, Want: "a kernel node", Got: "a " + n.Kind.String() +
			" node"}
	}
	return n, nil
}

func (g *Graph) setParams(op string, n *Node, params []byte, buffers []*Buffer, args []any) error {
	return g.use(op, func(driver.GraphExec) error {
		if err := g.adopt(op, buffers); err != nil {
			return err
		}
		if err := g.setKernel(op, n, params); err != nil {
			return err
		}
		n.launch.params, n.launch.args = params, args
		return nil
	})
}

// adopt holds buffers that the graph does not hold yet. Those it no longer needs stay held: runs
// that use them may be under way.
func (g *Graph) adopt(op string, buffers []*Buffer) error {
	for _, b := range buffers {
		if slices.Contains(g.held, b.a) {
			continue
		}
		if err := b.a.hold(op, g.name); err != nil {
			return err
		}
		g.held = append(g.held, b.a)
		g.refs = append(g.refs, b)
	}
	return nil
}

// SetFill gives a fill node another value.
func (g *Graph) SetFill(node string, value byte) error {
	const op = "Graph.SetFill"
	n, err := g.find(op, node)
	if err != nil {
		return err
	}
	if n.Kind != driver.GraphNodeMemset {
		return &Error{Op: op, What: g.name + ", node " + node, Want: "a memset node", Got: "a " + n.Kind.String() + " node"}
	}
	return g.use(op, func(exec driver.GraphExec) error {
		if err := g.fillWith(exec, n, value); err != nil {
			return g.dev.late(op, g.name+", node "+node, err)
		}
		n.fill = &value
		return nil
	})
}

// fillWith gives a fill node of an executable graph its value.
func (g *Graph) fillWith(exec driver.GraphExec, n *Node, value byte) error {
	params, err := g.graph.MemsetParams(n.node)
	if err != nil {
		return err
	}
	return exec.SetMemsetParams(n.node, filledWith(params, value))
}

func filledWith(p driver.MemsetNodeParams, value byte) driver.MemsetNodeParams {
	p.Value, p.ElementSize, p.Width, p.Height = uint32(value), 1, p.Width*uint64(p.ElementSize), 1
	return p
}

// isCopy says whether the node copies a buffer into a buffer.
func (n *Node) isCopy() bool { return n.Kind == driver.GraphNodeMemcpy && len(n.buffers) == 2 }

func copyParams(dst, src *Buffer) driver.MemcpyNodeParams {
	return driver.MemcpyNodeParams{Dst: dst.a.ptr, Src: src.a.ptr, Bytes: dst.a.bytes}
}

// SetCopy points a copy node at other buffers of the same size.
func (g *Graph) SetCopy(node string, dst, src *Buffer) error {
	const op = "Graph.SetCopy"
	n, err := g.find(op, node)
	if err != nil {
		return err
	}
	if !n.isCopy() {
		return &Error{Op: op, What: g.name + ", node " + node, Want: "a node that copies a buffer into a buffer",
			Got: n.String()}
	}
	if err := errors.Join(dst.live(op, g.dev), src.live(op, g.dev)); err != nil {
		return err
	}
	if dst.a.bytes != n.buffers[0].a.bytes || src.a.bytes != dst.a.bytes {
		return &Error{Op: op, What: g.name + ", node " + node, Want: fmt.Sprintf("buffers of %d bytes", n.buffers[0].a.bytes),
			Got: fmt.Sprintf("%d and %d", dst.a.bytes, src.a.bytes)}
	}
	return g.use(op, func(exec driver.GraphExec) error {
		if err := g.adopt(op, []*Buffer{dst, src}); err != nil {
			return err
		}
		err := exec.SetMemcpyParams(n.node, copyParams(dst, src))
		if err != nil {
			return g.dev.late(op, g.name+", node "+node, err)
		}
		n.buffers = []*Buffer{dst, src}
		return nil
	})
}

// copyParams are the copy that a node makes.
func (n *Node) copyParams() driver.MemcpyNodeParams {
	switch {
	case n.isCopy():
		return copyParams(n.buffers[0], n.buffers[1])
	case n.write:
		return driver.MemcpyNodeParams{Dst: n.buffers[0].a.ptr, SrcHost: pointerTo(n.host), Bytes: uint64(len(n.host))}
	}
	return driver.MemcpyNodeParams{Src: n.buffers[0].a.ptr, DstHost: pointerTo(n.host), Bytes: uint64(len(n.host))}
}

// SetWrite points a node that copies a slice into a buffer at another slice of the same type and
// length, and SetRead one that copies a buffer into a slice. Runs that use the slice before may be
// under way, so all of them stay reachable until the graph is closed: go round among a few.
func (g *Graph) SetWrite(node string, values any) error {
	return g.setHostCopy("Graph.SetWrite", node, values, true)
}

// SetRead is described with SetWrite.
func (g *Graph) SetRead(node string, into any) error {
	return g.setHostCopy("Graph.SetRead", node, into, false)
}

func (g *Graph) setHostCopy(op, node string, values any, write bool) error {
	n, err := g.find(op, node)
	if err != nil {
		return err
	}
	what := g.name + ", node " + node
	if n.host == nil || n.write != write {
		kind := map[bool]string{true: "a node that copies a slice into a buffer",
			false: "a node that copies a buffer into a slice"}[write]
		return &Error{Op: op, What: what, Want: kind, Got: n.String()}
	}
	raw, elem, count, err := rawSlice(op, values)
	if err == nil {
		err = n.buffers[0].fits(op, elem, 0, count)
	}
	if err == nil && len(raw) != len(n.host) {
		err = &Error{Op: op, What: what, Want: fmt.Sprintf("%d bytes", len(n.host)), Got: fmt.Sprint(len(raw)),
			Fix: "capture another graph"}
	}
	if err != nil {
		return err
	}
	return g.use(op, func(exec driver.GraphExec) error {
		if g.slices == nil {
			g.slices = map[*byte]any{}
		}
		g.slices[unsafe.SliceData(raw)] = values
		before := n.host
		n.host = raw
		if err := exec.SetMemcpyParams(n.node, n.copyParams()); err != nil {
			n.host = before
			return g.dev.late(op, what, err)
		}
		return nil
	})
}

// Enable switches a kernel, copy or fill node on or off. A node that is off does nothing and holds
// nothing up.
func (g *Graph) Enable(node string, on bool) error {
	const op = "Graph.Enable"
	n, err := g.find(op, node)
	if err != nil {
		return err
	}
	return g.use(op, func(exec driver.GraphExec) error {
		if err := exec.SetEnabled(n.node, on); err != nil {
			return g.dev.late(op, g.name+", node "+node, err)
		}
		n.off.Store(!on)
		return nil
	})
}

// Update takes all parameters anew from what record submits, which has to have the shape that the
// graph was captured with: the same kinds of work in the same order. Another shape is an error that
// says how it differs, and leaves the graph as it was.
func (g *Graph) Update(record func(s *Stream)) error {
	const op = "Graph.Update"
	if err := g.check(op); err != nil {
		return err
	}
	r, fresh, err := g.dev.record(op, record)
	if err != nil {
		return err
	}
	err = g.use(op, func(exec driver.GraphExec) error { return g.take(op, exec, r, fresh) })
	return errors.Join(err, wrap(op, g.name, fresh.Destroy()))
}

// take makes the update; the caller holds mu.
func (g *Graph) take(op string, exec driver.GraphExec, r *recording, fresh driver.Graph) error {
	if len(r.nodes) != len(g.nodes) {
		return &Error{Op: op, What: g.name, Want: plural(len(g.nodes), "node"), Got: fmt.Sprint(len(r.nodes)),
			Fix: "capture another graph"}
	}
	for i, n := range r.nodes {
		if n.Kind != g.nodes[i].Kind {
			return &Error{Op: op, What: fmt.Sprintf("%s, node %d (%s)", g.name, i, g.nodes[i].Name), Want: "a " +
				g.nodes[i].Kind.String() + " node", Got: "a " + n.Kind.String() + " node", Fix: "capture another graph"}
		}
	}
	var buffers []*Buffer
	for _, b := range r.buffers {
		buffers = append(buffers, b)
	}
	if err := errors.Join(g.adopt(op, buffers), g.holdModules(op, r)); err != nil {
		return err
	}
	update, err := exec.Update(fresh)
	if err != nil {
		return &Error{Op: op, What: g.name, Got: update.Result.String(), Err: err, Fix: "capture another graph"}
	}
	// The executable graph knows its nodes by their first handles, so those stay.
	for i, n := range r.nodes {
		g.nodes[i].launch, g.nodes[i].buffers, g.nodes[i].fill, g.nodes[i].host, g.nodes[i].write = n.launch, n.buffers,
			n.fill, n.host, n.write
	}
	g.keep = append(g.keep, r.keep...)
	return nil
}
