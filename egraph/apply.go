package egraph

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A Match is what a rule's left side matched: a class for each variable. It is good during the
// call.
type Match struct {
	g     *EGraph
	c     *compiled
	root  ID
	ids   []ID
	extra map[string]ID
}

// Rule gives the name of the rule.
func (m *Match) Rule() string {
	m.made("Match.Rule")
	return m.c.name
}

// made refuses a match of no run, or of one that is over.
func (m *Match) made(call string) {
	if m == nil || m.g == nil {
		panic(&ArgumentError{call, "the match", "nil, zero or of a run that is over", "that of the call under way"})
	}
}

// Root gives the class that the first pattern of the left side matched.
func (m *Match) Root() ID {
	m.made("Match.Root")
	return m.root
}

// Class gives the class of a variable ("?x"); false where the rule has no such variable.
func (m *Match) Class(variable string) (ID, bool) {
	m.made("Match.Class")
	if v, ok := m.c.names.index[variable]; ok {
		return m.ids[v], true
	}
	id, ok := m.extra[variable]
	return id, ok
}

// Bind gives a class to a variable that the left side does not have, for Add.
func (m *Match) Bind(variable string, id ID) {
	m.made("Match.Bind")
	if m.extra == nil {
		m.extra = map[string]ID{}
	}
	m.extra[variable] = id
}

// Add adds a pattern over the match's variables to the graph and gives its class.
func (m *Match) Add(pattern string) (ID, error) {
	m.made("Match.Add")
	s, err := term.ReadOne("pattern", pattern)
	if err != nil {
		return 0, err
	}
	return m.addExpr(&s)
}

func (m *Match) addExpr(s *term.Expr) (ID, error) {
	if !s.IsList() {
		if !s.IsVar() {
			a, err := term.AtomOf("pattern", *s)
			if err != nil {
				return 0, err
			}
			return m.g.AddLeaf(a)
		}
		id, ok := m.Class(s.Token)
		if !ok {
			return 0, &term.SyntaxError{What: "pattern", Pos: s.Pos, Reason: "the variable " + s.Token +
				" is bound neither by the rule nor by Bind"}
		}
		return id, nil
	}
	head := &s.List[0]
	if head.IsList() || head.IsVar() {
		return 0, &term.SyntaxError{What: "pattern", Pos: head.Pos, Reason: "an operator's name must stand first in a list"}
	}
	if err := term.CheckToken("pattern", *head); err != nil {
		return 0, err
	}
	if len(s.List) == 1 {
		return m.addExpr(head)
	}
	kids := make([]ID, len(s.List)-1)
	for i := range kids {
		id, err := m.addExpr(&s.List[i+1])
		if err != nil {
			return 0, err
		}
		kids[i] = id
	}
	return m.g.AddNode(head.Token, kids...)
}

// addShape adds a shape over the match's variables.
func (m *Match) addShape(s *shape) (ID, error) {
	switch s.kind {
	case isVar:
		return m.ids[s.v], nil
	case isAtom:
		return m.g.addLeaf(s.atom)
	}
	kids := make([]ID, len(s.args))
	for i, a := range s.args {
		id, err := m.addShape(a)
		if err != nil {
			return 0, err
		}
		kids[i] = id
	}
	return m.g.addNode(s.op, kids...)
}

// load fills the match from position i of a block.
func (m *Match) load(g *EGraph, c *compiled, regs []column, i int) {
	if m.ids == nil {
		m.g, m.c, m.ids = g, c, make([]ID, len(c.regs))
	}
	m.root = ID(regs[c.first][i])
	for v, reg := range c.regs {
		m.ids[v] = ID(regs[reg][i])
	}
	clear(m.extra)
}

// An applier instantiates right sides for blocks of matches.
type applier struct {
	p      *program
	most   int  // nodes of the graph
	over   bool // a limit was met between calls of a function of the person's
	part   []column
	temps  []column
	kept   []column
	loaded []column // views of a rule's kept matches, by register
	whole  []column // rows of the right side for all of them, by temporary
	views  []column // of these, for a block
	block  int
	args   []ID // of the condition that is asked
	err    error
}

