// Package cuda dispatches PTX kernels to an NVIDIA GPU, or to an emulated device where there is
// none, with no cgo and no toolkit.
//
//	dev := cuda.MustOpen()                            // the GPU if there is one, else the emulated device
//	mod := dev.MustLoadPTX(ptx)
//	x, y := dev.MustUpload(xs), dev.MustUpload(ys)    // []float32 to device memory
//	run := dev.MustDispatch(mod.MustKernel("saxpy"), cuda.GridFor(n, 256), cuda.Block(256), n, float32(2), x, y)
//	run                                               // a card: geometry, device time, bytes
//	ys = cuda.MustSlice[float32](y)
//
// People hold concrete types: Device, Buffer, Module, Kernel, Stream, Event, Plan, Graph. Each call that can fail
// returns an error, an *Error with fields in the first place, and has a Must form of the same name and parameters
// that panics with that error instead, which in a notebook cell is the cell's error; Close has none. A call that
// waits ends with what it waits for, or with Interrupt, a notebook's interrupt; its form XContext takes a context
// first and gives up waiting, too, when that ends: the work goes on. Everything worth looking at renders itself: it
// has a Table method. types.go names what comes from below this package, device_handles.go has libcuda's handles.
//
// Work is launched in four ways. Device.Launch enqueues a kernel and does not wait; Device.Dispatch
// waits and reports; a Plan is checked once and launched often, with other buffers where it has
// bindings, alone or with others; a Graph is recorded work of any shape that is launched as a
// whole. Whatever holds something on the device has a Close.
//
// The files are in families, told by their prefix:
//
//   - device_: opening (the seam is package cuda/driver; cuda/driver/native and
//     cuda/driver/emulated are behind it), counters, the stack; device.go holds the context and
//     what was made in it
//   - mem_: buffers, transfers between them and the host, ranges of them, staging memory, tensor
//     maps
//   - code_: modules, kernels and what they take (args: Go values checked and packed; cxx: what C++
//     says of pointers; source: CUDA C++), variables, the module cache
//   - launch_: a launch from its options to the driver's queue, the dispatch that waits, timing,
//     counts
//   - stream.go and stream_: order, work that a stream records, events
//   - plan.go and plan_: launches that are checked once, those of several launches, what is pending, fixpoints
//   - graph.go and graph_: capture, the builder, conditions (graph_cond.ptx is what the device decides them with),
//     parameters, times, pictures; graph_goroutine.go is what a goroutine that records may not call
//   - errors.go, live.go (what was not closed), interrupt.go (ends waits), must.go, cache.go
//
// laws_test.go holds every exported call to refusing what it cannot do.
package cuda
