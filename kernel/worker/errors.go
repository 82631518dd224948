package worker

import (
	"errors"
	"fmt"
)

// ErrStdinNotAllowed is returned by Host.Input where the front end did not allow input
// (allow_stdin was false) or where there is no cell to ask for.
var ErrStdinNotAllowed = errors.New("worker: input was asked for, but the front end does not allow it here: run the cell where a person can answer")

// ErrClosed is returned by the methods of a Supervisor that was closed.
var ErrClosed = errors.New("worker: the supervisor is closed")

// A NotSupervisedError is returned by Serve in a process that no supervisor started.
type NotSupervisedError struct {
	// Missing is what a supervisor would have given: an environment variable or a descriptor.
	Missing string
}

func (e *NotSupervisedError) Error() string {
	return fmt.Sprintf("worker: this command is started by the kernel, which talks to it over inherited pipes; run by hand it has nobody to serve (%s is missing): use the kernel command", e.Missing)
}

// A HandshakeError tells why the two ends of the pipe did not agree.
type HandshakeError struct {
	What      string // "protocol version", "cookie" or "first message"
	Want, Got string
}

func (e *HandshakeError) Error() string {
	return fmt.Sprintf("worker: handshake: %s: want %s, got %s: kernel and worker must be the same build", e.What, e.Want, e.Got)
}

// A FrameError tells which bound a frame on the pipe broke.
type FrameError struct {
	What       string
	Got, Limit uint64
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("worker: frame: %s %d exceeds %d", e.What, e.Got, e.Limit)
}

// An OpenError is returned for every request when the worker could not open its session.
type OpenError struct{ Reason string }

func (e *OpenError) Error() string { return "worker: the session did not open: " + e.Reason }

// A StartError is returned when the worker process could not be started.
type StartError struct {
	Path string
	Err  error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("worker: process %s did not start: %v", e.Path, e.Err)
}

func (e *StartError) Unwrap() error { return e.Err }
