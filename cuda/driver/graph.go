package driver

// A Graph is a recipe: nodes and what they wait for. It runs once it is instantiated.
//
// Node handles are values and may be map keys; a handle belongs to the graph that made it. The
// parameters of a node are read and written with the methods for its type; another node's type is
// refused with ErrorInvalidValue.
type Graph interface {
	// Handle is the CUgraph, or a unique number. Never 0.
	Handle() uintptr
	Context() Context

	AddKernel(after []GraphNode, p KernelNodeParams) (GraphNode, error)
	AddMemcpy(after []GraphNode, p MemcpyNodeParams) (GraphNode, error)
	AddMemset(after []GraphNode, p MemsetNodeParams) (GraphNode, error)
	// AddHost runs a Go function; it may not call CUDA.
	AddHost(after []GraphNode, fn func()) (GraphNode, error)
	AddEmpty(after []GraphNode) (GraphNode, error)
	// AddChildGraph embeds a copy of a graph as it is now.
	AddChildGraph(after []GraphNode, child Graph) (GraphNode, error)
	AddEventRecord(after []GraphNode, e Event) (GraphNode, error)
	AddEventWait(after []GraphNode, e Event) (GraphNode, error)
	// AddMemAlloc reserves memory while the graph runs; its address is fixed now.
	AddMemAlloc(after []GraphNode, n uint64) (GraphNode, DevicePtr, error)
	AddMemFree(after []GraphNode, p DevicePtr) (GraphNode, error)
	// CreateConditionalHandle makes the value that a conditional node looks at
	// (cuGraphConditionalHandleCreate). Kernels receive it as a u64 parameter and set it with
	// cudaGraphSetConditional. Where resetAtLaunch is set it starts each launch with initial.
	CreateConditionalHandle(initial uint32, resetAtLaunch bool) (ConditionalHandle, error)
	// AddConditional makes a node whose bodies run as the handle's value says. bodies is 1 for
	// ConditionalWhile, 1 or 2 (then, else) for ConditionalIf, any count for ConditionalSwitch. The
	// returned graphs are empty, belong to the node, and are filled with their Add methods. Drivers
	// before 12.3 answer ErrorNotSupported (12.8 for two bodies and for ConditionalSwitch).
	AddConditional(after []GraphNode, h ConditionalHandle, kind ConditionalKind, bodies int) (GraphNode, []Graph, error)

	// Nodes lists the nodes, in the order they were made where the driver tells it
	// (cuGraphGetNodes).
	Nodes() ([]GraphNode, error)
	// Edges lists what waits for what (cuGraphGetEdges).
	Edges() ([]GraphEdge, error)
	NodeType(GraphNode) (GraphNodeType, error)
	// Dependencies lists what a node waits for (cuGraphNodeGetDependencies).
	Dependencies(GraphNode) ([]GraphNode, error)
	AddDependencies(edges []GraphEdge) error
	RemoveDependencies(edges []GraphEdge) error
	// DestroyNode removes a node with its edges.
	DestroyNode(GraphNode) error

	KernelParams(GraphNode) (KernelNodeParams, error)
	SetKernelParams(GraphNode, KernelNodeParams) error
	MemcpyParams(GraphNode) (MemcpyNodeParams, error)
	SetMemcpyParams(GraphNode, MemcpyNodeParams) error
	MemsetParams(GraphNode) (MemsetNodeParams, error)
	SetMemsetParams(GraphNode, MemsetNodeParams) error
	// ChildGraph is the graph inside a GraphNodeGraph node; it belongs to the node.
	ChildGraph(GraphNode) (Graph, error)

	// Clone copies the graph; NodeInClone finds the copy of a node in it (cuGraphNodeFindInClone).
	Clone() (Graph, error)
	NodeInClone(original GraphNode, clone Graph) (GraphNode, error)
	// Instantiate makes the graph runnable (cuGraphInstantiateWithFlags). The graph may be changed
	// or destroyed afterwards without changing what runs. A cycle is ErrorInvalidValue.
	Instantiate() (GraphExec, error)
	Destroy() error
}

// A GraphExec is a graph made runnable. Parameters set on it hold for launches enqueued after the
// call; nodes are named by the handles of the graph it was made from.
type GraphExec interface {
	// Handle is the CUgraphExec, or a unique number. Never 0.
	Handle() uintptr
	// Launch enqueues one run (cuGraphLaunch). Runs of one GraphExec do not overlap. It allocates
	// nothing.
	Launch(Stream) error
	// Upload moves the graph to the device ahead of its first launch (cuGraphUpload).
	Upload(Stream) error
	SetKernelParams(GraphNode, KernelNodeParams) error
	SetMemcpyParams(GraphNode, MemcpyNodeParams) error
	SetMemsetParams(GraphNode, MemsetNodeParams) error
	SetChildGraphParams(GraphNode, Graph) error
	// SetEnabled switches a kernel, memcpy or memset node off and on (cuGraphNodeSetEnabled).
	SetEnabled(GraphNode, bool) error
	Enabled(GraphNode) (bool, error)
	// Update takes all parameters from a graph of the same topology (cuGraphExecUpdate). Where that
	// cannot be done the error is ErrorGraphExecUpdateFailure and the result says why and where.
	Update(Graph) (GraphExecUpdate, error)
	Destroy() error
}
