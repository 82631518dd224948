package driver

import "unsafe"

// KernelNodeParams is a kernel launch inside a graph. Params is the packed block that
// Function.Launch takes; what a getter returns is the caller's own copy.
type KernelNodeParams struct {
	Function    Function
	Grid, Block Dim3
	SharedBytes uint32
	Params      []byte
}

// MemcpyNodeParams is a one-dimensional copy inside a graph. A side is in host memory where its
// Host field is not nil, else at its device pointer. Host memory is read or written each time the
// graph
// runs: it stays where it is and is kept reachable by the caller as long as the graph may run.
type MemcpyNodeParams struct {
	Dst, Src         DevicePtr
	DstHost, SrcHost unsafe.Pointer
	Bytes            uint64
}

// MemsetNodeParams is a fill inside a graph: Height rows of Width elements of ElementSize (1, 2 or
// 4) bytes, Pitch bytes apart. Pitch is ignored where Height is 1.
type MemsetNodeParams struct {
	Dst         DevicePtr
	Pitch       uint64
	Value       uint32
	ElementSize uint32
	Width       uint64
	Height      uint64
}

// GraphEdge says that To waits for From.
type GraphEdge struct{ From, To GraphNode }

// GraphNodeType is CUgraphNodeType.
type GraphNodeType uint32

const (
	GraphNodeKernel                   GraphNodeType = 0
	GraphNodeMemcpy                   GraphNodeType = 1
	GraphNodeMemset                   GraphNodeType = 2
	GraphNodeHost                     GraphNodeType = 3
	GraphNodeGraph                    GraphNodeType = 4
	GraphNodeEmpty                    GraphNodeType = 5
	GraphNodeWaitEvent                GraphNodeType = 6
	GraphNodeEventRecord              GraphNodeType = 7
	GraphNodeExternalSemaphoresSignal GraphNodeType = 8
	GraphNodeExternalSemaphoresWait   GraphNodeType = 9
	GraphNodeMemAlloc                 GraphNodeType = 10
	GraphNodeMemFree                  GraphNodeType = 11
	GraphNodeBatchMemOp               GraphNodeType = 12
	GraphNodeConditional              GraphNodeType = 13
)

var graphNodeTypeNames = [...]string{"kernel", "memcpy", "memset", "host", "graph", "empty",
	"wait event", "event record", "external semaphores signal", "external semaphores wait",
	"mem alloc", "mem free", "batch mem op", "conditional"}

func (t GraphNodeType) String() string {
	return enumName("graph node type", graphNodeTypeNames[:], uint32(t))
}

// ConditionalKind is CUgraphConditionalNodeType.
type ConditionalKind uint32

const (
	// ConditionalIf runs its first body where the value is not 0, its second, if any, where it is
	// 0.
	ConditionalIf ConditionalKind = 0
	// ConditionalWhile runs its body as long as the value is not 0.
	ConditionalWhile ConditionalKind = 1
	// ConditionalSwitch runs the body whose index the value is, or none.
	ConditionalSwitch ConditionalKind = 2
)

var conditionalKindNames = [...]string{"if", "while", "switch"}

func (k ConditionalKind) String() string {
	return enumName("conditional kind", conditionalKindNames[:], uint32(k))
}

// GraphExecUpdate says how a whole-graph update went.
type GraphExecUpdate struct {
	Result GraphExecUpdateResult
	// ErrorNode is the node of the new graph at fault and ErrorFrom the source of the edge at
	// fault, 0 where the driver names none.
	ErrorNode, ErrorFrom GraphNode
}

// GraphExecUpdateResult is CUgraphExecUpdateResult.
type GraphExecUpdateResult uint32

const (
	GraphExecUpdateSuccess                   GraphExecUpdateResult = 0
	GraphExecUpdateError                     GraphExecUpdateResult = 1
	GraphExecUpdateTopologyChanged           GraphExecUpdateResult = 2
	GraphExecUpdateNodeTypeChanged           GraphExecUpdateResult = 3
	GraphExecUpdateFunctionChanged           GraphExecUpdateResult = 4
	GraphExecUpdateParametersChanged         GraphExecUpdateResult = 5
	GraphExecUpdateNotSupported              GraphExecUpdateResult = 6
	GraphExecUpdateUnsupportedFunctionChange GraphExecUpdateResult = 7
	GraphExecUpdateAttributesChanged         GraphExecUpdateResult = 8
)

var graphExecUpdateNames = [...]string{"success", "error", "topology changed", "node type changed",
	"function changed", "parameters changed", "not supported", "unsupported function change", "attributes changed"}

func (r GraphExecUpdateResult) String() string {
	return enumName("graph update result", graphExecUpdateNames[:], uint32(r))
}
