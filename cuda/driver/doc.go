// Package driver is the seam between package cuda and the things that can run PTX: interfaces with
// the shape and the names of the CUDA driver API, the result codes as typed errors, and the Fault
// that says what a code cannot.
//
// Two packages implement it: cuda/driver/native calls libcuda.so.1, cuda/driver/emulated runs PTX
// in Go. Everything above works on either, and cuda/driver/drivertest holds both to the same laws.
// People who write programs use package cuda; this package is for those who implement or test a
// device.
//
// The way of a launch through the seam: Driver and Device (driver.go), Context (context.go), memory
// (memory.go), Module and Function (module.go), Stream and Event (stream.go), Graph and GraphExec
// (graph.go). Values that cross it by value are in handles.go, enumerations in attributes.go and
// graph_types.go; failures in error.go, result.go (codes), result_table.go and fault.go.
//
// # Laws that hold for every implementation
//
// Errors. A method that fails returns an *Error that names the CUDA call, with the Result code
// inside (errors.Is(err, driver.ErrorInvalidValue) works) and, where the device can say more, a
// *Fault (errors.As). No method panics on what a caller passes.
//
// Goroutines. Every method may be called from any goroutine at any time. An implementation that
// needs a current context or a fixed OS thread sees to that itself. Destroying a handle that
// another goroutine is using is a caller's mistake; a handle used after it was destroyed is
// ErrorInvalidHandle or ErrorContextIsDestroyed where that can be seen. Destroying twice is
// ErrorInvalidHandle.
//
// Handles of one implementation given to another, or of one context given to another, are refused
// with ErrorInvalidHandle or ErrorInvalidContext.
//
// Asynchrony. A method with a Stream in it enqueues and returns; its work starts when all earlier
// work of that stream is done. Go memory handed to an asynchronous copy must stay reachable and
// unchanged until the stream has passed the copy; an implementation neither copies it ahead of time
// in general nor keeps it alive. A failure of enqueued work follows the law in fault.go.
//
// Capture. Between Stream.BeginCapture and Stream.EndCapture the stream records nodes in place of
// running them. What cannot be captured (a synchronous copy or a query on that stream, say) is
// refused with ErrorStreamCaptureUnsupported and invalidates the capture, as in CUDA.
package driver
