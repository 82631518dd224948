package faulty

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

type graph struct {
	driver.Graph
	ctx *context
	in  *Injector
}

func (g *graph) Context() driver.Context { return g.ctx }
func (g *graph) Destroy() error          { return g.in.gone("graph", "cuGraphDestroy", g.Graph.Destroy) }

func (g *graph) AddKernel(after []driver.GraphNode, p driver.KernelNodeParams) (driver.GraphNode, error) {
	if err := g.in.ask("cuGraphAddKernelNode"); err != nil {
		return 0, err
	}
	return g.Graph.AddKernel(after, bareKernel(p))
}

func (g *graph) Nodes() ([]driver.GraphNode, error) {
	if err := g.in.ask("cuGraphGetNodes"); err != nil {
		return nil, err
	}
	return g.Graph.Nodes()
}

func (g *graph) Edges() ([]driver.GraphEdge, error) {
	if err := g.in.ask("cuGraphGetEdges"); err != nil {
		return nil, err
	}
	return g.Graph.Edges()
}

func (g *graph) NodeType(n driver.GraphNode) (driver.GraphNodeType, error) {
	if err := g.in.ask("cuGraphNodeGetType"); err != nil {
		return 0, err
	}
	return g.Graph.NodeType(n)
}

func (g *graph) MemsetParams(n driver.GraphNode) (driver.MemsetNodeParams, error) {
	if err := g.in.ask("cuGraphMemsetNodeGetParams"); err != nil {
		return driver.MemsetNodeParams{}, err
	}
	return g.Graph.MemsetParams(n)
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