// prepare makes the columns for blocks of the size that the program has now.
func (a *applier) prepare() {
	if a.block == a.p.block {
		return
	}
	a.block = a.p.block
	temps, regs := 0, 0
	for _, c := range a.p.rules {
		temps = max(temps, len(c.right))
		regs = max(regs, c.lastNeed()+1)
	}
	a.temps, a.kept, a.loaded = a.columns(temps), a.columns(regs), a.p.headers.take(regs, regs)
}

func (a *applier) columns(n int) []column {
	list := a.p.headers.take(n, n)
	for i := range list {
		list[i] = a.p.words.take(a.block, a.block)
	}
	return list
}

// newColumns makes n columns for blocks of so many rows.
func newColumns(n, block int) []column {
	all := make(column, n*block)
	columns := make([]column, n)
	for i := range columns {
		columns[i] = all[i*block : (i+1)*block : (i+1)*block]
	}
	return columns
}

// lastNeed is the highest register that the right side and the conditions of a rule read.
func (c *compiled) lastNeed() int { return slices.Max(c.needs) }

// apply applies a rule to n matches whose registers are columns; false: an error stops the run.
func (a *applier) apply(c *compiled, regs []column, n int) bool {
	if len(c.conds) > 0 {
		regs, n = a.filter(c, regs, n)
	}
	if a.over {
		return false
	}
	c.stats.Applied += n
	before := a.p.g.merged()
	switch {
	case a.err != nil || n == 0:
	case c.apply != nil:
		a.callback(c, regs, n)
	default:
		a.instantiate(c, regs, n)
	}
	if len(a.p.g.pendingMake) > 0 && a.err == nil {
		a.err = a.p.g.guard("analysis", a.p.g.makePending)
	}
	c.stats.Unions += a.p.g.merged() - before
	return a.err == nil && !a.over
}

// instantiate runs the instructions of the right side over the block, then unions; near the limit
// of nodes over so many matches at a time as cannot pass it.
func (a *applier) instantiate(c *compiled, regs []column, n int) {
	g := a.p.g
	if err := g.room(n * (len(c.right) + 1)); err != nil {
		a.err = err
		return
	}
	if n*len(c.right) <= a.room() {
		a.instantiatePart(c, regs, n)
		return
	}
	for start := 0; start < n && a.room() >= 0 && a.err == nil; {
		k := min(n-start, max(1, a.room()/max(1, len(c.right))))
		a.instantiatePart(c, a.from(c, regs, start), k)
		start += k
	}
	a.over = a.over || a.room() < 0
}

func (a *applier) instantiatePart(c *compiled, regs []column, n int) {
	for i := range c.right {
		if a.instruct(c, i, regs, n); n == 1 && a.room() < 0 {
			return // what was made of this right side is equal to nothing
		}
	}
	a.unite(c, regs, n)
}

// room is how many rows the run may add; below 0 it has too many.
func (a *applier) room() int { return a.most - a.p.g.nodes() }

// from is the registers of a block's matches from one on.
func (a *applier) from(c *compiled, regs []column, start int) []column {
	a.part = slices.Grow(a.part[:0], len(regs))[:len(regs)]
	for _, reg := range c.needs {
		a.part[reg] = regs[reg][start:]
	}
	return a.part
}

// bytes is the memory of the rows made for kept matches.
func (a *applier) bytes() int { return columnBytes(a.whole) }

// merged counts the unions of matches.
func (g *EGraph) merged() int { return g.uf.unions + g.joined }

// instruct makes one row of the right side for each match. One that stands for the whole right side
// is equal to the left: where it is new it is put into that class, unless proofs or analyses want
// to hear of the union.
func (a *applier) instruct(c *compiled, i int, regs []column, n int) {
	g, in := a.p.g, &c.right[i]
	var args [8]column
	columns := args[:0]
	for _, o := range in.args {
		columns = append(columns, a.operand(o, regs))
	}
	var into column
	if g.joinsLeft(c, i) {
		into = regs[c.root]
	}
	rows := g.insertBlock(in.table, columns, a.temps[in.out], into, n)
	in.table.tried += n
	in.table.added += rows
	if rows > 0 {
		g.version++
		c.stats.Nodes += rows
	}
}

// joinsLeft reports whether new rows of an instruction go into the class of the left side.
func (g *EGraph) joinsLeft(c *compiled, i int) bool {
	return c.result.from == fromTemp && c.result.arg == c.right[i].out && g.proofs == nil && len(g.analyses) == 0
}

