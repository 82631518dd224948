package egraph

import "math/bits"

// none marks a row that was found equal to another and stands no more.
const none = ^uint32(0)

// A table holds the rows of one operator: row r has children kids[r*arity:(r+1)*arity] and is in class
// class[r]. Rows are only appended; a row that becomes a duplicate is marked with none in all columns
// and goes when the table is compacted.
//
// slots is the index from children to rows: open addressing with linear probing, a slot is
// (hash>>32)<<32 | row+1, and 0 is empty. A slot may be stale (its row's children changed since): what
// decides is always the comparison of children, so a stale slot is only a wasted probe.
type table struct {
	op    uint32
	arity int
	kids  []uint32
	class []uint32
	slots []uint64
	used  int // slots that are not empty
	dead  int // rows marked none
	born  []uint32
}

const (
	hashSeed  = 0x9e3779b97f4a7c15
	hashPrime = 0xd6e8feb86659fd93
	minSlots  = 64
)

// fold is the multiply-and-fold mix of wyhash (Wang Yi).
func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^hashSeed, y^hashPrime)
	return hi ^ lo
}

func hash1(a uint32) uint64    { return fold(uint64(a), 0) }
func hash2(a, b uint32) uint64 { return fold(uint64(a)<<32|uint64(b), 0) }

func hashRow(kids []uint32) uint64 {
	switch len(kids) {
	case 1:
		return hash1(kids[0])
	case 2:
		return hash2(kids[0], kids[1])
	}
	h := uint64(len(kids))
	for _, k := range kids {
		h = fold(h, uint64(k))
	}
	return h
}

func slotWord(h uint64, row int) uint64 { return h&^0xffffffff | uint64(row+1) }

func (t *table) rows() int { return len(t.class) }
func (t *table) live() int { return len(t.class) - t.dead }

func (t *table) row(r int) []uint32 { return t.kids[r*t.arity : (r+1)*t.arity : (r+1)*t.arity] }

func (t *table) isDead(r int) bool { return t.class[r] == none }

func (t *table) bytes() int {
	return 4*(cap(t.kids)+cap(t.class)+cap(t.born)) + 8*cap(t.slots)
}

// find gives the row with these children, or -1, and the slot where the search ended.
func (t *table) find(kids []uint32, h uint64) (row int, slot uint64) {
	if len(t.slots) == 0 {
		return -1, 0
	}
	mask := uint64(len(t.slots) - 1)
	tag := uint32(h >> 32)
	for slot = h & mask; ; slot = (slot + 1) & mask {
		word := t.slots[slot]
		if word == 0 {
			return -1, slot
		}
		if uint32(word>>32) == tag {
			r := int(uint32(word)) - 1
			if equalRow(t.row(r), kids) {
				return r, slot
			}
		}
	}
}

func equalRow(a, b []uint32) bool {
	for i, k := range a {
		if k != b[i] {
			return false
		}
	}
	return true
}

// insert appends a row that find did not find, and puts it at the slot where the search ended; the
// caller has called reserve before.
func (t *table) insert(kids []uint32, class uint32, h, slot uint64) int {
	r := len(t.class)
	t.kids = append(t.kids, kids...)
	t.class = append(t.class, class)
	t.slots[slot] = slotWord(h, r)
	t.used++
	return r
}

// reserve makes room for n more rows: no slot search fails and no append moves a column before they
// are in. The index is at most 3/4 full.
func (t *table) reserve(n int) {
	if need := (t.used + n) * 4 / 3; need >= len(t.slots) {
		size := max(minSlots, len(t.slots))
		for live := (t.live() + n) * 4 / 3; live >= size; {
			size *= 2
		}
		t.reindex(size)
	}
	t.kids = growColumn(t.kids, n*t.arity)
	t.class = growColumn(t.class, n)
}

// growColumn is slices.Grow with a factor of 1.5, for columns of a million rows and more.
func growColumn(c []uint32, n int) []uint32 {
	if cap(c)-len(c) >= n {
		return c
	}
	grown := make([]uint32, len(c), max(len(c)+n, len(c)+len(c)/2, 64))
	copy(grown, c)
	return grown
}

// reindex makes the index anew, without stale slots.
func (t *table) reindex(size int) {
	if size == len(t.slots) {
		clear(t.slots)
	} else {
		t.slots = make([]uint64, size)
	}
	mask := uint64(size - 1)
	t.used = 0
	for r := range t.class {
		if t.isDead(r) {
			continue
		}
		h := hashRow(t.row(r))
		slot := h & mask
		for t.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.slots[slot] = slotWord(h, r)
		t.used++
	}
}

// bury marks a row as a duplicate.
func (t *table) bury(r int) {
	kids := t.row(r)
	for i := range kids {
		kids[i] = none
	}
	t.class[r] = none
	t.dead++
}

// compact moves the living rows together, in order, and makes the index anew.
func (t *table) compact() {
	if t.dead == 0 {
		return
	}
	w := 0
	for r := range t.class {
		if t.isDead(r) {
			continue
		}
		copy(t.row(w), t.row(r))
		t.class[w] = t.class[r]
		if t.born != nil {
			t.born[w] = t.born[r]
		}
		w++
	}
	t.kids, t.class, t.dead = t.kids[:w*t.arity], t.class[:w], 0
	if t.born != nil {
		t.born = t.born[:w]
	}
	t.reindex(len(t.slots))
}
