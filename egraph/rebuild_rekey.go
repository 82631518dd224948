package egraph

import "slices"

// Rekeying a large table in parallel: a stretch of its rows at a time, threads find the dirty ones and what their
// children are now, put these into the rows, and search them shard by shard of the index, as interning does. One
// thread merges the classes of those that are equal to others.

// A rekeying is one table's.
type rekeying struct {
	g       *EGraph
	t       *table
	changed bitset
	ranges  []dirtyRows
	shards  int
	starts  []int
	// Of the dirty rows, in their order: which, the upper halves of their hashes, and the rows that they are equal to
	// (none where there is none).
	rows, tags, equal []uint32
	order             []uint32 // places of these by shard
	crossing          [mostShards][]uint32
}

// dirtyRows are the rows of a range that have a changed child, what their children are now and the upper
// halves of the hashes of these.
type dirtyRows struct {
	rows, kids, tags []uint32
	from             int // of them in the rekeying's order
	counts           [mostShards]uint32
	seen             uint32 // what looking ahead read, so that it is not optimised away
}

// rekeyRows is how many rows threads look at before what they found is placed, rekeyRanges how many ranges these are.
const (
	rekeyRows   = 1 << 20
	rekeyRanges = mostShards
)

// rekeyParallel is rekey for all dirty rows of a large table.
func (g *EGraph) rekeyParallel(t *table, changed bitset) {
	x := &rekeying{g: g, t: t, changed: changed, ranges: make([]dirtyRows, rekeyRanges)}
	rows := t.rows()
	for start := 0; start < rows; start += rekeyRows {
		n := min(rekeyRows, rows-start)
		share(g.workers(), rekeyRanges, func(i int) {
			x.ranges[i].find(g, t, changed, start+i*n/rekeyRanges, start+(i+1)*n/rekeyRanges)
		})
		dirty := 0
		for i := range x.ranges {
			x.ranges[i].from = dirty
			dirty += len(x.ranges[i].rows)
		}
		if dirty > 0 {
			x.place(dirty)
		}
	}
}

// find looks for the dirty rows between two.
func (d *dirtyRows) find(g *EGraph, t *table, changed bitset, from, to int) {
	d.rows, d.kids, d.tags = d.rows[:0], d.kids[:0], d.tags[:0]
	for r := from; r < to; r++ {
		if !t.isDirty(r, changed) {
			continue
		}
		for _, k := range t.row(r) {
			d.kids = append(d.kids, g.uf.root(k))
		}
		d.rows = append(d.rows, uint32(r))
		d.tags = append(d.tags, uint32(hashRow(d.kids[len(d.kids)-t.arity:])>>32))
	}
}

// place gives the dirty rows of a stretch their children and their places in the index.
func (x *rekeying) place(dirty int) {
	t, threads := x.t, x.g.workers()
	if dirty < fewRowsIn {
		threads = 1
	}
	t.reserveSlots(threads, dirty)
	x.rows, x.tags, x.equal = roomFor(x.rows, dirty), roomFor(x.tags, dirty), roomFor(x.equal, dirty)
	x.order = roomFor(x.order, dirty)
	x.shards = min(max(1, len(t.slots)/shardSlots), mostShards)
	share(threads, rekeyRanges, func(i int) { x.write(&x.ranges[i]) })
	x.divide()
	share(threads, rekeyRanges, func(i int) { x.sort(&x.ranges[i]) })
	share(threads, x.shards, x.search)
	for s := range x.shards {
		for _, p := range x.crossing[s] {
			x.cross(p)
		}
		x.crossing[s] = x.crossing[s][:0]
	}
	x.merge(threads)
	x.bury(threads)
}

// bury counts the places that rows took, and marks the duplicates.
func (x *rekeying) bury(threads int) {
	moved, gone := make([]int, threads), make([]int, threads)
	share(threads, threads, func(i int) {
		for p := i * len(x.equal) / threads; p < (i+1)*len(x.equal)/threads; p++ {
			switch other := x.equal[p]; {
			case other == none:
				moved[i]++
			case other != x.rows[p]:
				x.t.mark(int(x.rows[p]))
				gone[i]++
			}
		}
	})
	for i, n := range moved {
		x.t.used += n
		x.t.stale += n // where the rows were before
		x.t.buried(gone[i])
	}
}

