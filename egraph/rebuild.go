package egraph

// Rebuild restores congruence after unions: rows whose children became equal are one row, and their
// classes one class. Within a run's callbacks it does nothing, as the run rebuilds when they are done.
func (g *EGraph) Rebuild() {
	if g.matching {
		return
	}
	g.close()
	for g.settleAnalyses() {
		g.close()
	}
}

const (
	bulkRounds  = 4   // passes over whole tables before a worklist is considered
	bulkPortion = 100 // below one dirty class in so many rows a worklist is cheaper
)

// close is deferred congruence closure (Willsey et al. 2021, section 3) in bulk: flatten the forest,
// pass over every table, re-insert the rows whose children changed, and again while that merged
// classes. A long tail of small rounds (a chain of n applications needs n) goes to a worklist.
func (g *EGraph) close() {
	if g.uf.unions == g.closedUnions {
		return
	}
	for round := 1; g.uf.unions != g.closedUnions; round++ {
		g.closedUnions = g.uf.unions
		g.losers = g.losers[:0]
		g.uf.flatten()
		for _, t := range g.tables {
			g.canonicalise(t)
		}
		if round >= bulkRounds && len(g.losers)*bulkPortion < g.Nodes() {
			g.closeByWorklist()
		}
	}
	g.uf.flatten()
	g.relabel()
	g.losers = nil
	g.version++
}

// relabel writes the canonical class of every row, and drops dead rows where they are many.
func (g *EGraph) relabel() {
	p := g.uf.parent
	for i, c := range g.leaves.class {
		g.leaves.class[i] = p[c]
	}
	for _, t := range g.tables {
		if t.dead*8 > t.rows() {
			t.compact()
		}
		for r, c := range t.class {
			if c != none {
				t.class[r] = p[c]
			}
		}
	}
}

// canonicalise re-inserts the rows of a table whose children are no roots any more. The forest is flat.
func (g *EGraph) canonicalise(t *table) {
	dirty := g.scratch.rows[:0]
	p := g.uf.parent
	for r, n := 0, t.rows(); r < n; r++ {
		if t.class[r] == none {
			continue
		}
		for _, k := range t.row(r) {
			if p[k] != k {
				dirty = append(dirty, uint32(r))
				break
			}
		}
		if len(dirty) == blockSize {
			g.rekey(t, dirty)
			dirty = dirty[:0]
		}
	}
	g.rekey(t, dirty)
}

// rekey gives dirty rows their canonical children and finds the duplicates this makes: a block at a
// time, so that the cache misses of the searches overlap.
func (g *EGraph) rekey(t *table, dirty []uint32) {
	if len(dirty) == 0 {
		return
	}
	t.reserve(len(dirty))
	s := &g.scratch
	mask := uint64(len(t.slots) - 1)
	for i, r := range dirty {
		kids := t.row(int(r))
		for j, k := range kids {
			kids[j] = g.uf.find(k)
		}
		s.hash[i] = hashRow(kids)
	}
	for i := range dirty {
		s.word[i] = t.slots[s.hash[i]&mask]
	}
	s.touch(t, len(dirty))
	for i, r := range dirty {
		g.settleRow(t, int(r), s.hash[i])
	}
}

// settleRow finds the place of a row whose children are new, or that it is a duplicate.
func (g *EGraph) settleRow(t *table, r int, h uint64) {
	other, slot := t.find(t.row(r), h)
	switch {
	case other < 0:
		t.slots[slot] = slotWord(h, r)
		t.used++
	case other != r:
		g.congruent(t, r, other)
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
