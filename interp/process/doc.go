// Package process is the processes that cells start: what they write to standard output and
// standard error in the one order in which they wrote it, and interrupts that reach all of them.
//
// The way of a process: Start (process.go) starts a command whose two streams are the cell's with a
// Relay between (relay_linux.go; elsewhere, and where the system refuses, it inherits the streams,
// each in order by itself); the relay passes on what comes, whole lines together where a full
// buffer cut them (lines.go), until nobody can write any more. Settle says that all the process
// wrote was passed on. Interrupt and Kill (tree.go) reach a process and those that it started, as
// Ctrl-C does in a terminal.
package process
