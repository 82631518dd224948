package rtype

import "fmt"

// A StubError says that a process has used up its method stubs.
type StubError struct{ Stubs int }

func (e *StubError) Error() string {
	return fmt.Sprintf("all %d method stubs of this process are in use by types declared so far: restart the worker", e.Stubs)
}
