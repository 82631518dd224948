package rtype

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A Word is a type descriptor (*abi.Type) as it stands in the first word of an empty interface.
// Descriptors are never freed once published, so a Word may be kept anywhere.
type Word = unsafe.Pointer

// Eface is the memory of an empty interface, Iface that of one with methods.
type (
	Eface = gorelease.Eface
	Iface = gorelease.Iface
)

// WordOf returns the descriptor of t.
func WordOf(t reflect.Type) Word { return gorelease.WordOf(t) }

// TypeOf is WordOf's way back. It does not allocate.
func TypeOf(w Word) reflect.Type { return gorelease.ToType(w) }

// Size returns the bytes that a value of the type takes.
func Size(w Word) uintptr { return (*abiType)(w).Size }

// Kind returns what reflect.Type.Kind would.
func Kind(w Word) reflect.Kind { return reflect.Kind((*abiType)(w).Kind) }

// HasPointers reports whether values of the type hold pointers.
func HasPointers(w Word) bool { return (*abiType)(w).PtrBytes != 0 }

// Direct reports whether a value of the type is stored in an interface's data word itself
// (pointers, maps, channels, funcs and structs and arrays of exactly one of these) rather than
// behind it.
func Direct(w Word) bool { return (*abiType)(w).TFlag&flagDirectIface != 0 }

// ItabType returns the concrete type of a non-nil Iface.Tab.
func ItabType(tab unsafe.Pointer) Word { return unsafe.Pointer((*abiItab)(tab).Type) }

// Itab returns the word that Iface.Tab has for values of type concrete in interface type iface,
// which must have methods; nil if concrete lacks one of them. The runtime caches both answers;
// itabs are never freed.
func Itab(iface, concrete Word) unsafe.Pointer { return gorelease.Getitab(iface, concrete, true) }

// MissingMethod returns the name of the first method of iface that concrete lacks, "" if none: what
// the text of a failed type assertion names.
func MissingMethod(iface, concrete Word) (name string) {
	if Itab(iface, concrete) != nil {
		return ""
	}
	defer func() {
		if e, ok := recover().(interface{ Error() string }); ok {
			const mark = "missing method "
			s := e.Error()
			for i := len(s) - len(mark); i >= 0; i-- {
				if s[i:i+len(mark)] == mark {
					name = s[i+len(mark):]
					return
				}
			}
		}
	}()
	gorelease.Getitab(iface, concrete, false)
	return ""
}

// DynamicType returns the type of the value in the interface at p, whose static type is iface; nil
// for a nil interface.
func DynamicType(iface Word, p unsafe.Pointer) Word {
	if len((*abiIface)(iface).Methods) == 0 {
		return (*Eface)(p).Type
	}
	if tab := (*Iface)(p).Tab; tab != nil {
		return ItabType(tab)
	}
	return nil
}

// Data returns where the value of dynamic type w in an interface lies: the data word's own address
// (inside the interface at p) for direct types, else what it points to. The memory must not be
// written.
func Data(w Word, p unsafe.Pointer) unsafe.Pointer {
	if Direct(w) {
		return unsafe.Pointer(&(*Eface)(p).Data)
	}
	return (*Eface)(p).Data
}

// Box returns the data word that an interface holding the value at src has: the value itself for
// direct types, else a fresh copy.
func Box(w Word, src unsafe.Pointer) unsafe.Pointer {
	if Direct(w) {
		return *(*unsafe.Pointer)(src)
	}
	p := gorelease.New(w)
	gorelease.Typedmemmove(w, p, src)
	return p
}
