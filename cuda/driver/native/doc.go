// Package native reaches NVIDIA devices through libcuda.so.1, with no cgo and no toolkit: purego
// opens the library and makes C calls possible.
//
// The way of a call: library.go finds the library, once, and says where it looked; symbols.go is
// the table of functions with the CUDA version that brought each, bound when first needed; call.go
// makes the call in the right context, and ccall.go is the way into C. Then a file a handle, as in
// package driver: driver.go, device.go, context.go, memory.go, module.go, function.go, stream.go,
// event.go, graph.go with graph_nodes.go, graph_params.go and graph_exec.go. layouts.go holds the C
// structs and host_func.go the one callback that C calls.
//
// # Contexts and threads
//
// CUDA keeps the current context per OS thread, and goroutines move between threads. So every call
// that depends on the current context locks its goroutine to a thread, makes the context current (a
// few tens of nanoseconds where it is current already), calls, and unlocks; nothing has to be
// undone, because no call trusts what it finds. Pinning every call to one owning thread instead
// would cost two channel switches a call and let one waiting goroutine stop all others.
//
// The hot calls (a launch, a graph launch, an event record) name their context through their
// handles, and the driver refuses them where another context, or none, is current. They are
// therefore made at once, and only where they are refused for that reason made again in the bound
// way; after a thread's first such call they cost the call alone. Their arguments lie in pooled
// blocks: no allocation.
package native
