// Package serve is the worker process. Process (child_unix.go) takes over the inherited pipes; a
// server (serve.go) answers the frames that come through them with one worker.Session, whose cells
// ask back through a host (host.go). Each of the two incoming pipes has a goroutine that reads it
// and does what its frames say; comm events (comms.go) wait in a queue of their own. monitor.go
// keeps the control pipe heard while cells compute on all processors.
//
// What a cell writes to the real descriptors 1 and 2 (fmt, println, C code, child processes) is
// captured (capture_*.go, gate_*.go, captured_*.go) and drained before every display and before the
// reply, so that order holds. The two are pipes of their own: a session that wants them in order
// with each other calls the host's Flush before it changes from one to the other. Cells of
// subshells run concurrently: a session that knows whose goroutine writes calls that cell's Claim
// before. What nobody claims is output of a cell that runs. Descriptor 0 is a pipe too (stdin_*.go,
// watch.go): where a thread, or a child process, waits for it, the person is asked, for the cell
// that has run for longest. A process that no supervisor started is refused (errors.go).
package serve
