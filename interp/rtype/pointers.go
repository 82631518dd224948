package rtype

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// PointerOffsets appends to offs the byte offsets, counted from base, of the words of a value of t
// that the garbage collector must see as pointers, in ascending order.
func PointerOffsets(offs []uintptr, t reflect.Type, base uintptr) []uintptr {
	if !HasPointers(WordOf(t)) {
		return offs
	}
	switch t.Kind() {
	case reflect.String, reflect.Slice:
		return append(offs, base)
	case reflect.Interface:
		return append(offs, base+wordSize) // descriptors and itabs are never freed
	case reflect.Array:
		for i := range t.Len() {
			offs = PointerOffsets(offs, t.Elem(), base+uintptr(i)*t.Elem().Size())
		}
		return offs
	case reflect.Struct:
		s := (*abiStruct)(WordOf(t))
		for i := range s.Fields {
			f := &s.Fields[i]
			offs = PointerOffsets(offs, gorelease.ToType(unsafe.Pointer(f.Type)), base+f.Offset)
		}
		return offs
	}
	return append(offs, base) // pointers, maps, channels, funcs
}

const (
	kindInt     = reflect.Int
	kindUintptr = reflect.Uintptr
	kindString  = reflect.String
	kindStruct  = reflect.Struct
)
