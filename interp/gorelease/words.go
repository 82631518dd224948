package gorelease

import (
	"reflect"
	"unsafe"
)

// Eface is the memory of an empty interface.
type Eface struct{ Type, Data unsafe.Pointer }

// Iface is the memory of an interface with methods; Tab, an *ITab, is nil for a nil interface.
type Iface struct{ Tab, Data unsafe.Pointer }

// SliceHeader is the memory of a slice.
type SliceHeader struct {
	Array    unsafe.Pointer
	Len, Cap int
}

// WordOf returns the descriptor of a type.
func WordOf(t reflect.Type) unsafe.Pointer { return (*Eface)(unsafe.Pointer(&t)).Data }

// FuncAt is the func value of a function at an address.
func FuncAt[F any](address uintptr) F {
	word := &address
	return *(*F)(unsafe.Pointer(&word))
}

// FuncWord returns the word of a func value, nil for a nil func: a pointer to memory whose first
// word is the address of code, followed by whatever the code expects there.
func FuncWord(v reflect.Value) unsafe.Pointer {
	if v.CanAddr() {
		return *(*unsafe.Pointer)(v.Addr().UnsafePointer())
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}

// CodeAddress returns the address of the code of a non-nil func word.
func CodeAddress(fv unsafe.Pointer) uintptr { return *(*uintptr)(fv) }

// compiledWord is WordOf, opaque to the compiler, which else reads descriptors itself while it
// compiles and leaves references that its linker does not accept.
//
//go:noinline
func compiledWord(t reflect.Type) unsafe.Pointer { return WordOf(t) }
