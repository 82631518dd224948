package vm

import "unsafe"

// slot names an array over the lanes of a block: a register, a constant, a
// special register or scratch. All arrays lie in one arena.
type slot int32

const noSlot slot = -1

// maxLanes is the largest block, in threads (as on hardware).
const maxLanes = 1024

// view gives the whole array of a slot as values of T, which must be as wide as
// the slot.
func view[T any](b *block, s slot) []T {
	return unsafe.Slice((*T)(b.ptr[s]), b.n)
}

// in gives the values of the active lanes: the array itself where the active
// lanes are a range, else a compact copy in scratch k.
func in[T any](b *block, s slot, k int) []T {
	if b.idx == nil {
		return unsafe.Slice((*T)(unsafe.Add(b.ptr[s], b.lo*int(unsafe.Sizeof(*(*T)(nil))))), b.count)
	}
	return gather[T](b, s, k)
}

func gather[T any](b *block, s slot, k int) []T {
	out := scratch[T](b, k)
	all := view[T](b, s)
	for i, l := range b.idx {
		out[i] = all[l]
	}
	return out
}

// scratch gives room for a value of T per active lane. k tells the operands of
// one instruction apart.
func scratch[T any](b *block, k int) []T {
	return unsafe.Slice((*T)(b.scratch[k]), b.count)
}

// out gives where an instruction writes its results: put then brings them home.
func out[T any](b *block, s slot) []T {
	if b.idx == nil {
		return unsafe.Slice((*T)(unsafe.Add(b.ptr[s], b.lo*int(unsafe.Sizeof(*(*T)(nil))))), b.count)
	}
	return scratch[T](b, outScratch)
}

// put scatters what out gave, where it was scratch.
func put[T any](b *block, s slot, vals []T) {
	if b.idx == nil {
		return
	}
	all := view[T](b, s)
	for i, l := range b.idx {
		all[l] = vals[i]
	}
}

// outScratch is the scratch of results, outScratch2 of second results; operands
// use 0 to 4.
const (
	outScratch  = 5
	outScratch2 = 6
	scratches   = 8
)

// slotInfo describes a slot to the arena.
type slotInfo struct {
	width int
	kind  slotKind
	value [2]uint64 // of a constant
	name  string    // of a special register
}

type slotKind uint8

const (
	slotRegister  slotKind = iota // zero at the start of every block
	slotTransient                 // written before it is read
	slotInvariant                 // the same in every block of a launch
	slotConst
	slotSpecial
)

// arena is the memory of a block's slots, laid out for one block size and used
// by one worker for block after block.
type arena struct {
	words   []uint64
	ptr     []unsafe.Pointer
	regs    []uint64 // the part that changes while a block runs
	zeroed  []uint64 // the part of it that every block starts with zeroed
	scratch [scratches]unsafe.Pointer
}

// newArena lays out slots for n lanes. Each array is padded to whole 64 lanes and
// starts at a cache line.
func newArena(slots []slotInfo, n int) *arena {
	lanes := (n + 63) &^ 63
	words := 8 + scratches*lanes*2
	var size [slotSpecial + 1]int // words, by kind
	for _, s := range slots {
		w := lanes * s.width / 8
		words += w
		size[s.kind] += w
	}
	a := &arena{words: make([]uint64, words+8), ptr: make([]unsafe.Pointer, len(slots))}
	at := 0
	for uintptr(unsafe.Pointer(&a.words[at]))%64 != 0 {
		at++
	}
	a.zeroed = a.words[at : at+size[slotRegister]]
	a.regs = a.words[at : at+size[slotRegister]+size[slotTransient]]
	for kind := range slotSpecial + 1 {
		for i, s := range slots {
			if s.kind == kind {
				a.ptr[i] = unsafe.Pointer(&a.words[at])
				at += lanes * s.width / 8
			}
		}
	}
	for k := range a.scratch {
		a.scratch[k] = unsafe.Pointer(&a.words[at])
		at += lanes * 2
	}
	for i, s := range slots {
		if s.kind == slotConst {
			fillConst(a.ptr[i], s, lanes)
		}
	}
	return a
}

func fillConst(p unsafe.Pointer, s slotInfo, lanes int) {
	switch s.width {
	case 1:
		fill(p, uint8(s.value[0]), lanes)
	case 2:
		fill(p, uint16(s.value[0]), lanes)
	case 4:
		fill(p, uint32(s.value[0]), lanes)
	case 8:
		fill(p, s.value[0], lanes)
	default:
		fill(p, s.value, lanes)
	}
}

func fill[T any](p unsafe.Pointer, v T, n int) {
	s := unsafe.Slice((*T)(p), n)
	for i := range s {
		s[i] = v
	}
}
