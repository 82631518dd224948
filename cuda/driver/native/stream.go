package native

import (
	"runtime"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A stream is a CUstream; legacy marks the default stream, whose name means another stream in every
// context.
type stream struct {
	ctx    *context
	handle handle
	legacy bool
	// pinned says that a capture locked its goroutine to a thread until EndCapture.
	pinned bool
}

func (st *stream) Handle() uintptr         { return st.handle.v.Load() }
func (st *stream) Context() driver.Context { return st.ctx }

// on makes a call whose first argument is the stream.
//
//go:uintptrescapes
func (st *stream) on(s symbol, args ...uintptr) error {
	h, err := st.handle.get(s)
	if err != nil {
		return err
	}
	return st.ctx.boundCall(s, append([]uintptr{h}, args...))
}

func (st *stream) Priority() (int, error) {
	var v int32
	err := st.on(cuStreamGetPriority, uintptr(unsafe.Pointer(&v)))
	return int(v), err
}

func (st *stream) Flags() (driver.StreamFlags, error) {
	var v driver.StreamFlags
	err := st.on(cuStreamGetFlags, uintptr(unsafe.Pointer(&v)))
	return v, err
}

func (st *stream) Synchronize() error {
	return st.ctx.waited(cuStreamSynchronize, st.on(cuStreamSynchronize))
}

func (st *stream) Query() error { return st.on(cuStreamQuery) }

func (st *stream) WaitEvent(e driver.Event) error {
	h, err := st.ctx.myEvent(cuStreamWaitEvent, e)
	if err != nil {
		return err
	}
	return st.on(cuStreamWaitEvent, h, 0)
}

func (st *stream) LaunchHost(fn func()) error {
	info, err := st.CaptureInfo()
	if err != nil {
		return err
	}
	// Captured, the function runs with every launch of the graph; otherwise once.
	id := theHostFuncs.add(st.ctx, fn, info.Status == driver.CaptureNone)
	if err := st.on(cuLaunchHostFunc, hostCallback(), id); err != nil {
		theHostFuncs.remove(id)
		return err
	}
	return nil
}

func (st *stream) Destroy() error {
	if st.legacy {
		return refuse(cuStreamDestroy, driver.ErrorInvalidHandle, "the default stream cannot be destroyed")
	}
	h, err := st.handle.take(cuStreamDestroy)
	if err != nil {
		return err
	}
	return st.ctx.call(cuStreamDestroy, h)
}

// BeginCapture keeps the goroutine on its thread until EndCapture, because CUDA ends a capture that
// is not relaxed only on the thread that began it.
func (st *stream) BeginCapture(mode driver.CaptureMode) error {
	runtime.LockOSThread()
	if err := st.on(cuStreamBeginCapture, uintptr(mode)); err != nil {
		runtime.UnlockOSThread()
		return err
	}
	st.began(mode)
	return nil
}

func (st *stream) began(mode driver.CaptureMode) {
	st.pinned = mode != driver.CaptureRelaxed
	if !st.pinned {
		runtime.UnlockOSThread()
	}
}

func (st *stream) BeginCaptureToGraph(g driver.Graph, after []driver.GraphNode, mode driver.CaptureMode) error {
	own, h, err := st.ctx.myGraph(cuStreamBeginCaptureToGraph, g)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	err = st.on(cuStreamBeginCaptureToGraph, h, uintptr(nodesAt(after)), 0, uintptr(len(after)), uintptr(mode))
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	st.ctx.graphs.put(h, own)
	st.began(mode)
	return nil
}

// EndCapture gives the graph; where the capture went into a graph of ours it is that one.
func (st *stream) EndCapture() (driver.Graph, error) {
	var g uintptr
	err := st.on(cuStreamEndCapture, uintptr(unsafe.Pointer(&g)))
	if e, ok := err.(*driver.Error); st.pinned && !(ok && e.Code == driver.ErrorStreamCaptureWrongThread) {
		st.pinned = false
		runtime.UnlockOSThread()
	}
	if err != nil {
		return nil, err
	}
	if own, ok := st.ctx.graphs.get(g); ok {
		st.ctx.graphs.drop(func(o *graph) bool { return o == own })
		return own, nil
	}
	return newGraph(st.ctx, g, nil), nil
}

func (st *stream) CaptureInfo() (driver.CaptureInfo, error) {
	var info struct {
		status       driver.CaptureStatus
		id           uint64
		graph        uintptr
		dependencies *driver.GraphNode
		count        uint64
	}
	err := st.on(cuStreamGetCaptureInfo, uintptr(unsafe.Pointer(&info.status)), uintptr(unsafe.Pointer(&info.id)),
		uintptr(unsafe.Pointer(&info.graph)), uintptr(unsafe.Pointer(&info.dependencies)),
		uintptr(unsafe.Pointer(&info.count)))
	if err != nil || info.status != driver.CaptureActive {
		return driver.CaptureInfo{Status: info.status}, err
	}
	deps := append([]driver.GraphNode(nil), unsafe.Slice(info.dependencies, int(info.count))...)
	return driver.CaptureInfo{Status: info.status, ID: info.id, Dependencies: deps,
		Graph: newGraph(st.ctx, info.graph, st)}, nil
}

// setDependencies is CU_STREAM_SET_CAPTURE_DEPENDENCIES.
const setDependencies = 1

func (st *stream) SetCaptureDependencies(nodes []driver.GraphNode) error {
	return st.on(cuStreamUpdateCaptureDependencies, uintptr(nodesAt(nodes)), uintptr(len(nodes)), setDependencies)
}
