package egraph

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// A keyIndex finds rows by some of their children, for joins whose pattern names variables that are
// bound already: with path(a,b) at hand, the rows edge(b,?c) of a class are those of one key, and
// the rest of the class is not looked at. A key is a class (of a join; a scan within a join has
// none) and the children that such variables stand for. The rows of a key are chained in their
// order, which is the order in which the class's rows are visited without an index: what is found,
// and in which order, is the same.
//
// An index is made when it pays: once a join has looked in vain at several times as many rows as it
// would have to take in, so that a search costs at most a little more than the better of the two.
// It is kept over the iterations of a run, where rows were only added, and forgotten when an
// iteration did not ask for it.
type keyIndex struct {
	table   *table
	byClass bool
	kids    []int

	rows       int    // of the table that are in it
	generation uint8  // of the search it was last brought up to date for, 0 where ages are not kept
	removals   uint64 // of the table then
	slots      []uint64
	groups     []keyGroup
	next       []uint32 // by row: the next one of its key

	price int         // rows looked at in vain that pay for bringing it up to date
	ready atomic.Bool // up to date in this iteration
	lock  sync.Mutex  // of whoever brings it up to date: threads of a crew may at the same time
}

// A keyGroup is the rows of one key.
type keyGroup struct {
	first, last uint32
	newest      uint8 // the greatest age among them
}

// A pricing says when an index pays: once so many rows were looked at in vain, and so many more for
// each row that it would have to take in.
type pricing struct{ least, row int }

var usualPricing = pricing{least: 1 << 7, row: 6}

// keyFor gives the index of a step's bound children, nil where it has none.
func (p *program) keyFor(s *step) *keyIndex {
	if !slices.ContainsFunc(s.checks, func(c check) bool { return c.with == withReg }) {
		return nil
	}
	kids := p.parts.ints.take(0, len(s.checks))
	for _, c := range s.checks {
		if c.with == withReg {
			kids = append(kids, c.kid)
		}
	}
	byClass := s.kind == joinClass
	for _, x := range p.keys {
		if x.table == s.table && x.byClass == byClass && slices.Equal(x.kids, kids) {
			return x
		}
	}
	x := p.parts.keys.one()
	x.table, x.byClass, x.kids, x.price = s.table, byClass, kids, math.MaxInt
	p.keys = append(p.keys, x)
	return x
}

// begin prepares for an iteration: an index that the last one did not use is forgotten, one whose
// rows changed is emptied, and what is missing has its price.
func (x *keyIndex) begin(f *frozen, p pricing) {
	x.price = p.least + p.row*f.rows
	if x.rows == 0 && !x.ready.Load() {
		x.generation, x.removals = f.generation, f.removals
		return
	}
	if !x.ready.Load() {
		x.forget()
	} else if x.generation == 0 || x.removals != f.removals || x.rows > len(f.age) || newer(f.age[:x.rows],
		x.generation) > 0 {
		x.empty()
	}
	x.price -= p.row * x.rows
	x.ready.Store(x.rows > 0 && x.rows == f.rows)
	x.generation, x.removals = f.generation, f.removals
}

func (x *keyIndex) empty() {
	clear(x.slots)
	x.rows, x.groups, x.next = 0, x.groups[:0], x.next[:0]
}

func (x *keyIndex) forget() { x.rows, x.slots, x.groups, x.next = 0, nil, nil, nil }

// update takes in the rows that are missing.
func (x *keyIndex) update(f *frozen) {
	x.lock.Lock()
	defer x.lock.Unlock()
	if x.ready.Load() {
		return
	}
	x.next = slices.Grow(x.next, f.rows-x.rows)[:f.rows]
	for r := x.rows; r < f.rows; r++ {
		x.next[r] = none
		if f.class[r] != none && (f.hidden == nil || !f.hidden.has(uint32(r))) {
			x.take(f, r)
		}
	}
	x.rows = f.rows
	x.ready.Store(true)
}

