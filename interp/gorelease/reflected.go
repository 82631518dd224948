package gorelease

import (
	"errors"
	"reflect"
	"sync"
	"unsafe"
)

// ReflectValues is the fact that words of funcs in unexported fields rest on.
var ReflectValues = &Fact{
	Name:    "reflect.Value",
	Why:     "reflect.Value.Pointer of a func of cells that was reached through an unexported field",
	Without: "reflect.Value.Pointer tells funcs of cells in unexported fields apart",
	check:   checkReflectValues,
}

// MadeFuncs is the fact that funcs of cells without an adapter, and recover below them, rest on.
var MadeFuncs = &Fact{
	Name:    "reflect.makeFuncImpl",
	Why:     "funcs of cells of any signature are called by compiled code; recover sees through funcs of reflect",
	Without: "funcs of cells of rare signatures as values for compiled code, and recover below what reflect makes",
	check:   checkMadeFuncs,
}

// value is reflect.Value.
type value struct {
	typ, ptr unsafe.Pointer
	flag     uintptr
}

// flagIndir is set in flag where ptr points to the value.
const flagIndir = 1 << 7

// FuncWordOf is FuncWord for a func value however it was reached; nil where it cannot be told.
func FuncWordOf(v reflect.Value) unsafe.Pointer {
	if v.CanInterface() {
		return FuncWord(v)
	}
	if !ReflectValues.Holds() {
		return nil
	}
	return (*value)(unsafe.Pointer(&v)).word()
}

func (v *value) word() unsafe.Pointer {
	if v.flag&flagIndir != 0 {
		return *(*unsafe.Pointer)(v.ptr)
	}
	return v.ptr
}

func checkReflectValues() error {
	probe := struct{ f func() }{func() {}}
	field, direct := reflect.ValueOf(&probe).Elem().Field(0), reflect.ValueOf(probe.f)
	want := FuncWord(direct)
	for _, v := range []reflect.Value{field, direct, reflect.ValueOf(probe).Field(0)} {
		if w := (*value)(unsafe.Pointer(&v)); w.typ != WordOf(v.Type()) || w.word() != want {
			return errors.New("it leads to another func")
		}
	}
	return nil
}

// MadeFuncWords is how many words a func of reflect.MakeFunc has, MadeFuncFn the index of its func.
const (
	MadeFuncWords = 6
	MadeFuncFn    = 5
)

// MadeFuncNumber reports whether a word of it is a number, not a pointer: argLen and regPtrs.
func MadeFuncNumber(i int) bool { return i == 2 || i == 3 }

// madeFunc is reflect.makeFuncImpl.
type madeFunc struct {
	code            uintptr
	stack           unsafe.Pointer
	argLen, regPtrs uintptr
	typ, fn         unsafe.Pointer
}

// methodFunc is reflect.methodValue.
type methodFunc struct {
	code            uintptr
	stack           unsafe.Pointer
	argLen, regPtrs uintptr
	method          int
	receiver        value
}

// reflectCode is the code that all funcs of reflect.MakeFunc share, and all method values.
var reflectCode = sync.OnceValue(func() (c struct{ made, method uintptr }) {
	c.made = CodeAddress(madeProbe())
	c.method = CodeAddress(methodProbe(&probe{}))
	return c
})

// A probe has a method.
type probe struct{ lo, hi int }

// Width is exported so that reflect finds it.
func (p probe) Width() int { return p.hi - p.lo }

func probed([]reflect.Value) []reflect.Value { return nil }

func madeProbe() unsafe.Pointer {
	return FuncWord(reflect.MakeFunc(reflect.TypeFor[func()](), probed))
}

func methodProbe(p *probe) unsafe.Pointer {
	return FuncWord(reflect.ValueOf(reflect.ValueOf(p).Method(0).Interface()))
}

// A Reflected is what stands behind a func value of package reflect.
type Reflected struct {
	Made     unsafe.Pointer // the word of the func given to reflect.MakeFunc; or
	Receiver unsafe.Pointer // the descriptor of a method value's receiver
}

// ReflectedFunc reports what is behind a func word of package reflect; ok is false for other funcs.
func ReflectedFunc(fv unsafe.Pointer) (r Reflected, ok bool) {
	if !MadeFuncs.Holds() {
		return r, false
	}
	switch c := reflectCode(); CodeAddress(fv) {
	case c.made:
		return Reflected{Made: (*madeFunc)(fv).fn}, true
	case c.method:
		return Reflected{Receiver: (*methodFunc)(fv).receiver.typ}, true
	}
	return r, false
}

func checkMadeFuncs() error {
	f := reflect.ValueOf(probed)
	made, of := (*madeFunc)(madeProbe()), reflect.TypeFor[func()]()
	if made.typ != WordOf(of) || made.fn != FuncWord(f) || made.code != reflectCode().made {
		return errors.New("a func of reflect.MakeFunc does not have its type and func there")
	}
	p := &probe{1, 3}
	m := (*methodFunc)(methodProbe(p))
	if m.code != reflectCode().method || m.method != 0 || m.receiver.typ != WordOf(reflect.TypeOf(p)) ||
		m.receiver.ptr != unsafe.Pointer(p) {
		return errors.New("reflect.methodValue does not have its receiver there")
	}
	return nil
}
