// Package supervise keeps a worker alive. A Supervisor (supervise.go) starts one with a Launcher
// (process_unix.go: a process; link.go: goroutines of this one), sends it requests and waits for
// the replies (process.go), delivers what it sends to a Receiver (deliver.go, receiver.go),
// interrupts it (interrupt.go), and replaces it when it dies (death.go tells the person why). What
// cannot be started or opened is an error of errors.go.
//
// The goroutine that reads a worker never waits for the Receiver: replies to completions pass
// output that nobody has taken yet, and the window of package protocol bounds that output.
// descriptors_*.go enlarge the pipes.
package supervise
