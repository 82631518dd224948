package egraph

import "math"

// Semi-naive search (as in Datalog, and egglog's): a rule that was searched before finds only the matches in
// which some row is new, as the others were found then and applying them again changes nothing. The search
// is the full one, cut: it visits what it would, in the same order, but a partial match without a new row
// only as far as a new row can still join it. So where the scheduler decides before rules are applied the
// graph is the same to the bit, and where matches are applied as they are found it is the same but for the
// numbers of classes.
//
// What is searched in full, always: rules with conditions (which may hold later without a new row, except
// that two variables differ: they never do again once they do not) and right sides in Go; under a
// scheduler that applies matches as they are found, all rules of a set with one of these, as what they see
// depends on when the others are applied; all rules under a scheduler of the person's, which may count
// matches. What is searched in full when it must: a rule that was not in the last run, was changed, or whose
// matches were not all applied, as it was dropped or the run was cut, goes back to what it last finished; one
// with a ground term whose class changed, starts again. A scheduler's limit is compared with an upper bound
// of all matches, and where that passes it with their number, from a full search.

// FullSearch has a run search everything in every iteration, where it otherwise leaves out what cannot be
// new. The graph is the same.
func FullSearch() RunOption { return func(r *runner) { r.full = true } }

// A kind says how a rule may be searched.
type ruleKind uint8

const (
	plainRule  ruleKind = iota // patterns on both sides
	differRule                 // and conditions that variables differ
	opaqueRule                 // conditions that may come to hold, a right side in Go
)

// kind says how a rule may be searched.
func (r *Rule) kind() ruleKind {
	if r.apply != nil {
		return opaqueRule
	}
	k := plainRule
	for _, c := range r.conds {
		if !c.differ || c.args[0].kind != isVar || c.args[1].kind != isVar {
			return opaqueRule
		}
		k = differRule
	}
	return k
}

// seminaive reports whether a run may leave out what is not new.
func (r *runner) seminaive() bool {
	if r.full {
		return false
	}
	switch r.scheduler.(type) {
	case *backoff, *weighted:
		return true
	case simple:
		for _, c := range r.p.rules {
			if c.how != plainRule {
				return false
			}
		}
		return true
	}
	return false
}

// recall gives the rules what they have seen in runs before.
func (r *runner) recall() {
	if len(r.g.generations.searched) == 0 {
		return
	}
	for _, c := range r.p.rules {
		c.seen, _ = r.g.generations.searched[c.Rule]
		if c.seen.edits != c.edits {
			c.seen = searched{}
		}
	}
}

// startSearch begins a generation. When they are numbered from 1 again nothing was seen.
func (r *runner) startSearch() {
	r.generation = r.g.startSearch()
	if r.generation > 1 {
		return
	}
	for _, c := range r.p.rules {
		c.seen = searched{}
	}
	for i := range r.p.indexes {
		r.p.indexes[i].generation = 0
	}
	for _, x := range r.p.keys {
		x.generation = 0
	}
}

// usualNewPart is which part of a rule's rows may be new for it to be searched for what is new only.
const usualNewPart = 0.5

// choose decides for every rule whether what it has seen is left out. It runs when the graph is frozen and
// ground terms are looked up.
func (r *runner) choose() {
	p := r.p
	p.aged = false
	for _, c := range p.rules {
		c.mark, c.skip = 0, c.banned
	}
	if !r.delta || r.generation == 0 {
		return
	}
	for _, c := range p.rules {
		if c.banned || c.seen.generation == 0 || c.how == opaqueRule || !p.sameGrounds(c, c.seen.grounds) {
			continue
		}
		fresh, all := 0, 0
		for _, op := range c.ops {
			fresh += p.fresh(op, c.seen.generation)
			all += p.frozen[op].rows
		}
		if float64(fresh) <= r.newPart*float64(all) {
			c.mark = c.seen.generation
			c.stats.Delta++
			c.skip = fresh == 0 && (!c.classes || int(p.g.generations.ids[c.mark]) == len(p.g.uf.parent))
			p.aged = p.aged || !c.skip
		}
	}
}

