package egraph

// Rebuild restores congruence after unions: rows whose children became equal are one row, and their
// classes one class. Within a run's callbacks it does nothing, as the run rebuilds when they are done. Where an
// analysis panics, so does Rebuild, with a *CallbackError.
func (g *EGraph) Rebuild() {
	g.mustEnter("Rebuild")
	defer g.leave()
	g.mustRebuild()
}

func (g *EGraph) mustRebuild() {
	if err := g.rebuilt(); err != nil {
		panic(err)
	}
}

// rebuilt is Rebuild for those who can tell of a panic of an analysis.
func (g *EGraph) rebuilt() error {
	if g.matching {
		return nil
	}
	g.close()
	if len(g.analyses) == 0 {
		return nil
	}
	return g.guard("analysis", func() {
		for g.settleAnalyses() {
			g.close()
		}
	})
}

// A closing says how a closure goes. It leaves whole tables for a worklist after so many rounds, once
// fewer than one class in portion rows changed.
type closing struct {
	rounds, portion int
	parallelFrom    int // rows of a table that threads reinsert together
}

// Below parallelFrom threads cost more than they bring.
var usualClosing = closing{rounds: 10, portion: 100, parallelFrom: 1 << 16}

// close is deferred congruence closure (Willsey et al. 2021, section 3) in bulk: flatten the forest,
// pass over every table, re-insert the rows whose children changed, and again while that merged
// classes. A long tail of small rounds (a chain of n applications needs n) goes to a worklist.
func (g *EGraph) close() {
	if g.uf.unions == g.closedUnions {
		return
	}
	g.moves++
	for _, t := range g.tables {
		t.dateRows()
	}
	changed := g.changedSet()
	g.uf.flatten()
	for i, p := range g.uf.parent {
		if p != uint32(i) {
			changed.set(uint32(i))
		}
	}
	for round := 1; g.uf.unions != g.closedUnions; round++ {
		g.closedUnions = g.uf.unions
		g.losers = g.losers[:0]
		for _, t := range g.tables {
			g.canonicalise(t, changed, round == 1)
			g.collect(t)
		}
		changed.clear()
		for _, id := range g.losers {
			changed.set(id)
		}
		if round >= g.closing.rounds && len(g.losers)*g.closing.portion < g.nodes() {
			g.closeByWorklist()
		}
	}
	g.uf.flatten()
	g.relabel()
	if g.losers = g.losers[:0]; cap(g.losers) > blockSize {
		g.losers = nil
	}
	g.version++
}

// changedSet gives an empty set for all ids, from the array of the last closure where that is not large.
func (g *EGraph) changedSet() bitset {
	n := len(g.uf.parent)/64 + 1
	if cap(g.changed) < n {
		g.changed = make(bitset, n, n+n/4+4)
	}
	set := g.changed[:n]
	clear(set)
	return set
}

// A bitset holds ids that are no roots any more. It fits a cache where the forest does not.
type bitset []uint64

func newBitset(n int) bitset       { return make(bitset, n/64+1) }
func (b bitset) set(i uint32)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bitset) clear()            { clear(b) }

// relabel writes the canonical class of every row, and drops dead rows where they are many.
func (g *EGraph) relabel() {
	p := g.uf.parent
	for i, c := range g.leaves.class {
		g.leaves.class[i] = p[c]
	}
	for _, t := range g.tables {
		if t.dead*8 > t.rows() || t.stale*2 > t.used {
			t.compact(g.workersFor(t))
		}
		if g.workersFor(t) == 1 {
			t.relabel(0, len(t.class), p)
			continue
		}
		shareOut(g.workers(), len(t.class), func(from, to int) { t.relabel(from, to, p) })
	}
}

func (t *table) relabel(from, to int, parent []uint32) {
	if len(t.age) == 0 {
		for r, c := range t.class[from:to] {
			if c != none {
				t.class[from+r] = parent[c]
			}
		}
		return
	}
	age := t.age[from:to]
	for r, c := range t.class[from:to] {
		if c != none && parent[c] != c {
			t.class[from+r], age[r] = parent[c], t.now
		}
	}
}

