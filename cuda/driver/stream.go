package driver

// A Stream is a queue of work that runs in order.
type Stream interface {
	// Handle is the CUstream, or a unique number. Never 0 but for the default stream.
	Handle() uintptr
	Context() Context
	Priority() (int, error)
	Flags() (StreamFlags, error)
	// Synchronize waits until the stream is empty (cuStreamSynchronize) and reports failures of
	// what it waited for.
	Synchronize() error
	// Query is nil when the stream is empty and ErrorNotReady while it is not (cuStreamQuery).
	Query() error
	// WaitEvent holds later work back until the event's most recent record is done
	// (cuStreamWaitEvent). Captured events join streams into one capture.
	WaitEvent(Event) error
	// LaunchHost runs a Go function in stream order (cuLaunchHostFunc). It may not call CUDA.
	LaunchHost(func()) error
	// Destroy gives the stream back once its work is done (cuStreamDestroy); it does not wait.
	Destroy() error

	// BeginCapture records what is submitted from here on (cuStreamBeginCapture). Unless the mode
	// is CaptureRelaxed the same goroutine calls EndCapture; another one gets
	// ErrorStreamCaptureWrongThread.
	BeginCapture(CaptureMode) error
	// BeginCaptureToGraph records into a graph that exists, the body of a conditional node say,
	// behind the nodes named (cuStreamBeginCaptureToGraph; drivers before 12.3 answer
	// ErrorNotSupported). EndCapture then gives that same graph.
	BeginCaptureToGraph(g Graph, after []GraphNode, mode CaptureMode) error
	// EndCapture gives what was recorded (cuStreamEndCapture). After an invalidated capture it
	// answers ErrorStreamCaptureInvalidated and the stream is usable again.
	EndCapture() (Graph, error)
	// CaptureInfo reports whether the stream captures, the capture's id, the graph under
	// construction and the nodes the next one will depend on (cuStreamGetCaptureInfo). Outside a
	// capture the graph is nil. The graph belongs to the capture: it may be read, and is not
	// destroyed by the caller.
	CaptureInfo() (CaptureInfo, error)
	// SetCaptureDependencies makes the next captured work depend on these nodes of the graph under
	// construction and no others (cuStreamUpdateCaptureDependencies): nodes that were added to it
	// by hand come into the capture so. Outside a capture it is ErrorIllegalState.
	SetCaptureDependencies(nodes []GraphNode) error
}

// CaptureInfo is a stream's state of capture.
type CaptureInfo struct {
	Status       CaptureStatus
	ID           uint64
	Graph        Graph
	Dependencies []GraphNode
}

// An Event marks a place in a stream.
type Event interface {
	// Handle is the CUevent, or a unique number. Never 0.
	Handle() uintptr
	// Record places the event behind all work submitted to the stream so far (cuEventRecord); nil
	// means the default stream. It allocates nothing.
	Record(Stream) error
	// Synchronize waits for the most recent record (cuEventSynchronize).
	Synchronize() error
	// Query is nil when the most recent record is done, ErrorNotReady before (cuEventQuery). An
	// event never recorded is done.
	Query() error
	// ElapsedMilliseconds is the device time from an earlier event to this one
	// (cuEventElapsedTime), with a resolution of about half a microsecond. ErrorNotReady while
	// either is pending, ErrorInvalidHandle where either was never recorded or has
	// EventDisableTiming.
	ElapsedMilliseconds(since Event) (float32, error)
	// Destroy gives the event back (cuEventDestroy).
	Destroy() error
}
