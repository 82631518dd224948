package driver

// A Context is an address space on a device with everything made in it: memory, modules, streams,
// events, graphs.
//
// CUDA keeps a current context per OS thread. Here every method says by its receiver which context
// is meant, so nothing above the seam pins threads; MakeCurrent is for callers of other C
// libraries.
type Context interface {
	Memory
	// Handle is the CUcontext for interoperation with C libraries, or a number unique to this
	// context where there is none. Never 0.
	Handle() uintptr
	Device() Device
	// MakeCurrent makes the context current on the calling OS thread (cuCtxSetCurrent). The caller
	// has called runtime.LockOSThread. Methods of this package do not need it.
	MakeCurrent() error
	// Release gives one NewContext back (cuDevicePrimaryCtxRelease); the last one of a context
	// destroys it with everything in it.
	Release() error
	// Reset destroys the context with everything in it, whoever holds it (cuDevicePrimaryCtxReset),
	// without waiting for its work. Every handle made in it is dead afterwards, and it needs no
	// Release. Whether that also ends a sticky error is told in fault.go. Resetting a context that
	// is destroyed does nothing.
	Reset() error
	// Synchronize waits for all work of the context (cuCtxSynchronize) and reports its failures.
	Synchronize() error
	// MemInfo is the free and the total device memory in bytes (cuMemGetInfo).
	MemInfo() (free, total uint64, err error)
	// Limit and SetLimit are cuCtxGetLimit and cuCtxSetLimit.
	Limit(Limit) (uint64, error)
	SetLimit(Limit, uint64) error
	// EnablePeerAccess lets kernels of this context reach memory of another device's context
	// (cuCtxEnablePeerAccess).
	EnablePeerAccess(Context) error

	// LoadModule loads PTX text, a cubin or a fatbin (cuModuleLoadDataEx). The log is what the
	// just-in-time compiler wrote, also where it failed.
	LoadModule(image []byte, options JITOptions) (Module, JITLog, error)

	// EncodeTensorMap makes the tensor map of a description (cuTensorMapEncodeTiled); what no
	// device takes is ErrorInvalidValue with the field in its detail.
	EncodeTensorMap(*TensorMapConfig) (TensorMap, error)
	// ReplaceTensorMapAddress has a tensor map describe memory at another address
	// (cuTensorMapReplaceAddress).
	ReplaceTensorMapAddress(m *TensorMap, p DevicePtr) error

	// StreamPriorityRange gives the numerically greatest (least urgent) and least (most urgent)
	// priority (cuCtxGetStreamPriorityRange).
	StreamPriorityRange() (least, greatest int, err error)
	// DefaultStream is the context's legacy default stream, which waits for blocking streams and
	// makes them wait. It cannot be destroyed or captured.
	DefaultStream() Stream
	// CreateStream makes a stream (cuStreamCreateWithPriority); a priority outside the range is
	// moved to its nearer end, as in CUDA.
	CreateStream(flags StreamFlags, priority int) (Stream, error)
	// CreateEvent makes an event (cuEventCreate).
	CreateEvent(EventFlags) (Event, error)
	// CreateGraph makes an empty graph (cuGraphCreate).
	CreateGraph() (Graph, error)
}
