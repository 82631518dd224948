package egraph

import "math/bits"

// closeUp drops rows: those that stay move together, in their order, and the slots get their new numbers.
// A slot of a row that goes is left as a stale one, on row 0, where it costs a search one comparison; some
// row stays.
func (t *table) closeUp(gone bitset, threads int) {
	c := &closingUp{t: t, gone: gone, before: make([]uint32, len(gone))}
	sum := uint32(0)
	for w, word := range gone {
		c.before[w] = sum
		sum += uint32(bits.OnesCount64(word))
	}
	shareOut(threads, len(t.slots), c.renumber)
	c.move(threads)
	t.dead = 0
}

// deadRows are the rows marked none.
func (t *table) deadRows(threads int) bitset {
	dead := newBitset(t.rows())
	shareOut(threads, len(dead), func(from, to int) { // so that no two threads write to one word
		for w := from; w < to; w++ {
			for r, c := range t.class[min(w*64, t.rows()):min(w*64+64, t.rows())] {
				if c == none {
					dead[w] |= 1 << r
				}
			}
		}
	})
	return dead
}

type closingUp struct {
	t      *table
	gone   bitset
	before []uint32 // by 64 rows: how many before them go
}

func (c *closingUp) renumber(from, to int) {
	slots := c.t.slots[from:to]
	for i, word := range slots {
		if word == 0 {
			continue
		}
		r := uint32(word) - 1
		if gone := c.gone[r/64]; gone>>(r%64)&1 != 0 {
			slots[i] = word&^0xffffffff | 1
		} else {
			slots[i] = word - uint64(c.before[r/64]) - uint64(bits.OnesCount64(gone&(1<<(r%64)-1)))
		}
	}
}

// move moves the rows that stay together: threads those of a range each, then the ranges follow each other.
func (c *closingUp) move(threads int) {
	t := c.t
	t.dateRows()
	t.removals++
	if t.hiding > 0 {
		threads = 1
	}
	ends := make([]int, threads)
	share(threads, threads, func(i int) {
		ends[i] = c.moveWithin(i*len(c.gone)/threads, (i+1)*len(c.gone)/threads)
	})
	to := ends[0]
	for i, end := range ends[1:] {
		to = t.moveTogether(threads, (i+1)*len(c.gone)/threads*64, end, to)
	}
	t.truncate(to)
}

// moveFrom is how many rows are worth threads.
const moveFrom = 1 << 16

// moveTogether is moveRange by threads, so many rows at a time as none of them writes over another's.
func (t *table) moveTogether(threads, from, end, to int) int {
	for apart := from - to; apart >= moveFrom && from < end; from, to = from+apart, to+apart {
		shareOut(threads, min(apart, end-from), func(a, b int) { t.moveRange(from+a, from+b, to+a) })
	}
	if from >= end {
		return to - (from - end)
	}
	return t.moveRange(from, end, to)
}

// moveRange moves the rows from one to an end to where they follow others, and answers where they end there.
func (t *table) moveRange(from, end, to int) int {
	copy(t.kids[to*t.arity:], t.kids[from*t.arity:end*t.arity])
	if t.born != nil {
		copy(t.born[to:], t.born[from:end])
	}
	if len(t.age) > 0 {
		copy(t.age[to:], t.age[from:end])
	}
	return to + copy(t.class[to:], t.class[from:end])
}

// moveWithin moves rows together within the words of a range, and answers where they end.
func (c *closingUp) moveWithin(first, last int) int {
	t, to := c.t, first*64
	plain := t.born == nil && t.hiding == 0
	for w, word := range c.gone[first:last] {
		w += first
		from, end := w*64, min(w*64+64, t.rows())
		if word == 0 && plain && from < end {
			to = t.moveRange(from, end, to)
			continue
		}
		for r := from; r < end; r++ {
			if !c.gone.has(uint32(r)) {
				t.move(r, to)
				to++
			}
		}
	}
	return to
}

// compactSmall is how many rows a table has whose index is made anew faster than renumbered.
const compactSmall = 1 << 9

func (t *table) compactSmall() {
	t.dateRows()
	t.removals++
	to := 0
	for r, c := range t.class {
		if c != none {
			t.move(r, to)
			to++
		}
	}
	t.truncate(to)
	t.dead = 0
	t.reindex(len(t.slots))
}

// compact drops the rows that were found equal to others, and makes the index anew where it is full of
// stale slots.
func (t *table) compact(threads int) {
	if t.rows() < compactSmall {
		t.compactSmall()
		return
	}
	gone := t.deadRows(threads)
	fresh := t.stale*2 > t.used || t.live() == 0
	if fresh {
		clear(t.slots)
	}
	t.closeUp(gone, threads)
	if fresh {
		t.reindex(len(t.slots))
	}
}