// merge merges the classes of equal rows. Analyses hear of one union after the other.
func (x *rekeying) merge(threads int) {
	t, n := x.t, len(x.equal)
	if len(x.g.analyses) > 0 {
		for p, other := range x.equal {
			if other != none && x.rows[p] != other {
				x.g.congruent(t, int(x.rows[p]), int(other))
			}
		}
		return
	}
	merged := make([]merging, threads)
	share(threads, threads, func(i int) {
		for p := i * n / threads; p < (i+1)*n/threads; p++ {
			if other := x.equal[p]; other != none && x.rows[p] != other {
				merged[i].unite(&x.g.uf, t.class[x.rows[p]], t.class[other])
			}
		}
	})
	x.g.take(merged)
}

// write gives rows their children.
func (x *rekeying) write(d *dirtyRows) {
	t := x.t
	clear(d.counts[:])
	for i, r := range d.rows {
		copy(t.row(int(r)), d.kids[i*t.arity:(i+1)*t.arity])
		t.touched(int(r))
		d.counts[x.shardOf(d.tags[i])]++
	}
	copy(x.rows[d.from:], d.rows)
	copy(x.tags[d.from:], d.tags)
}

func (x *rekeying) shardOf(tag uint32) int { return int(uint64(tag) * uint64(x.shards) >> 32) }

// divide turns counts into places in order, shard by shard and there range by range.
func (x *rekeying) divide() {
	x.starts = slices.Grow(x.starts[:0], x.shards+1)
	sum := uint32(0)
	for s := range x.shards {
		x.starts = append(x.starts, int(sum))
		for i := range x.ranges {
			n := x.ranges[i].counts[s]
			x.ranges[i].counts[s] = sum
			sum += n
		}
	}
	x.starts = append(x.starts, int(sum))
}

func (x *rekeying) sort(d *dirtyRows) {
	for i, tag := range d.tags {
		at := &d.counts[x.shardOf(tag)]
		x.order[*at] = uint32(d.from + i)
		*at++
	}
}

// search places a shard's rows, a block at a time, so that the cache misses of the searches overlap.
func (x *rekeying) search(shard int) {
	t, order := x.t, x.order[x.starts[shard]:x.starts[shard+1]]
	n, to := uint64(len(t.slots)), shardEnd(shard, x.shards, len(t.slots))
	var words, slots [blockSize]uint64
	for ; len(order) > 0; order = order[min(blockSize, len(order)):] {
		part := order[:min(blockSize, len(order))]
		for i, p := range part {
			if slots[i], words[i] = uint64(x.tags[p])*n>>32, 0; slots[i] < to {
				words[i] = t.slots[slots[i]]
			}
		}
		for i, p := range part {
			if r := int(uint32(words[i])) - 1; r >= 0 && uint32(words[i]>>32) == x.tags[p] {
				x.ranges[shard].seen ^= t.kids[r*t.arity]
			}
		}
		for i, p := range part {
			if !x.settle(p, slots[i], to) {
				x.crossing[shard] = append(x.crossing[shard], p)
			}
		}
	}
}

// settle finds the row that one is equal to, or puts it into the first empty slot before to; false where there is none.
func (x *rekeying) settle(p uint32, slot, to uint64) bool {
	t, tag, r := x.t, x.tags[p], int(x.rows[p])
	for ; slot < to; slot++ {
		word := t.slots[slot]
		if word == 0 {
			t.slots[slot] = uint64(tag)<<32 | uint64(r+1)
			x.equal[p] = none
			return true
		}
		if other := int(uint32(word)) - 1; uint32(word>>32) == tag && equalRow(t.row(other), t.row(r)) {
			x.equal[p] = uint32(other)
			return true
		}
	}
	return false
}

// cross places a row whose search ran out of its shard. Rows equal to it all did.
func (x *rekeying) cross(p uint32) {
	t := x.t
	if x.settle(p, uint64(x.tags[p])*uint64(len(t.slots))>>32, uint64(len(t.slots))) {
		return
	}
	x.settle(p, 0, uint64(len(t.slots)))
}
