package machine

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// An Area is memory that is being laid out: how large it is, and where it has pointers.
type Area struct {
	Size     uintptr
	Pointers []uintptr
}

// Add reserves memory for one value. Values of size 0 get a word of their own, so that their
// addresses are not their neighbours'.
func (a *Area) Add(t *Type) uintptr {
	o := AlignUp(a.Size, max(uintptr(t.Reflect.Align()), 1))
	a.Size = o + max(t.Size, 1)
	a.Pointers = rtype.PointerOffsets(a.Pointers, t.Reflect, o)
	return o
}

// FrameType makes the collector's view of the area, which has pointers at some more places too.
func (a *Area) FrameType(more ...uintptr) *rtype.FrameType {
	ptrs := append(more[:len(more):len(more)], a.Pointers...)
	slices.Sort(ptrs)
	ft, err := rtype.NewFrameType(AlignUp(a.Size, 8), ptrs)
	if err != nil {
		panic(err)
	}
	return ft
}

// AlignUp is the least multiple of a, a power of two, that is not below n.
func AlignUp(n, a uintptr) uintptr { return (n + a - 1) &^ (a - 1) }
