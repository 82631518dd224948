package egraph

import "slices"

// A parentIndex lists the rows that have a class among their children: those of class c are entries
// offsets[c] to offsets[c+1]. Classes merged after it was made are chained, so that the parents of a
// class are those of all the ids merged into it.
type parentIndex struct {
	columns []uint32 // the array of the next three
	offsets []uint32
	entries []entry
	next    []uint32 // the next id of the same class, none at the end
	last    []uint32 // by root: the last id of its chain
}

func (g *EGraph) parents() *parentIndex {
	n := len(g.uf.parent)
	x := &g.parentRows
	columns := slices.Grow(x.columns[:0], 3*n+1)[:3*n+1]
	x.columns, x.offsets, x.next, x.last = columns, columns[:n+1], columns[n+1:2*n+1], columns[2*n+1:]
	clear(x.offsets)
	for _, t := range g.tables {
		for _, k := range t.kids { // those of a dead row are none
			if k != none {
				x.offsets[k]++
			}
		}
	}
	sum := uint32(0)
	for i, count := range x.offsets {
		x.offsets[i] = sum
		sum += count
	}
	x.entries = slices.Grow(x.entries[:0], int(sum))[:sum]
	for _, t := range g.tables {
		at, row := 0, uint32(0)
		for _, k := range t.kids {
			if k != none {
				x.entries[x.offsets[k]] = entry{t.op, row}
				x.offsets[k]++
			}
			if at++; at == t.arity {
				at, row = 0, row+1
			}
		}
	}
	// Each offset has moved to the end of its class, which is where the next one starts.
	copy(x.offsets[1:], x.offsets)
	x.offsets[0] = 0
	for i := range x.next {
		x.next[i], x.last[i] = none, uint32(i)
	}
	return x
}

// drop forgets the arrays of a large graph; those of a small one are used again.
func (x *parentIndex) drop() {
	if cap(x.entries) > recycledRows {
		*x = parentIndex{}
	}
}

// merge chains the ids of loser behind those of winner.
func (x *parentIndex) merge(winner, loser uint32) {
	x.next[x.last[winner]] = loser
	x.last[winner] = x.last[loser]
}

// each visits the parents of one id and of the ids chained behind it, up to the id last.
func (x *parentIndex) each(id uint32, visit func(entry)) {
	for last := x.last[id]; ; id = x.next[id] {
		for _, e := range x.entries[x.offsets[id]:x.offsets[id+1]] {
			visit(e)
		}
		if id == last {
			return
		}
	}
}

// closeByWorklist finishes the closure from the classes in g.losers: only rows over them are looked at,
// so a chain costs its length and not its length times the size of the tables.
func (g *EGraph) closeByWorklist() {
	x := g.parents()
	for len(g.losers) > 0 {
		batch := g.losers
		slices.Sort(batch) // whatever the order in which threads found them
		g.losers = nil
		for _, loser := range batch {
			var dirty []entry
			x.each(loser, func(e entry) { dirty = append(dirty, e) })
			for _, e := range dirty {
				g.rekeyOne(g.tables[e.op], int(e.row))
			}
			x.merge(g.uf.find(loser), loser)
		}
	}
	g.closedUnions = g.uf.unions
	x.drop()
}

// rekeyOne is rekey for one row, with a forest that need not be flat.
func (g *EGraph) rekeyOne(t *table, r int) {
	if t.isDead(r) {
		return
	}
	changed := false
	kids := t.row(r)
	for j, k := range kids {
		if root := g.uf.find(k); root != k {
			kids[j], changed = root, true
		}
	}
	if changed {
		t.reserve(1)
		g.settleRow(t, r, hashRow(t.row(r)))
	}
}
