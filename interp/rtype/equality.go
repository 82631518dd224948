package rtype

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// setEqual gives struct and array descriptors their ==. It looks at the elements' descriptors when
// it is called, not now: they may not be complete yet.
func (b *builder) setEqual(a *abiType, x types.Type) {
	var equal func(p, q unsafe.Pointer) bool
	switch {
	case !types.Comparable(x):
	case a.TFlag&flagRegular != 0:
		equal = regularEqual(a.Size)
	case Kind(unsafe.Pointer(a)) == reflect.Struct:
		s := (*abiStruct)(unsafe.Pointer(a))
		equal = func(p, q unsafe.Pointer) bool { return equalFields(s, p, q) }
	default:
		s := (*abiArray)(unsafe.Pointer(a))
		equal = func(p, q unsafe.Pointer) bool { return equalElements(s, p, q) }
	}
	keepAlive(*(*unsafe.Pointer)(unsafe.Pointer(&equal)))
	a.Equal = equal
}

// regularEqual compares bytes. The string comparison does it without looking at more than size of
// them.
func regularEqual(size uintptr) func(p, q unsafe.Pointer) bool {
	return func(p, q unsafe.Pointer) bool {
		return unsafe.String((*byte)(p), size) == unsafe.String((*byte)(q), size)
	}
}

// equalFields compares as compiled code does: between fields whose comparison may panic, in which
// interfaces may be, the contents of strings come last, after their lengths and the other fields.
func equalFields(s *abiStruct, p, q unsafe.Pointer) bool {
	for rest := s.Fields; len(rest) > 0; {
		n := 0
		for n < len(rest) && !isOrdered(rest[n].Type) {
			n++
		}
		if !equalSimple(rest[:n], p, q) {
			return false
		}
		if rest = rest[n:]; len(rest) > 0 {
			if !equalField(&rest[0], p, q) {
				return false
			}
			rest = rest[1:]
		}
	}
	return true
}

// isOrdered tells types whose comparison may panic, and those that may hold such.
func isOrdered(a *abiType) bool {
	if a.TFlag&flagRegular != 0 {
		return false
	}
	k := Kind(unsafe.Pointer(a))
	return k == reflect.Interface || k == reflect.Struct || k == reflect.Array
}

func equalSimple(fields []abiField, p, q unsafe.Pointer) bool {
	for i := range fields {
		if f := &fields[i]; !isString(f.Type) {
			if !equalField(f, p, q) {
				return false
			}
		} else if gorelease.NameOf(f.Name) != "_" && lengthOf(p, f) != lengthOf(q, f) {
			return false
		}
	}
	for i := range fields {
		if f := &fields[i]; isString(f.Type) && !equalField(f, p, q) {
			return false
		}
	}
	return true
}

// lengthOf is the length of the string in a field of the struct at p.
func lengthOf(p unsafe.Pointer, f *abiField) int { return len(*(*string)(unsafe.Add(p, f.Offset))) }

func isString(a *abiType) bool { return Kind(unsafe.Pointer(a)) == reflect.String }

func equalField(f *abiField, p, q unsafe.Pointer) bool {
	return gorelease.NameOf(f.Name) == "_" || f.Type.Equal(unsafe.Add(p, f.Offset), unsafe.Add(q, f.Offset))
}

func equalElements(a *abiArray, p, q unsafe.Pointer) bool {
	for i := range a.Len {
		if !a.Elem.Equal(unsafe.Add(p, i*a.Elem.Size), unsafe.Add(q, i*a.Elem.Size)) {
			return false
		}
	}
	return true
}
