package image

import (
	"encoding/binary"
	"slices"
)

// An Image is a slab and what its parts are.
type Image struct {
	Layout Layout
	Ops    []string // by operator number
	Slab   []uint32
}

// Column gives a column of the slab; writing to it writes to the image.
func (m *Image) Column(c Column) []uint32 {
	s := m.Layout.Spans[c]
	return m.Slab[s.Offset/4 : s.End()/4 : s.End()/4]
}

// RowChildren gives the children of a row of an image that Check found sound.
func (m *Image) RowChildren(row int) []uint32 {
	offset, n := m.Column(ChildOffsets)[row], m.Column(ChildLengths)[row]
	return m.Column(Children)[offset : offset+n]
}

// Sign writes the signature of every row anew, as after its children changed: rows that are equal have
// equal signatures.
func (m *Image) Sign() {
	signatures, ops := m.Column(Signatures), m.Column(RowOps)
	offsets, lengths, children := m.Column(ChildOffsets), m.Column(ChildLengths), m.Column(Children)
	for i := range signatures {
		start := uint64(offsets[i])
		signatures[i] = Signature(ops[i], children[start:start+uint64(lengths[i])])
	}
}

// Signature is FNV-1a over the words of a row, operator first, with a last mix so that low bits depend
// on all words (Fowler, Noll, Vo; the mix is that of MurmurHash3).
func Signature(op uint32, children []uint32) uint32 {
	const offset, prime = 2166136261, 16777619
	h := (uint32(offset) ^ op) * prime
	for _, c := range children {
		h = (h ^ c) * prime
		h ^= h >> 15
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	return h
}

// group sorts the rows by class: ascending classes, rows of a class in their order.
func (m *Image) group() {
	class, rows := m.Column(RowClasses), m.Column(GroupRows)
	for i := range rows {
		rows[i] = uint32(i)
	}
	slices.SortStableFunc(rows, func(a, b uint32) int {
		switch {
		case class[a] < class[b]:
			return -1
		case class[a] > class[b]:
			return 1
		}
		return 0
	})
	ids, offsets := m.Column(GroupClasses), m.Column(GroupOffsets)
	g := 0
	for i, r := range rows {
		if i == 0 || class[r] != class[rows[i-1]] {
			ids[g], offsets[g] = class[r], uint32(i)
			g++
		}
	}
	offsets[g] = uint32(len(rows))
}

// Group gives the rows of a class, nil where the image has no such class.
func (m *Image) Group(class uint32) []uint32 {
	i, ok := slices.BinarySearch(m.Column(GroupClasses), class)
	if !ok {
		return nil
	}
	offsets := m.Column(GroupOffsets)
	return m.Column(GroupRows)[offsets[i]:offsets[i+1]]
}

// Bytes gives the slab as a device sees it, little-endian.
func (m *Image) Bytes() []byte {
	b := make([]byte, 4*len(m.Slab))
	for i, v := range m.Slab {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	return b
}

// FromSnapshot makes an image of the bytes of its columns up to the children, as read back from a
// device: signatures are taken as they come, groups are made anew.
func FromSnapshot(ops []string, rows, children uint64, snapshot []byte) (*Image, error) {
	l, err := NewLayout(rows, children, 0)
	if err != nil {
		return nil, err
	}
	if uint64(len(snapshot)) != l.SnapshotBytes() {
		return nil, &IntegrityError{"bytes of the snapshot", -1, uint64(len(snapshot)), "the columns take another number of bytes"}
	}
	words := make([]uint32, len(snapshot)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(snapshot[4*i:])
	}
	if l, err = NewLayout(rows, children, uint64(countDistinct(words[:rows]))); err != nil {
		return nil, err
	}
	m := &Image{Layout: l, Ops: slices.Clone(ops), Slab: make([]uint32, l.Bytes/4)}
	copy(m.Slab, words)
	m.group()
	return m, m.Check()
}
