package gorelease

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

// RuntimeErrors is the fact that panics of engines rest on.
var RuntimeErrors = &Fact{
	Name:    "runtime.boundsError",
	Why:     "an index out of range, or a failed assertion, of a cell panics with the runtime's own error",
	Without: "panics of cells with the runtime's own error types: they are errors of the same meaning",
	check:   checkRuntimeErrors,
}

// boundsError is runtime.boundsError.
type boundsError struct {
	x      int64
	y      int
	signed bool
	code   BoundsCode
}

// A BoundsCode is a runtime.boundsErrorCode; it decides the text.
type BoundsCode uint8

const (
	BoundsIndex   BoundsCode = iota // x[i], length
	BoundsHighLen                   // x[?:i] of strings and arrays
	BoundsHighCap                   // x[?:i] of slices
	BoundsLow                       // x[i:?]
	BoundsMaxLen                    // x[::i] of arrays
	BoundsMaxCap                    // x[::i] of slices
	BoundsHighMax                   // x[:i:?]
	BoundsLowHigh                   // x[i:?:]
	BoundsConvert                   // (*[n]T)(x)
)

// typeAssertionError is runtime.TypeAssertionError.
type typeAssertionError struct {
	iface, concrete, asserted unsafe.Pointer
	missing                   string
}

// errorWords are the types of the runtime's errors, found in what panics with them.
var errorWords = sync.OnceValue(func() (w struct{ bounds, plain, text unsafe.Pointer }) {
	w.bounds = dynamicWord(func() {
		var s []int
		sinkInt = s[len(s)]
	})
	w.plain = dynamicWord(func() { // runtime.plainError
		var m map[int]int
		m[0] = 1 //lint:ignore SA5000 the panic is what is wanted
	})
	w.text = dynamicWord(func() { sinkSlice = make([]struct{}, minusOne) }) // runtime.errorString
	return w
})

var (
	//lint:ignore U1000 what is written here keeps the compiler from dropping what fails
	sinkInt int
	//lint:ignore U1000 as above
	sinkSlice []struct{}
	minusOne  = -1
)

// dynamicWord is the type of the value that f panics with.
func dynamicWord(f func()) (w unsafe.Pointer) {
	defer func() {
		e := recover()
		w = (*Eface)(unsafe.Pointer(&e)).Type
	}()
	f()
	return nil
}

func anyOf(w, data unsafe.Pointer) any {
	e := Eface{w, data}
	return *(*any)(unsafe.Pointer(&e))
}

// BoundsError makes what an index or bound x that y forbids panics with.
func BoundsError(x int64, y int, signed bool, code BoundsCode) any {
	if !RuntimeErrors.Holds() {
		return fault(fmt.Sprintf("runtime error: index or bound out of range: %d with %d", x, y))
	}
	return boundsErrorOf(x, y, signed, code)
}

func boundsErrorOf(x int64, y int, signed bool, code BoundsCode) any {
	return anyOf(errorWords().bounds, unsafe.Pointer(&boundsError{x, y, signed, code}))
}

// PlainError makes a runtime error whose text is s alone.
func PlainError(s string) any {
	if !RuntimeErrors.Holds() {
		return fault(s)
	}
	return anyOf(errorWords().plain, unsafe.Pointer(&s))
}

// RuntimeError makes a runtime error whose text is "runtime error: " and s.
func RuntimeError(s string) any {
	if !RuntimeErrors.Holds() {
		return fault("runtime error: " + s)
	}
	return anyOf(errorWords().text, unsafe.Pointer(&s))
}

// AssertionError makes the error of a failed assertion of types by their descriptors; concrete is
// nil for a nil interface, missing the method that it lacks, if any.
func AssertionError(iface, concrete, asserted unsafe.Pointer, missing string) error {
	if !RuntimeErrors.Holds() {
		return assertionFault(concrete, asserted, missing)
	}
	return (*runtime.TypeAssertionError)(unsafe.Pointer(&typeAssertionError{iface, concrete, asserted, missing}))
}

func assertionFault(concrete, asserted unsafe.Pointer, missing string) error {
	is := "nil"
	if concrete != nil {
		is = ToType(concrete).String()
	}
	if missing != "" {
		missing = ": missing method " + missing
	}
	return fault(fmt.Sprintf("interface conversion: interface is %s, not %s%s", is, ToType(asserted), missing))
}

// A fault is a runtime error where the runtime's own cannot be made.
type fault string

func (f fault) Error() string { return string(f) }

// RuntimeError marks it as a runtime.Error.
func (fault) RuntimeError() {}

func checkRuntimeErrors() error {
	w := errorWords()
	switch {
	case w.bounds == nil || w.plain == nil || w.text == nil:
		return errors.New("what is to panic does not")
	case (*Type)(w.bounds).Size != unsafe.Sizeof(boundsError{}):
		return fmt.Errorf("it has %d bytes in place of %d", (*Type)(w.bounds).Size, unsafe.Sizeof(boundsError{}))
	}
	for _, c := range []struct {
		err  any
		want string
	}{
		{boundsErrorOf(5, 3, true, BoundsHighMax), "runtime error: slice bounds out of range [:5:3]"},
		{boundsErrorOf(7, 6, true, BoundsIndex), "runtime error: index out of range [7] with length 6"},
		{anyOf(w.plain, unsafe.Pointer(&probeText)), probeText},
		{anyOf(w.text, unsafe.Pointer(&probeText)), "runtime error: " + probeText},
	} {
		if e, ok := c.err.(runtime.Error); !ok || e.Error() != c.want {
			return fmt.Errorf("an error is %v in place of %s", c.err, c.want)
		}
	}
	return sameFields(reflect.TypeFor[runtime.TypeAssertionError](), reflect.TypeFor[typeAssertionError]())
}

var probeText = "probe"

// sameFields compares where two structs have fields, and how large these are.
func sameFields(t, u reflect.Type) error {
	if t.NumField() != u.NumField() || t.Size() != u.Size() {
		return fmt.Errorf("%s has %d fields and %d bytes in place of %d and %d",
			t, t.NumField(), t.Size(), u.NumField(), u.Size())
	}
	for i := range t.NumField() {
		f, g := t.Field(i), u.Field(i)
		if f.Offset != g.Offset || f.Type.Size() != g.Type.Size() {
			return fmt.Errorf("%s.%s is not as it should be", t, f.Name)
		}
	}
	return nil
}
