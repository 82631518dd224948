package image

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// An Image is a slab and what its parts are.
type Image struct {
	Layout Layout
	Ops    []string // by operator number
	Slab   []uint32
}

// Column gives a column of the slab; writing to it writes to the image. Of an image without this column, which Check
// finds, it panics with an *IntegrityError.
func (m *Image) Column(c Column) []uint32 {
	m.made("Image.Column")
	if c < 0 || c >= columns {
		refuse("Image.Column", "the column", c.String(), fmt.Sprintf("one of the %d there are", int(columns)))
	}
	s := m.Layout.Spans[c]
	if s.Offset/4 > s.End()/4 || s.End()/4 > uint64(len(m.Slab)) {
		reason := fmt.Sprintf("the slab has %d words", len(m.Slab))
		panic(&IntegrityError{"span of the " + c.String(), -1, s.End() / 4, reason})
	}
	return m.Slab[s.Offset/4 : s.End()/4 : s.End()/4]
}

// made refuses what is no image.
func (m *Image) made(call string) {
	if m == nil || m.Layout.Bytes == 0 {
		refuse(call, "the image", "nil or zero", "one that a Builder or FromSnapshot made")
	}
}

// RowChildren gives the children of a row of an image that Check found sound; of a row that the image does not have it
// panics with an *ArgumentError, and where its children are not there with an *IntegrityError.
func (m *Image) RowChildren(row int) []uint32 {
	offsets, lengths, children := m.Column(ChildOffsets), m.Column(ChildLengths), m.Column(Children)
	if row < 0 || row >= min(len(offsets), len(lengths)) {
		refuse("Image.RowChildren", "the row", fmt.Sprint(row), fmt.Sprintf("one below %d", len(offsets)))
	}
	from := uint64(offsets[row])
	to := from + uint64(lengths[row])
	if to > uint64(len(children)) {
		reason := fmt.Sprintf("the last child is before %d", len(children))
		panic(&IntegrityError{"children end", row, to, reason})
	}
	return children[from:to]
}

// Sign writes the signature of every row anew, as after its children changed: rows that are equal have
// equal signatures.
func (m *Image) Sign() {
	signatures, ops := m.Column(Signatures), m.Column(RowOps)
	for i := range signatures {
		signatures[i] = Signature(ops[i], m.RowChildren(i))
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

// Group gives the rows of a class, nil where the image has no such class. Of groups that Check refuses it panics
// with an *IntegrityError.
func (m *Image) Group(class uint32) []uint32 {
	i, ok := slices.BinarySearch(m.Column(GroupClasses), class)
	if !ok {
		return nil
	}
	offsets, rows := m.Column(GroupOffsets), m.Column(GroupRows)
	if i+1 >= len(offsets) || offsets[i] > offsets[i+1] || int(offsets[i+1]) > len(rows) {
		panic(&IntegrityError{"group of class", -1, uint64(class), "its offsets do not lie among the rows"})
	}
	return rows[offsets[i]:offsets[i+1]]
}

// Bytes gives the slab as a device sees it, little-endian.
func (m *Image) Bytes() []byte {
	m.made("Image.Bytes")
	b := make([]byte, 4*len(m.Slab))
	for i, v := range m.Slab {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	return b
}

// FromSnapshot makes an image of the bytes of its columns up to the children, as read back from a
// device: groups are made anew, and signatures that are not the rows' are refused, as by Check.
func FromSnapshot(ops []string, rows, children uint64, snapshot []byte) (*Image, error) {
	l, err := NewLayout(rows, children, 0)
	if err != nil {
		return nil, err
	}
	if uint64(len(snapshot)) != l.SnapshotBytes() {
		reason := fmt.Sprintf("the columns of %d rows and %d children take %d", rows, children, l.SnapshotBytes())
		return nil, &IntegrityError{"bytes of the snapshot", -1, uint64(len(snapshot)), reason}
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