// fresh is how many rows of an operator are newer than a generation.
func (p *program) fresh(op int, m uint8) int {
	f := &p.frozen[op]
	if f.counted != m {
		f.counted, f.newer = m, newer(f.age, m)
	}
	return f.newer
}

// noteSeen notes which rules have seen everything that was there when the iteration began: their matches were
// all applied.
func (r *runner) noteSeen(complete bool) {
	if r.generation == 0 || !complete {
		return
	}
	for _, c := range r.p.rules {
		if c.banned || c.over || c.how == opaqueRule {
			continue
		}
		if c.mark == 0 {
			c.seen.matches = 0
		}
		c.seen.matches += c.found
		c.seen.generation, c.seen.edits = r.generation, c.edits
		if !r.p.sameGrounds(c, c.seen.grounds) {
			c.seen.grounds = make([]uint32, len(c.grounds)) // the old ones are the graph's
			for i, n := range c.grounds {
				c.seen.grounds[i] = r.p.groundClass(n)
			}
		}
	}
}

// recount searches a rule in full whose matches may be more than its limit.
func (r *runner) recount(c *compiled) {
	for _, o := range r.p.rules {
		o.skip = o != c
	}
	c.stats.Matches -= c.found
	c.stats.Delta--
	r.iteration.Matches -= c.found
	c.mark, c.found = 0, 0
	c.store.reset()
	r.p.arrange()
	for _, t := range r.p.tasks() {
		if !r.matcher.stopped {
			r.matcher.run(t, r.p.roots)
		}
	}
}

// mayPass reports whether a rule may have more matches than its limit, those that were left out among them.
func (c *compiled) mayPass() bool {
	return c.mark > 0 && c.limit < math.MaxInt && c.seen.matches+c.found > c.limit
}

// A probe is a join further on whose class is known already: a partial match without a new row can only
// become new there where the class has a newer row than mark.
type probe struct {
	kid   int // the child of the row that is its class; -1: the row's class, -2: a register
	reg   int
	index *rowIndex
	mark  uint8
}

const (
	probeClass = -1
	probeReg   = -2
)

// ageStep finds what a step may leave out, once its children have: mark is the least of what the rules
// behind it have seen.
func (p *program) ageStep(s *step) {
	lo, hi := uint8(lastGeneration), uint8(0)
	for _, c := range s.ends {
		if !c.skip {
			lo, hi = min(lo, c.mark), max(hi, c.mark)
		}
	}
	for _, child := range s.children {
		if child.active {
			lo, hi = min(lo, child.mark), max(hi, child.newest)
		}
	}
	s.mark, s.newest, s.deep, s.probes = lo, hi, false, s.probes[:0]
	if hi > 0 && len(s.ages) != p.block {
		s.ages = p.parts.ages.take(p.block, p.block)
	}
	if lo > 0 && hi > 0 {
		for _, child := range s.children {
			p.probeFor(s, child)
		}
	}
}

// probeFor finds where a partial match of s can still become new in d or behind it.
func (p *program) probeFor(s, d *step) {
	if !d.active || s.deep {
		return
	}
	switch {
	case d.kind == scanClasses:
		s.deep = true
	case d.kind == scanTable:
		s.deep = p.fresh(int(d.table.op), d.mark) > 0
	case d.kind == joinClass && p.fresh(int(d.table.op), d.mark) > 0:
		pr := probe{kid: probeReg, reg: d.on, index: &p.indexes[d.table.op], mark: d.mark}
		switch bound := s.bindOf(d.on); {
		case bound >= 0:
			pr.kid = bound
		case d.on == s.classReg:
			pr.kid = probeClass
		case d.on >= s.depth:
			s.deep = true
			return
		}
		s.probes = append(s.probes, pr)
	}
	for _, child := range d.children {
		p.probeFor(s, child)
	}
}

