package gorelease

import (
	"errors"
	"reflect"
	"unsafe"
)

// Registers is the fact that compiled functions are called by registers on.
var Registers = &Fact{
	Name: "ABIInternal",
	Why: "compiled functions of any signature are called by one that takes as many words and floats; " +
		"funcs of cells are called by compiled code likewise",
	Without: "calls between cells and compiled code by registers: they go through package reflect, ten times as long",
	check:   checkRegisters,
}

// What a call by registers passes: any signature that needs no more. StackWords are those of a
// block of memory behind the registers, in which arrays of two or more elements are passed.
const (
	CallWords  = 9
	CallFloats = 4
	StackWords = 8
)

// A Leaf is a piece of a value that has a register for itself.
type Leaf struct {
	Offset, Size uintptr
	Kind         byte // P: pointer, I: other words, F: float
}

// Leaves takes a type apart, behind to; false where its values are never in registers.
func Leaves(t reflect.Type, offset uintptr, to []Leaf) ([]Leaf, bool) {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return append(to, Leaf{offset, t.Size(), 'F'}), true
	case reflect.Complex64, reflect.Complex128:
		half := t.Size() / 2
		return append(to, Leaf{offset, half, 'F'}, Leaf{offset + half, half, 'F'}), true
	case reflect.String:
		return append(to, Leaf{offset, 8, 'P'}, Leaf{offset + 8, 8, 'I'}), true
	case reflect.Interface:
		return append(to, Leaf{offset, 8, 'P'}, Leaf{offset + 8, 8, 'P'}), true
	case reflect.Slice:
		return append(to, Leaf{offset, 8, 'P'}, Leaf{offset + 8, 8, 'I'}, Leaf{offset + 16, 8, 'I'}), true
	case reflect.Struct, reflect.Array:
		return leavesWithin(t, offset, to)
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func:
		return append(to, Leaf{offset, 8, 'P'}), true
	}
	return append(to, Leaf{offset, t.Size(), 'I'}), true
}

func leavesWithin(t reflect.Type, offset uintptr, to []Leaf) (_ []Leaf, ok bool) {
	if t.Kind() == reflect.Array {
		if t.Len() == 1 {
			return Leaves(t.Elem(), offset, to)
		}
		return to, t.Len() == 0
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if to, ok = Leaves(f.Type, offset+f.Offset, to); !ok {
			return to, false
		}
	}
	return to, true
}

// passed is what registersProbe was given.
type passed struct {
	s    string
	n    int8
	x    float64
	list [2]int
	e    any
	y    float32
	p    *int
}

// registersProbe takes and returns what is passed in every way.
//
//go:noinline
func registersProbe(s string, n int8, x float64, list [2]int, e any, y float32, p *int) (*passed, any, float64) {
	return &passed{s, n, x, list, e, y, p}, e, x + float64(y)
}

var registersInt = 11

// checkRegisters calls it as vm calls what it does not know when it is compiled.
func checkRegisters() error {
	type results struct {
		p *passed
		e [1]any
		x float64
	}
	type anything = func(a, b, c, d, e, f, g, h, i uintptr, w, x, y, z float64, stack [StackWords]uintptr) results
	n, text := &registersInt, "text" // which do not move
	want := passed{text, -3, 0.5, [2]int{5, 6}, n, 2.25, n}
	fn := registersProbe
	call := *(*anything)(unsafe.Pointer(&fn))
	iface := (*Eface)(unsafe.Pointer(&want.e))
	var y float64
	*(*float32)(unsafe.Pointer(&y)) = want.y
	word := func(p unsafe.Pointer) uintptr { return uintptr(p) }
	r := call(word(unsafe.Pointer(unsafe.StringData(text))), uintptr(len(text)), uintptr(uint8(want.n)), word(iface.Type),
		word(iface.Data), word(unsafe.Pointer(n)), 0, 0, 0, want.x, y, 0, 0, [StackWords]uintptr{5, 6})
	if r.p == nil || *r.p != want || r.e[0] != want.e || r.x != 2.75 {
		return errors.New("a function gets other arguments than it is called with, or returns others than it should")
	}
	return nil
}
