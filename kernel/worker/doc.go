// Package worker is the vocabulary that the Jupyter side and the Go side share, and imports
// neither: a Session (session.go) is what a language fills in, a Host is what its cells ask back.
//
// The process boundary between the two sides lies below it:
//
//	protocol   bounded frames on inherited pipes
//	serve      the worker process: answers requests with a Session
//	supervise  the kernel process: starts the worker, hands it requests, replaces it when it dies
//
// A cell goes from supervise.Supervisor.Execute as a frame through the pipe of cells to
// Session.Execute, on the goroutine that reads that pipe. Completions and interrupts come through a
// pipe of their own and are read concurrently. Outputs come back through the pipe of events, in
// order, and the reply after them.
package worker
