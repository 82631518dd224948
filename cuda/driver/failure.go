package driver

import "fmt"

// # Work that failed without a fault
//
// Work that was interrupted, and a host function that panicked, leave the context as it is. They
// are told once, as the Cause of an *Error, by the first call that waits for the stream or the
// context, and by every wait for an event behind them. What was enqueued behind them did not run on
// the emulated device; libcuda, which is not told of a panic, ran it.

// An InterruptedError says that work was ended before it was done: on the emulated device an
// interrupt ends what runs. What the work had written until then is there.
type InterruptedError struct {
	// Work is what was under way, "kernel saxpy, launch 3"; empty where it had not begun.
	Work string
}

func (e *InterruptedError) Error() string {
	work := e.Work
	if work == "" {
		work = "work"
	}
	return work + " was ended by an interrupt, and what was enqueued behind it did not run\nWhat to do: enqueue it again"
}

// A HostFunctionError says that a Go function in a stream or a graph did not return.
type HostFunctionError struct {
	// Value is what it panicked with; nil where it called runtime.Goexit.
	Value any
	// Stack is where, as runtime/debug.Stack writes it.
	Stack string
}

func (e *HostFunctionError) Error() string {
	if e.Value == nil {
		return "a host function ended its goroutine (runtime.Goexit)"
	}
	return fmt.Sprintf("a host function panicked: %v\n%s", e.Value, e.Stack)
}

// Unwrap gives the panic's value where that is an error.
func (e *HostFunctionError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
