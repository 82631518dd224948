package faulty

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

type graph struct {
	driver.Graph
	ctx *context
	in  *Injector
}

func (g *graph) Context() driver.Context { return g.ctx }
func (g *graph) Destroy() error          { return g.in.gone("graph", "cuGraphDestroy", g.Graph.Destroy) }

// asked makes a call that gives a value, unless it is to fail.
func asked[T any](in *Injector, call string, f func() (T, error)) (T, error) {
	if err := in.ask(call); err != nil {
		var none T
		return none, err
	}
	return f()
}

func (g *graph) AddKernel(after []driver.GraphNode, p driver.KernelNodeParams) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddKernelNode", func() (driver.GraphNode, error) {
		return g.Graph.AddKernel(after, bareKernel(p))
	})
}

func (g *graph) AddMemcpy(after []driver.GraphNode, p driver.MemcpyNodeParams) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddMemcpyNode", func() (driver.GraphNode, error) { return g.Graph.AddMemcpy(after, p) })
}

func (g *graph) AddMemset(after []driver.GraphNode, p driver.MemsetNodeParams) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddMemsetNode", func() (driver.GraphNode, error) { return g.Graph.AddMemset(after, p) })
}

func (g *graph) AddHost(after []driver.GraphNode, fn func()) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddHostNode", func() (driver.GraphNode, error) { return g.Graph.AddHost(after, fn) })
}

func (g *graph) AddEmpty(after []driver.GraphNode) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddEmptyNode", func() (driver.GraphNode, error) { return g.Graph.AddEmpty(after) })
}

func (g *graph) AddChildGraph(after []driver.GraphNode, child driver.Graph) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddChildGraphNode", func() (driver.GraphNode, error) {
		return g.Graph.AddChildGraph(after, bareGraph(child))
	})
}

func (g *graph) AddEventRecord(after []driver.GraphNode, e driver.Event) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddEventRecordNode", func() (driver.GraphNode, error) {
		return g.Graph.AddEventRecord(after, bareEvent(e))
	})
}

func (g *graph) AddEventWait(after []driver.GraphNode, e driver.Event) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphAddEventWaitNode", func() (driver.GraphNode, error) {
		return g.Graph.AddEventWait(after, bareEvent(e))
	})
}

func (g *graph) CreateConditionalHandle(initial uint32, resetAtLaunch bool) (driver.ConditionalHandle, error) {
	return asked(g.in, "cuGraphConditionalHandleCreate", func() (driver.ConditionalHandle, error) {
		return g.Graph.CreateConditionalHandle(initial, resetAtLaunch)
	})
}

// AddConditional wraps the bodies, so that what is put into them can fail too.
func (g *graph) AddConditional(after []driver.GraphNode, h driver.ConditionalHandle, kind driver.ConditionalKind,
	bodies int) (driver.GraphNode, []driver.Graph, error) {
	if err := g.in.ask("cuGraphAddNode"); err != nil {
		return 0, nil, err
	}
	n, list, err := g.Graph.AddConditional(after, h, kind, bodies)
	for i, body := range list {
		list[i] = &graph{Graph: body, ctx: g.ctx, in: g.in}
	}
	return n, list, err
}

func (g *graph) Nodes() ([]driver.GraphNode, error) {
	return asked(g.in, "cuGraphGetNodes", g.Graph.Nodes)
}

func (g *graph) Edges() ([]driver.GraphEdge, error) {
	return asked(g.in, "cuGraphGetEdges", g.Graph.Edges)
}

func (g *graph) NodeType(n driver.GraphNode) (driver.GraphNodeType, error) {
	return asked(g.in, "cuGraphNodeGetType", func() (driver.GraphNodeType, error) { return g.Graph.NodeType(n) })
}

func (g *graph) Dependencies(n driver.GraphNode) ([]driver.GraphNode, error) {
	return asked(g.in, "cuGraphNodeGetDependencies", func() ([]driver.GraphNode, error) { return g.Graph.Dependencies(n) })
}

func (g *graph) AddDependencies(edges []driver.GraphEdge) error {
	return g.in.do("cuGraphAddDependencies", func() error { return g.Graph.AddDependencies(edges) })
}

