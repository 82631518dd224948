// Package emulated implements the driver seam with the PTX virtual machine of
// cuda/ptx/vm: a device that is always there and says what a kernel does wrong.
//
// driver.go has the driver and its devices, context.go the context and its sticky error, queue.go
// the executor that all streams feed, failure.go what fails without ending its context, memory.go
// and host.go allocations and copies, module.go and launch.go code, stream.go and event.go order,
// capture.go, graph.go, nodes.go, params.go and exec.go graphs.
//
// order.go says what is before what, as streams, events, waits and the host order it, and deeds.go
// compares what operations did to memory, also those of a graph (place.go): two that access the
// same bytes, of which one writes, without an order between them are a race, which ends the context
// like any fault, whatever came first. While one stream is in use there is nothing to compare, and
// nothing is noted.
//
// Each context is one of its own: neither memory, nor addresses, nor a fault is shared with
// another.
//
// Work is enqueued and runs on the context's executor, one operation at a time. Which of those that
// are ready (their stream and the events they wait for have come that far) is next is drawn by
// Options.Schedule, as nothing orders them on a device either; the nodes of a graph follow each
// other in the same way. A program in which every order that matters is said gives the same result
// with each schedule. Host functions run beside the executor, so that one which blocks holds up its
// own stream or graph alone.
package emulated
