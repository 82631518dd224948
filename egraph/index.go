package egraph

// A rowIndex gives the rows of one operator by class, for joins: the children of the rows of class c
// are kids[offsets[c]*arity : offsets[c+1]*arity]. It is made by counting sort when an iteration
// begins, and copies the children so that the rows of a class lie together.
type rowIndex struct {
	table   *table
	built   bool // in this iteration
	offsets []uint32
	kids    []uint32
}

// build sorts the rows of the table, whose classes are canonical, into the classes below size.
func (x *rowIndex) build(from *slab[uint32], size int) {
	t := x.table
	x.built = true
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
