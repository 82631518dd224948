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
// how many rows are new. Stages: hash all, load all slots, load all rows, then decide one by one.
func (g *EGraph) insertBlock(t *table, args []column, out, into column, n int) int {
	t.reserve(n)
	before := len(t.class)
	if into != nil {
		into = into[:n]
	}
	switch t.arity {
	case 1:
		g.insertUnary(t, args[0][:n], out[:n], into)
	case 2:
		g.insertBinary(t, args[0][:n], args[1][:n], out[:n], into)
	default:
		g.insertWide(t, args, out[:n], into)
	}
	return len(t.class) - before
}

// classFor is the class of the new row in place i of a block.
func (g *EGraph) classFor(into column, i int) uint32 {
	if into == nil {
		return g.uf.fresh()
	}
	g.joined++
	return into[i]
}

func (g *EGraph) insertUnary(t *table, a, out, into []uint32) {
	s := &g.scratch
	for i, x := range a {
		h := hash1(x)
		s.hash[i] = h
		s.word[i] = t.slots[place(h, len(t.slots))]
	}
	for i, x := range a {
		out[i] = none
		w := s.word[i]
		if r := int(uint32(w)) - 1; r >= 0 && uint32(w>>32) == uint32(s.hash[i]>>32) && t.kids[r] == x {
			out[i] = t.class[r]
		}
	}
	var key [1]uint32
	for i, x := range a {
		if out[i] == none {
			key[0] = x
			out[i] = g.insertSlow(t, key[:], s.hash[i], into, i)
		}
	}
}

func (g *EGraph) insertBinary(t *table, a, b, out, into []uint32) {
	s := &g.scratch
	slots := t.slots
	b = b[:len(a)]
	out = out[:len(a)]
	for i, x := range a {
		h := hash2(x, b[i])
		s.hash[i&(blockSize-1)] = h
		s.word[i&(blockSize-1)] = slots[place(h, len(slots))]
	}
	kids, class := t.kids, t.class
	for i, x := range a {
		c := none
		w := s.word[i&(blockSize-1)]
		if r := int(uint32(w)) - 1; r >= 0 && uint32(w>>32) == uint32(s.hash[i&(blockSize-1)]>>32) {
			if k := kids[2*r : 2*r+2 : 2*r+2]; k[0] == x && k[1] == b[i] {
				c = class[r]
			}
		}
		out[i] = c
	}
	var key [2]uint32
	for i, x := range a {
		if out[i] == none {
			key[0], key[1] = x, b[i]
			h := s.hash[i&(blockSize-1)]
			if slot := place(h, len(slots)); slots[slot] == 0 {
				out[i] = g.insertNew(t, key[:], h, slot, g.classFor(into, i))
			} else {
				out[i] = g.insertSlow(t, key[:], h, into, i)
			}
		}
	}
}

func (g *EGraph) insertWide(t *table, args []column, out, into []uint32) {
	s := &g.scratch
	key := make([]uint32, t.arity*len(out))
	for i := range out {
		row := key[i*t.arity : (i+1)*t.arity]
		for j := range row {
			row[j] = args[j][i]
		}
		s.hash[i] = hashRow(row)
		s.word[i] = t.slots[place(s.hash[i], len(t.slots))]
	}
	s.touch(t, len(out))
	for i := range out {
		out[i] = g.insertSlow(t, key[i*t.arity:(i+1)*t.arity], s.hash[i], into, i)
	}
}

// insertSlow finds or adds the row in place i of a block; room for it is reserved.
func (g *EGraph) insertSlow(t *table, kids []uint32, h uint64, into column, i int) uint32 {
	r, slot := t.find(kids, h)
	if r >= 0 {
		return t.class[r]
	}
	return g.insertNew(t, kids, h, slot, g.classFor(into, i))
}

// insertNew adds a row that is not there, at the slot where the search for it ended.
func (g *EGraph) insertNew(t *table, kids []uint32, h, slot uint64, class uint32) uint32 {
	r := t.insert(kids, class, h, slot)
	if g.proofs != nil {
		g.proofs.node(t, append([]uint32(nil), kids...), class)
	}
	if len(g.analyses) > 0 {
		g.pendingMake = append(g.pendingMake, newRow{t.op, uint32(r), class})
	}
	return class
}

// AddNodes adds a block of rows of one operator: args holds a column of classes for each argument, all
// of one length, and the answer is the column of their classes. It is AddNode for millions.
func (g *EGraph) AddNodes(op string, args ...[]ID) ([]ID, error) {
	if len(args) == 0 {
		return nil, &ArityError{op, 1, 0}
	}
	number, err := g.operator(op, len(args))
	if err != nil {
		return nil, err
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
	out := make([]ID, len(args[0]))
	t := g.tables[number]
	columns, classes := newColumns(len(args), blockSize), make(column, blockSize)
	for start := 0; start < len(out); start += blockSize {
		n := min(blockSize, len(out)-start)
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
	g.makePending()
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
