package gorelease

import "unsafe"

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
