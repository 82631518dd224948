// Package emulated implements the driver seam with the PTX virtual machine of
// cuda/ptx/vm: a device that is always there and says what a kernel does wrong.
//
// driver.go has the driver and its one device, context.go the context and its
// sticky error, queue.go the executor that all streams feed, memory.go and host.go
// allocations and copies, module.go and launch.go code, stream.go and event.go
// order, capture.go, graph.go, nodes.go, params.go and exec.go graphs.
//
// Work is enqueued and runs on the context's executor, one operation at a time: of
// those that are ready (their stream and the events they wait for have come that
// far) always the one that was enqueued first. So a program without data races
// gives the same result in every run, whatever its streams are. Host functions run
// beside it, so that one which blocks holds up its own stream alone.
package emulated
