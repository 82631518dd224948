package join

import "math"

// ScanBlock is how many elements one block of a scan takes.
const ScanBlock = 256

// maxLevels is how deep a scan of 32-bit lengths goes: ceil(2^32 / 256^4) is 1.
const maxLevels = 4

// A ScanTopology is the shape of an exclusive prefix sum over a length: comparable, so that it can
// be part of a key.
type ScanTopology struct {
	Length uint32
	// Levels is how many of Scratch are used: the lengths of the block sums, each a level above the
	// one before it.
	Levels  int
	Scratch [maxLevels]uint32
	// KernelNodes is how many launches the scan takes: one, and two a level.
	KernelNodes int
}

// Topology plans the scan of n elements.
func Topology(n uint32) ScanTopology {
	t := ScanTopology{Length: n}
	if n > 0 {
		t.KernelNodes = 1
	}
	for n > ScanBlock {
		n = blocks(n)
		t.Scratch[t.Levels] = n
		t.Levels++
		t.KernelNodes += 2
	}
	return t
}

// Lengths are the lengths of the scratch buffers, the lowest level first.
func (t ScanTopology) Lengths() []uint32 { return t.Scratch[:t.Levels] }

// blocks is how many blocks cover n elements, without overflow.
func blocks(n uint32) uint32 { return uint32((uint64(n) + ScanBlock - 1) / ScanBlock) }

// CapacityClass is the next power of two: 0 and 1 become 1, what is past 2^31 becomes 2^32-1.
func CapacityClass(n uint32) uint32 {
	switch {
	case n <= 1:
		return 1
	case n > 1<<31:
		return math.MaxUint32
	}
	c := uint32(1)
	for c < n {
		c <<= 1
	}
	return c
}
