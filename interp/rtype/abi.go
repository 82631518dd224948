package rtype

import "unsafe"

// The descriptors of internal/abi (Go 1.26), field for field. Selfcheck compares them with compiled ones.

type abiType struct {
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

const (
	flagUncommon    = 1 << 0
	flagExtraStar   = 1 << 1
	flagNamed       = 1 << 2
	flagRegular     = 1 << 3
	flagMaskOnNeed  = 1 << 4
	flagDirectIface = 1 << 5
)

// maxMaskBytes is the longest pointer bitmap given ready made; the runtime builds longer ones on demand.
const maxMaskBytes = 2048

const wordSize = unsafe.Sizeof(uintptr(0))

type abiUncommon struct {
	PkgPath int32
	Mcount  uint16
	Xcount  uint16
	Moff    uint32
	_       uint32
}

type abiMethod struct{ Name, Mtyp, Ifn, Tfn int32 }

type abiArray struct {
	abiType
	Elem, Slice *abiType
	Len         uintptr
}

type abiChan struct {
	abiType
	Elem *abiType
	Dir  int
}

// abiFunc is followed by the uncommon part, if any, then by in and out types.
type abiFunc struct {
	abiType
	In  uint16
	Out uint16 // the top bit: variadic
}

type abiIface struct {
	abiType
	PkgPath *byte
	Methods []abiImethod
}

type abiImethod struct{ Name, Typ int32 }

type abiMap struct {
	abiType
	Key, Elem, Group *abiType
	Hasher           func(unsafe.Pointer, uintptr) uintptr
	GroupSize        uintptr
	SlotSize         uintptr
	ElemOff          uintptr
	Flags            uint32
}

type abiPtr struct {
	abiType
	Elem *abiType
}

type abiSlice struct {
	abiType
	Elem *abiType
}

type abiStruct struct {
	abiType
	PkgPath *byte
	Fields  []abiField
}

type abiField struct {
	Name   *byte
	Type   *abiType
	Offset uintptr
}

// abiItab is the first word of a non-empty interface, allocated outside the heap.
type abiItab struct {
	Inter, Type *abiType
	Hash        uint32
	Fun         [1]uintptr
}
