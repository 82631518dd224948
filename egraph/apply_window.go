package egraph

import (
	"math"
	"time"
)

// Matches of a large graph are applied by windows: blocks of many rules' matches, in their order. All blocks make the
// first rows of their right sides, then all the second ones, then classes are merged. So much can be done at once that
// threads can share it (apply_intern.go), and what comes out does not depend on them.
//
// Rules with conditions and right sides in Go, analyses and proofs see the graph between matches: where there is one
// of these, and where few matches or little memory are to be expected, blocks are applied one by one.

const (
	usualWindowFrom = 1 << 13 // nodes of a graph whose matches are applied by windows
	windowMatches   = 1 << 18 // about so many matches fill one
	windowBlocks    = 1 << 11 // and so many blocks at most
)

// A window is what waits to be applied. Its blocks are used again, with their columns.
type window struct {
	r       *runner
	blocks  []waitingBlock
	n       int  // that are in use
	last    bool // of a run whose time is up
	matches int
	rows    int // that their right sides have
	in      interning
}

// A waitingBlock is a block of a rule's matches: the registers that the right side reads, and the classes of the rows
// that were made so far.
type waitingBlock struct {
	c           *compiled
	n           int
	regs, temps []column
	args        []column // of the row that is made
	out, into   column
	in          internBlock // of this level
	again       repetition  // of the level before
	pairs       []column    // of classes that are to be merged
	apart       int         // so many
}

// usesWindow reports whether the iteration that begins applies its matches by windows.
func (r *runner) usesWindow() bool {
	g := r.g
	if g.nodes() < r.windowFrom || len(g.analyses) > 0 || g.proofs != nil || r.limits.bytes < math.MaxInt {
		return false
	}
	for _, c := range r.p.rules {
		if c.how != plainRule || c.collect {
			return false
		}
	}
	return true
}

// add takes a block, and applies the window where it is full; false: the run is to stop.
func (w *window) add(c *compiled, regs []column, n int) bool {
	if w.n == len(w.blocks) {
		w.blocks = append(w.blocks, waitingBlock{})
	}
	b := &w.blocks[w.n]
	b.c, b.n, b.again.t = c, n, nil
	if w.r.crew != nil { // which copied them, and gets the block's for more
		w.r.crew.swap(b, regs)
	} else {
		for _, reg := range c.needs {
			copy(b.column(&b.regs, reg, w.r.p.block), regs[reg][:n])
		}
	}
	w.n++
	w.matches += n
	w.rows += n * len(c.right)
	return w.matches < windowMatches && w.n < windowBlocks || w.apply()
}

// column gives one of a block's columns, for its matches.
func (b *waitingBlock) column(columns *[]column, i, block int) column {
	for len(*columns) <= i {
		*columns = append(*columns, nil)
	}
	if cap((*columns)[i]) < block {
		(*columns)[i] = make(column, block)
	}
	(*columns)[i] = (*columns)[i][:b.n]
	return (*columns)[i]
}

// end applies what is left, unless the run is to stop and has got on.
func (w *window) end(goesOn bool) {
	if !goesOn && (w.r.cut.applied > 0 || w.r.report.Stop != TimeLimit) {
		w.n = 0
	}
	w.last = !goesOn
	w.apply()
	w.last = false
}

// apply applies what waits, near the limit of nodes block by block, so that it is not passed.
func (w *window) apply() bool {
	r := w.r
	blocks, started := w.blocks[:w.n], r.read()
	exact := w.rows > r.a.room()
	matches, rows := w.matches, w.rows
	w.n, w.matches, w.rows = 0, 0, 0
	if len(blocks) == 0 {
		return true
	}
	if w.threads() > 1 {
		defer r.crew.pause()()
	}
	if exact {
		for i := range blocks {
			if b := &blocks[i]; !r.apply(b.c, b.regs, b.n) || !r.within() {
				return false
			}
			r.read()
		}
		return true
	}
	g := r.g
	if r.a.err = g.room(rows + len(blocks)); r.a.err != nil {
		return false
	}
	for i := range blocks {
		blocks[i].c.stats.Applied += blocks[i].n
		r.iteration.Applied += blocks[i].n
	}
	r.cut.applied = r.cut.done
	goesOn := true
	for level := 0; goesOn && w.makes(blocks, level); level++ {
		goesOn = r.a.err == nil && (r.within() || w.last)
	}
	if goesOn && r.a.err == nil {
		w.unite(blocks)
	}
	w.book(blocks, matches, started)
	return goesOn && r.a.err == nil && r.within()
}

// sharedFrom is how many threads intern faster together than one of them while the others search.
const sharedFrom = 3

// threads is how many apply a window.
func (w *window) threads() int {
	if w.r.threads < sharedFrom {
		return 1
	}
	return w.r.threads
}

// book divides the time of a window among the rules by their matches.
func (w *window) book(blocks []waitingBlock, matches int, since time.Duration) {
	_, spent := w.r.lap(since)
	w.r.applying += spent
	for i := range blocks {
		blocks[i].c.stats.Time += time.Duration(float64(spent) * float64(blocks[i].n) / float64(matches))
	}
}

// makes makes one row of the right side for each match of blocks that have so many; false where none has.
func (w *window) makes(blocks []waitingBlock, level int) bool {
	a, in := w.r.a, &w.in
	in.begin(w.r.g, w.threads())
	for i := range blocks {
		b := &blocks[i]
		if b.in.t = nil; level >= len(b.c.right) {
			in.rest = append(in.rest, b)
			continue
		}
		x := &b.c.right[level]
		b.args, b.into = b.args[:0], nil
		for _, o := range x.args {
			b.args = append(b.args, w.operand(a, b, o))
		}
		if b.out = b.column(&b.temps, x.out, w.r.p.block); w.r.g.joinsLeft(b.c, level) {
			b.into = b.regs[b.c.root]
		}
		in.add(b, x)
	}
	if len(in.parts) == 0 {
		return false
	}
	in.run()
	return true
}

func (w *window) operand(a *applier, b *waitingBlock, o operand) column {
	switch o.from {
	case fromReg:
		return b.regs[o.arg]
	case fromTemp:
		return b.temps[o.arg]
	}
	return a.operand(o, nil)[:b.n]
}

// unite merges what the left and the right sides are: threads find the pairs that are apart, one merges them.
func (w *window) unite(blocks []waitingBlock) {
	g := w.r.g
	for i := range blocks {
		b := &blocks[i]
		b.out = w.operand(w.r.a, b, b.c.result)
	}
	if w.r.a.err != nil {
		return
	}
	share(w.threads(), len(blocks), func(i int) { blocks[i].findApart(g, w.r.p.block) })
	for i := range blocks {
		b := &blocks[i]
		before := g.uf.unions
		for k, x := range b.pairs[0][:b.apart] {
			g.union(x, b.pairs[1][k])
		}
		b.c.stats.Unions += g.uf.unions - before
	}
}

// findApart lists the pairs of a block whose classes are two.
func (b *waitingBlock) findApart(g *EGraph, block int) {
	b.repeat()
	left, right := b.column(&b.pairs, 0, block), b.column(&b.pairs, 1, block)
	b.apart = 0
	for i, x := range b.regs[b.c.root] {
		y := b.out[i]
		if x == y {
			continue
		}
		if x, y = g.uf.root(x), g.uf.root(y); x != y {
			left[b.apart], right[b.apart] = x, y
			b.apart++
		}
	}
}
