package egraph

// blockSize is the largest number of rows that are looked up together. The searches of a block do not wait for
// each other, so the machine has as many cache misses in flight as it can: that, not arithmetic,
// bounds an e-graph that is larger than the caches.
const blockSize = 256

// blockScratch holds what the stages of a block hand to each other.
type blockScratch struct {
	rows [blockSize]uint32
	hash [blockSize]uint64
	word [blockSize]uint64
	slot [blockSize]uint64
	seen [blockSize]uint32
}

// touch loads the first child and the class of the row behind each slot word whose tag fits.
func (s *blockScratch) touch(t *table, n int) {
	for i := range n {
		w := s.word[i]
		s.seen[i] = 0
		if r := int(uint32(w)) - 1; r >= 0 && uint32(w>>32) == uint32(s.hash[i]>>32) {
			s.seen[i] = t.kids[r*t.arity] ^ t.class[r]
		}
	}
}

// insertBlock adds the rows whose children stand in the columns args and writes their classes to out;
// args hold canonical ids (of when the graph last was closed), and so does out. A row that is new goes
// into the class in its place of the column into, or into one of its own where that is nil. It answers
// how many rows are new. Stages: hash all and load their slots, walk from these to a row that may be equal or
// to the end, compare all, then add one by one what is new.
func (g *EGraph) insertBlock(t *table, args []column, out, into column, n int) int {
	t.reserve(n)
	before := len(t.class)
	if into == nil {
		g.uf.parent = growColumn(g.uf.parent, n)
	} else {
		into = into[:n]
	}
	switch {
	case n < fewSearches:
		g.insertFew(t, args, out[:n], into)
	case t.arity == 2:
		g.insertBinary(t, args[0][:n], args[1][:n], out[:n], into)
	default:
		g.insertWide(t, args, out[:n], into)
	}
	rows := len(t.class) - before
	t.used += rows
	if into != nil {
		g.joined += rows
	}
	if rows > 0 && (g.proofs != nil || len(g.analyses) > 0) {
		g.noteRows(t, before)
	}
	return rows
}

// fewSearches in a block are not worth stages: most blocks of a small graph hold one or two.
const fewSearches = 4

func (g *EGraph) insertFew(t *table, args []column, out, into []uint32) {
	s := &g.scratch
	for i := range out {
		h := hashColumns(args, i)
		s.hash[i], s.slot[i] = h, place(h, len(t.slots))
		out[i] = g.insertOne(t, args, into, i)
	}
}

// noteRows tells proofs and analyses of the rows of a table from one on.
func (g *EGraph) noteRows(t *table, from int) {
	for r, class := range t.class[from:] {
		r += from
		if g.proofs != nil {
			t.born = append(t.born, class)
			g.proofs.node(t, t.row(r), class)
		}
		if len(g.analyses) > 0 {
			g.pendingMake = append(g.pendingMake, newRow{t.op, uint32(r), class})
		}
	}
}

// walk follows each search from the slot that was loaded to one whose tag fits or that is empty. Here, and not
// when rows are added, so that searches that leave their cache line wait for the next one together.
func (s *blockScratch) walk(slots []uint64, n int) {
	hash, words, ends := s.hash[:n], s.word[:n], s.slot[:n]
	for i, h := range hash {
		word, slot := words[i], place(h, len(slots))
		for word != 0 && (word^h)>>32 != 0 {
			if slot++; slot == uint64(len(slots)) {
				slot = 0
			}
			word = slots[slot]
		}
		words[i], ends[i] = word, slot
	}
}

// insertBinary is insertBlock for two children.
func (g *EGraph) insertBinary(t *table, a, b, out, into []uint32) {
	s := &g.scratch
	b, out = b[:len(a)], out[:len(a)]
	s.loadBinary(t.slots, a, b)
	s.walk(t.slots, len(a))
	s.findBinary(t, a, b, out)
	g.addBinary(t, a, b, out, into)
}

func (s *blockScratch) loadBinary(slots []uint64, a, b []uint32) {
	hash, words := s.hash[:len(a)], s.word[:len(a)]
	for i, x := range a {
		h := hash2(x, b[i])
		hash[i], words[i] = h, slots[place(h, len(slots))]
	}
}

// findBinary writes the classes of the rows that are there, and none for the others.
func (s *blockScratch) findBinary(t *table, a, b, out []uint32) {
	words, kids := s.word[:len(a)], t.kids
	for i, x := range a {
		c := none
		if word := words[i]; word != 0 {
			r := int(uint32(word)) - 1
			if k := kids[2*r : 2*r+2 : 2*r+2]; k[0] == x && k[1] == b[i] {
				c = t.class[r]
			}
		}
		out[i] = c
	}
}

