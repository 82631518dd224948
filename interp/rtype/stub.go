package rtype

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// The descriptor of a method holds a bare code address, and code alone cannot know which method of which type it is. So the binary has
// StubCount pieces of code that differ only in a number: stub i loads i and jumps to stubDispatch, which calls the func value in
// stubFuncs[i] with all registers as they came. stubs_amd64.s and stubs_arm64.s write them with macros.

// StubCount is how many method stubs a process has: one for a pointer method, two for an exported value method.
const StubCount = 2 * stubBlock

const stubBlock = 1 << 16

// stubFuncs holds func words as integers, so that the garbage collector need not scan a megabyte; kept holds them alive.
var stubFuncs [StubCount]uintptr

var stubs struct {
	sync.Mutex
	used int
}

// A StubError says that a process has used up its method stubs.
type StubError struct{ Stubs int }

func (e *StubError) Error() string {
	return fmt.Sprintf("all %d method stubs of this process are in use by types declared so far: restart the worker", e.Stubs)
}

// StubsUsed returns how many stubs are taken.
func StubsUsed() int {
	stubs.Lock()
	defer stubs.Unlock()
	return stubs.used
}

// newStub returns the address of code that calls the func value fv. It panics with a *StubError when there is none left.
func newStub(fv unsafe.Pointer) unsafe.Pointer {
	stubs.Lock()
	defer stubs.Unlock()
	if stubs.used == StubCount {
		panic(&StubError{StubCount})
	}
	i := stubs.used
	stubs.used++
	keepAlive(fv)
	stubFuncs[i] = uintptr(fv)
	return stubAddress(i)
}

func stubAddress(i int) unsafe.Pointer {
	if i < stubBlock {
		return unsafe.Add(stubsLow(), i*stubSize)
	}
	return unsafe.Add(stubsHigh(), (i-stubBlock)*stubSize)
}

// IsStub reports whether code is the address of a method stub: its func value calls the method alone.
func IsStub(code uintptr) bool {
	low, high := uintptr(stubsLow()), uintptr(stubsHigh())
	return code-low < stubBlock*stubSize || code-high < stubBlock*stubSize
}

// stubsLow and stubsHigh return the addresses of the two blocks.
func stubsLow() unsafe.Pointer
func stubsHigh() unsafe.Pointer

// checkStub reads the code of stub i as the assembler wrote it.
func checkStub(i int) error {
	code := unsafe.Slice((*byte)(stubAddress(i)), stubSize)
	if !stubLoads(code, i%stubBlock) {
		return &LayoutError{fmt.Sprintf("method stub %d on %s", i, runtime.GOARCH), "code that loads its number and jumps", fmt.Sprintf("% x", code)}
	}
	return nil
}

var codeOrder = binary.LittleEndian
