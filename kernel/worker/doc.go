// Package worker is the one vocabulary that the Jupyter side and the Go side share, and the process
// boundary between them. It imports neither.
//
// A Session (session.go) is what a language fills in. In the worker process Serve (serve.go, with
// host.go for what cells ask back) answers requests with one; in the kernel process a Supervisor
// (supervise.go) starts that process, hands it requests, delivers what it sends to a Receiver, and
// replaces it when it dies (process.go, death.go). Between them runs a protocol (protocol.go) of
// bounded frames (frames.go) on inherited pipes: one for cells, one for all else that goes to the worker, one for what comes back.
// Heads are JSON.
//
// The way of a cell: Supervisor.Execute, a frame on the pipe of cells, Serve, Session.Execute on the goroutine that reads that pipe;
// completions and interrupts are read beside it, however much computes (monitor.go); outputs come
// back on the event pipe in order, and the reply after them. What
// the cell writes to the real descriptors 1 and 2 (fmt, println, C code, child processes) is captured
// (capture_unix.go, gate_*.go, captured_*.go) and drained before every display and before the reply, so that order holds. The two are
// pipes: a session that wants them in order with each other calls the host's Flush before it changes from one to the other.
// Descriptor 0 is a pipe too (stdin_linux.go): where a thread, or a child process, waits for it, the person is asked.
//
// The supervisor's reader never waits for a consumer: output is held to a window of bytes that the
// Receiver has not taken yet (window.go), and a worker that writes faster waits. So replies to
// completions and interrupts pass a cell that prints without end.
package worker