// addBinary adds the rows whose class is none, each from the slot where its search stood before, as a row of the
// block may have come there since.
func (g *EGraph) addBinary(t *table, a, b, out, into []uint32) {
	hash, ends, slots := g.scratch.hash[:len(a)], g.scratch.slot[:len(a)], t.slots
	kids, class, parent := t.kids, t.class, g.uf.parent
rows:
	for i, x := range a {
		if out[i] != none {
			continue
		}
		y, h, slot := b[i], hash[i], ends[i]
		for word := slots[slot]; word != 0; word = slots[slot] {
			if r := int(uint32(word)) - 1; (word^h)>>32 == 0 && kids[2*r] == x && kids[2*r+1] == y {
				out[i] = class[r]
				continue rows
			}
			if slot++; slot == uint64(len(slots)) {
				slot = 0
			}
		}
		c := uint32(len(parent))
		if into != nil {
			c = into[i]
		} else {
			parent = append(parent, c)
		}
		slots[slot] = slotWord(h, len(class))
		kids, class, out[i] = append(kids, x, y), append(class, c), c
	}
	t.kids, t.class, g.uf.parent = kids, class, parent
}

// insertWide is insertBlock for any number of children.
func (g *EGraph) insertWide(t *table, args []column, out, into []uint32) {
	s, slots := &g.scratch, t.slots
	for i := range out {
		h := hashColumns(args, i)
		s.hash[i], s.word[i] = h, slots[place(h, len(slots))]
	}
	s.walk(slots, len(out))
	for i := range out {
		out[i] = none
		if word := s.word[i]; word != 0 && t.rowIs(int(uint32(word))-1, args, i) {
			out[i] = t.class[uint32(word)-1]
		}
	}
	for i, c := range out {
		if c == none {
			out[i] = g.insertOne(t, args, into, i)
		}
	}
}

// insertOne finds or adds the row in place i of a block, from the slot where its search begins, or stood before
// rows of the block were added.
func (g *EGraph) insertOne(t *table, args []column, into column, i int) uint32 {
	h, slot := g.scratch.hash[i], g.scratch.slot[i]
	for word := t.slots[slot]; word != 0; word = t.slots[slot] {
		if (word^h)>>32 == 0 && t.rowIs(int(uint32(word))-1, args, i) {
			return t.class[uint32(word)-1]
		}
		if slot++; slot == uint64(len(t.slots)) {
			slot = 0
		}
	}
	t.slots[slot] = slotWord(h, len(t.class))
	for _, a := range args {
		t.kids = append(t.kids, a[i])
	}
	var class uint32
	if into != nil {
		class = into[i]
	} else {
		class = g.uf.fresh()
	}
	t.class = append(t.class, class)
	return class
}

// hashColumns is hashRow of the row in place i of columns.
func hashColumns(args []column, i int) uint64 {
	switch len(args) {
	case 1:
		return hash1(args[0][i])
	case 2:
		return hash2(args[0][i], args[1][i])
	}
	h := uint64(len(args))
	for _, a := range args {
		h = fold(h, uint64(a[i]))
	}
	return h
}

// rowIs reports whether a row has the children in place i of columns.
func (t *table) rowIs(r int, args []column, i int) bool {
	for j, k := range t.row(r) {
		if args[j][i] != k {
			return false
		}
	}
	return true
}

// AddNodes adds a block of rows of one operator: args holds a column of classes for each argument, all
// of one length, and the answer is the column of their classes. It is AddNode for millions.
func (g *EGraph) AddNodes(op string, args ...[]ID) ([]ID, error) {
	if err := g.enter("AddNodes"); err != nil {
		return nil, err
	}
	defer g.leave()
	if len(args) == 0 {
		return nil, &ArityError{op, 1, 0}
	}
	for _, a := range args {
		if len(a) != len(args[0]) {
			return nil, &ArityError{op + ": columns of one length", len(args[0]), len(a)}
		}
		if err := g.check("AddNodes", a...); err != nil {
			return nil, err
		}
	}
	if err := g.room(len(args[0])); err != nil {
		return nil, err
	}
	number, err := g.operator(op, len(args))
	if err != nil {
		return nil, err
	}
	out := make([]ID, len(args[0]))
	t := g.tables[number]
	columns, classes := newColumns(len(args), blockSize), make(column, blockSize)
	for start := 0; start < len(out); start += blockSize {
		n := min(blockSize, len(out)-start)
		if err := g.admitBlock(); err != nil {
			return nil, err
		}
		for j, c := range columns {
			for i := range n {
				c[i] = g.uf.find(uint32(args[j][start+i]))
			}
		}
		g.insertBlock(t, columns, classes, nil, n)
		for i := range n {
			out[start+i] = ID(g.uf.find(classes[i]))
		}
	}
	g.version++
	if err := g.makeGuarded(); err != nil {
		return nil, err
	}
	return out, nil
}

// A column is one variable of a block of matches.
type column []uint32

// A small graph has few matches, and its blocks are small: columns that lie close together cost fewer
// pages and cache lines than what would stand in them.
const (
	smallBlock = 32
	smallGraph = 1 << 10 // nodes
)

// blockFor is the size of blocks for a graph of so many nodes.
func blockFor(nodes int) int {
	if nodes < smallGraph {
		return smallBlock
	}
	return blockSize
}
