package gorelease

import (
	"reflect"
	"unsafe"
)

// WordSize is that of a pointer.
const WordSize = unsafe.Sizeof(uintptr(0))

// The type descriptors of internal/abi, field for field, whose names these are.

// Type is the head of every descriptor.
type Type struct {
	Size       uintptr
	PtrBytes   uintptr
	Hash       uint32
	TFlag      uint8
	Align      uint8
	FieldAlign uint8
	Kind       uint8
	Equal      func(unsafe.Pointer, unsafe.Pointer) bool
	GCData     *byte
	Str        int32
	PtrToThis  int32
}

// The bits of TFlag.
const (
	FlagUncommon    = 1 << 0
	FlagExtraStar   = 1 << 1
	FlagNamed       = 1 << 2
	FlagRegular     = 1 << 3
	FlagMaskOnNeed  = 1 << 4
	FlagDirectIface = 1 << 5
)

// Uncommon follows the descriptor of a type with methods or a name.
type Uncommon struct {
	PkgPath int32
	Mcount  uint16
	Xcount  uint16
	Moff    uint32
	_       uint32
}

// Method is a method of a type, sorted by name.
type Method struct{ Name, Mtyp, Ifn, Tfn int32 }

// Array is an array type.
type Array struct {
	Type
	Elem, Slice *Type
	Len         uintptr
}

// Chan is a channel type.
type Chan struct {
	Type
	Elem *Type
	Dir  int
}

// FuncType is followed by the uncommon part, if any, then by in and out types.
type FuncType struct {
	Type
	In  uint16
	Out uint16 // the top bit: variadic
}

// Interface is an interface type.
type Interface struct {
	Type
	PkgPath *byte
	Methods []IMethod
}

// IMethod is a method of an interface.
type IMethod struct{ Name, Typ int32 }

// Map is a map type.
type Map struct {
	Type
	Key, Elem, Group *Type
	Hasher           func(unsafe.Pointer, uintptr) uintptr
	GroupSize        uintptr
	mapSlots
	Flags uint32
}

// Pointer is a pointer type.
type Pointer struct {
	Type
	Elem *Type
}

// Slice is a slice type.
type Slice struct {
	Type
	Elem *Type
}

// Struct is a struct type.
type Struct struct {
	Type
	PkgPath *byte
	Fields  []Field
}

// Field is a field of a struct.
type Field struct {
	Name   *byte
	Type   *Type
	Offset uintptr
}

// ITab is the first word of a non-empty interface, allocated outside the heap.
type ITab struct {
	Inter, Type *Type
	Hash        uint32
	Fun         [1]uintptr
}

// HeadSize is the size of a descriptor of a kind, without what follows it.
func HeadSize(k reflect.Kind) uintptr {
	switch k {
	case reflect.Array:
		return unsafe.Sizeof(Array{})
	case reflect.Chan:
		return unsafe.Sizeof(Chan{})
	case reflect.Func:
		return unsafe.Sizeof(FuncType{})
	case reflect.Interface:
		return unsafe.Sizeof(Interface{})
	case reflect.Map:
		return unsafe.Sizeof(Map{})
	case reflect.Pointer:
		return unsafe.Sizeof(Pointer{})
	case reflect.Slice:
		return unsafe.Sizeof(Slice{})
	case reflect.Struct:
		return unsafe.Sizeof(Struct{})
	}
	return unsafe.Sizeof(Type{})
}

// Uncommon is the part of a type with FlagUncommon that follows its head.
func (t *Type) Uncommon() *Uncommon {
	return (*Uncommon)(unsafe.Add(unsafe.Pointer(t), HeadSize(reflect.Kind(t.Kind))))
}

// Methods are the type's, with FlagUncommon.
func (u *Uncommon) Methods() []Method {
	return Tail[Method](unsafe.Pointer(u), uintptr(u.Moff), int(u.Mcount))
}

// Params are the in and out types that follow the descriptor of a func type; none for other types.
func (t *Type) Params() []*Type {
	if reflect.Kind(t.Kind) != reflect.Func {
		return nil
	}
	f := (*FuncType)(unsafe.Pointer(t))
	off := unsafe.Sizeof(FuncType{})
	if t.TFlag&FlagUncommon != 0 {
		off += unsafe.Sizeof(Uncommon{})
	}
	return Tail[*Type](unsafe.Pointer(t), off, int(f.In)+int(f.Out&0x7fff))
}

// Tail returns the n values at p+off. There may be none, and then no memory: a pointer behind the
// end of an allocation would be one into whatever follows it.
func Tail[T any](p unsafe.Pointer, off uintptr, n int) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Add(p, off)), n)
}
