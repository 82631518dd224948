package egraph

import (
	"cmp"
	"slices"
	"sync"
)

// Reinserting a large table in parallel. The place of a slot rises with the upper half of the hash, so a
// range of slots, a shard, is a range of hashes, and who fills one shares nothing with the others. A shard
// fits a core's cache, and the words that belong into it are brought together first, in its own slots and in the
// order of the rows:
//
//	canonicalise  by range of rows: their children, and how many of them belong into each shard
//	scatter       by range of rows: their words go to the shards
//	fill          by shard: the words go to their places, and classes of equal rows are merged
//
// Which of equal rows stays (the first), their order and what is merged do not depend on the number of threads.

// A reinsertion is one table's.
type reinsertion struct {
	g       *EGraph
	t       *table
	threads int
	shift   int // from the number of a slot to that of its shard
	ranges  []rowRange
	shards  []shard
}

// A rowRange is rows of one thread, and by shard how many words they have there, later where the next one goes.
type rowRange struct {
	from, to int
	counts   []uint32
}

// A shard is a part of the index that one thread fills.
type shard struct {
	n        int // of words
	merged   merging
	classes  [][2]uint32 // of equal rows, not yet merged
	equal    [][2]uint32 // rows and the earlier rows that they are equal to, where analyses hear of one after the other
	crossing []uint32    // rows whose search ran out of the shard
	seen     uint32      // what looking ahead read, so that it is not optimised away
}

// shardShift is that of a megabyte of slots.
const shardShift = 17

// splits reports whether a table is reinserted and rekeyed in parallel. Proofs and hidden rows need the order of one
// thread; the answer must not depend on the number of threads.
func (g *EGraph) splits(t *table) bool {
	return t.rows() >= g.closing.parallelFrom && t.hiding == 0 && g.proofs == nil
}

// reinsertParallel is reinsert for a large table, except that unions found meanwhile are not yet seen.
func (g *EGraph) reinsertParallel(t *table) {
	x := &reinsertion{g: g, t: t, threads: g.workers()}
	x.divide()
	share(x.threads, len(x.ranges), func(i int) { x.canonicalise(&x.ranges[i]) })
	x.allot()
	share(x.threads, len(x.ranges), func(i int) { x.scatter(&x.ranges[i]) })
	x.fillAll()
	t.closeUp(t.deadRows(x.threads), x.threads)
	t.used, t.stale = t.rows(), 0
}

// divide makes ranges and shards, of each some for every thread.
func (x *reinsertion) divide() {
	rows, slots := x.t.rows(), len(x.t.slots)
	for x.shift = shardShift; x.shift > 0 && slots>>x.shift < x.threads; x.shift-- {
	}
	n := min(4*x.threads, rows)
	x.ranges = make([]rowRange, n)
	for i := range x.ranges {
		x.ranges[i] = rowRange{i * rows / n, (i + 1) * rows / n, make([]uint32, x.count())}
	}
}

// count is how many shards there are.
func (x *reinsertion) count() int { return (len(x.t.slots)-1)>>x.shift + 1 }

// word gives the word of a row in the index, and its shard.
func (x *reinsertion) word(r int) (word uint64, shard int) {
	t := x.t
	var h uint64
	if t.arity == 2 {
		h = hash2(t.kids[2*r], t.kids[2*r+1])
	} else {
		h = hashRow(t.row(r))
	}
	return slotWord(h, r), int(place(h, len(t.slots)) >> x.shift)
}

// canonicalise gives rows their canonical children. The forest is only read, so paths are not halved; it was
// flattened when the closure began.
func (x *reinsertion) canonicalise(part *rowRange) {
	t, parent := x.t, x.g.uf.parent
	for r := part.from; r < part.to; r++ {
		if t.class[r] == none {
			continue
		}
		kids := t.row(r)
		for j, k := range kids {
			if parent[k] != k {
				kids[j] = x.g.uf.root(k)
				t.touched(r)
			}
		}
		_, shard := x.word(r)
		part.counts[shard]++
	}
}

// allot makes places of the counts: those of a shard's words are its first slots.
func (x *reinsertion) allot() {
	for !x.sum() && x.count() > 1 {
		x.double()
	}
	for s := range x.shards {
		at := uint32(s << x.shift)
		for i := range x.ranges {
			n := &x.ranges[i].counts[s]
			at, *n = at+*n, at
		}
	}
}

// sum counts the words of the shards, and reports whether each has slots for its own.
func (x *reinsertion) sum() bool {
	fit := true
	x.shards = make([]shard, x.count())
	for s := range x.shards {
		for i := range x.ranges {
			x.shards[s].n += int(x.ranges[i].counts[s])
		}
		fit = fit && x.shards[s].n <= len(x.slots(s))
	}
	return fit
}

