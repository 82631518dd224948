package image

import (
	"fmt"
	"slices"
)

// A Builder collects rows. Operators are interned in the order in which they are first seen; what a
// leaf holds is part of its operator's name, so Lit(1) and Lit(2) are different operators.
type Builder struct {
	ops      []string
	opIndex  map[string]uint32
	class    []uint32
	op       []uint32
	lengths  []uint32
	children []uint32
	err      error // of the first call that was refused
}

// NewBuilder makes an empty builder, with room for so many rows and children. What is wrong with the arguments of this
// and of further calls, Build tells.
func NewBuilder(rows, children int) *Builder {
	if rows < 0 || children < 0 {
		got := fmt.Sprintf("%d rows and %d children", rows, children)
		return &Builder{opIndex: map[string]uint32{}, err: &ArgumentError{"NewBuilder", "the room", got, "0 or more of both"}}
	}
	return &Builder{opIndex: map[string]uint32{}, class: make([]uint32, 0, rows), op: make([]uint32, 0, rows),
		lengths: make([]uint32, 0, rows), children: make([]uint32, 0, children)}
}

// Op gives the number of an operator.
func (b *Builder) Op(name string) uint32 {
	b.made("Builder.Op")
	if op, ok := b.opIndex[name]; ok {
		return op
	}
	op := uint32(len(b.ops))
	b.opIndex[name] = op
	b.ops = append(b.ops, name)
	return op
}

// made refuses a builder that NewBuilder did not make.
func (b *Builder) made(call string) {
	if b == nil || b.opIndex == nil {
		refuse(call, "the builder", "nil or zero", "one that NewBuilder made")
	}
}

// Row adds one row.
func (b *Builder) Row(class uint32, op string, children ...uint32) *Builder {
	b.Block(op, len(children), []uint32{class}, children)
	return b
}

// Block adds the rows of one operator, whose children lie row by row, arity of them for each: three copies. Where
// there are more or fewer children Build fails.
func (b *Builder) Block(op string, arity int, classes, children []uint32) {
	b.made("Builder.Block")
	if b.err != nil {
		return
	}
	if arity < 0 || len(children) != arity*len(classes) {
		reason := fmt.Sprintf("%d rows of %d children each have %d", len(classes), arity, max(0, arity)*len(classes))
		b.err = &IntegrityError{"children of the block of " + op, -1, uint64(len(children)), reason}
		return
	}
	number := b.Op(op)
	start := len(b.class)
	b.class = append(b.class, classes...)
	b.children = append(b.children, children...)
	b.op = slices.Grow(b.op, len(classes))[:start+len(classes)]
	b.lengths = slices.Grow(b.lengths, len(classes))[:start+len(classes)]
	for i := start; i < len(b.op); i++ {
		b.op[i], b.lengths[i] = number, uint32(arity)
	}
}

// Build makes the image, or tells what was wrong with the first call that was refused.
func (b *Builder) Build() (*Image, error) {
	if b == nil || b.opIndex == nil {
		return nil, &ArgumentError{"Builder.Build", "the builder", "nil or zero", "one that NewBuilder made"}
	}
	if b.err != nil {
		return nil, b.err
	}
	groups := countDistinct(b.class)
	l, err := NewLayout(uint64(len(b.class)), uint64(len(b.children)), uint64(groups))
	if err != nil {
		return nil, err
	}
	m := &Image{Layout: l, Ops: slices.Clone(b.ops), Slab: make([]uint32, l.Bytes/4)}
	copy(m.Column(RowClasses), b.class)
	copy(m.Column(RowOps), b.op)
	copy(m.Column(ChildLengths), b.lengths)
	copy(m.Column(Children), b.children)
	offsets, sum := m.Column(ChildOffsets), uint64(0)
	for i, n := range b.lengths {
		offsets[i] = uint32(sum)
		sum += uint64(n)
	}
	m.Sign()
	m.group()
	return m, nil
}

// countDistinct counts the different ids, with a bit for each up to the highest where that is not much more than the
// ids themselves.
func countDistinct(ids []uint32) int {
	if len(ids) == 0 {
		return 0
	}
	top := slices.Max(ids)
	if int(top)/64 > 2*len(ids) {
		return len(slices.Compact(slices.Sorted(slices.Values(ids))))
	}
	seen := make([]uint64, top/64+1)
	n := 0
	for _, id := range ids {
		if seen[id/64]>>(id%64)&1 == 0 {
			seen[id/64] |= 1 << (id % 64)
			n++
		}
	}
	return n
}
