package egraph

import "slices"

// A matcher runs a program against the rows that were there when an iteration began. Rows added while
// it runs lie behind them and are not seen, so what it finds does not depend on the order of rules.
type matcher struct {
	p       *program
	deliver func(c *compiled, regs []column, n int) bool // false: stop
	tick    func() bool                                  // called now and then; false: stop
	stopped bool
	work    int      // rows looked at since the last tick
	classes []uint32 // all classes, where a pattern is a variable
	task    task
	age     uint8    // of the row that is emitted
	kept    []column // the part of a block that is new to a rule
}

// A task is a part of the matching: one of the program's first steps over some rows of its table. What
// the tasks of an iteration are does not depend on the number of threads, and their matches are
// applied in their order.
type task struct {
	root     int // step
	from, to int // rows
}

const (
	usualTaskRows = 1 << 11
	tickAfter     = 1 << 20
)

// tasks divides the matching.
func (p *program) tasks() []task {
	all := slices.Grow(p.todo[:0], len(p.roots))
	p.split = false
	for i, s := range p.roots {
		switch {
		case !s.active:
		case s.kind == scanTable:
			rows := p.frozen[s.table.op].rows
			for from := 0; from < rows; from += p.taskRows {
				all = append(all, task{i, from, min(from+p.taskRows, rows)})
			}
			p.split = p.split || rows > p.taskRows
		default:
			all = append(all, task{root: i})
		}
	}
	p.todo = all
	return all
}

// prepare looks up the ground terms for the iteration that begins.
func (p *program) prepare() {
	p.block = blockFor(p.g.nodes())
	for _, gr := range p.grounds {
		p.lookUp(gr)
		if gr.before = none; gr.ready {
			gr.before = gr.class
		}
	}
	p.indexes = slices.Grow(p.indexes, len(p.g.tables)-len(p.indexes))
	for len(p.indexes) < len(p.g.tables) {
		p.indexes = append(p.indexes, rowIndex{table: p.g.tables[len(p.indexes)]})
	}
	for i := range p.indexes {
		p.indexes[i].built = false
	}
	if p.keyed = p.keyed || p.g.nodes() >= p.g.pricing.least/2; p.keyed {
		for _, x := range p.keys {
			x.begin(&p.frozen[x.table.op], p.g.pricing)
		}
	}
}

// arrange makes the steps ready that can lead to matches, and their indexes.
func (p *program) arrange() {
	for _, s := range p.roots {
		p.activate(s)
	}
	for _, s := range p.roots {
		p.buildIndexes(s)
	}
}

// lookUp finds the class of a ground term. One that the graph holds it holds for good.
func (p *program) lookUp(gr *ground) {
	if gr.ready {
		gr.class = p.g.uf.find(gr.class)
		return
	}
	id, ok := p.g.lookupTerm(gr.term)
	if gr.class, gr.ready = uint32(id), ok; ok && p.g.proofs != nil {
		p.g.proofs.placeGround(gr)
	}
}

// fill gives the class of a ground term as a column of the length of blocks.
func (p *program) fill(gr *ground) column {
	if len(gr.column) == p.block && gr.column[0] == gr.class {
		return gr.column
	}
	if len(gr.column) != p.block {
		gr.column = p.words.take(p.block, p.block)
	}
	for i := range gr.column {
		gr.column[i] = gr.class
	}
	return gr.column
}

// activate says which steps can still lead to a match: their rules are not banned, their ground terms
// are in the graph and their tables are not empty.
func (p *program) activate(s *step) bool {
	s.active, s.n, s.vain = false, 0, 0
	if s.table != nil && s.table.live() == 0 || s.kind == oneClass && !p.grounds[s.ground].ready {
		return false
	}
	for _, c := range s.checks {
		if c.with == withGround && !p.grounds[c.arg].ready {
			return false
		}
	}
	for _, c := range s.ends {
		s.active = s.active || !c.skip
	}
	for _, child := range s.children {
		if p.activate(child) {
			s.active = true
		}
	}
	if p.aged {
		p.ageStep(s)
	} else {
		s.mark, s.newest = 0, 0
	}
	return s.active
}

// age is that of a partial match; what comes before the first step has none.
func (s *step) age(i int) uint8 {
	if s == nil {
		return 0
	}
	return s.ages[i]
}

func (p *program) buildIndexes(s *step) {
	if !s.active {
		return
	}
	if s.kind == joinClass && !p.indexes[s.table.op].built {
		p.buildIndex(&p.indexes[s.table.op])
	}
	for _, child := range s.children {
		p.buildIndexes(child)
	}
}

// run finds the matches of a task and hands them on in blocks. roots are the program's first steps, or
// a copy of them.
func (m *matcher) run(t task, roots []*step) {
	m.task = t
	m.enter(roots[t.root], nil, 1)
	m.drain(roots[t.root])
}

// worked counts rows looked at, and now and then asks whether to go on: a search that finds nothing
// must stop too.
func (m *matcher) worked(rows int) {
	if m.work += rows; m.work >= tickAfter {
		m.work = 0
		m.stopped = m.stopped || !m.tick()
	}
}

