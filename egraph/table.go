package egraph

import (
	"math/bits"
	"math/rand/v2"
)

// none marks a row that was found equal to another and stands no more.
const none = ^uint32(0)

// A table holds the rows of one operator: row r has children kids[r*arity:(r+1)*arity] and is in class
// class[r]. Rows are only appended; a row that becomes a duplicate is marked with none in all columns
// and goes when the table is compacted.
//
// slots is the index from children to rows: open addressing with linear probing, a slot is
// (hash>>32)<<32 | row+1, and 0 is empty. The place of a slot follows from the upper half of its word,
// and rises with it, so the index grows by one pass over itself, in order, without a look at the rows,
// and to any size. A slot may be stale (its row's
// children changed since): what decides is always the comparison of children, so a stale slot is only
// a wasted probe.
type table struct {
	op    uint32
	arity int
	kids  []uint32
	class []uint32
	slots []uint64
	used  int      // slots that are not empty
	stale int      // of these, slots that no longer lead to their row
	dead  int      // rows marked none
	born  []uint32 // by row: the class it was made with; nil unless proofs are kept

	tried, added int // rows that right sides made in this iteration, and how many of them were new

	age      []uint8 // by row: the generation of its last change (match_ages.go); empty while these are not kept
	now      uint8   // the generation of changes
	removals uint64  // grows when rows are buried, dropped or hidden

	retired int // bytes of columns that grew out of their arrays since the graph last noted them

	hidden bitset // rows that Prune hid
	hiding int    // how many
}

const minSlots = 16

