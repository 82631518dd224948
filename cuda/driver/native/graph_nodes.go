package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// add makes a call of the form f(&node, graph, dependencies, count, a, b); functions that take
// fewer arguments do not look at the rest.
//
//go:uintptrescapes
func (g *graph) add(s symbol, after []driver.GraphNode, a, b uintptr) (driver.GraphNode, error) {
	h, err := g.handle.get(s)
	if err != nil {
		return 0, err
	}
	var n driver.GraphNode
	err = g.ctx.call(s, uintptr(unsafe.Pointer(&n)), h, uintptr(nodesAt(after)), uintptr(len(after)), a, b)
	return n, err
}

func (g *graph) AddKernel(after []driver.GraphNode, p driver.KernelNodeParams) (driver.GraphNode, error) {
	c, err := g.ctx.kernelParams(cuGraphAddKernelNode, p)
	if err != nil {
		return 0, err
	}
	return g.add(cuGraphAddKernelNode, after, uintptr(unsafe.Pointer(c)), 0)
}

func (g *graph) AddMemcpy(after []driver.GraphNode, p driver.MemcpyNodeParams) (driver.GraphNode, error) {
	return g.add(cuGraphAddMemcpyNode, after, uintptr(unsafe.Pointer(newMemcpy3D(p))), g.ctx.handle)
}

func (g *graph) AddMemset(after []driver.GraphNode, p driver.MemsetNodeParams) (driver.GraphNode, error) {
	return g.add(cuGraphAddMemsetNode, after, uintptr(unsafe.Pointer(newMemset(p))), g.ctx.handle)
}

func (g *graph) AddHost(after []driver.GraphNode, fn func()) (driver.GraphNode, error) {
	id := theHostFuncs.add(g.ctx, fn, false)
	n, err := g.add(cuGraphAddHostNode, after, uintptr(unsafe.Pointer(&hostNodeParams{hostCallback(), id})), 0)
	if err != nil {
		theHostFuncs.remove(id)
	}
	return n, err
}

func (g *graph) AddEmpty(after []driver.GraphNode) (driver.GraphNode, error) {
	return g.add(cuGraphAddEmptyNode, after, 0, 0)
}

func (g *graph) AddChildGraph(after []driver.GraphNode, child driver.Graph) (driver.GraphNode, error) {
	_, h, err := g.ctx.myGraph(cuGraphAddChildGraphNode, child)
	if err != nil {
		return 0, err
	}
	return g.add(cuGraphAddChildGraphNode, after, h, 0)
}

func (g *graph) AddEventRecord(after []driver.GraphNode, e driver.Event) (driver.GraphNode, error) {
	h, err := g.ctx.myEvent(cuGraphAddEventRecordNode, e)
	if err != nil {
		return 0, err
	}
	return g.add(cuGraphAddEventRecordNode, after, h, 0)
}

func (g *graph) AddEventWait(after []driver.GraphNode, e driver.Event) (driver.GraphNode, error) {
	h, err := g.ctx.myEvent(cuGraphAddEventWaitNode, e)
	if err != nil {
		return 0, err
	}
	return g.add(cuGraphAddEventWaitNode, after, h, 0)
}

func (g *graph) AddMemAlloc(after []driver.GraphNode, n uint64) (driver.GraphNode, driver.DevicePtr, error) {
	p := &memAllocNodeParams{allocType: allocationPinned, locationType: locationDevice,
		locationID: g.ctx.device.handle, bytes: n}
	node, err := g.add(cuGraphAddMemAllocNode, after, uintptr(unsafe.Pointer(p)), 0)
	return node, p.ptr, asked(err, n)
}

func (g *graph) AddMemFree(after []driver.GraphNode, p driver.DevicePtr) (driver.GraphNode, error) {
	return g.add(cuGraphAddMemFreeNode, after, uintptr(p), 0)
}

func (g *graph) CreateConditionalHandle(initial uint32, resetAtLaunch bool) (driver.ConditionalHandle, error) {
	h, err := g.handle.get(cuGraphConditionalHandleCreate)
	if err != nil {
		return 0, err
	}
	flags := uintptr(0)
	if resetAtLaunch {
		flags = assignDefault
	}
	var handle driver.ConditionalHandle
	err = g.ctx.call(cuGraphConditionalHandleCreate, uintptr(unsafe.Pointer(&handle)), h, g.ctx.handle, uintptr(initial),
		flags)
	return handle, err
}

// conditionalSince is the CUDA version that brought a second body and ConditionalSwitch.
const conditionalSince driver.Version = 12080

func (g *graph) AddConditional(after []driver.GraphNode, handle driver.ConditionalHandle, kind driver.ConditionalKind,
	bodies int) (driver.GraphNode, []driver.Graph, error) {
	h, err := g.handle.get(cuGraphAddNode)
	if err != nil {
		return 0, nil, err
	}
	if bodies < 1 || bodies > 1<<16 {
		return 0, nil, refuse(cuGraphAddNode, driver.ErrorInvalidValue, "a conditional node has at least one body")
	}
	version := driver.Version(g.ctx.lib.version.Load())
	if version < conditionalSince && (bodies > 1 || kind == driver.ConditionalSwitch) {
		return 0, nil, refuse(cuGraphAddNode, driver.ErrorNotSupported,
			"else bodies and switch came with CUDA "+conditionalSince.String()+", the driver speaks "+version.String())
	}
	p := &conditionalNodeParams{nodeType: uint32(driver.GraphNodeConditional), handle: handle,
		kind: uint32(kind), size: uint32(bodies), context: g.ctx.handle}
	var node driver.GraphNode
	err = g.ctx.call(cuGraphAddNode, uintptr(unsafe.Pointer(&node)), h, uintptr(nodesAt(after)), 0, uintptr(len(after)),
		uintptr(unsafe.Pointer(p)))
	if err != nil {
		return 0, nil, err
	}
	list := make([]driver.Graph, bodies)
	for i, body := range unsafe.Slice(p.bodies, bodies) {
		list[i] = newGraph(g.ctx, body, g)
	}
	return node, list, nil
}
