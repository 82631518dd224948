package egraph

import "slices"

// An Analysis gives every class a value that follows from its nodes (a constant, a type, a set of free
// variables): a join-semilattice over the graph, as in section 4 of the egg paper.
type Analysis struct {
	Name string
	// Make is the value of a node, from the values of its children: g.Value(name, n.Child(i)).
	Make func(g *EGraph, n Node) any
	// Merge is the value of two classes that became one, and whether it differs from a and from b.
	Merge func(a, b any) (value any, changedA, changedB bool)
	// Modify, where not nil, may add to the graph what a class's new value tells: a node for a constant,
	// say. It is called when a class's value is new or changed.
	Modify func(g *EGraph, id ID)
}

// WithAnalysis gives a new graph an analysis. New refuses one without Make or Merge, and a second one of a name.
func WithAnalysis(a Analysis) Option {
	return func(g *EGraph) {
		if a.Make == nil || a.Merge == nil {
			panic(&ArgumentError{"WithAnalysis", "Make or Merge of " + a.Name, "nil", "functions"})
		}
		if slices.ContainsFunc(g.analyses, func(s *analysisState) bool { return s.Name == a.Name }) {
			panic(&ArgumentError{"WithAnalysis", "the name", a.Name + ", as another's", "one of its own"})
		}
		g.analyses = append(g.analyses, &analysisState{Analysis: a, g: g})
	}
}

// newRow is a row whose analysis values are still to be made.
type newRow struct{ op, row, class uint32 }

// analysisState holds the values by class; those of ids that are no roots are stale.
type analysisState struct {
	Analysis
	g      *EGraph
	values []any
	known  []bool
	moved  []uint32 // classes whose value changed since their parents looked
	fresh  []uint32 // classes whose Modify is still to be called
}

// Value gives a class's value of an analysis, nil where the graph has no such analysis or class.
func (g *EGraph) Value(analysis string, id ID) any {
	g.mustEnter("Value")
	defer g.leave()
	for _, s := range g.analyses {
		if s.Name == analysis && int(id) < len(g.uf.parent) {
			if c := g.uf.find(uint32(id)); int(c) < len(s.values) {
				return s.values[c]
			}
		}
	}
	return nil
}

// bornRow makes the analysis values of a row just added.
func (g *EGraph) bornRow(op, row, class uint32) error {
	if len(g.analyses) == 0 {
		return nil
	}
	g.pendingMake = append(g.pendingMake, newRow{op, row, class})
	return g.makeGuarded()
}

// makeGuarded is makePending where a panic of an analysis is to be an error.
func (g *EGraph) makeGuarded() error {
	if len(g.pendingMake) == 0 {
		return nil
	}
	return g.guard("analysis", g.makePending)
}

// makePending makes the values of new rows, in the order they came: children first.
func (g *EGraph) makePending() {
	for len(g.pendingMake) > 0 {
		rows := g.pendingMake
		g.pendingMake, g.madeBefore = g.madeBefore[:0], nil
		g.makeRows(rows)
		g.madeBefore = rows
	}
}

// makeRows makes the values of rows. Where an analysis panics, that row's class has no value of it, and the other
// rows still wait for theirs.
func (g *EGraph) makeRows(rows []newRow) {
	done := 0
	defer func() {
		if done < len(rows) {
			g.pendingMake = append(g.pendingMake, rows[done+1:]...)
		}
	}()
	for _, r := range rows {
		for _, s := range g.analyses {
			s.learn(g.uf.find(r.class), s.make(g.node(r.op, r.row)))
		}
		done++
	}
}

// make is Make, join is Merge, which may use the graph.
func (s *analysisState) make(n Node) (value any) {
	s.g.ask(func() { value = s.Make(s.g, n) })
	return value
}

func (s *analysisState) join(a, b any) (value any, changedA, changedB bool) {
	s.g.ask(func() { value, changedA, changedB = s.Merge(a, b) })
	return value, changedA, changedB
}

// learn joins a value into that of a class and reports whether the class's changed.
func (s *analysisState) learn(class uint32, value any) {
	for int(class) >= len(s.values) {
		s.values = append(s.values, nil)
		s.known = append(s.known, false)
	}
	if !s.known[class] { // just added, so no node has it as a child yet
		s.values[class], s.known[class] = value, true
		s.fresh = append(s.fresh, class)
		return
	}
	joined, changed, _ := s.join(s.values[class], value)
	s.values[class] = joined
	if changed {
		s.moved = append(s.moved, class)
		s.fresh = append(s.fresh, class)
	}
}