// canonicalise re-inserts the rows of a table that have a changed child, or in the first round all
// where these are many: a dirty row takes a new slot and leaves its old one stale, so the index of a large
// table would have to grow for them.
func (g *EGraph) canonicalise(t *table, changed bitset, first bool) {
	if first {
		dirty := t.countDirty(changed)
		if dirty > t.rows()/2 || t.rows() >= presizeFrom && (t.used+dirty)*4/3 >= len(t.slots) {
			if g.splits(t) {
				g.reinsertParallel(t)
			} else {
				g.reinsert(t)
			}
			return
		}
	}
	if g.splits(t) {
		g.rekeyParallel(t, changed)
		return
	}
	dirty := g.scratch.rows[:0]
	for r, n := 0, t.rows(); r < n; r++ {
		if !t.isDirty(r, changed) {
			continue
		}
		if dirty = append(dirty, uint32(r)); len(dirty) == blockSize {
			g.rekey(t, dirty)
			dirty = dirty[:0]
		}
	}
	g.rekey(t, dirty)
}

// countDirty guesses how many rows have a changed child, from one row in so many.
func (t *table) countDirty(changed bitset) int {
	n, stride := 0, 1+t.rows()>>14
	for r := 0; r < t.rows(); r += stride {
		if t.isDirty(r, changed) {
			n++
		}
	}
	return n * stride
}

// reinsert makes the index of a table anew while it canonicalises every row, and moves the rows that
// are no duplicates together.
func (g *EGraph) reinsert(t *table) {
	t.resize(len(t.slots))
	t.used, t.stale = 0, 0
	t.removals++
	s := &g.scratch
	rows, w := t.rows(), 0
	for start := 0; start < rows; start += blockSize {
		n := min(blockSize, rows-start)
		g.canonicalBlock(t, start, n)
		for i := range n {
			if t.class[start+i] == none {
				continue
			}
			if other, slot := t.find(t.row(start+i), s.hash[i]); other >= 0 {
				g.congruent(t, start+i, other)
				if !t.isHidden(start + i) {
					t.show(other)
				}
				t.show(start + i)
			} else {
				t.move(start+i, w)
				t.slots[slot] = slotWord(s.hash[i], w)
				w++
			}
		}
	}
	t.truncate(w)
	t.used, t.dead = w, 0
}

// canonicalBlock gives n rows their canonical children and hashes, and loads their slots.
func (g *EGraph) canonicalBlock(t *table, start, n int) {
	s := &g.scratch
	for i := range n {
		if t.class[start+i] == none {
			s.hash[i] = 0
			continue
		}
		kids := t.row(start + i)
		for j, k := range kids {
			if c := g.uf.find(k); c != k {
				kids[j] = c
				t.touched(start + i)
			}
		}
		s.hash[i] = hashRow(kids)
	}
	for i := range n {
		s.word[i] = t.slots[place(s.hash[i], len(t.slots))]
	}
	s.touch(t, n)
}

// isDirty reports whether a living row has a changed child.
func (t *table) isDirty(r int, changed bitset) bool {
	if t.arity == 2 {
		k := t.kids[2*r : 2*r+2 : 2*r+2]
		return k[0] != none && (changed.has(k[0]) || changed.has(k[1]))
	}
	for _, k := range t.row(r) {
		if k == none {
			return false
		}
		if changed.has(k) {
			return true
		}
	}
	return false
}

// rekey gives dirty rows their canonical children and finds the duplicates this makes: a block at a
// time, so that the cache misses of the searches overlap.
func (g *EGraph) rekey(t *table, dirty []uint32) {
	if len(dirty) == 0 {
		return
	}
	t.reserve(len(dirty))
	s := &g.scratch
	for i, r := range dirty {
		kids := t.row(int(r))
		for j, k := range kids {
			kids[j] = g.uf.find(k)
		}
		s.hash[i] = hashRow(kids)
	}
	for i := range dirty {
		s.word[i] = t.slots[place(s.hash[i], len(t.slots))]
	}
	s.touch(t, len(dirty))
	for i, r := range dirty {
		g.settleRow(t, int(r), s.hash[i])
	}
}

// settleRow finds the place of a row whose children are new, or that it is a duplicate.
func (g *EGraph) settleRow(t *table, r int, h uint64) {
	t.touched(r)
	other, slot := t.find(t.row(r), h)
	switch {
	case other < 0:
		t.slots[slot] = slotWord(h, r)
		t.used++
		t.stale++ // where the row was before
	case other != r:
		g.congruent(t, r, other)
		if !t.isHidden(r) {
			t.show(other)
		}
		t.bury(r)
	}
}

// congruent merges the classes of two rows that are equal now.
func (g *EGraph) congruent(t *table, r, other int) {
	a, b := g.uf.find(t.class[r]), g.uf.find(t.class[other])
	if a == b {
		return
	}
	if g.proofs != nil {
		g.proofs.congruent(t, r, other)
	}
	g.losers = append(g.losers, max(a, b))
	g.union(a, b)
}
