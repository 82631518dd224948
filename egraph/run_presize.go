package egraph

import (
	"math"
	"slices"
)

// Presizing: an iteration can multiply a graph by fifteen. Columns and indexes that grew step by
// step meanwhile would be copied a dozen times, and be there twice while they are. So a large
// iteration begins with a look at some rows of every table: how many matches they have, and how
// many of the rows that the last iteration made were new, say how many rows this one will add.

const (
	presizeFrom = 1 << 17 // rows of a graph below which growing is cheap
	pieceRows   = 1 << 11 // rows that are looked at together: old and young rows match differently often
	sampleEvery = 16      // pieces
	// An index that is a little too large costs memory, one that is a little too small is there twice
	// while it grows.
	indexPart = 1.05
)

// presize makes room for what the iteration will probably add. Where memory is bounded columns grow
// as they must, so that the bound stops the run and not a guess.
func (r *runner) presize() {
	g := r.g
	if g.nodes() < presizeFrom || r.limits.bytes < math.MaxInt {
		for _, t := range g.tables {
			t.tried, t.added = 0, 0
		}
		return
	}
	// rows, and those with a class of their own
	guess, own := make([]float64, len(g.tables)), make([]float64, len(g.tables))
	for number, n := range r.sampleMatches() {
		c := r.p.rules[number]
		for i := range c.right {
			op := c.right[i].table.op
			if guess[op] += n; !g.joinsLeft(c, i) {
				own[op] += n
			}
		}
	}
	room := min(r.limits.nodes, math.MaxUint32>>1) - g.nodes()
	total, ids := 0, 0
	for op, t := range g.tables {
		rows := min(int(guess[op]*float64(t.added)/float64(max(1, t.tried))), max(0, room))
		t.tried, t.added = 0, 0
		if rows > t.rows() {
			t.presize(r.threads, rows)
			total += rows
			ids += int(float64(rows) * own[op] / guess[op])
		}
	}
	if total > 0 {
		g.uf.parent = slices.Grow(g.uf.parent, ids+total/16)
	}
}

// sampleMatches guesses the matches of each rule from some rows.
func (r *runner) sampleMatches() []float64 {
	guess := make([]float64, len(r.p.rules))
	m := &matcher{p: r.p, tick: func() bool { return r.cancelled() == nil }}
	scale := 1.0
	m.deliver = func(c *compiled, _ []column, n int) bool {
		if guess[c.number] += scale * float64(n); c.limit > 0 {
			guess[c.number] = min(guess[c.number], float64(c.limit))
		}
		return true
	}
	for i, root := range r.p.roots {
		if !root.active || root.kind != scanTable {
			continue
		}
		rows := r.p.frozen[root.table.op].rows
		pieces := (rows + sampleEvery*pieceRows - 1) / (sampleEvery * pieceRows)
		scale = float64(rows) / float64(max(1, min(rows, pieces*pieceRows)))
		for piece := range pieces {
			from := piece * rows / pieces
			m.run(task{i, from, min(from+pieceRows, rows)}, r.p.roots)
		}
	}
	return guess
}

// presize makes room for about so many more rows. Columns are filled from the front and cost
// nothing where they are empty; an index is filled everywhere.
func (t *table) presize(threads, rows int) {
	t.reserveColumns(rows + rows/16)
	if size := (t.used + int(indexPart*float64(rows))) * 4 / 3; size > len(t.slots) {
		t.regrow(threads, size)
	}
}