// hashSeed and hashPrime are of this process alone, so that no file can hold rows that collide. Rows and classes are
// numbered in the order in which they come, so what a graph is does not depend on hashes: only where
// its index has a row.
var (
	hashSeed  = 0x9e3779b97f4a7c15 ^ rand.Uint64()
	hashPrime = 0xd6e8feb86659fd93 ^ rand.Uint64()<<1 // odd
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

// place maps the upper half of a hash to a slot of n (Lemire's multiply and shift).
func place(h uint64, n int) uint64 { return h >> 32 * uint64(n) >> 32 }

func slotWord(h uint64, row int) uint64 { return h&^0xffffffff | uint64(row+1) }

func (t *table) rows() int { return len(t.class) }
func (t *table) live() int { return len(t.class) - t.dead } // hidden rows among them

func (t *table) row(r int) []uint32 { return t.kids[r*t.arity : (r+1)*t.arity : (r+1)*t.arity] }

func (t *table) isDead(r int) bool { return t.class[r] == none }

func (t *table) bytes() int {
	return 4*(cap(t.kids)+cap(t.class)+cap(t.born)) + 8*cap(t.slots) + cap(t.age)
}

// find gives the row with these children, or -1, and the slot where the search ended.
func (t *table) find(kids []uint32, h uint64) (row int, slot uint64) {
	if len(t.slots) == 0 {
		return -1, 0
	}
	tag := uint32(h >> 32)
	for slot = place(h, len(t.slots)); ; slot++ {
		if slot == uint64(len(t.slots)) {
			slot = 0
		}
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
	if t.born != nil {
		t.born = append(t.born, class)
	}
	t.slots[slot] = slotWord(h, r)
	t.used++
	return r
}

// reserve makes room for n more rows: no slot search fails and no append moves a column before they
// are in. The index is at most 3/4 full.
func (t *table) reserve(n int) {
	t.reserveBy(1, n)
}

// reserveBy is reserve by threads.
func (t *table) reserveBy(threads, n int) {
	t.reserveSlots(threads, n)
	t.reserveColumns(n)
}

// reserveSlots makes room in the index for n rows to take a new place.
func (t *table) reserveSlots(threads, n int) {
	if (t.used+n)*4/3 >= len(t.slots) {
		t.makeRoomBy(threads, n)
	}
}

func (t *table) reserveColumns(n int) {
	kids, class := cap(t.kids), cap(t.class)
	t.kids = growColumn(t.kids, n*t.arity)
	t.class = growColumn(t.class, n)
	if cap(t.kids) != kids {
		t.retired += 4 * kids
	}
	if cap(t.class) != class {
		t.retired += 4 * class
	}
}

func (t *table) makeRoomBy(threads, n int) {
	size := max(minSlots, len(t.slots))
	if t.stale*4 > t.used {
		t.reindex(indexSize(size, t.live()+n))
	} else {
		t.regrow(threads, indexSize(size, t.used+n))
	}
}

// indexSize grows a size until so many slots fill at most 3/4 of it.
func indexSize(size, used int) int {
	for used*4/3 >= size {
		if size < 1<<24 {
			size *= 2
		} else {
			size += size / 2
		}
	}
	return size
}

// growth doubles, and adds half where it is tens of megabytes.
func growth(n int) int {
	if n < 1<<22 {
		return 2 * n
	}
	return n + n/2
}

// growColumn is slices.Grow by growth.
func growColumn(c []uint32, n int) []uint32 {
	if cap(c)-len(c) >= n {
		return c
	}
	grown := make([]uint32, len(c), max(len(c)+n, growth(len(c)), minSlots))
	copy(grown, c)
	return grown
}

// resize gives the index a new size, empty.
func (t *table) resize(size int) {
	if size == len(t.slots) {
		clear(t.slots)
	} else {
		t.retired += 8 * len(t.slots)
		t.slots = make([]uint64, size)
	}
}

// regrowFrom is how many slots are worth threads.
const regrowFrom = 1 << 18

// regrow moves the slots into a larger index: threads a part each, which becomes a part of the larger
// one, then one what had to leave its part.
func (t *table) regrow(threads, size int) {
	old := t.slots
	t.resize(size)
	if len(old) < regrowFrom {
		threads = 1
	}
	left := make([][]uint64, threads)
	share(threads, threads, func(i int) {
		from, to := i*size/threads, (i+1)*size/threads
		left[i] = t.regrowPart(old[i*len(old)/threads:(i+1)*len(old)/threads], from, to)
	})
	for _, words := range left {
		for _, word := range words {
			t.slots[t.empty(place(word, size))] = word
		}
	}
}

// regrowPart moves words to their places from one slot to another, and answers those that have none there.
func (t *table) regrowPart(old []uint64, from, to int) (left []uint64) {
	var full [64]uint64 // of a stretch, picked without a branch that nobody can predict
	for len(old) > 0 {
		n := 0
		stretch := old[:min(len(old), len(full))]
		for _, word := range stretch {
			full[n&(len(full)-1)] = word
			n += int((word | -word) >> 63)
		}
		for _, word := range full[:n] {
			slot := place(word, len(t.slots))
			if slot < uint64(from) {
				slot = uint64(to)
			}
			for slot < uint64(to) && t.slots[slot] != 0 {
				slot++
			}
			if slot < uint64(to) {
				t.slots[slot] = word
			} else {
				left = append(left, word)
			}
		}
		old = old[len(stretch):]
	}
	return left
}

// empty gives the first empty slot from one on.
func (t *table) empty(slot uint64) uint64 {
	slots := t.slots
	for slot < uint64(len(slots)) && slots[slot] != 0 {
		slot++
	}
	if slot < uint64(len(slots)) {
		return slot
	}
	for slot = 0; slots[slot] != 0; {
		slot++
	}
	return slot
}

// reindex makes the index anew from the rows, without stale slots.
func (t *table) reindex(size int) {
	t.resize(size)
	arity := t.arity
	for r, c := range t.class {
		if c == none {
			continue
		}
		var h uint64
		if arity == 2 {
			h = hash2(t.kids[2*r], t.kids[2*r+1])
		} else {
			h = hashRow(t.row(r))
		}
		t.slots[t.empty(place(h, size))] = slotWord(h, r)
	}
	t.used, t.stale = t.live(), 0
}

// bury marks a row as a duplicate.
func (t *table) bury(r int) {
	t.mark(r)
	t.show(r)
	t.buried(1)
}

// mark marks a row that is not hidden; buried is to hear of it.
func (t *table) mark(r int) {
	kids := t.row(r)
	for i := range kids {
		kids[i] = none
	}
	t.class[r] = none
}

// buried takes note of n rows that were marked.
func (t *table) buried(n int) {
	t.dead += n
	t.stale += n
	t.removals += uint64(n)
}

// move puts row r where row w is, w <= r.
func (t *table) move(r, w int) {
	if r == w {
		return
	}
	if t.isHidden(r) {
		t.show(r)
		t.hide(w)
	}
	copy(t.row(w), t.row(r))
	t.class[w] = t.class[r]
	if t.born != nil {
		t.born[w] = t.born[r]
	}
	if r < len(t.age) {
		t.age[w] = t.age[r]
	}
}

func (t *table) truncate(rows int) {
	t.kids, t.class = t.kids[:rows*t.arity], t.class[:rows]
	if t.born != nil {
		t.born = t.born[:rows]
	}
	t.age = t.age[:min(rows, len(t.age))]
}
