package egraph

// A Pattern is a term with variables (?x), read once: for goals that are asked after every iteration.
type Pattern struct {
	text  string
	shape *shape
	names []string
}

// ParsePattern reads a pattern; what is wrong with the text is a SyntaxError.
func ParsePattern(text string) (*Pattern, error) {
	names := newVarNames()
	shape, err := parseShape(text, names)
	if err != nil {
		return nil, err
	}
	return &Pattern{text, shape, names.names}, nil
}

// MustParsePattern is ParsePattern for texts known to be right; it panics on others.
func MustParsePattern(text string) *Pattern {
	p, err := ParsePattern(text)
	if err != nil {
		panic(err)
	}
	return p
}

// String is the text that the pattern was read from.
func (p *Pattern) String() string {
	p.made("Pattern.String")
	return p.text
}

func (p *Pattern) made(call string) {
	if p == nil || p.shape == nil {
		panic(&ArgumentError{call, "the pattern", "nil or zero", "one that ParsePattern read"})
	}
}

// In reports whether a class has a term that the pattern matches; its variables stand for any class, the
// same one where they repeat. An Interrupt ends it in a panic with an *InterruptedError.
func (p *Pattern) In(g *EGraph, id ID) bool {
	p.made("Pattern.In")
	g.mustEnter("Pattern.In")
	defer g.leave()
	if g.check("In", id) != nil {
		return false
	}
	found, err := p.in(g, id, "Pattern.In")
	if err != nil {
		panic(err)
	}
	return found
}

func (p *Pattern) in(g *EGraph, id ID, call string) (bool, error) {
	q := query{g: g}
	q.interruption.listen()
	defer q.interruption.leave()
	found := !p.search(&q, id, func([]uint32) bool { return false })
	if q.cut {
		return false, &InterruptedError{call}
	}
	return found, nil
}

// search visits the classes of the variables, in the order of names, for each way in which the pattern
// matches a class; it answers whether no visit answered false.
func (p *Pattern) search(q *query, id ID, visit func(bound []uint32) bool) bool {
	q.rows = q.g.passingIndex()
	q.bound = make([]uint32, len(p.names))
	for i := range q.bound {
		q.bound[i] = none
	}
	return q.match(p.shape, q.g.uf.find(uint32(id)), func() bool { return visit(q.bound) })
}

// Matches reports whether a class has a term that a pattern matches, as Pattern.In does.
func (g *EGraph) Matches(pattern string, id ID) (bool, error) {
	p, err := ParsePattern(pattern)
	if err != nil {
		return false, err
	}
	if err := g.enter("Matches", id); err != nil {
		return false, err
	}
	defer g.leave()
	return p.in(g, id, "Matches")
}

// Search visits the ways in which a pattern matches a class, with what its variables stand for, until
// visit answers false. The map is good during the call. The visit may add to the graph and unite; where it rebuilds
// the graph and wants more matches the search ends with a *StaleError.
func (g *EGraph) Search(pattern string, id ID, visit func(variables map[string]ID) bool) error {
	p, err := ParsePattern(pattern)
	if err != nil {
		return err
	}
	if err := g.enter("Search", id); err != nil {
		return err
	}
	defer g.leave()
	if visit == nil {
		return &ArgumentError{"Search", "visit", "nil", "a function"}
	}
	variables := map[string]ID{}
	q := query{g: g}
	q.interruption.listen()
	defer q.interruption.leave()
	g.index() // visit may change the graph
	moves, moved := g.moves, false
	p.search(&q, id, func(bound []uint32) bool {
		for v, name := range p.names {
			variables[name] = ID(bound[v])
		}
		var more bool
		g.ask(func() { more = visit(variables) })
		moved = more && g.moves != moves
		return more && !moved
	})
	if q.cut {
		return &InterruptedError{"Search"}
	}
	if moved {
		return &StaleError{"a Search", "its visit rebuilt the graph, or undid changes, and wants more matches; " +
			"it may add and unite: rebuild when the search is over"}
	}
	return nil
}

// A query is a backtracking search for one pattern in one class.
type query struct {
	g     *EGraph
	rows  *classIndex
	bound []uint32

	interruption interruption
	steps        int
	cut          bool // by it
}

// match calls then for each way in which the shape matches the class; false from it ends the search and is
// the answer.
func (q *query) match(p *shape, class uint32, then func() bool) bool {
	if q.steps++; q.steps%look == 0 && q.interruption.called.Load() {
		q.cut = true
	}
	if q.cut {
		return false
	}
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
	op, ok := q.g.operatorNumber(p.op, len(p.args))
	if !ok {
		return true
	}
	for _, e := range q.rows.of(class) {
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
