// Package cuda dispatches PTX kernels to an NVIDIA GPU, or to an emulated device where there is none,
// with no cgo and no toolkit.
//
//	dev := cuda.MustOpen()                            // the GPU if there is one, else the emulated device
//	mod := dev.MustLoadPTX(ptx)
//	x, y := dev.MustUpload(xs), dev.MustUpload(ys)    // []float32 to device memory
//	run := dev.MustDispatch(mod.MustKernel("saxpy"), cuda.GridFor(n, 256), cuda.Block(256), n, float32(2), x, y)
//	run                                               // a card: geometry, device time, bytes
//	ys = y.MustFloat32s()
//
// People hold concrete types: Device, Buffer, Module, Kernel, Stream, Event, Graph. Each call that can
// fail returns an error, an *Error with fields in the first place; its Must form panics with that error
// instead, which in a notebook cell is the cell's error. Everything worth looking at renders itself: it
// has a Table method.
//
// The way of a dispatch: open.go finds a driver (the seam is package cuda/driver; cuda/driver/native and
// cuda/driver/emulated are behind it), device.go holds the context and what was made in it, buffer.go
// and transfer.go are memory, module.go, source.go (CUDA C++) and kernel.go know what a kernel takes (by reading its PTX), signature.go what C++ says of that, global.go finds variables,
// args.go checks Go values against that and packs them (args_held.go says what cannot be), launch.go enqueues,
// dispatch.go times one
// launch and says what it did, stream.go and event.go order and measure, timing.go repeats.
//
// Work on buffers that stay on the device: resident.go (plans), pending.go (what is under way), batch.go (many dispatches, one
// wait), fixpoint.go (until a flag in device memory says so), ranges.go and pool.go (what is copied, and through which memory).
//
// What all calls keep to: options.go says which call takes which option, goroutine.go what a
// goroutine that records a graph may not call; laws_test.go holds every exported call to refusing
// what it cannot do. emulation.go opens emulated devices otherwise than Open.
//
// Graphs: capture.go records what stream_work.go submits and graph_build.go builds node by node,
// conditional.go and conditional_build.go add loops and
// choices (condition.ptx is what the device decides them with), graph.go owns and launches, sequence.go captures by itself,
// graph_params.go sets other values, graph_times.go measures each node, graph_picture.go draws.
//
// Beside them: cache.go, modulecache.go and graphcache.go keep modules and graphs, ledger.go, telemetry.go and prometheus.go count,
// profiler.go tells profilers, live.go knows what was not given back, errors.go what a failure looks like; interrupt.go ends
// waits, stack.go says how deep calls may go, cluster.go which blocks run together,
// ahead.go keeps the host from waiting in a driver whose queue is full.
package cuda
