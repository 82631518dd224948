package egraph

// Prune hides the nodes of a class that keep does not want, so that rules and extraction no longer see
// them: of a class known to be a constant only the constant is of interest, say. Hidden rows still take
// part in congruence, and adding one again finds its class. Where keep wants none, nothing is hidden.
// It answers how many nodes were hidden. Pruning can hide what a rule would need to prove a goal.
func (g *EGraph) Prune(id ID, keep func(Node) bool) int {
	if keep == nil {
		panic(&ArgumentError{"Prune", "keep", "nil", "a function"})
	}
	g.mustEnter("Prune")
	defer g.leave()
	if int(id) >= len(g.uf.parent) {
		return 0
	}
	drop := g.dropped[:0]
	g.dropped = nil // keep may prune too
	x := g.passingIndex()
	x.held = x.held || !g.matching
	rows := x.of(g.uf.find(uint32(id)))
	for _, e := range rows {
		n, kept := g.node(e.op, e.row), true
		if !n.IsLeaf() {
			g.ask(func() { kept = keep(n) })
		}
		if !kept {
			drop = append(drop, n)
		}
	}
	if len(drop) == len(rows) {
		drop = drop[:0] // keep wants none
	}
	hidden := 0
	for _, n := range drop {
		if t := g.tables[n.op]; !t.isHidden(int(n.row)) {
			t.hide(int(n.row))
			hidden++
		}
	}
	g.dropped = drop
	if hidden > 0 {
		g.version++
	}
	return hidden
}

func (t *table) isHidden(r int) bool {
	return t.hiding > 0 && r/64 < len(t.hidden) && t.hidden.has(uint32(r))
}

func (t *table) hide(r int) {
	for r/64 >= len(t.hidden) {
		t.hidden = append(t.hidden, 0)
	}
	if !t.hidden.has(uint32(r)) {
		t.hidden.set(uint32(r))
		t.hiding++
		t.removals++
	}
}

func (t *table) show(r int) {
	if t.isHidden(r) {
		t.hidden[r/64] &^= 1 << (r % 64)
		t.hiding--
		t.touched(r)
	}
}

// seen reports whether a row stands and is not hidden.
func (t *table) seen(r int) bool { return t.class[r] != none && !t.isHidden(r) }