// merge joins the value of loser into that of winner, as their classes became one.
func (s *analysisState) merge(winner, loser uint32) {
	if int(loser) >= len(s.values) || !s.known[loser] {
		s.fresh = append(s.fresh, winner)
		return
	}
	value := s.values[loser]
	s.values[loser], s.known[loser] = nil, false
	if int(winner) >= len(s.values) || !s.known[winner] {
		s.learn(winner, value)
		s.moved = append(s.moved, winner)
		return
	}
	joined, changedWinner, changedLoser := s.join(s.values[winner], value)
	s.values[winner] = joined
	if changedWinner || changedLoser {
		s.moved = append(s.moved, winner)
	}
	s.fresh = append(s.fresh, winner)
}

// settleAnalyses carries changed values up to the parents until nothing changes, then lets Modify act.
// It reports whether Modify merged classes, so that congruence must be restored.
func (g *EGraph) settleAnalyses() bool {
	if len(g.analyses) == 0 {
		return false
	}
	var parents *parentIndex
	for _, s := range g.analyses {
		for len(s.moved) > 0 && g.called() {
			if parents == nil && g.nodes() >= fewRows {
				parents = g.parents()
			}
			s.carry(parents)
		}
	}
	if parents != nil {
		parents.drop()
	}
	version := g.version
	g.quota.recount()
	// Modify sees the nodes of classes as they are now: an index made anew after each change would cost
	// the size of the graph each time.
	g.dropOldIndex()
	g.matching = true
	defer func() { g.matching = false }()
	for _, s := range g.analyses {
		s.modify()
	}
	return g.version != version
}

// fewRows is how many rows a graph has in which it is cheaper to look at all of them than to index their
// children.
const fewRows = 64

// carry has the parents of the classes whose values changed make theirs anew. parents is nil in a small graph.
func (s *analysisState) carry(parents *parentIndex) {
	moved := s.moved
	s.moved = nil
	for i, class := range moved {
		moved[i] = s.g.uf.find(class)
	}
	slices.Sort(moved)
	for _, class := range slices.Compact(moved) {
		switch {
		case parents == nil:
			s.carryToAll(class)
		case int(class) < len(parents.last):
			parents.each(class, s.remake)
		}
	}
}

// carryToAll looks for the parents of a class among all rows.
func (s *analysisState) carryToAll(class uint32) {
	for _, t := range s.g.tables {
		for r := range t.rows() {
			if slices.Contains(t.row(r), class) {
				s.remake(entry{t.op, uint32(r)})
			}
		}
	}
}

func (s *analysisState) remake(e entry) {
	s.learn(s.g.uf.find(s.g.tables[e.op].class[e.row]), s.make(s.g.node(e.op, e.row)))
}

func (s *analysisState) modify() {
	fresh := s.fresh
	s.fresh = nil
	if s.Modify == nil {
		return
	}
	for i, class := range fresh {
		fresh[i] = s.g.uf.find(class)
	}
	slices.Sort(fresh)
	fresh = slices.Compact(fresh)
	// What a run has no time for, or a panic cuts off, the next Rebuild does.
	defer func() { s.fresh = append(s.fresh, fresh...) }()
	for len(fresh) > 0 && s.g.called() {
		class := fresh[0]
		fresh = fresh[1:]
		s.g.ask(func() { s.Modify(s.g, ID(s.g.uf.find(class))) })
	}
}

// makeAll makes the values of a graph that came without: in passes, so that a row's children have
// theirs first, then once more to where nothing changes.
func (g *EGraph) makeAll() {
	done := map[entry]bool{}
	for progress := true; progress; {
		progress = false
		g.eachRow(func(op, row, class uint32) {
			n := g.node(op, row)
			if done[entry{op, row}] || !g.valuesKnown(n) {
				return
			}
			done[entry{op, row}], progress = true, true
			for _, s := range g.analyses {
				s.learn(class, s.make(n))
				s.moved = append(s.moved, class)
			}
		})
	}
}

func (g *EGraph) valuesKnown(n Node) bool {
	for _, k := range n.kids() {
		for _, s := range g.analyses {
			if int(k) >= len(s.known) || !s.known[k] {
				return false
			}
		}
	}
	return true
}
