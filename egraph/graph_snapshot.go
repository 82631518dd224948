package egraph

import (
	"maps"
	"slices"
)

// A mark is the state that Pop goes back to: copies of the columns.
type mark struct {
	uf       unionFind
	atoms    int
	class    []uint32
	ops      int
	tables   []table
	analyses []analysisState
	proofs   *proofs
	searched map[*Rule]searched
}

// Push keeps the graph as it is now, so that Pop can undo what follows: a run tried, a union assumed.
// Pushes nest. It copies the columns, about 30
// bytes a node. Within a run's callbacks it does nothing, and Pop answers false.
func (g *EGraph) Push() {
	g.mustEnter("Push")
	defer g.leave()
	if g.matching {
		return
	}
	g.mustRebuild()
	m := &mark{uf: g.uf, atoms: len(g.leaves.atoms), class: slices.Clone(g.leaves.class), ops: len(g.ops)}
	m.uf.parent = slices.Clone(g.uf.parent)
	for _, t := range g.tables {
		m.tables = append(m.tables, t.clone())
	}
	for _, s := range g.analyses {
		c := *s
		c.values, c.known = slices.Clone(s.values), slices.Clone(s.known)
		c.moved, c.fresh = nil, nil
		m.analyses = append(m.analyses, c)
	}
	if g.proofs != nil {
		m.proofs = g.proofs.clone()
	}
	m.searched = maps.Clone(g.generations.searched)
	g.marks = append(g.marks, m)
}

// Pop goes back to the last Push and reports whether there was one. Ids given out since name nothing any
// more.
func (g *EGraph) Pop() bool {
	g.mustEnter("Pop")
	defer g.leave()
	if len(g.marks) == 0 || g.matching {
		return false
	}
	m := g.marks[len(g.marks)-1]
	g.marks = g.marks[:len(g.marks)-1]
	g.uf, g.closedUnions = m.uf, m.uf.unions
	for _, a := range g.leaves.atoms[m.atoms:] {
		delete(g.leaves.index, a)
	}
	g.leaves.atoms, g.leaves.class = g.leaves.atoms[:m.atoms], m.class
	for _, o := range g.ops[m.ops:] {
		delete(g.opIndex, o.name)
	}
	g.ops, g.tables = g.ops[:m.ops], g.tables[:m.ops]
	for i := range m.tables {
		*g.tables[i] = m.tables[i]
		g.tables[i].now = g.generations.now
	}
	for i := range m.analyses {
		*g.analyses[i] = m.analyses[i]
	}
	g.proofs = m.proofs
	g.generations.searched = m.searched
	g.pendingMake, g.classes = nil, nil
	g.version++
	g.moves++
	g.pops++
	return true
}

func (t *table) clone() table {
	c := *t
	c.kids, c.class, c.slots = slices.Clone(t.kids), slices.Clone(t.class), slices.Clone(t.slots)
	c.born, c.hidden, c.age = slices.Clone(t.born), slices.Clone(t.hidden), slices.Clone(t.age)
	if t.born != nil && c.born == nil {
		c.born = []uint32{}
	}
	return c
}

func (p *proofs) clone() *proofs {
	c := *p
	c.tables = nil
	for _, t := range p.tables {
		copied := t.clone()
		c.tables = append(c.tables, &copied)
	}
	c.leaves, c.terms, c.witness = slices.Clone(p.leaves), slices.Clone(p.terms), slices.Clone(p.witness)
	c.connected.parent, c.premises = slices.Clone(p.connected.parent), maps.Clone(p.premises)
	c.edges, c.heads, c.nexts = slices.Clone(p.edges), slices.Clone(p.heads), slices.Clone(p.nexts)
	return &c
}
