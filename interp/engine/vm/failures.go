package vm

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// mark notes where a frame stands before something that may fail or look at the stack.
func mark(fp pointer, ip uint32) {
	h := head(fp)
	h.ip = ip
	h.g.top = fp
}

// The failures below panic by doing in compiled code what failed, so that the panic value is the runtime's own.

//go:noinline
func failNil(fp pointer, ip uint32) {
	mark(fp, ip)
	var p *int
	sinkInt = *p
}

//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
var sinkInt int

// boundsError is runtime.boundsError, field for field. boundsErrorWord is found in the panic of an index out of range.
type boundsError struct {
	x      int64
	y      int
	signed bool
	code   boundsCode
}

// A boundsCode is a runtime.boundsErrorCode; it decides the text.
type boundsCode uint8

const (
	boundsIndex   boundsCode = iota // x[i], length
	boundsHighLen                   // x[?:i] of strings and arrays
	boundsHighCap                   // x[?:i] of slices
	boundsLow                       // x[i:?]
	boundsMaxLen                    // x[::i] of arrays
	boundsMaxCap                    // x[::i] of slices
	boundsHighMax                   // x[:i:?]
	boundsLowHigh                   // x[i:?:]
	boundsConvert                   // (*[n]T)(x)
)

var boundsErrorWord = dynamicWord(func() {
	var s []int
	sinkInt = s[len(s)]
})

// dynamicWord is the type of the value that f panics with.
func dynamicWord(f func()) (w rtype.Word) {
	defer func() {
		e := recover()
		w = (*rtype.Eface)(pointer(&e)).Type
	}()
	f()
	return nil
}

func (e boundsError) value() any {
	x := rtype.Eface{Type: boundsErrorWord, Data: pointer(&e)}
	return *(*any)(pointer(&x))
}

//go:noinline
func failBounds(fp pointer, ip uint32, code boundsCode, i, n int, unsigned bool) {
	mark(fp, ip)
	panic(boundsError{int64(i), n, !unsigned, code}.value())
}

// plainError is runtime.plainError, found in the panic of an assignment to a nil map.
var plainErrorWord = dynamicWord(func() {
	var m map[int]int
	m[0] = 1 //lint:ignore SA5000 the panic is what is wanted
})

// plainError makes a runtime error whose text is s alone.
func plainError(s string) any {
	p := new(string)
	*p = s
	e := rtype.Eface{Type: plainErrorWord, Data: pointer(p)}
	return *(*any)(pointer(&e))
}

// errorStringWord is runtime.errorString, found in the panic of a slice that is too long.
var errorStringWord = dynamicWord(func() { sinkSlice = make([]struct{}, minusOne) })

// runtimeError makes a runtime error whose text is "runtime error: " and s.
func runtimeError(s string) any {
	p := new(string)
	*p = s
	e := rtype.Eface{Type: errorStringWord, Data: pointer(p)}
	return *(*any)(pointer(&e))
}

// typeAssertionError is runtime.TypeAssertionError, field for field; checkRuntimeErrors compares.
type typeAssertionError struct {
	iface, concrete, asserted rtype.Word
	missing                   string
}

var _ = checkRuntimeErrors()

func checkRuntimeErrors() struct{} {
	t, u := reflect.TypeFor[runtime.TypeAssertionError](), reflect.TypeFor[typeAssertionError]()
	same := t.NumField() == u.NumField()
	for i := 0; same && i < t.NumField(); i++ {
		same = t.Field(i).Offset == u.Field(i).Offset && t.Field(i).Type.Size() == u.Field(i).Type.Size()
	}
	same = same && boundsError{x: 5, y: 3, signed: true, code: boundsHighMax}.value().(error).Error() ==
		"runtime error: slice bounds out of range [:5:3]" && rtype.Size(boundsErrorWord) == unsafe.Sizeof(boundsError{})
	if !same {
		panic("vm: runtime.TypeAssertionError or boundsError of " + runtime.Version() + " is not what this engine knows")
	}
	return struct{}{}
}

func assertionError(iface, concrete, asserted rtype.Word, missing string) error {
	e := &typeAssertionError{iface, concrete, asserted, missing}
	return (*runtime.TypeAssertionError)(pointer(e))
}

// internal is a fault of this package, found while it compiles.
func internal(format string, args ...any) error {
	return fmt.Errorf("vm: internal: "+format, args...)
}

const maxAlloc = 1 << 47 // bytes: what the runtime refuses on 64-bit machines

func tooLarge(size uintptr, n int) bool {
	return n < 0 || size > 0 && uintptr(n) > maxAlloc/size
}

// failMakeSlice blames the length if it alone is too large, else the capacity, as the runtime does.
func failMakeSlice(size uintptr, n int) {
	if tooLarge(size, n) {
		sinkSlice = make([]struct{}, minusOne)
	}
	sinkSlice = make([]struct{}, 0, minusOne)
}

var (
	//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
	sinkSlice []struct{}
	minusOne  = -1
)