// drain hands on the blocks that are not full, parents before children.
func (m *matcher) drain(s *step) {
	m.flush(s)
	for _, child := range s.children {
		if child.active && !m.stopped {
			m.drain(child)
		}
	}
}

// flush hands the block of a step to the rules that end there and the steps behind it.
func (m *matcher) flush(s *step) {
	n := s.n
	s.n = 0
	if n == 0 || m.stopped {
		return
	}
	for _, c := range s.ends {
		if c.skip {
			continue
		}
		regs, k := s.out, n
		if c.mark > 0 {
			if regs, k = m.newOnly(c, s, n); k == 0 {
				continue
			}
		}
		if !m.deliver(c, regs, k) {
			m.stopped = true
			return
		}
	}
	for _, child := range s.children {
		if child.active && !m.stopped {
			m.enter(child, s, n)
		}
	}
}

// enter runs a step over n partial matches of its parent.
func (m *matcher) enter(s, parent *step, n int) {
	switch s.kind {
	case scanTable:
		for i := 0; i < n && !m.stopped; i++ {
			if s.key != nil && m.keyed(s) {
				m.visitKey(s, parent, i, 0)
			} else {
				m.scan(s, parent, i)
			}
		}
	case joinClass:
		if s.newest > 0 {
			m.joinNewer(s, parent, n)
		} else {
			m.join(s, parent, n)
		}
	case scanClasses:
		for i := 0; i < n && !m.stopped; i++ {
			for _, c := range m.classes {
				if s.newest > 0 {
					m.emitNewer(s, parent, i, c, nil, max(parent.age(i), m.classAge(s, c)))
				} else {
					m.emit(s, parent, i, c, nil)
				}
			}
			m.worked(len(m.classes))
		}
	case oneClass:
		class := m.p.grounds[s.ground].class
		for i := range n {
			switch {
			case s.on >= 0 && parent.out[s.on][i] != class:
			case s.newest > 0:
				m.emitNewer(s, parent, i, class, nil, parent.age(i))
			default:
				m.emit(s, parent, i, class, nil)
			}
		}
	}
}

// scan visits the rows of a table that were there when the iteration began.
func (m *matcher) scan(s, parent *step, i int) {
	t := s.table
	f := &m.p.frozen[t.op]
	from, to, arity := 0, f.rows, t.arity
	if parent == nil {
		from, to = m.task.from, m.task.to
	}
	m.worked(to - from)
	if s.newest > 0 {
		m.scanNewer(s, parent, i, from, to)
		return
	}
	kids, class, hidden := f.kids, f.class[:to], f.hidden
	for r := from; r < to; r++ {
		c := class[r]
		if c == none || hidden != nil && hidden.has(uint32(r)) {
			continue
		}
		m.emit(s, parent, i, c, kids[r*arity:(r+1)*arity])
		if m.stopped {
			return
		}
	}
}

// emit adds one match to the block of a step if its checks hold.
func (m *matcher) emit(s, parent *step, i int, class uint32, kids []uint32) {
	for _, c := range s.checks {
		if kids[c.kid] != m.expected(c, parent, i, class, kids) {
			s.vain++
			return
		}
	}
	n := s.n
	if s.newest > 0 {
		s.ages[n] = m.age
	}
	if s.block != m.p.block {
		m.p.makeColumns(s)
	}
	for _, reg := range s.carry {
		s.out[reg][n] = parent.out[reg][i]
	}
	for _, b := range s.binds {
		s.out[b.reg][n] = kids[b.kid]
	}
	if s.classReg >= 0 && s.out[s.classReg] != nil {
		s.out[s.classReg][n] = class
	}
	s.n = n + 1
	if s.n == m.p.block {
		m.flush(s)
	}
}

func (m *matcher) expected(c check, parent *step, i int, class uint32, kids []uint32) uint32 {
	switch c.with {
	case withReg:
		return parent.out[c.arg][i]
	case withKid:
		return kids[c.arg]
	case withClass:
		return class
	}
	return m.p.grounds[c.arg].class
}

// joinAhead is how many classes' rows a join looks up before it visits them, so that the cache misses overlap.
const joinAhead = 32

// join visits, for each partial match, the rows of the class in its register.
func (m *matcher) join(s, parent *step, n int) {
	x := &m.p.indexes[s.table.op]
	arity := s.table.arity
	on := parent.out[s.on][:n]
	for start := 0; start < n; start += joinAhead {
		var from, to [joinAhead]uint32
		part := on[start:min(start+joinAhead, n)]
		for i, c := range part {
			from[i], to[i] = x.span(c)
		}
		for i, c := range part {
			if s.key != nil && m.keyed(s) {
				m.visitKey(s, parent, start+i, c)
				continue
			}
			m.worked(int(to[i] - from[i]))
			for at := int(from[i]) * arity; at < int(to[i])*arity; at += arity {
				m.emit(s, parent, start+i, 0, x.kids[at:at+arity])
			}
			if m.stopped {
				return
			}
		}
	}
}
