// Package direct reads and writes descriptors that never block, without telling the Go scheduler.
//
// The scheduler takes an ordinary system call for one that may take long: it wakes a thread that
// looks after the processor that the caller holds. A descriptor that is set not to block returns at
// once; where one message leads to the next, that thread, and what it wakes, would take more time
// than the messages (docs/measurements.md).
//
// A Stream (stream.go) is a connection or a pipe of package net or os with its reads and writes
// made so. Waiting, deadlines and the end remain those of the runtime's poller. Large transfers are
// left to ordinary calls: they do take time.
package direct
