package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A graph is a CUgraph. One that belongs to a capture, to a node or to a conditional is borrowed:
// its owner destroys it.
type graph struct {
	ctx    *context
	handle handle
	// owner is what the graph belongs to; nil for a graph of the caller's own.
	owner any
}

func newGraph(c *context, h uintptr, owner any) *graph {
	g := &graph{ctx: c, owner: owner}
	g.handle.put(h)
	return g
}

// myGraph unwraps a graph of this context.
func (c *context) myGraph(s symbol, other driver.Graph) (*graph, uintptr, error) {
	g, ok := other.(*graph)
	if !ok || g.ctx != c {
		return nil, 0, refuse(s, driver.ErrorInvalidHandle, "the graph belongs to another context")
	}
	h, err := g.handle.get(s)
	return g, h, err
}

func (g *graph) Handle() uintptr         { return g.handle.v.Load() }
func (g *graph) Context() driver.Context { return g.ctx }

// nodesAt is where a list of nodes lies. GraphNode has the size of a CUgraphNode.
func nodesAt(nodes []driver.GraphNode) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(nodes))
}

// Nodes asks for the count and then for the nodes.
func (g *graph) Nodes() ([]driver.GraphNode, error) {
	h, err := g.handle.get(cuGraphGetNodes)
	if err != nil {
		return nil, err
	}
	return g.ctx.listNodes(cuGraphGetNodes, h)
}

// listNodes makes the two calls of functions of the form f(handle, nodes, &count).
func (c *context) listNodes(s symbol, h uintptr) ([]driver.GraphNode, error) {
	var n uint64
	if err := c.call(s, h, 0, uintptr(unsafe.Pointer(&n))); err != nil || n == 0 {
		return nil, err
	}
	nodes := make([]driver.GraphNode, n)
	if err := c.call(s, h, uintptr(nodesAt(nodes)), uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	return nodes[:min(n, uint64(len(nodes)))], nil
}

func (g *graph) Edges() ([]driver.GraphEdge, error) {
	h, err := g.handle.get(cuGraphGetEdges)
	if err != nil {
		return nil, err
	}
	var n uint64
	if err := g.ctx.call(cuGraphGetEdges, h, 0, 0, uintptr(unsafe.Pointer(&n))); err != nil || n == 0 {
		return nil, err
	}
	from, to := make([]driver.GraphNode, n), make([]driver.GraphNode, n)
	err = g.ctx.call(cuGraphGetEdges, h, uintptr(nodesAt(from)), uintptr(nodesAt(to)), uintptr(unsafe.Pointer(&n)))
	if err != nil {
		return nil, err
	}
	edges := make([]driver.GraphEdge, min(n, uint64(len(from))))
	for i := range edges {
		edges[i] = driver.GraphEdge{From: from[i], To: to[i]}
	}
	return edges, nil
}

// of makes a call whose first argument is a node of this graph.
//
//go:uintptrescapes
func (g *graph) of(s symbol, n driver.GraphNode, args ...uintptr) error {
	if _, err := g.handle.get(s); err != nil {
		return err
	}
	if n == 0 {
		return refuse(s, driver.ErrorInvalidHandle, "node 0 is none")
	}
	return g.ctx.boundCall(s, append([]uintptr{uintptr(n)}, args...))
}

func (g *graph) NodeType(n driver.GraphNode) (driver.GraphNodeType, error) {
	var t driver.GraphNodeType
	err := g.of(cuGraphNodeGetType, n, uintptr(unsafe.Pointer(&t)))
	return t, err
}

func (g *graph) Dependencies(n driver.GraphNode) ([]driver.GraphNode, error) {
	if _, err := g.handle.get(cuGraphNodeGetDependencies); err != nil {
		return nil, err
	}
	return g.ctx.listNodes(cuGraphNodeGetDependencies, uintptr(n))
}

// edit makes the calls that add or remove edges.
func (g *graph) edit(s symbol, edges []driver.GraphEdge) error {
	h, err := g.handle.get(s)
	if err != nil || len(edges) == 0 {
		return err
	}
	from, to := make([]driver.GraphNode, len(edges)), make([]driver.GraphNode, len(edges))
	for i, e := range edges {
		from[i], to[i] = e.From, e.To
	}
	return g.ctx.call(s, h, uintptr(nodesAt(from)), uintptr(nodesAt(to)), uintptr(len(edges)))
}

func (g *graph) AddDependencies(edges []driver.GraphEdge) error {
	return g.edit(cuGraphAddDependencies, edges)
}

func (g *graph) RemoveDependencies(edges []driver.GraphEdge) error {
	return g.edit(cuGraphRemoveDependencies, edges)
}

func (g *graph) DestroyNode(n driver.GraphNode) error { return g.of(cuGraphDestroyNode, n) }

func (g *graph) Clone() (driver.Graph, error) {
	h, err := g.handle.get(cuGraphClone)
	if err != nil {
		return nil, err
	}
	var clone uintptr
	if err := g.ctx.call(cuGraphClone, uintptr(unsafe.Pointer(&clone)), h); err != nil {
		return nil, err
	}
	return newGraph(g.ctx, clone, nil), nil
}

func (g *graph) NodeInClone(original driver.GraphNode, clone driver.Graph) (driver.GraphNode, error) {
	_, h, err := g.ctx.myGraph(cuGraphNodeFindInClone, clone)
	if err != nil {
		return 0, err
	}
	var n driver.GraphNode
	err = g.ctx.call(cuGraphNodeFindInClone, uintptr(unsafe.Pointer(&n)), uintptr(original), h)
	return n, err
}

func (g *graph) Instantiate() (driver.GraphExec, error) {
	h, err := g.handle.get(cuGraphInstantiate)
	if err != nil {
		return nil, err
	}
	var exec uintptr
	if err := g.ctx.call(cuGraphInstantiate, uintptr(unsafe.Pointer(&exec)), h, 0); err != nil {
		return nil, err
	}
	e := &graphExec{ctx: g.ctx}
	e.handle.put(exec)
	return e, nil
}

func (g *graph) Destroy() error {
	if g.owner != nil {
		return refuse(cuGraphDestroy, driver.ErrorInvalidHandle,
			"the graph belongs to a capture or to a node of another graph")
	}
	h, err := g.handle.take(cuGraphDestroy)
	if err != nil {
		return err
	}
	return g.ctx.call(cuGraphDestroy, h)
}
