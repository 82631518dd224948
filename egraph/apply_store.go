package egraph

import "slices"

// applyStore applies the matches that were kept for the scheduler, unless they were too many.
func (r *runner) applyStore(c *compiled) {
	if c.limit == 0 {
		return
	}
	over := c.over
	r.scheduler.Matched(r.iteration.Number, c.name, c.store.n, over)
	if over {
		c.stats.Held++
		return
	}
	if c.how != opaqueRule {
		r.applyWhole(c)
		return
	}
	for start := 0; start < c.store.n; start += r.p.block {
		n := c.store.view(start, r.p.block, r.a.loaded)
		if !r.apply(c, r.a.loaded, n) || !r.paced(c, n) {
			return
		}
	}
}

// applyWhole applies kept matches all at once: their conditions, then row by row of the right side, then the
// unions. So what is new gets the same numbers whether or not what is old is among the matches, and however
// they fall into blocks.
func (r *runner) applyWhole(c *compiled) {
	a := r.a
	if len(c.conds) > 0 && c.store.n > 0 {
		a.filterStore(c)
	}
	if c.store.n == 0 || a.err != nil {
		return
	}
	c.stats.Applied += c.store.n
	r.iteration.Applied += c.store.n
	defer r.applied(c, r.clock)
	before := a.temps
	for len(a.whole) < len(c.right) {
		a.whole, a.views = append(a.whole, nil), append(a.views, nil)
	}
	a.temps = a.views
	for i := range c.right {
		a.whole[i] = slices.Grow(a.whole[i][:0], c.store.n)[:c.store.n]
		if !r.eachBlock(c, i+1, func(n int) { a.instruct(c, i, a.loaded, n) }) {
			a.temps = before
			return
		}
	}
	r.eachBlock(c, len(c.right), func(n int) { a.unite(c, a.loaded, n) })
	a.temps = before
}

// eachBlock does a part of a right side for every block of kept matches, with the first temporaries at hand;
// false: the run is to stop.
func (r *runner) eachBlock(c *compiled, temps int, do func(n int)) bool {
	a, g := r.a, r.g
	for start, n := 0, 0; start < c.store.n; start += n {
		n = c.store.view(start, min(r.p.block, max(1, a.room())), a.loaded)
		for j := range temps {
			a.views[j] = a.whole[j][start : start+n]
		}
		unions := g.merged()
		if a.err == nil {
			a.err = g.room(n * (len(c.right) + 1))
		}
		if a.err == nil {
			do(n)
		}
		if len(g.pendingMake) > 0 && a.err == nil {
			a.err = g.guard("analysis", g.makePending)
		}
		c.stats.Unions += g.merged() - unions
		if a.err != nil || a.room() < 0 && !r.within() || !r.paced(c, n) {
			return false
		}
	}
	return true
}

// filterStore keeps the matches for which the conditions hold.
func (a *applier) filterStore(c *compiled) {
	s, kept := &c.store, 0
	for start := 0; start < s.n; start += a.block {
		n := s.view(start, a.block, a.loaded)
		regs, k := a.filter(c, a.loaded, n)
		if a.err != nil || a.over {
			s.n = 0
			return
		}
		for _, reg := range c.needs {
			copy(s.columns[reg][kept:], regs[reg][:k])
		}
		kept += k
	}
	s.n = kept
	for _, reg := range c.needs {
		s.columns[reg] = s.columns[reg][:kept]
	}
}

// matchStore keeps the matches of a rule until its scheduler has decided: a column a register, nil where
// nobody reads it.
type matchStore struct {
	columns []column
	n       int
}

func (s *matchStore) reset() {
	s.n = 0
	for reg := range s.columns {
		s.columns[reg] = s.columns[reg][:0]
	}
}

func (s *matchStore) add(p *program, c *compiled, regs []column, n int) {
	if s.columns == nil {
		s.columns = p.headers.take(c.lastNeed()+1, c.lastNeed()+1)
		for _, reg := range c.needs {
			s.columns[reg] = p.words.take(0, 2*n)
		}
	}
	for _, reg := range c.needs {
		s.columns[reg] = append(s.columns[reg], regs[reg][:n]...)
	}
	s.n += n
}

// bytes is the memory of the columns.
func (s *matchStore) bytes() int { return columnBytes(s.columns) }

func columnBytes(columns []column) int {
	n := 0
	for _, c := range columns {
		n += 4 * cap(c)
	}
	return n
}

// view puts the matches from position start on into regs, as many as a block has, and answers how many.
func (s *matchStore) view(start, block int, regs []column) int {
	n := min(block, s.n-start)
	for reg, col := range s.columns {
		if len(col) > 0 {
			regs[reg] = col[start : start+n]
		}
	}
	return n
}
