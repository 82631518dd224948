package rtype

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// StubCount is how many method stubs a process has: one for a pointer method, two for an exported
// value method.
const StubCount = gorelease.StubCount

var stubs struct {
	sync.Mutex
	used int
}

// A StubError says that a process has used up its method stubs.
type StubError struct{ Stubs int }

func (e *StubError) Error() string {
	return fmt.Sprintf("all %d method stubs of this process are in use by types declared so far: restart the worker",
		e.Stubs)
}

// StubsUsed returns how many stubs are taken.
func StubsUsed() int {
	stubs.Lock()
	defer stubs.Unlock()
	return stubs.used
}

// newStub returns the address of code that calls the func value fv. It panics with a *StubError
// when there is none left.
func newStub(fv unsafe.Pointer) unsafe.Pointer {
	stubs.Lock()
	defer stubs.Unlock()
	if stubs.used == StubCount {
		panic(&StubError{StubCount})
	}
	i := stubs.used
	stubs.used++
	keepAlive(fv)
	return gorelease.SetStub(i, fv)
}

// IsStub reports whether code is the address of a method stub: its func value calls the method
// alone.
func IsStub(code uintptr) bool { return gorelease.IsStub(code) }
