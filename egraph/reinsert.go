package egraph

import (
	"math/bits"
	"runtime"
	"sync"
)

// Reinserting a large table in parallel. The place of a slot rises with the upper half of the hash, so a
// range of slots is a range of hashes, and a thread that owns a range of slots shares nothing with the
// others: each looks at all rows' hashes and inserts those of its range, in the order of the rows. Which
// of equal rows stays (the first), their order and what is merged do not depend on the number of threads.

// A reinsertion is one table's.
type reinsertion struct {
	g       *EGraph
	t       *table
	threads int
	rows    int
	tags    []uint32 // by row: the upper half of its hash
	shards  []shard
	gone    bitset // rows that go: dead before, or equal to an earlier one
}

// A shard is the part of the index that one thread fills: slots from to to.
type shard struct {
	from, to uint64
	equal    bitset   // rows equal to an earlier row, whose number stands in place of their first child
	crossing []uint32 // rows whose search ran out of the shard
	seen     uint32   // what looking ahead read, so that it is not optimised away
}

// splits says whether a table is reinserted and rekeyed in parallel. Proofs and hidden rows need the order of one
// thread; the answer must not depend on the number of threads.
func (g *EGraph) splits(t *table) bool {
	return t.rows() >= g.closing.parallelFrom && t.hiding == 0 && g.proofs == nil
}

// reinsertParallel is reinsert for a large table, except that unions found meanwhile are not yet seen.
func (g *EGraph) reinsertParallel(t *table) {
	t.resize(len(t.slots))
	x := &reinsertion{g: g, t: t, threads: g.workers(), rows: t.rows(), gone: newBitset(t.rows()), tags: make([]uint32, t.rows())}
	words := (x.rows + 63) / 64 // so that no two threads write to one word of gone
	shareOut(x.threads, words, func(from, to int) { x.canonicalise(from*64, min(to*64, x.rows)) })
	x.insert()
	t.closeUp(x.gone, x.threads)
	t.used, t.stale = t.rows(), 0
	t.retired += 4 * x.rows
}

// shareOut calls do for as many ranges of 0 to n as there are threads, at the same time.
func shareOut(threads, n int, do func(from, to int)) {
	if threads == 1 {
		do(0, n)
		return
	}
	var done sync.WaitGroup
	for i := range threads {
		done.Go(func() { do(i*n/threads, (i+1)*n/threads) })
	}
	done.Wait()
}

// workers is how many threads the graph may use.
func (g *EGraph) workers() int {
	if g.threads > 0 {
		return g.threads
	}
	return runtime.GOMAXPROCS(0)
}

// workersFor is how many threads pay for passes over a table: starting one costs more than a small table.
func (g *EGraph) workersFor(t *table) int {
	if t.rows() < g.closing.parallelFrom {
		return 1
	}
	return g.workers()
}

// canonicalise gives rows their canonical children and hashes. The forest is only read, so paths are not
// halved; it was flattened when the closure began.
func (x *reinsertion) canonicalise(from, to int) {
	t, root := x.t, x.g.uf.root
	if t.arity == 2 {
		for r := from; r < to; r++ {
			if t.class[r] == none {
				x.gone.set(uint32(r))
				continue
			}
			a, b := root(t.kids[2*r]), root(t.kids[2*r+1])
			if a != t.kids[2*r] || b != t.kids[2*r+1] {
				t.kids[2*r], t.kids[2*r+1] = a, b
				t.touched(r)
			}
			x.tags[r] = uint32(hash2(a, b) >> 32)
		}
		return
	}
	for r := from; r < to; r++ {
		if t.class[r] == none {
			x.gone.set(uint32(r))
			continue
		}
		kids := t.row(r)
		for j, k := range kids {
			if c := root(k); c != k {
				kids[j] = c
				t.touched(r)
			}
		}
		x.tags[r] = uint32(hashRow(kids) >> 32)
	}
}

