package vm

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// An area is memory that is being laid out: how large it is, and where it has pointers.
type area struct {
	size uintptr
	ptrs []uintptr
}

// add reserves memory for one value. Values of size 0 get a word of their own, so that their
// addresses are not their neighbours'.
func (a *area) add(t *typ) uintptr {
	o := alignUp(a.size, max(uintptr(t.rt.Align()), 1))
	a.size = o + max(t.size, 1)
	a.ptrs = rtype.PointerOffsets(a.ptrs, t.rt, o)
	return o
}

// frameType makes the collector's view of the area, which has pointers at some more places too.
func (a *area) frameType(more ...uintptr) *rtype.FrameType {
	ptrs := append(more[:len(more):len(more)], a.ptrs...)
	slices.Sort(ptrs)
	ft, err := rtype.NewFrameType(alignUp(a.size, 8), ptrs)
	if err != nil {
		panic(err)
	}
	return ft
}

func alignUp(n, a uintptr) uintptr { return (n + a - 1) &^ (a - 1) }
