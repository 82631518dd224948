package device

import (
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// A packing is an image as eg_fixpoint takes it: a 64-bit key and a class for each row of one or two
// children, and pairs of classes to merge. Leaves of one operator are pairs, since no merge changes them.
type packing struct {
	keys    []uint64
	classes []uint32
	pairs   []uint32
	width   int
}

// pack packs an image whose rows have at most two children, where operators and two ids of so many
// classes fit 64 bits; ok says whether they do.
func pack(m *image.Image, ids int, unions []image.Pair) (p *packing, ok bool) {
	p = &packing{width: max(1, bits.Len(uint(max(ids, 1)-1)))}
	for _, u := range unions {
		p.pairs = append(p.pairs, u.Left, u.Right)
	}
	type operator struct{ op, arity uint32 }
	leaves, operators := map[uint32]uint32{}, map[operator]uint64{}
	ops, classes := m.Column(image.RowOps), m.Column(image.RowClasses)
	most := uint64(1)<<min(63, max(0, 64-2*p.width)) - 1
	var last operator
	var code uint64
	for row, op := range ops {
		kids := m.RowChildren(row)
		switch {
		case len(kids) > 2:
			return nil, false
		case len(kids) == 0:
			if first, again := leaves[op]; again {
				p.pairs = append(p.pairs, first, classes[row])
			} else {
				leaves[op] = classes[row]
			}
			continue
		}
		if of := (operator{op, uint32(len(kids))}); of != last || code == 0 {
			last = of
			if code = operators[of]; code == 0 {
				code = uint64(len(operators)) + 1
				operators[of] = code
			}
			if code > most {
				return nil, false
			}
		}
		key := code<<p.width | uint64(kids[0])
		key <<= p.width
		if len(kids) == 2 {
			key |= uint64(kids[1])
		}
		p.keys, p.classes = append(p.keys, key), append(p.classes, classes[row])
	}
	return p, true
}
