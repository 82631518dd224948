package rtype

import (
	"go/types"
	"runtime"
	"unsafe"
)

// Layouts come from go/types alone, before any descriptor exists: a named type's shell is final in
// size, bitmap and equality while the types it refers to are still being made.

func gcSizes() types.Sizes { return types.SizesFor("gc", runtime.GOARCH) }

// pointerBytes returns where the last pointer word of x ends, 0 if it has none.
func (b *builder) pointerBytes(x types.Type) uintptr {
	switch u := x.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.String || u.Kind() == types.UnsafePointer {
			return wordSize
		}
		return 0
	case *types.Interface:
		return 2 * wordSize
	case *types.Array:
		p := b.pointerBytes(u.Elem())
		if p == 0 || u.Len() == 0 {
			return 0
		}
		return uintptr(u.Len()-1)*b.size(u.Elem()) + p
	case *types.Struct:
		offs := b.fieldOffsets(u)
		for i := u.NumFields() - 1; i >= 0; i-- {
			if p := b.pointerBytes(u.Field(i).Type()); p > 0 {
				return offs[i] + p
			}
		}
		return 0
	}
	return wordSize // pointers, maps, channels, funcs; a slice's array
}

// pointers appends the offsets of x's pointer words, counted from base.
func (b *builder) pointers(offs []uintptr, x types.Type, base uintptr) []uintptr {
	if b.pointerBytes(x) == 0 {
		return offs
	}
	switch u := x.Underlying().(type) {
	case *types.Interface:
		return append(offs, base+wordSize) // the first word, descriptor or itab, is never freed
	case *types.Array:
		size := b.size(u.Elem())
		for i := range uintptr(u.Len()) {
			offs = b.pointers(offs, u.Elem(), base+i*size)
		}
		return offs
	case *types.Struct:
		for i, o := range b.fieldOffsets(u) {
			offs = b.pointers(offs, u.Field(i).Type(), base+o)
		}
		return offs
	}
	return append(offs, base)
}

func (b *builder) size(x types.Type) uintptr {
	n := b.sizes.Sizeof(x)
	if n < 0 || n >= maxTypeSize {
		b.refuse(x, "larger than the address space")
	}
	return uintptr(n)
}

// maxTypeSize is the compiler's limit.
const maxTypeSize = 1 << 50

func (b *builder) fieldOffsets(x *types.Struct) []uintptr {
	fs := make([]*types.Var, x.NumFields())
	for i := range fs {
		fs[i] = x.Field(i)
	}
	offs := make([]uintptr, len(fs))
	for i, o := range b.sizes.Offsetsof(fs) {
		if o < 0 || o >= maxTypeSize {
			b.refuse(x, "larger than the address space")
		}
		offs[i] = uintptr(o)
	}
	return offs
}

// regular reports whether == on x compares its bytes: cmd/compile/internal/compare.IsRegularMemory.
func (b *builder) regular(x types.Type) bool {
	switch u := x.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return b.regular(u.Elem()) || u.Len() == 0 && types.Comparable(u.Elem())
	case *types.Struct:
		return b.regularStruct(u)
	}
	return false
}

func (b *builder) regularStruct(u *types.Struct) bool {
	offs := append(b.fieldOffsets(u), b.size(u))
	for i := range u.NumFields() {
		f := u.Field(i)
		if f.Name() == "_" || !b.regular(f.Type()) {
			return false
		}
		if u.NumFields() > 1 && offs[i]+b.size(f.Type()) != offs[i+1] {
			return false // padding
		}
	}
	return true
}

// setLayout fills what a descriptor says about memory; equality comes from setEqual.
func (b *builder) setLayout(a *abiType, x types.Type) {
	a.Size = b.size(x)
	a.Align = uint8(b.sizes.Alignof(x))
	a.FieldAlign = a.Align
	a.PtrBytes = b.pointerBytes(x)
	a.GCData = nil
	a.TFlag &^= flagMaskOnNeed | flagRegular | flagDirectIface
	if a.Size == wordSize && a.PtrBytes == wordSize {
		a.TFlag |= flagDirectIface
	}
	if b.regular(x) {
		a.TFlag |= flagRegular
	}
	switch {
	case a.PtrBytes == 0:
	case a.PtrBytes > maxMaskBytes*8*wordSize:
		a.TFlag |= flagMaskOnNeed // the runtime keeps a pointer to the mask here
		place := unsafe.Pointer(new(uintptr))
		keepAlive(place)
		a.GCData = (*byte)(place)
	default:
		mask, _, err := pointerMask(a.Size, b.pointers(nil, x, 0))
		if err != nil {
			b.refuse(x, "%v", err)
		}
		keepAlive(unsafe.Pointer(&mask[0]))
		a.GCData = &mask[0]
	}
}
