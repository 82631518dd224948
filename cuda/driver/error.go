package driver

import (
	"fmt"
	"strings"
)

// An Error is a call of the driver that failed. It holds the code (errors.Is against a Result works)
// and, where the device could say more, a Fault (errors.As).
type Error struct {
	// Call is the CUDA function, "cuLaunchKernel".
	Call string
	// Code is what it returned.
	Code Result
	// Detail says what was asked where the code alone would leave that open: sizes, names, a log. May
	// be empty.
	Detail string
	// Fault is what the device saw; nil where it cannot tell.
	Fault *Fault
}

// Error gives call, code, detail, and the fault or, without one, what to do.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%d): %s", e.Call, e.Code.Name(), uint32(e.Code), e.Code.Meaning())
	if e.Detail != "" {
		fmt.Fprintf(&b, "; %s", e.Detail)
	}
	if e.Fault != nil {
		fmt.Fprintf(&b, "\n%s", e.Fault.Error())
	}
	if advice := e.Code.Advice(); advice != "" && e.Fault == nil {
		fmt.Fprintf(&b, "\nWhat to do: %s", advice)
	}
	return b.String()
}

// Unwrap gives the code and the fault.
func (e *Error) Unwrap() []error {
	if e.Fault == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Fault}
}
