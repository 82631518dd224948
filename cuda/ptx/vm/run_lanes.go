package vm

import (
	"math/bits"
	"unsafe"
)

// laneBits is a set of the lanes of a block.
type laneBits [maxLanes / 64]uint64

func (s *laneBits) add(l int) { s[l>>6] |= 1 << (l & 63) }

func (s *laneBits) union(o *laneBits) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s *laneBits) minus(o *laneBits) {
	for i := range s {
		s[i] &^= o[i]
	}
}

func (s *laneBits) empty() bool { return *s == laneBits{} }

func (s *laneBits) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// warp gives the 32 lanes of warp w as a mask.
func (s *laneBits) warp(w int) uint32 { return uint32(s[w>>1] >> (w & 1 * 32)) }

func (s *laneBits) addWarp(w int, mask uint32) { s[w>>1] |= uint64(mask) << (w & 1 * 32) }

// each calls f for every lane in ascending order.
func (s *laneBits) each(f func(l int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// setActive makes a set the active lanes of the block: a range where it is one,
// a list of indices otherwise.
func (b *block) setActive(s *laneBits) {
	b.bits = *s
	first, last, n := -1, 0, 0
	for i := range b.nw {
		w := s[i]
		if w == 0 {
			continue
		}
		if first < 0 {
			first = i<<6 + bits.TrailingZeros64(w)
		}
		last = i<<6 + 63 - bits.LeadingZeros64(w)
		n += bits.OnesCount64(w)
	}
	b.count, b.lo, b.idx = n, max(first, 0), nil
	if n == 0 || last-first+1 == n {
		return
	}
	k := 0
	for i := range b.nw {
		for w := s[i]; w != 0; w &= w - 1 {
			b.idxBuf[k] = uint32(i<<6 + bits.TrailingZeros64(w))
			k++
		}
	}
	b.idx = b.idxBuf[:k]
}

// lane gives the number of the i-th active lane.
func (b *block) lane(i int) int {
	if b.idx == nil {
		return b.lo + i
	}
	return int(b.idx[i])
}

// predicates packs a predicate register of the active lanes into a set.
func (b *block) predicates(p slot, negate bool) laneBits {
	words := unsafe.Slice((*uint64)(b.ptr[p]), b.nw*8)
	var out laneBits
	var flip uint64
	if negate {
		flip = ^uint64(0)
	}
	for i := range b.nw {
		if b.bits[i] == 0 {
			continue
		}
		out[i] = (pack64((*[8]uint64)(words[i*8:])) ^ flip) & b.bits[i]
	}
	return out
}

// pack64 gathers the lowest bit of 64 bytes, each 0 or 1.
func pack64(w *[8]uint64) uint64 {
	var m uint64
	for i, v := range w {
		m |= (v * 0x0102040810204080 >> 56) << (8 * i)
	}
	return m
}

// narrowed runs a step for the active lanes whose predicate holds.
func narrowed(p slot, negate bool, s step) step {
	return func(b *block) {
		sub := b.predicates(p, negate)
		if sub == b.bits {
			s(b)
			return
		}
		if sub.empty() {
			return
		}
		old := b.bits
		b.setActive(&sub)
		s(b)
		b.setActive(&old)
	}
}