// unite merges what the left and the right side of each match are.
func (a *applier) unite(c *compiled, regs []column, n int) {
	g := a.p.g
	result := a.operand(c.result, regs)
	root := regs[c.root]
	for i, x := range root[:n] {
		if y := result[i]; x != y {
			if g.proofs != nil {
				g.proofs.rewrite(a.p, c, regs, i, x, y)
			}
			g.union(x, y)
		}
	}
}

func (a *applier) operand(o operand, regs []column) column {
	switch o.from {
	case fromReg:
		return regs[o.arg]
	case fromTemp:
		return a.temps[o.arg]
	}
	gr := a.p.grounds[o.arg]
	if !gr.ready {
		// The term is not in the graph yet. Its operators are known to fit, so only a full graph can
		// refuse it, and room for it was found before.
		id, err := a.p.g.addTerm(gr.term)
		if err != nil {
			a.err = err
		}
		gr.class, gr.ready = uint32(id), true
		if a.p.g.proofs != nil {
			a.p.g.proofs.placeGround(gr)
		}
	}
	return a.p.fill(gr)
}

// filter keeps the matches for which the conditions hold, in columns of its own.
func (a *applier) filter(c *compiled, regs []column, n int) (_ []column, kept int) {
	defer func() {
		if p := recover(); p != nil {
			a.err = calledBack("condition of rule "+c.name, p)
		}
	}()
	a.p.g.quota.recount()
	for i := range n {
		c.match.load(a.p.g, c, regs, i)
		holds := a.holds(c)
		if a.over = !a.p.g.called(); a.over {
			return a.kept, kept
		}
		if !holds || a.err != nil {
			continue
		}
		for _, reg := range c.needs {
			a.kept[reg][kept] = regs[reg][i]
		}
		kept++
	}
	return a.kept, kept
}

func (a *applier) holds(c *compiled) bool {
	for i := range c.conds {
		if !a.holdsOne(&c.conds[i], &c.match) {
			return false
		}
	}
	return true
}

func (a *applier) holdsOne(cond *condition, m *Match) (holds bool) {
	if cond.onRule != nil {
		a.p.g.ask(func() { holds = cond.onRule(a.p.g, m) })
		return holds
	}
	args := a.args[:0]
	for _, s := range cond.args {
		id, err := m.addShape(s)
		if err != nil {
			a.err = err
			return false
		}
		args = append(args, id)
	}
	a.args = args
	switch {
	case cond.same:
		return a.p.g.same(args[0], args[1])
	case cond.differ:
		return !a.p.g.same(args[0], args[1])
	}
	a.p.g.ask(func() { holds = cond.test(a.p.g, args) })
	return holds
}

// callback applies a right side in Go, match by match.
func (a *applier) callback(c *compiled, regs []column, n int) {
	g := a.p.g
	defer func() {
		if p := recover(); p != nil {
			a.err = calledBack("right side of rule "+c.name, p)
		}
	}()
	g.quota.recount()
	for i := 0; i < n && !a.over; i++ {
		c.match.load(g, c, regs, i)
		var id ID
		var ok bool
		g.ask(func() { id, ok = c.apply(g, &c.match) })
		a.over = !g.called()
		if !ok {
			continue
		}
		if int(id) >= len(g.uf.parent) {
			a.err = &ClassError{"right side of rule " + c.name, id, len(g.uf.parent)}
			return
		}
		x := regs[c.root][i]
		if g.proofs != nil {
			g.proofs.rewrite(a.p, c, regs, i, x, uint32(id))
		}
		g.union(x, uint32(id))
	}
}

// guard runs a function of the person's and makes a panic in it an error.
func (g *EGraph) guard(what string, f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = calledBack(what, p)
		}
	}()
	f()
	return nil
}

// guardCosts runs an extraction, and lends the graph to its cost function for all of that: it is
// asked for every row.
func (g *EGraph) guardCosts(f func()) error {
	return g.guard("cost function", func() { g.ask(f) })
}

// calledBack makes an error of what a function of the person's panicked with. One that is such an
// error already stays it, as do those of a graph that another goroutine used meanwhile and of a
// call that was interrupted.
func calledBack(what string, p any) error {
	switch p := p.(type) {
	case *CallbackError:
		return p
	case *BusyError:
		return p
	case *InterruptedError:
		return p
	}
	return &CallbackError{what, p}
}
