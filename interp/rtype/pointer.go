package rtype

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// pointer returns the type of pointers to x.Elem(). One that has methods came into being with its
// element.
func (b *builder) pointer(x *types.Pointer) reflect.Type {
	elem := b.of(x.Elem())
	if r, ok := b.made.At(x).(reflect.Type); ok {
		return r
	}
	return b.set(x, reflect.PointerTo(elem)) // follows PtrToThis
}

// pointerShell makes the pointer type with methods to elem, which is x's descriptor, and links the
// two.
func (b *builder) pointerShell(x types.Type, elem reflect.Type, methods int, gains bool) descriptor {
	d := newDescriptor(prototypes.pointer, methods, gains)
	(*abiPtr)(unsafe.Pointer(d.Type)).Elem = (*abiType)(WordOf(elem))
	name := "*" + elem.String()
	d.Str = gorelease.AddReflectOff(unsafe.Pointer(gorelease.EncodeName(name, "", false, false, "")))
	d.Hash = hashString(name)
	b.own(types.NewPointer(x), d.Type)
	(*abiType)(WordOf(elem)).PtrToThis = gorelease.AddReflectOff(unsafe.Pointer(d.Type))
	return d
}