// slots are those of a shard.
func (x *reinsertion) slots(shard int) []uint64 {
	return x.t.slots[shard<<x.shift : min((shard+1)<<x.shift, len(x.t.slots))]
}

// double makes shards of twice the size.
func (x *reinsertion) double() {
	x.shift++
	for i := range x.ranges {
		part := &x.ranges[i]
		for s, n := range part.counts {
			part.counts[s] = 0
			part.counts[s/2] += n
		}
		part.counts = part.counts[:x.count()]
	}
}

// scatter writes the words of rows into their shards' slots.
func (x *reinsertion) scatter(part *rowRange) {
	for r := part.from; r < part.to; r++ {
		if x.t.class[r] != none {
			word, shard := x.word(r)
			at := &part.counts[shard]
			x.t.slots[*at] = word
			*at++
		}
	}
}

// fillAll fills the shards, then places what ran out of them.
func (x *reinsertion) fillAll() {
	words := sync.Pool{New: func() any { return new([]uint64) }}
	share(x.threads, len(x.shards), func(i int) {
		mine := words.Get().(*[]uint64)
		slots := x.slots(i)
		*mine = append((*mine)[:0], slots[:x.shards[i].n]...)
		clear(slots)
		x.fill(i, *mine)
		words.Put(mine)
	})
	x.tellEqual()
	for i := range x.shards {
		x.g.take([]merging{x.shards[i].merged})
		for _, r := range x.shards[i].crossing {
			x.cross(int(r))
		}
	}
}

// tellEqual merges the classes of equal rows one after the other, as analyses hear of it.
func (x *reinsertion) tellEqual() {
	var equal [][2]uint32
	for i := range x.shards {
		equal = append(equal, x.shards[i].equal...)
	}
	slices.SortFunc(equal, func(a, b [2]uint32) int { return cmp.Compare(a[0], b[0]) })
	for _, pair := range equal {
		x.g.congruent(x.t, int(pair[0]), int(pair[1]))
		x.t.class[pair[0]] = none
	}
}

// fill puts words into a shard, a block at a time: all go to where their search may end, so that the cache misses of
// the rows there overlap.
func (x *reinsertion) fill(shard int, words []uint64) {
	t, s, seen := x.t, &x.shards[shard], uint32(0)
	end := shard<<x.shift + len(x.slots(shard))
	var ends [blockSize]int
	for ; len(words) > 0; words = words[min(blockSize, len(words)):] {
		block := words[:min(blockSize, len(words))]
		for i, word := range block {
			slot := int(place(word, len(t.slots)))
			for slot < end && t.slots[slot] != 0 && t.slots[slot]>>32 != word>>32 {
				slot++
			}
			if ends[i] = slot; slot < end && t.slots[slot] != 0 {
				r, other := int(uint32(word))-1, int(uint32(t.slots[slot]))-1
				seen ^= t.kids[r*t.arity] ^ t.kids[other*t.arity] ^ t.class[r] ^ t.class[other]
			}
		}
		for i, word := range block {
			x.place(s, word, ends[i], end)
		}
		seen ^= x.merge(s)
	}
	s.seen = seen
}

// place puts a row into the first empty slot from one to an end, unless an equal row comes before it.
func (x *reinsertion) place(s *shard, word uint64, slot, end int) {
	t, r := x.t, int(uint32(word))-1
	for ; slot < end; slot++ {
		there := t.slots[slot]
		if there == 0 {
			t.slots[slot] = word
			return
		}
		if other := int(uint32(there)) - 1; there>>32 == word>>32 && equalRow(t.row(other), t.row(r)) {
			x.equal(s, r, other)
			return
		}
	}
	s.crossing = append(s.crossing, uint32(r))
}

// equal merges the classes of a row and the earlier one that it is equal to, and has it go.
func (x *reinsertion) equal(s *shard, r, other int) {
	if len(x.g.analyses) > 0 {
		s.equal = append(s.equal, [2]uint32{uint32(r), uint32(other)})
		return
	}
	s.classes = append(s.classes, [2]uint32{x.t.class[r], x.t.class[other]})
	x.t.class[r] = none
}

// merge merges classes, once all were looked at.
func (x *reinsertion) merge(s *shard) (seen uint32) {
	for _, c := range s.classes {
		seen ^= x.g.uf.rootNow(c[0]) ^ x.g.uf.rootNow(c[1])
	}
	for _, c := range s.classes {
		s.merged.unite(&x.g.uf, c[0], c[1])
	}
	s.classes = s.classes[:0]
	return seen
}

// cross places a row whose search ran out of its shard. Rows equal to it all did.
func (x *reinsertion) cross(r int) {
	t := x.t
	h := hashRow(t.row(r))
	other, slot := t.find(t.row(r), h)
	if other < 0 {
		t.slots[slot] = slotWord(h, r)
		return
	}
	x.g.congruent(t, r, other)
	t.class[r] = none
}
