package driver

import (
	"fmt"
	"strings"
)

// An Error is a call of the driver that failed. It holds the code (errors.Is against a Result
// works) and, where the device could say more, a Fault (errors.As).
type Error struct {
	// Call is the CUDA function, "cuLaunchKernel".
	Call string
	// Code is what it returned.
	Code Result
	// Detail says what was asked where the code alone would leave that open: sizes, names, a log.
	// May be empty.
	Detail string
	// Fault is what the device saw; nil where it cannot tell.
	Fault *Fault
	// Cause is why work did not end although nothing is wrong with its context: an
	// *InterruptedError or a *HostFunctionError; else nil. Code is ErrorUnknown then, as CUDA has
	// none for it.
	Cause error
}

// Error gives the call and the cause or, without one, code, detail and what to do; of a fault the
// finding, with call and code last.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Call + ": " + e.Cause.Error()
	}
	var b strings.Builder
	if e.Fault != nil {
		b.WriteString(e.Fault.Error())
		if e.Detail != "" && e.Detail != e.Fault.Detail {
			fmt.Fprintf(&b, "\n  %s", e.Detail)
		}
		fmt.Fprintf(&b, "\n  %s: %s (%d)", e.Call, e.Code.Name(), uint32(e.Code))
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %s (%d): %s", e.Call, e.Code.Name(), uint32(e.Code), e.Code.Meaning())
	if e.Detail != "" {
		fmt.Fprintf(&b, "; %s", e.Detail)
	}
	if advice := e.Code.Advice(); advice != "" {
		fmt.Fprintf(&b, "\nWhat to do: %s", advice)
	}
	return b.String()
}

// Unwrap gives the code, the fault and the cause.
func (e *Error) Unwrap() []error {
	inside := []error{e.Code}
	if e.Fault != nil {
		inside = append(inside, e.Fault)
	}
	if e.Cause != nil {
		inside = append(inside, e.Cause)
	}
	return inside
}
