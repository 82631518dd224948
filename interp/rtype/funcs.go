package rtype

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A func value is one word: a pointer to memory whose first word is a code address, followed by
// whatever the code expects there (its captured variables). Any Go func value of the same signature
// can therefore stand where a value of a cell's func type is wanted.

// FuncWord returns the word of a func value, nil for a nil func.
func FuncWord(v reflect.Value) unsafe.Pointer { return gorelease.FuncWord(v) }

// FuncValue returns the func value of type t (kind Func) whose word is fv. The code must have t's
// signature.
func FuncValue(t reflect.Type, fv unsafe.Pointer) reflect.Value {
	p := reflect.New(t)
	*(*unsafe.Pointer)(p.UnsafePointer()) = fv
	return p.Elem()
}

// CodeAddress returns the code address of a non-nil func word. Func literals that share their code
// (one literal, many captures) share it; literals that may be inlined must be marked noinline for
// that to be one address.
func CodeAddress(fv unsafe.Pointer) uintptr { return gorelease.CodeAddress(fv) }

// MakeFunc returns the word of a func value of type t that calls code with its arguments as values
// of t's parameter types. It costs about a microsecond a call; an adapter written for the signature
// costs a few nanoseconds.
func MakeFunc(t reflect.Type, code func([]reflect.Value) []reflect.Value) unsafe.Pointer {
	return FuncWord(reflect.MakeFunc(t, code))
}