// DestroyNode reaches the driver in either case, as all calls do that give something back.
func (g *graph) DestroyNode(n driver.GraphNode) error {
	injected := g.in.ask("cuGraphDestroyNode")
	if err := g.Graph.DestroyNode(n); err != nil {
		return err
	}
	return injected
}

func (g *graph) MemsetParams(n driver.GraphNode) (driver.MemsetNodeParams, error) {
	return asked(g.in, "cuGraphMemsetNodeGetParams", func() (driver.MemsetNodeParams, error) {
		return g.Graph.MemsetParams(n)
	})
}

func (g *graph) SetKernelParams(n driver.GraphNode, p driver.KernelNodeParams) error {
	return g.in.do("cuGraphKernelNodeSetParams", func() error { return g.Graph.SetKernelParams(n, bareKernel(p)) })
}

func (g *graph) SetMemcpyParams(n driver.GraphNode, p driver.MemcpyNodeParams) error {
	return g.in.do("cuGraphMemcpyNodeSetParams", func() error { return g.Graph.SetMemcpyParams(n, p) })
}

func (g *graph) SetMemsetParams(n driver.GraphNode, p driver.MemsetNodeParams) error {
	return g.in.do("cuGraphMemsetNodeSetParams", func() error { return g.Graph.SetMemsetParams(n, p) })
}

func (g *graph) Clone() (driver.Graph, error) {
	c, err := made(g.in, "graph", "cuGraphClone", g.Graph.Clone)
	if err != nil {
		return nil, err
	}
	return &graph{Graph: c, ctx: g.ctx, in: g.in}, nil
}

func (g *graph) NodeInClone(original driver.GraphNode, clone driver.Graph) (driver.GraphNode, error) {
	return asked(g.in, "cuGraphNodeFindInClone", func() (driver.GraphNode, error) {
		return g.Graph.NodeInClone(original, bareGraph(clone))
	})
}

func (g *graph) Instantiate() (driver.GraphExec, error) {
	e, err := made(g.in, "executable graph", "cuGraphInstantiate", g.Graph.Instantiate)
	if err != nil {
		return nil, err
	}
	return &graphExec{GraphExec: e, in: g.in}, nil
}

type graphExec struct {
	driver.GraphExec
	in *Injector
}

func (e *graphExec) Destroy() error {
	return e.in.gone("executable graph", "cuGraphExecDestroy", e.GraphExec.Destroy)
}

func (e *graphExec) Launch(s driver.Stream) error {
	return e.in.do("cuGraphLaunch", func() error { return e.GraphExec.Launch(bareStream(s)) })
}

func (e *graphExec) Upload(s driver.Stream) error {
	return e.in.do("cuGraphUpload", func() error { return e.GraphExec.Upload(bareStream(s)) })
}

func (e *graphExec) SetKernelParams(n driver.GraphNode, p driver.KernelNodeParams) error {
	return e.in.do("cuGraphExecKernelNodeSetParams", func() error { return e.GraphExec.SetKernelParams(n, bareKernel(p)) })
}

func (e *graphExec) SetMemcpyParams(n driver.GraphNode, p driver.MemcpyNodeParams) error {
	return e.in.do("cuGraphExecMemcpyNodeSetParams", func() error { return e.GraphExec.SetMemcpyParams(n, p) })
}

func (e *graphExec) SetMemsetParams(n driver.GraphNode, p driver.MemsetNodeParams) error {
	return e.in.do("cuGraphExecMemsetNodeSetParams", func() error { return e.GraphExec.SetMemsetParams(n, p) })
}

func (e *graphExec) SetEnabled(n driver.GraphNode, on bool) error {
	return e.in.do("cuGraphNodeSetEnabled", func() error { return e.GraphExec.SetEnabled(n, on) })
}

func (e *graphExec) Update(g driver.Graph) (driver.GraphExecUpdate, error) {
	if err := e.in.ask("cuGraphExecUpdate"); err != nil {
		return driver.GraphExecUpdate{}, err
	}
	return e.GraphExec.Update(bareGraph(g))
}
