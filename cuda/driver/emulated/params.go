package emulated

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// typed runs f on a node of the wanted type.
func (g *graph) typed(call string, id driver.GraphNode, kind driver.GraphNodeType, f func(n *node) error) error {
	return g.node(call, id, func(n *node) error {
		if n.kind != kind {
			return fail(call, driver.ErrorInvalidValue, "the node is of type %v, not %v", n.kind, kind)
		}
		return f(n)
	})
}

func (g *graph) KernelParams(id driver.GraphNode) (p driver.KernelNodeParams, err error) {
	err = g.typed("cuGraphKernelNodeGetParams", id, driver.GraphNodeKernel, func(n *node) error {
		p = n.kernel
		p.Params = slices.Clone(p.Params)
		return nil
	})
	return p, err
}

func (g *graph) SetKernelParams(id driver.GraphNode, p driver.KernelNodeParams) error {
	const call = "cuGraphKernelNodeSetParams"
	m, err := g.ctx.kernelNode(call, p)
	if err != nil {
		return err
	}
	return g.typed(call, id, driver.GraphNodeKernel, func(n *node) error { n.kernel = m.kernel; return nil })
}

func (g *graph) MemcpyParams(id driver.GraphNode) (p driver.MemcpyNodeParams, err error) {
	err = g.typed("cuGraphMemcpyNodeGetParams", id, driver.GraphNodeMemcpy, func(n *node) error { p = n.copy; return nil })
	return p, err
}

func (g *graph) SetMemcpyParams(id driver.GraphNode, p driver.MemcpyNodeParams) error {
	const call = "cuGraphMemcpyNodeSetParams"
	if err := g.ctx.checkCopy(call, p); err != nil {
		return err
	}
	return g.typed(call, id, driver.GraphNodeMemcpy, func(n *node) error { n.copy = p; return nil })
}

func (g *graph) MemsetParams(id driver.GraphNode) (p driver.MemsetNodeParams, err error) {
	err = g.typed("cuGraphMemsetNodeGetParams", id, driver.GraphNodeMemset, func(n *node) error { p = n.fill; return nil })
	return p, err
}

func (g *graph) SetMemsetParams(id driver.GraphNode, p driver.MemsetNodeParams) error {
	const call = "cuGraphMemsetNodeSetParams"
	if err := g.ctx.checkFill(call, p); err != nil {
		return err
	}
	return g.typed(call, id, driver.GraphNodeMemset, func(n *node) error { n.fill = p; return nil })
}

func (g *graph) ChildGraph(id driver.GraphNode) (child driver.Graph, err error) {
	err = g.typed("cuGraphChildGraphNodeGetGraph", id, driver.GraphNodeGraph, func(n *node) error {
		child = n.child
		return nil
	})
	return child, err
}

// The same for a graph made runnable: what is set holds for later launches.

func (x *graphExec) typed(call string, id driver.GraphNode, kind driver.GraphNodeType, f func(n *node) error) error {
	x.ctx.mu.Lock()
	defer x.ctx.mu.Unlock()
	if err := x.stateLocked(call); err != nil {
		return err
	}
	n := x.plan.byID[id]
	switch {
	case n == nil:
		return fail(call, driver.ErrorInvalidValue, "node %d is not of the graph that this was made from", id)
	case n.kind != kind:
		return fail(call, driver.ErrorInvalidValue, "the node is of type %v, not %v", n.kind, kind)
	}
	// Launches under way keep the node they began with.
	m := *n
	if err := f(&m); err != nil {
		return err
	}
	x.plan = x.plan.with(&m)
	return nil
}

func (x *graphExec) SetKernelParams(id driver.GraphNode, p driver.KernelNodeParams) error {
	const call = "cuGraphExecKernelNodeSetParams"
	m, err := x.ctx.kernelNode(call, p)
	if err != nil {
		return err
	}
	return x.typed(call, id, driver.GraphNodeKernel, func(n *node) error { n.kernel = m.kernel; return nil })
}

func (x *graphExec) SetMemcpyParams(id driver.GraphNode, p driver.MemcpyNodeParams) error {
	const call = "cuGraphExecMemcpyNodeSetParams"
	if err := x.ctx.checkCopy(call, p); err != nil {
		return err
	}
	return x.typed(call, id, driver.GraphNodeMemcpy, func(n *node) error { n.copy = p; return nil })
}

func (x *graphExec) SetMemsetParams(id driver.GraphNode, p driver.MemsetNodeParams) error {
	const call = "cuGraphExecMemsetNodeSetParams"
	if err := x.ctx.checkFill(call, p); err != nil {
		return err
	}
	return x.typed(call, id, driver.GraphNodeMemset, func(n *node) error { n.fill = p; return nil })
}

func (x *graphExec) SetChildGraphParams(id driver.GraphNode, child driver.Graph) error {
	const call = "cuGraphExecChildGraphNodeSetParams"
	ch, err := x.ctx.childOf(call, child)
	if err != nil {
		return err
	}
	return x.typed(call, id, driver.GraphNodeGraph, func(n *node) error {
		if why := differ(n.child.nodes, ch.nodes); why != nil {
			return fail(call, driver.ErrorGraphExecUpdateFailure, "the child graph has another shape")
		}
		n.child = ch
		return nil
	})
}

// switchable are the nodes that may be switched off.
var switchable = map[driver.GraphNodeType]bool{driver.GraphNodeKernel: true, driver.GraphNodeMemcpy: true,
	driver.GraphNodeMemset: true}

func (x *graphExec) SetEnabled(id driver.GraphNode, on bool) error {
	const call = "cuGraphNodeSetEnabled"
	x.ctx.mu.Lock()
	n := x.plan.byID[id]
	x.ctx.mu.Unlock()
	if n == nil || !switchable[n.kind] {
		return fail(call, driver.ErrorInvalidValue, "the node is none of this graph, or not a kernel, memcpy or memset")
	}
	return x.typed(call, id, n.kind, func(n *node) error { n.disabled = !on; return nil })
}

func (x *graphExec) Enabled(id driver.GraphNode) (bool, error) {
	const call = "cuGraphNodeGetEnabled"
	x.ctx.mu.Lock()
	defer x.ctx.mu.Unlock()
	if err := x.stateLocked(call); err != nil {
		return false, err
	}
	n := x.plan.byID[id]
	if n == nil || !switchable[n.kind] {
		return false, fail(call, driver.ErrorInvalidValue,
			"the node is none of this graph, or not a kernel, memcpy or memset")
	}
	return !n.disabled, nil
}
