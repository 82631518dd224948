package egraph

// Matches says whether a class has a term that a pattern matches; the pattern's variables (?x) stand
// for any class, the same one where they repeat.
func (g *EGraph) Matches(pattern string, id ID) (bool, error) {
	found := false
	err := g.Search(pattern, id, func(map[string]ID) bool {
		found = true
		return false
	})
	return found, err
}

// Search visits the ways in which a pattern matches a class, with what its variables stand for, until
// visit answers false. The map is good during the call.
func (g *EGraph) Search(pattern string, id ID, visit func(variables map[string]ID) bool) error {
	names := newVarNames()
	p, err := parseShape(pattern, names)
	if err != nil {
		return err
	}
	if err := g.check("Search", id); err != nil {
		return err
	}
	q := &query{g: g, bound: make([]uint32, len(names.names))}
	for i := range q.bound {
		q.bound[i] = none
	}
	variables := map[string]ID{}
	q.match(p, g.uf.find(uint32(id)), func() bool {
		for v, name := range names.names {
			variables[name] = ID(q.bound[v])
		}
		return visit(variables)
	})
	return nil
}

// A query is a backtracking search for one pattern in one class.
type query struct {
	g     *EGraph
	bound []uint32
}

// match calls then for each way in which the shape matches the class; false from it ends the search.
func (q *query) match(p *shape, class uint32, then func() bool) bool {
	switch p.kind {
	case isVar:
		switch q.bound[p.v] {
		case class:
			return then()
		case none:
			q.bound[p.v] = class
			more := then()
			q.bound[p.v] = none
			return more
		}
		return true
	case isAtom:
		row, ok := q.g.leaves.index[p.atom]
		if ok && q.g.uf.find(q.g.leaves.class[row]) == class {
			return then()
		}
		return true
	}
	op, ok := q.g.opIndex[p.op]
	if !ok || q.g.ops[op].arity != len(p.args) {
		return true
	}
	for _, e := range q.g.index().of(class) {
		if e.op == op && !q.children(p, q.g.tables[op].row(int(e.row)), 0, then) {
			return false
		}
	}
	return true
}

func (q *query) children(p *shape, kids []uint32, i int, then func() bool) bool {
	if i == len(kids) {
		return then()
	}
	return q.match(p.args[i], q.g.uf.find(kids[i]), func() bool { return q.children(p, kids, i+1, then) })
}
