package rtype

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Slice is the memory of a slice.
type Slice = gorelease.SliceHeader

// New allocates zeroed memory for one value.
func New(w Word) unsafe.Pointer { return gorelease.New(w) }

// NewArray allocates zeroed memory for n values; it panics as make does when n is out of range.
func NewArray(w Word, n int) unsafe.Pointer { return gorelease.NewArray(w, n) }

// Move copies one value, with the write barriers its pointers need. dst and src may overlap
// exactly.
func Move(w Word, dst, src unsafe.Pointer) { gorelease.Typedmemmove(w, dst, src) }

// Clear zeroes one value.
func Clear(w Word, p unsafe.Pointer) { gorelease.Typedmemclr(w, p) }

// CopySlice is copy(dst, src) for elements of type elem.
func CopySlice(elem Word, dst, src Slice) int { return gorelease.Typedslicecopy(elem, dst, src) }

// GrowSlice returns old's elements (its length unchanged) in memory with room for num more, with
// append's growth.
func GrowSlice(elem Word, old Slice, num int) Slice { return gorelease.Growslice(elem, old, num) }
