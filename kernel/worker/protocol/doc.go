// Package protocol is what goes through the pipes between the kernel and the worker: frames
// (frames.go) of the kinds and heads that protocol.go lists, the heads in JSON (encode.go). There
// are three pipes: one for cells, one for all else that goes to the worker, one for what comes
// back. Both ends check a handshake first (handshake.go).
//
// A Channel (channel.go) writes frames, each whole, and on Linux moves output into the pipe without
// reading it (splice_linux.go). A Window (window.go) bounds the output that is on its way and not
// yet consumed: a worker that writes faster waits, so replies to completions and interrupts pass a
// cell that prints without end. What else both ends agree on is in limits.go, and how a frame or a
// handshake is refused in errors.go.
package protocol
