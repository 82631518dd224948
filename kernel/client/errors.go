package client

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by requests whose client was closed before they were answered.
var ErrClosed = errors.New("the client is closed")

// A StartError says why a kernel did not come up. Output is the end of what it wrote to its
// standard error.
type StartError struct {
	Command string
	Output  string
	Err     error
}

func (e *StartError) Error() string {
	s := fmt.Sprintf("the kernel %s did not start: %v", e.Command, e.Err)
	if e.Output != "" {
		s += "\n" + e.Output
	}
	return s
}

func (e *StartError) Unwrap() error { return e.Err }

// A DiedError says that the kernel process ended while requests were under way.
type DiedError struct {
	Output string
	Err    error // how it ended
}

func (e *DiedError) Error() string {
	s := fmt.Sprintf("the kernel process ended: %v", e.Err)
	if e.Output != "" {
		s += "\n" + e.Output
	}
	return s
}

func (e *DiedError) Unwrap() error { return e.Err }