// insert fills the shards, then places what ran out of them.
func (x *reinsertion) insert() {
	n := len(x.t.slots)
	x.shards = make([]shard, x.threads)
	shareOut(x.threads, x.threads, func(from, to int) {
		for i := from; i < to; i++ {
			x.shards[i] = shard{from: uint64(i * n / x.threads), to: uint64((i + 1) * n / x.threads), equal: newBitset(x.rows)}
			x.fill(&x.shards[i])
		}
	})
	x.mergeEqual()
	for i := range x.shards {
		for _, r := range x.shards[i].crossing {
			x.cross(int(r))
		}
	}
}

// mergeEqual merges the classes of equal rows, and notes which rows go. Analyses hear of one union after the other.
func (x *reinsertion) mergeEqual() {
	threads := x.threads
	if len(x.g.analyses) > 0 {
		threads = 1
	}
	merged := make([]merging, threads)
	for start := 0; start < len(x.gone); start += mergeWords {
		n := min(mergeWords, len(x.gone)-start)
		share(threads, threads, func(i int) { x.mergeWithin(&merged[i], start+i*n/threads, start+(i+1)*n/threads) })
		x.g.take(merged)
	}
}

// mergeWords is how many words of rows threads merge before what they did is taken over.
const mergeWords = 1 << 13

func (x *reinsertion) mergeWithin(m *merging, from, to int) {
	for w := from; w < to; w++ {
		for s := range x.shards {
			equal := x.shards[s].equal[w]
			x.gone[w] |= equal
			for ; equal != 0; equal &= equal - 1 {
				r := w*64 + bits.TrailingZeros64(equal)
				x.congruent(m, r, int(x.t.kids[r*x.t.arity]))
			}
		}
	}
}

// congruent merges the classes of two rows that are equal.
func (x *reinsertion) congruent(m *merging, r, other int) {
	if len(x.g.analyses) > 0 {
		x.g.congruent(x.t, r, other)
		return
	}
	m.unite(&x.g.uf, x.t.class[r], x.t.class[other])
}

// fill inserts the rows of a shard, a block at a time, so that the cache misses of the searches overlap.
func (x *reinsertion) fill(s *shard) {
	n := uint64(len(x.t.slots))
	var block [blockSize]uint32
	k := 0
	for r, tag := range x.tags {
		if at := uint64(tag) * n >> 32; at < s.from || at >= s.to || x.gone.has(uint32(r)) {
			continue
		}
		block[k] = uint32(r)
		if k++; k == blockSize {
			x.fillBlock(s, block[:k])
			k = 0
		}
	}
	x.fillBlock(s, block[:k])
}

func (x *reinsertion) fillBlock(s *shard, rows []uint32) {
	t := x.t
	n := uint64(len(t.slots))
	var words [blockSize]uint64
	for i, r := range rows {
		words[i] = t.slots[uint64(x.tags[r])*n>>32]
	}
	seen := uint32(0)
	for _, word := range words[:len(rows)] {
		if other := int(uint32(word)) - 1; other >= 0 {
			seen ^= t.kids[other*t.arity]
		}
	}
	s.seen = seen
	for _, r := range rows {
		x.place(s, int(r))
	}
}

// place puts a row into the first empty slot, unless an equal row comes before it.
func (x *reinsertion) place(s *shard, r int) {
	t, tag := x.t, x.tags[r]
	for slot := uint64(tag) * uint64(len(t.slots)) >> 32; slot < s.to; slot++ {
		word := t.slots[slot]
		if word == 0 {
			t.slots[slot] = slotWord(uint64(tag)<<32, r)
			return
		}
		if other := int(uint32(word)) - 1; uint32(word>>32) == tag && equalRow(t.row(other), t.row(r)) {
			s.equal.set(uint32(r))
			t.kids[r*t.arity] = uint32(other)
			return
		}
	}
	s.crossing = append(s.crossing, uint32(r))
}

// cross places a row whose search ran out of its shard. Rows equal to it all did.
func (x *reinsertion) cross(r int) {
	t, h := x.t, uint64(x.tags[r])<<32
	other, slot := t.find(t.row(r), h)
	if other < 0 {
		t.slots[slot] = slotWord(h, r)
		return
	}
	x.gone.set(uint32(r))
	x.g.congruent(t, r, other)
}
