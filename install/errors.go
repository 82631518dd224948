package install

import "fmt"

// An Error says what could not be installed or taken away, and what to do.
type Error struct {
	Op     string // install or uninstall
	Path   string // what it was about
	Advice string
	Err    error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err)
	if e.Advice != "" {
		s += " (" + e.Advice + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// A NameError is a kernel name that Jupyter would not take.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%q cannot name a kernel: Jupyter takes letters a-z, digits, and . _ - between them", e.Name)
}