// bindOf is the child that a step binds to a register, -1 where it does not.
func (s *step) bindOf(reg int) int {
	for _, b := range s.binds {
		if b.reg == reg {
			return b.kid
		}
	}
	return -1
}

// mayBecomeNew reports whether a partial match of a step without a new row can still meet one.
func (s *step) mayBecomeNew(parent *step, i int, class uint32, kids []uint32) bool {
	for j := range s.probes {
		pr := &s.probes[j]
		c := class
		switch {
		case pr.kid >= 0:
			c = kids[pr.kid]
		case pr.kid == probeReg:
			c = parent.out[pr.reg][i]
		}
		if pr.index.newest(c) > pr.mark {
			return true
		}
	}
	return s.deep
}

// scanNewer is scan where what is not new is left out.
func (m *matcher) scanNewer(s, parent *step, i, from, to int) {
	f := &m.p.frozen[s.table.op]
	arity := s.table.arity
	least := uint8(0)
	if parent != nil {
		least = parent.ages[i]
	}
	onlyNew := s.mark > 0 && least <= s.mark && !s.deep && len(s.probes) == 0
	for r := from; r < to; r++ {
		if onlyNew {
			if r = nextNewer(f.age[:to], r, s.mark); r == to {
				return
			}
		}
		c := f.class[r]
		if c == none || f.hidden != nil && f.hidden.has(uint32(r)) {
			continue
		}
		m.emitNewer(s, parent, i, c, f.kids[r*arity:(r+1)*arity], max(least, f.age[r]))
		if m.stopped {
			return
		}
	}
}

// joinNewer is join where what is not new is left out.
func (m *matcher) joinNewer(s, parent *step, n int) {
	x := &m.p.indexes[s.table.op]
	arity := s.table.arity
	for i, c := range parent.out[s.on][:n] {
		if m.stopped {
			return
		}
		if s.key != nil && m.keyed(s) {
			m.visitKey(s, parent, i, c)
			continue
		}
		lo, hi := x.span(c)
		from, to := int(lo), int(hi)
		least := parent.ages[i]
		m.worked(to - from)
		if least <= s.mark && len(s.probes) == 0 && !s.deep && x.newest(c) <= s.mark {
			continue
		}
		for at := from; at < to; at++ {
			m.emitNewer(s, parent, i, 0, x.kids[at*arity:(at+1)*arity], max(least, x.ages[at]))
		}
	}
}

// emitNewer is emit for a row of an age, unless nothing can come of it.
func (m *matcher) emitNewer(s, parent *step, i int, class uint32, kids []uint32, age uint8) {
	if age > s.mark || s.mark == 0 || s.mayBecomeNew(parent, i, class, kids) {
		m.age = age
		m.emit(s, parent, i, class, kids)
	}
}

// classAge is the age of a class in a pattern that is a variable: only a class that was not there has not
// been seen.
func (m *matcher) classAge(s *step, class uint32) uint8 {
	if class >= m.p.g.generations.ids[s.mark] {
		return lastGeneration + 1
	}
	return 0
}

// newOnly gives the matches of a step's block that have a row newer than a rule has seen.
func (m *matcher) newOnly(c *compiled, s *step, n int) ([]column, int) {
	first := 0
	for first < n && s.ages[first] > c.mark {
		first++
	}
	if first == n {
		return s.out, n
	}
	for len(m.kept) < len(s.out) {
		m.kept = append(m.kept, nil)
	}
	kept := 0
	for _, reg := range c.needs {
		if len(m.kept[reg]) != m.p.block {
			m.kept[reg] = make(column, m.p.block)
		}
		kept = 0
		from, to := s.out[reg], m.kept[reg]
		for i, age := range s.ages[:n] {
			if age > c.mark {
				to[kept] = from[i]
				kept++
			}
		}
	}
	return m.kept, kept
}
