package egraph

import "github.com/vyre-kernel/vyre-kernel/egraph/term"

// A Bulk adds many rows that stand on each other, in blocks: Node only notes a row, and the graph looks
// up a block of them at a time, so that the cache misses of the searches overlap. It is AddNode for
// millions of rows that are not known as columns (for those, AddNodes).
//
// The graph may be used between calls; rows that wait are in it after Flush or Class.
type Bulk struct {
	g     *EGraph
	pops  uint64   // of the graph when this began
	class []uint32 // by ref: its class, none while its row waits
	waits []waiting
	out   [blockSize]uint32
}

// A Ref names a row or a class in a Bulk.
type Ref uint32

// waiting is the block of one operator: columns of children, and the refs that the rows got.
type waiting struct {
	args []column
	refs [blockSize]uint32
	n    int
}

// Bulk starts adding in bulk.
func (g *EGraph) Bulk() *Bulk {
	g.mustEnter("Bulk")
	defer g.leave()
	return &Bulk{g: g, pops: g.pops}
}

// enter takes the graph; it refuses a bulk of no graph, and one whose rows Pop undid.
func (b *Bulk) enter(ids ...ID) error {
	if b == nil || b.g == nil {
		return &ArgumentError{"Bulk", "the bulk", "nil or zero", "one that EGraph.Bulk began"}
	}
	if err := b.g.enter("Bulk", ids...); err != nil {
		return err
	}
	if b.pops != b.g.pops {
		b.g.leave()
		return &StaleError{"a Bulk", "the graph went back by Pop, and what the bulk refers to may be gone; begin another"}
	}
	return nil
}

// Of makes a class of the graph an argument.
func (b *Bulk) Of(id ID) (Ref, error) {
	if err := b.enter(id); err != nil {
		return 0, err
	}
	defer b.g.leave()
	return b.ref(uint32(id)), nil
}

func (b *Bulk) ref(class uint32) Ref {
	b.class = append(growColumn(b.class, 1), class)
	return Ref(len(b.class) - 1)
}

// Leaf adds an atom.
func (b *Bulk) Leaf(a term.Atom) (Ref, error) {
	if err := b.enter(); err != nil {
		return 0, err
	}
	defer b.g.leave()
	return b.leaf(a)
}

func (b *Bulk) leaf(a term.Atom) (Ref, error) {
	id, err := b.g.addLeaf(a)
	if err != nil {
		return 0, err
	}
	return b.ref(uint32(id)), nil
}

// Node adds the row of an operator over rows and classes.
func (b *Bulk) Node(op string, args ...Ref) (Ref, error) {
	if err := b.enter(); err != nil {
		return 0, err
	}
	defer b.g.leave()
	if len(args) == 0 {
		return b.leaf(term.Symbol(op))
	}
	for _, a := range args {
		if int(a) >= len(b.class) {
			return 0, &ClassError{"Bulk", ID(a), len(b.class)}
		}
		if b.class[a] == none {
			if err := b.flushAll(); err != nil {
				return 0, err
			}
		}
	}
	number, err := b.g.operator(op, len(args))
	if err != nil {
		return 0, err
	}
	for int(number) >= len(b.waits) {
		b.waits = append(b.waits, waiting{})
	}
	w := &b.waits[number]
	if w.args == nil {
		w.args = newColumns(len(args), blockSize)
	}
	for j, a := range args {
		w.args[j][w.n] = b.class[a]
	}
	r := b.ref(none)
	w.refs[w.n] = uint32(r)
	if w.n++; w.n == blockSize {
		return r, b.flush(number)
	}
	return r, nil
}

// Class gives the class of a row.
func (b *Bulk) Class(r Ref) (ID, error) {
	if err := b.enter(); err != nil {
		return 0, err
	}
	defer b.g.leave()
	if int(r) >= len(b.class) {
		return 0, &ClassError{"Bulk", ID(r), len(b.class)}
	}
	if b.class[r] == none {
		if err := b.flushAll(); err != nil {
			return 0, err
		}
	}
	return b.g.findID(ID(b.class[r])), nil
}

// Flush puts the rows that wait into the graph.
func (b *Bulk) Flush() error {
	if err := b.enter(); err != nil {
		return err
	}
	defer b.g.leave()
	return b.flushAll()
}

func (b *Bulk) flushAll() error {
	for op := range b.waits {
		if err := b.flush(uint32(op)); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bulk) flush(op uint32) error {
	w, g := &b.waits[op], b.g
	if w.n == 0 {
		return nil
	}
	if err := g.room(w.n); err != nil {
		return err
	}
	if err := g.admitBlock(); err != nil {
		return err
	}
	if g.uf.unions > 0 {
		for _, c := range w.args {
			for i, k := range c[:w.n] {
				c[i] = g.uf.find(k)
			}
		}
	}
	g.insertBlock(g.tables[op], w.args, b.out[:], nil, w.n)
	for i, c := range b.out[:w.n] {
		b.class[w.refs[i]] = c
	}
	w.n = 0
	g.version++
	return g.makeGuarded()
}
