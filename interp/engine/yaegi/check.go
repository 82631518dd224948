package yaegi

import (
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// What follows fails as compiled code does, with the runtime's own values.

// nilFault is a nil pointer's dereference.
//
//go:noinline
func nilFault() {
	var p *int
	sink = *p
}

//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
var sink int

// boundsError is runtime.boundsError, field for field.
type boundsError struct {
	x      int64
	y      int
	signed bool
	code   uint8
}

// Codes of runtime.boundsErrorCode.
const (
	outOfIndex uint8 = iota
	highOverLength
	highOverCapacity
	lowOverHigh
	maxOverLength
	maxOverCapacity
	highOverMax
	lowOverMiddle
	conversion
)

var (
	boundsWord      = panicWord(func() { var s []int; sink = s[len(s)] })
	errorStringWord = panicWord(func() { _ = make([]struct{}, minusOne) })
	plainErrorWord  = panicWord(func() {
		var m map[int]int
		m[0] = 1 //lint:ignore SA5000 the panic is what is wanted
	})
	wordOfError = reflect.TypeFor[runtime.TypeAssertionError]()
)

// runtimeError makes a runtime error whose text is "runtime error: " and s; plainError one whose text is s.
func runtimeError(s string) any { return textError(errorStringWord, s) }

func plainError(s string) any { return textError(plainErrorWord, s) }

func textError(w rtype.Word, s string) any {
	e := rtype.Eface{Type: w, Data: unsafe.Pointer(&s)}
	return *(*any)(unsafe.Pointer(&e))
}

// panicWord is the type of what f panics with.
func panicWord(f func()) (w rtype.Word) {
	defer func() {
		e := recover()
		w = (*rtype.Eface)(unsafe.Pointer(&e)).Type
	}()
	f()
	return nil
}

func bounds(x int64, y int, unsigned bool, code uint8) {
	e := rtype.Eface{Type: boundsWord, Data: unsafe.Pointer(&boundsError{x, y, !unsigned, code})}
	panic(*(*any)(unsafe.Pointer(&e)))
}

// number is an integer and whether its type is unsigned.
func number(v reflect.Value) (x int64, unsigned bool) {
	if v.CanUint() {
		return int64(v.Uint()), true
	}
	return v.Int(), false
}

// index checks an index against a length.
func index(v reflect.Value, n int) int {
	x, unsigned := number(v)
	if uint64(x) >= uint64(n) {
		bounds(x, n, unsigned, outOfIndex)
	}
	return int(x)
}

// makeLength checks the sizes given to make.
func makeLength(n, c reflect.Value, size uintptr) (int, int) {
	length, _ := number(n)
	capacity, _ := number(c)
	limit := int64(math.MaxInt64)
	if size > 0 {
		limit = (1 << 47) / int64(size)
	}
	if length < 0 || length > limit {
		_ = make([]struct{}, minusOne)
	}
	if capacity < length || capacity > limit {
		_ = make([]struct{}, -minusOne, zero)
	}
	return int(length), int(capacity)
}

var minusOne, zero = -1, 0

// assertionError is runtime.TypeAssertionError, field for field.
type assertionError struct {
	iface, concrete, asserted rtype.Word
	missing                   string
}

func failAssertion(iface, concrete, asserted reflect.Type, missing string) {
	e := &assertionError{wordOf(iface), wordOf(concrete), wordOf(asserted), missing}
	panic((*runtime.TypeAssertionError)(unsafe.Pointer(e)))
}

func wordOf(t reflect.Type) rtype.Word {
	if t == nil {
		return nil
	}
	return rtype.WordOf(t)
}

var _ = checkLayouts()

func checkLayouts() struct{} {
	u := reflect.TypeFor[assertionError]()
	same := wordOfError.NumField() == u.NumField() && rtype.Size(boundsWord) == unsafe.Sizeof(boundsError{})
	for i := 0; same && i < u.NumField(); i++ {
		same = wordOfError.Field(i).Offset == u.Field(i).Offset
	}
	if !same {
		panic("yaegi: runtime.TypeAssertionError or boundsError of " + runtime.Version() + " is not what this engine knows")
	}
	return struct{}{}
}
