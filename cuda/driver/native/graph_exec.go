package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A graphExec is a CUgraphExec.
type graphExec struct {
	ctx    *context
	handle handle
}

func (e *graphExec) Handle() uintptr { return e.handle.v.Load() }

// Launch is written out for the case that nearly every launch is: each line of code and of data
// that it goes through is a miss of a cache behind the driver's own work.
func (e *graphExec) Launch(st driver.Stream) error {
	c, h := e.ctx, e.handle.v.Load()
	own, ok := st.(*stream)
	if ok && own.ctx == c && !own.legacy && h != 0 && !c.dead.Load() {
		if sh, fn := own.handle.v.Load(), c.graphLaunch.Load(); sh != 0 && fn != 0 {
			k := pairCall{fn: fn, first: h, second: sh}
			if k.do() == driver.Success {
				return nil
			}
			return e.settle(&k)
		}
	}
	return e.launchBound(st)
}

// settle says what a launch's code means: without a context on the thread nothing was launched, and
// it is made again with it.
func (e *graphExec) settle(k *pairCall) error {
	code := driver.Result(uint32(k.result))
	if notBound(code) {
		return e.ctx.boundCall(cuGraphLaunch, []uintptr{k.first, k.second})
	}
	return check(cuGraphLaunch, code)
}

// launchBound launches the first graph of a context, and finds what is wrong.
func (e *graphExec) launchBound(st driver.Stream) error {
	_, sh, err := e.ctx.mine(cuGraphLaunch, st)
	if err != nil {
		return err
	}
	h, err := e.handle.get(cuGraphLaunch)
	if err != nil {
		return err
	}
	if err := e.ctx.boundCall(cuGraphLaunch, []uintptr{h, sh}); err != nil {
		return err
	}
	e.ctx.graphLaunch.Store(e.ctx.lib.addrs[cuGraphLaunch].Load())
	return nil
}

func (e *graphExec) Upload(st driver.Stream) error {
	_, sh, err := e.ctx.mine(cuGraphUpload, st)
	if err != nil {
		return err
	}
	return e.on(cuGraphUpload, sh)
}

// on makes a call whose first argument is the executable graph.
//
//go:uintptrescapes
func (e *graphExec) on(s symbol, args ...uintptr) error {
	h, err := e.handle.get(s)
	if err != nil {
		return err
	}
	return e.ctx.boundCall(s, append([]uintptr{h}, args...))
}

// SetKernelParams is called before launches, so it allocates nothing.
func (e *graphExec) SetKernelParams(n driver.GraphNode, p driver.KernelNodeParams) error {
	const s = cuGraphExecKernelNodeSetParams
	f, err := e.ctx.myFunction(s, p.Function)
	if err != nil {
		return err
	}
	h, err := e.handle.get(s)
	if err != nil {
		return err
	}
	b := launchBlocks.Get().(*launchBlock)
	pointers, _, err := b.hold(s, f, p.Params)
	if err == nil {
		b.node = kernelNodeParams{function: f.handle, grid: p.Grid, block: p.Block, shared: p.SharedBytes}
		if pointers != 0 {
			b.node.kernelParams = &b.pointers[0]
		} else {
			b.node.extra = &b.extra.bufferKey
		}
		b.args[0], b.args[1], b.args[2] = h, uintptr(n), uintptr(unsafe.Pointer(&b.node))
		err = e.ctx.boundCall(s, b.args[:3]) // libcuda faults where the thread has no context
	}
	launchBlocks.Put(b)
	return err
}

func (e *graphExec) SetMemcpyParams(n driver.GraphNode, p driver.MemcpyNodeParams) error {
	return e.on(cuGraphExecMemcpyNodeSetParams, uintptr(n), uintptr(unsafe.Pointer(newMemcpy3D(p))), e.ctx.handle)
}

func (e *graphExec) SetMemsetParams(n driver.GraphNode, p driver.MemsetNodeParams) error {
	return e.on(cuGraphExecMemsetNodeSetParams, uintptr(n), uintptr(unsafe.Pointer(newMemset(p))), e.ctx.handle)
}

func (e *graphExec) SetChildGraphParams(n driver.GraphNode, child driver.Graph) error {
	_, h, err := e.ctx.myGraph(cuGraphExecChildGraphNodeSetParams, child)
	if err != nil {
		return err
	}
	return e.on(cuGraphExecChildGraphNodeSetParams, uintptr(n), h)
}

func (e *graphExec) SetEnabled(n driver.GraphNode, enabled bool) error {
	v := uintptr(0)
	if enabled {
		v = 1
	}
	return e.on(cuGraphNodeSetEnabled, uintptr(n), v)
}

func (e *graphExec) Enabled(n driver.GraphNode) (bool, error) {
	var v uint32
	err := e.on(cuGraphNodeGetEnabled, uintptr(n), uintptr(unsafe.Pointer(&v)))
	return v != 0, err
}

func (e *graphExec) Update(g driver.Graph) (driver.GraphExecUpdate, error) {
	_, h, err := e.ctx.myGraph(cuGraphExecUpdate, g)
	if err != nil {
		return driver.GraphExecUpdate{}, err
	}
	info := new(execUpdateInfo)
	err = e.on(cuGraphExecUpdate, h, uintptr(unsafe.Pointer(info)))
	if de, ok := err.(*driver.Error); ok {
		de.Detail = info.result.String()
	}
	return driver.GraphExecUpdate{Result: info.result, ErrorNode: info.errorNode, ErrorFrom: info.errorFrom}, err
}

func (e *graphExec) Destroy() error {
	h, err := e.handle.take(cuGraphExecDestroy)
	if err != nil {
		return err
	}
	return e.ctx.call(cuGraphExecDestroy, h)
}
