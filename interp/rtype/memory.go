package rtype

import "unsafe"

// Slice is the memory of a slice.
type Slice struct {
	Array    unsafe.Pointer
	Len, Cap int
}

// New allocates zeroed memory for one value.
func New(w Word) unsafe.Pointer { return unsafeNew(w) }

// NewArray allocates zeroed memory for n values; it panics as make does when n is out of range.
func NewArray(w Word, n int) unsafe.Pointer { return unsafeNewArray(w, n) }

// Move copies one value, with the write barriers its pointers need. dst and src may overlap exactly.
func Move(w Word, dst, src unsafe.Pointer) { typedmemmove(w, dst, src) }

// Clear zeroes one value.
func Clear(w Word, p unsafe.Pointer) { typedmemclr(w, p) }

// CopySlice is copy(dst, src) for elements of type elem.
func CopySlice(elem Word, dst, src Slice) int { return typedslicecopy(elem, dst, src) }

// GrowSlice returns old's elements (its length unchanged) in memory with room for num more, with append's growth.
func GrowSlice(elem Word, old Slice, num int) Slice { return growslice(elem, old, num) }