// take puts a row behind the others of its key.
func (x *keyIndex) take(f *frozen, r int) {
	if (len(x.groups)+1)*4/3 >= len(x.slots) {
		x.grow(f)
	}
	h := x.hashOf(f, r)
	slot := place(h, len(x.slots))
	for ; x.slots[slot] != 0; slot = x.after(slot) {
		if word := x.slots[slot]; uint32(word>>32) == uint32(h>>32) {
			if g := &x.groups[uint32(word)-1]; x.sameKey(f, int(g.first), r) {
				x.next[g.last], g.last = uint32(r), uint32(r)
				g.newest = max(g.newest, f.ageOf(r))
				return
			}
		}
	}
	x.groups = append(x.groups, keyGroup{uint32(r), uint32(r), f.ageOf(r)})
	x.slots[slot] = slotWord(h, len(x.groups)-1)
}

// grow makes room for more keys.
func (x *keyIndex) grow(f *frozen) {
	x.slots = make([]uint64, max(minSlots, 2*len(x.slots)))
	for i := range x.groups {
		h := x.hashOf(f, int(x.groups[i].first))
		slot := place(h, len(x.slots))
		for x.slots[slot] != 0 {
			slot = x.after(slot)
		}
		x.slots[slot] = slotWord(h, i)
	}
}

func (x *keyIndex) after(slot uint64) uint64 {
	if slot++; slot == uint64(len(x.slots)) {
		return 0
	}
	return slot
}

// hashOf is the hash of a row's key.
func (x *keyIndex) hashOf(f *frozen, r int) uint64 {
	h := uint64(len(x.kids))
	if x.byClass {
		h = uint64(f.class[r])
	}
	for _, kid := range x.kids {
		h = fold(h, uint64(f.kids[r*x.table.arity+kid]))
	}
	return h
}

func (x *keyIndex) sameKey(f *frozen, a, b int) bool {
	if x.byClass && f.class[a] != f.class[b] {
		return false
	}
	for _, kid := range x.kids {
		if f.kids[a*x.table.arity+kid] != f.kids[b*x.table.arity+kid] {
			return false
		}
	}
	return true
}

// find gives the rows of the key that partial match i of parent asks for, nil where there are none;
// class is that of a join.
func (x *keyIndex) find(f *frozen, s, parent *step, i int, class uint32) *keyGroup {
	if len(x.groups) == 0 {
		return nil
	}
	h := uint64(len(x.kids))
	if x.byClass {
		h = uint64(class)
	}
	for _, c := range s.checks {
		if c.with == withReg {
			h = fold(h, uint64(parent.out[c.arg][i]))
		}
	}
	for slot := place(h, len(x.slots)); ; slot = x.after(slot) {
		word := x.slots[slot]
		if word == 0 {
			return nil
		}
		if uint32(word>>32) == uint32(h>>32) {
			if g := &x.groups[uint32(word)-1]; x.asked(f, int(g.first), s, parent, i, class) {
				return g
			}
		}
	}
}

// asked reports whether a row has the key that a partial match asks for.
func (x *keyIndex) asked(f *frozen, r int, s, parent *step, i int, class uint32) bool {
	if x.byClass && f.class[r] != class {
		return false
	}
	for _, c := range s.checks {
		if c.with == withReg && f.kids[r*x.table.arity+c.kid] != parent.out[c.arg][i] {
			return false
		}
	}
	return true
}

// keyed reports whether a step with an index, which has looked at rows in vain, visits those of its
// key from now on.
func (m *matcher) keyed(s *step) bool {
	if s.key.ready.Load() {
		return true
	}
	if s.vain < s.key.price {
		return false
	}
	s.key.update(&m.p.frozen[s.table.op])
	return true
}

// visitKey visits, for one partial match, the rows of its key, which is what is left of a join or a
// scan.
func (m *matcher) visitKey(s, parent *step, i int, class uint32) {
	x, f := s.key, &m.p.frozen[s.table.op]
	m.worked(1)
	g := x.find(f, s, parent, i, class)
	if g == nil {
		return
	}
	least := uint8(0)
	if s.newest > 0 {
		least = parent.ages[i]
		if least <= s.mark && g.newest <= s.mark && len(s.probes) == 0 && !s.deep {
			return
		}
	}
	arity := s.table.arity
	for r := g.first; r != none && !m.stopped; r = x.next[r] {
		kids := f.kids[int(r)*arity : (int(r)+1)*arity]
		if s.newest > 0 {
			m.emitNewer(s, parent, i, f.class[r], kids, max(least, f.age[r]))
		} else {
			m.emit(s, parent, i, f.class[r], kids)
		}
		m.worked(1)
	}
}
