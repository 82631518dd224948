package cuda

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// An Error is a call of this package that failed: what was asked of what, what was wanted and what
// was found. Fields that do not apply are empty.
type Error struct {
	// Op is the call, "Kernel.Launch".
	Op string
	// What is the thing it was about, "kernel saxpy, parameter 2 (alpha)".
	What string
	// Want and Got say what would have worked and what was there.
	Want, Got string
	// Fix says what to do, where that does not follow from the rest.
	Fix string
	// Launches are the launches that may have caused an error that arrived later, the newest last.
	Launches []string
	// Err is the cause: a *driver.Error with code and fault, a parse error, or nil where this
	// package refused.
	Err error

	code driver.Result // of a refusal that is not for a value
}

func (e *Error) Error() string {
	var b strings.Builder
	if found := (*driver.Error)(nil); errors.As(e.Err, &found) && found.Fault != nil {
		e.writeFinding(&b, found)
		return b.String()
	}
	b.WriteString(e.Op)
	if e.What != "" {
		fmt.Fprintf(&b, ": %s", e.What)
	}
	if e.Want != "" {
		fmt.Fprintf(&b, ": want %s", e.Want)
		if e.Got != "" {
			fmt.Fprintf(&b, ", got %s", e.Got)
		}
	} else if e.Got != "" {
		fmt.Fprintf(&b, ": %s", e.Got)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if len(e.Launches) > 0 {
		fmt.Fprintf(&b, "\nLaunched since the last wait that succeeded: %s", strings.Join(e.Launches, ", "))
	}
	if e.Fix != "" {
		fmt.Fprintf(&b, "\nWhat to do: %s", e.Fix)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Code is the driver's result code behind an error. What this package refused by itself, before the
// driver saw it, has the code that the driver has for such a mistake: ErrorInvalidHandle for what
// is nil, closed, freed or of another device, ErrorIllegalState for what is in use,
// ErrorStreamCaptureUnsupported and its kin for what a capture cannot have, ErrorNotPermitted for a
// call of a host function, ErrorInvalidValue for everything else. It is never Success.
func (e *Error) Code() Result {
	var code driver.Result
	var inner *Error
	switch {
	case errors.As(e.Err, &code) && code != driver.Success:
		return code
	case e.code != driver.Success:
		return e.code
	case errors.As(e.Err, &inner):
		return inner.Code()
	}
	return driver.ErrorInvalidValue
}

// Is makes errors.Is find the code of a refusal, as it finds the driver's.
func (e *Error) Is(target error) bool {
	code, ok := target.(driver.Result)
	return ok && e.Code() == code
}

// missing refuses a call on, or with, a nil pointer or a zero value of one of this package's types.
func missing(op, what, made string) *Error {
	return &Error{Op: op, Want: what, Got: "nil, or a zero value", Fix: "make one: " + made,
		code: driver.ErrorInvalidHandle}
}

// wrap puts a driver's error under the call that made it; nil stays nil.
func wrap(op, what string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: op, What: what, Err: err}
}

// within says in what part of a call's work it was refused.
func within(op, part string, err error) error {
	e, ok := err.(*Error)
	if !ok || e.Op != op {
		return &Error{Op: op, What: part, Err: err}
	}
	c := *e
	c.What = part
	if e.What != "" {
		c.What += ", " + e.What
	}
	return &c
}
