package supervise

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by the methods of a Supervisor that was closed.
var ErrClosed = errors.New("worker: the supervisor is closed")

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
