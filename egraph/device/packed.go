package device

import (
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// A packing is an image as eg_fixpoint takes it: a 64-bit key and a class for each row of one or
// two children, and pairs of classes to merge. Rows of more children are rows of pairs, whose
// classes have ids behind those of the image. Leaves of one operator are pairs to merge, since no
// merge changes them.
type packing struct {
	keys    []uint64
	classes []uint32
	pairs   []uint32
	width   int // bits of an id
	ids     int // those of pairs and, where operators are children, of operators among them
}

// An operatorOf is an operator with a number of children: what a row's key begins with.
type operatorOf struct{ op, arity uint32 }

// A packer makes a packing.
type packer struct {
	packing
	apart  bool // operators do not fit the keys: each is an id, and a row is a pair of it and the rest
	codes  map[operatorOf]uint64
	last   operatorOf
	code   uint64
	leaves map[uint32]uint32
}

// pack packs an image. Where operators and two ids do not fit 64 bits, operators become ids.
func pack(m *image.Image, ids int, unions []image.Pair) *packing {
	pairs, operators := survey(m)
	if width := widthOf(ids + pairs); bits.Len(uint(operators+1))+2*width <= 64 {
		return packWith(m, ids, unions, width, false)
	}
	// The most that follows: a pair more for each row, and an id for each operator.
	return packWith(m, ids, unions, widthOf(ids+pairs+len(m.Column(image.RowOps))+operators), true)
}

func packWith(m *image.Image, ids int, unions []image.Pair, width int, apart bool) *packing {
	p := &packer{packing: packing{width: width, ids: ids}, apart: apart, codes: map[operatorOf]uint64{},
		leaves: map[uint32]uint32{}}
	for _, u := range unions {
		p.pairs = append(p.pairs, u.Left, u.Right)
	}
	ops, classes := m.Column(image.RowOps), m.Column(image.RowClasses)
	p.keys, p.classes = make([]uint64, 0, len(ops)), make([]uint32, 0, len(ops))
	for row, op := range ops {
		p.row(op, m.RowChildren(row), classes[row])
	}
	return &p.packing
}

func widthOf(ids int) int { return max(1, bits.Len(uint(max(ids, 1)-1))) }

// survey counts the pairs that wide rows take, and the operators.
func survey(m *image.Image) (pairs, operators int) {
	lengths, seen, last := m.Column(image.ChildLengths), map[operatorOf]bool{}, operatorOf{}
	for row, op := range m.Column(image.RowOps) {
		n := lengths[row]
		pairs += max(0, int(n)-2)
		if of := (operatorOf{op, n}); of != last && n > 0 {
			seen[of], last = true, of
		}
	}
	return pairs, len(seen)
}

func (p *packer) row(op uint32, kids []uint32, class uint32) {
	if len(kids) == 0 {
		if first, again := p.leaves[op]; again {
			p.pairs = append(p.pairs, first, class)
		} else {
			p.leaves[op] = class
		}
		return
	}
	of := operatorOf{op, uint32(len(kids))}
	if !p.apart {
		p.put(of, pairUp(kids, p.pair), class)
		return
	}
	body := kids[0]
	if kids = pairUp(kids, p.pair); len(kids) == 2 {
		body = p.pair(kids[0], kids[1])
	}
	head, known := p.codes[of]
	if !known {
		head = uint64(p.fresh())
		p.codes[of] = head
	}
	p.key(2, uint32(head), body, class)
}

// put appends the row of an operator over one or two ids.
func (p *packer) put(of operatorOf, kids []uint32, class uint32) {
	if of != p.last || p.code == 0 {
		p.last = of
		if p.code = p.codes[of]; p.code == 0 {
			p.code = uint64(len(p.codes)) + 2 // 1 are pairs
			p.codes[of] = p.code
		}
	}
	right := uint32(0)
	if len(kids) == 2 {
		right = kids[1]
	}
	p.key(p.code, kids[0], right, class)
}

func (p *packer) key(code uint64, left, right, class uint32) {
	p.keys = append(p.keys, (code<<p.width|uint64(left))<<p.width|uint64(right))
	p.classes = append(p.classes, class)
}

// pair makes a row of two ids, in a class of its own; equal ones are found by the closure.
func (p *packer) pair(left, right uint32) uint32 {
	id := p.fresh()
	p.key(1, left, right, id)
	return id
}

func (p *packer) fresh() uint32 {
	p.ids++
	return uint32(p.ids - 1)
}
