// Package comm is the Go side of Jupyter's comms: channels with a name, a target, that either side
// opens and both send JSON and buffers on. A cell opens one (Open) or waits for the front end to
// (Register).
//
// The way of a message: Deliver (deliver.go) is handed what the front end sent and calls the
// functions that were set on its Comm (comm.go), one after the other; what a Comm sends goes to the
// Link that Connect set (link.go), which is the kernel's. Without one, in a program that was
// compiled, Open says so.
package comm
