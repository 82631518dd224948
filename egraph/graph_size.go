package egraph

// Nodes is the number of distinct rows, leaves among them; after Rebuild all are canonical.
func (g *EGraph) Nodes() int {
	g.mustEnter("Nodes")
	defer g.leave()
	return g.nodes()
}

func (g *EGraph) nodes() int {
	n := len(g.leaves.atoms)
	for _, t := range g.tables {
		n += t.live() - t.hiding
	}
	return n
}

// Classes is the number of classes.
func (g *EGraph) Classes() int {
	g.mustEnter("Classes")
	defer g.leave()
	return g.uf.classes()
}

// Bytes is the memory that the columns and indexes of the graph occupy, proofs and the tables of
// analyses among them, but not what an analysis's values point to.
func (g *EGraph) Bytes() int {
	g.mustEnter("Bytes")
	defer g.leave()
	return g.bytes()
}

func (g *EGraph) bytes() int {
	n := 4 * cap(g.uf.parent)
	n += len(g.leaves.atoms)*(48+56) + 4*cap(g.leaves.class)
	for _, t := range g.tables {
		n += t.bytes()
	}
	for _, s := range g.analyses {
		n += 16*cap(s.values) + cap(s.known) + 4*(cap(s.moved)+cap(s.fresh))
	}
	if g.proofs != nil {
		n += g.proofs.bytes()
	}
	return n
}
