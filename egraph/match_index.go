package egraph

import "slices"

// A rowIndex gives the rows of one operator by class, for joins: the children of the rows of class c
// are kids[offsets[c]*arity : offsets[c+1]*arity]. It is made by counting sort when an iteration
// begins, and copies the children so that the rows of a class lie together.
type rowIndex struct {
	table   *table
	built   bool // in this iteration
	offsets []uint32
	kids    []uint32

	ages       []uint8 // of the rows, in the order of kids; empty where nobody asked
	newestOf   []uint8 // by class: the greatest of these
	generation uint8   // of the search it was made for, 0 where ages are not kept
	removals   uint64  // of the table then
}

// buildIndex makes an index, unless the last one is still of now.
func (p *program) buildIndex(x *rowIndex) {
	t := x.table
	generation := p.frozen[t.op].generation
	same := x.generation > 0 && generation > 0 && x.removals == t.removals && p.fresh(int(t.op), x.generation) == 0
	if x.built = true; same && (!p.aged || len(x.newestOf) > 0) {
		return
	}
	x.build(&p.words, len(p.g.uf.parent))
	x.generation, x.removals = generation, t.removals
	if x.ages, x.newestOf = x.ages[:0], x.newestOf[:0]; p.aged {
		x.buildAges()
	}
}

// buildAges adds the ages of the rows.
func (x *rowIndex) buildAges() {
	t := x.table
	x.newestOf = slices.Grow(x.newestOf, len(x.offsets))[:len(x.offsets)]
	clear(x.newestOf)
	rows := len(x.kids) / t.arity
	x.ages = slices.Grow(x.ages, rows)[:rows]
	for r, c := range t.class {
		if c == none || t.isHidden(r) {
			continue
		}
		at := x.offsets[c]
		x.offsets[c]++
		x.ages[at] = t.age[r]
		x.newestOf[c] = max(x.newestOf[c], t.age[r])
	}
	copy(x.offsets[1:], x.offsets[:len(x.offsets)-1])
	x.offsets[0] = 0
}

// span is where the rows of a class are.
func (x *rowIndex) span(class uint32) (from, to uint32) {
	if int(class)+1 >= len(x.offsets) {
		return 0, 0
	}
	return x.offsets[class], x.offsets[class+1]
}

// newest is the greatest age of the rows of a class.
func (x *rowIndex) newest(class uint32) uint8 {
	if int(class) >= len(x.newestOf) {
		return 0
	}
	return x.newestOf[class]
}

// build sorts the rows of the table, whose classes are canonical, into the classes below size.
func (x *rowIndex) build(from *slab[uint32], size int) {
	t := x.table
	x.offsets = resize(from, x.offsets, size+1)
	clear(x.offsets)
	for r, c := range t.class {
		if c != none && !t.isHidden(r) {
			x.offsets[c]++
		}
	}
	sum := uint32(0)
	for i, n := range x.offsets {
		x.offsets[i] = sum
		sum += n
	}
	x.kids = resize(from, x.kids, int(sum)*t.arity)
	if t.arity == 2 {
		for r, c := range t.class {
			if c != none && !t.isHidden(r) {
				at := x.offsets[c]
				x.offsets[c]++
				x.kids[2*at], x.kids[2*at+1] = t.kids[2*r], t.kids[2*r+1]
			}
		}
	} else {
		for r, c := range t.class {
			if c != none && !t.isHidden(r) {
				at := int(x.offsets[c]) * t.arity
				x.offsets[c]++
				copy(x.kids[at:at+t.arity], t.row(r))
			}
		}
	}
	// Each offset has moved to the end of its class, which is where the next one starts.
	copy(x.offsets[1:], x.offsets[:size])
	x.offsets[0] = 0
}

func resize(from *slab[uint32], c []uint32, n int) []uint32 {
	if cap(c) < n {
		return from.take(n, n+n/8)
	}
	return c[:n]
}
