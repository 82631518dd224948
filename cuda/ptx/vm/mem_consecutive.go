package vm

import "unsafe"

// Most accesses of most kernels are of consecutive elements: lane i has element i.
// They are translated and checked at once, where every lane's check would pass.

// consecutive reports whether each address is the one before it plus size.
func consecutive(addrs []uint64, size uint64) bool {
	if len(addrs) == 0 {
		return false
	}
	var off uint64
	want, n := addrs[0], len(addrs)&^3
	for i := 0; i < n; i += 4 {
		x := quad(addrs, i)
		off |= (x[0] ^ want) | (x[1] ^ (want + size)) | (x[2] ^ (want + 2*size)) | (x[3] ^ (want + 3*size))
		want += 4 * size
	}
	for _, x := range addrs[n:] {
		off |= x ^ want
		want += size
	}
	return off == 0
}

// runLength counts the addresses from the first on that are consecutive.
func runLength(addrs []uint64, size uint64) int {
	for i, x := range addrs {
		if x != addrs[0]+uint64(i)*size {
			return i
		}
	}
	return len(addrs)
}

// span gives where in the access's segment the active lanes' consecutive elements lie.
// It answers false where they are not consecutive, where not all lie in the segment
// that was hit last, and for what is not to be copied as a piece.
func (b *block) span(a *access, addrs []uint64, size uint64) (off uint64, ok bool) {
	seg := &b.sites[a.site]
	bytes := uint64(len(addrs)) * size
	if b.idx != nil || a.size != size || a.strong || seg.single || seg.size < bytes || bytes == 0 {
		return 0, false
	}
	off = addrs[0] + a.offset - seg.base
	if off > seg.size-bytes || off&(size-1) != 0 {
		return 0, false
	}
	if a.watched {
		return off, b.consecutive
	}
	return off, consecutive(addrs, size)
}

// loadRun is loadLanes for consecutive elements that are all initialised.
func loadRun[T any](b *block, a *access, addrs []uint64, d []T) bool {
	size := uint64(unsafe.Sizeof(*new(T)))
	off, ok := b.span(a, addrs, size)
	if !ok {
		return false
	}
	seg := &b.sites[a.site]
	if seg.shadow != nil && !allWritten(unsafe.Slice((*byte)(unsafe.Add(seg.shadow, off)), len(addrs)*int(size))) {
		return false
	}
	copy(d, unsafe.Slice((*T)(unsafe.Add(seg.mem, off)), len(addrs)))
	return true
}

// storeRun is storeLanes for consecutive elements.
func storeRun[T any](b *block, a *access, addrs []uint64, v []T) bool {
	size := uint64(unsafe.Sizeof(*new(T)))
	off, ok := b.span(a, addrs, size)
	if !ok {
		return false
	}
	seg := &b.sites[a.site]
	copy(unsafe.Slice((*T)(unsafe.Add(seg.mem, off)), len(addrs)), v)
	if seg.shadow != nil {
		markWritten(unsafe.Slice((*byte)(unsafe.Add(seg.shadow, off)), len(addrs)*int(size)))
	}
	return true
}

// writtenBytes is what the shadow of written memory holds.
var writtenBytes = func() (p [4096]byte) {
	for i := range p {
		p[i] = 1
	}
	return p
}()

func allWritten(shadow []byte) bool {
	for len(shadow) > len(writtenBytes) {
		if string(shadow[:len(writtenBytes)]) != string(writtenBytes[:]) {
			return false
		}
		shadow = shadow[len(writtenBytes):]
	}
	return string(shadow) == string(writtenBytes[:len(shadow)])
}

func markWritten(shadow []byte) {
	for len(shadow) > 0 {
		shadow = shadow[copy(shadow, writtenBytes[:]):]
	}
}
