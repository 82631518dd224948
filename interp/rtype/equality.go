package rtype

import (
	"go/types"
	"reflect"
	"unsafe"
)

// setEqual gives struct and array descriptors their ==. It looks at the elements' descriptors when it is called,
// not now: they may not be complete yet.
func (b *builder) setEqual(a *abiType, x types.Type) {
	a.Equal = nil
	switch {
	case !types.Comparable(x):
	case a.TFlag&flagRegular != 0:
		a.Equal = regularEqual(a.Size)
	case Kind(unsafe.Pointer(a)) == reflect.Struct:
		s := (*abiStruct)(unsafe.Pointer(a))
		a.Equal = func(p, q unsafe.Pointer) bool { return equalFields(s, p, q) }
	default:
		s := (*abiArray)(unsafe.Pointer(a))
		a.Equal = func(p, q unsafe.Pointer) bool { return equalElements(s, p, q) }
	}
}

// regularEqual compares bytes. The string comparison does it without looking at more than size of them.
func regularEqual(size uintptr) func(p, q unsafe.Pointer) bool {
	return func(p, q unsafe.Pointer) bool {
		return unsafe.String((*byte)(p), size) == unsafe.String((*byte)(q), size)
	}
}

func equalFields(s *abiStruct, p, q unsafe.Pointer) bool {
	for i := range s.Fields {
		f := &s.Fields[i]
		if nameOf(f.Name) != "_" && !f.Type.Equal(unsafe.Add(p, f.Offset), unsafe.Add(q, f.Offset)) {
			return false
		}
	}
	return true
}

func equalElements(a *abiArray, p, q unsafe.Pointer) bool {
	for i := range a.Len {
		if !a.Elem.Equal(unsafe.Add(p, i*a.Elem.Size), unsafe.Add(q, i*a.Elem.Size)) {
			return false
		}
	}
	return true
}
