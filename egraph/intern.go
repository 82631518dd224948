package egraph

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Interning: rows of many blocks are found or made at once, by threads, as if one had done so block by block. An index
// of rows is divided into shards by the upper half of hashes, and who fills a shard shares nothing with the others:
//
//	sign    by block: the rows side by side, their hashes, and their order by shard
//	search  by shard: rows that are there, and the first of equal ones that are not, which takes a slot
//	number  by one thread: rows whose search ran out of their shard, and the numbers of what is new, block by block
//	write   by block: what is new gets its number, its class and its columns
//	repeat  by block, before anything asks for its classes: rows equal to a new one get its class

// An interning is one level of a window.
type interning struct {
	g       *EGraph
	threads int
	parts   []*waitingBlock
	tables  []*internTable    // of the parts
	of      [2][]*internTable // by operator, those of this level and of the one before, which repeat reads
}

// shardSlots is how many slots a shard has at least, mostShards how many shards a table.
const (
	shardSlots = 1 << 12
	mostShards = 64
	fewRowsIn  = 1 << 11 // rows that threads do not pay for
)

// An internBlock is where a block's rows are.
type internBlock struct {
	t      *internTable
	x      *instruction
	from   int                    // in the table's columns
	starts [mostShards + 1]uint16 // of the shards in the block's part of order
	made   atomic.Int32
	row    int // of the first that is made
	class  uint32
}

// A repetition is what repeat is to do for a block.
type repetition struct {
	t    *internTable // nil where nothing is to be done
	from int
	out  column
}

// An internTable is the rows that a level asks a table for.
type internTable struct {
	t      *table
	shards int
	n      int
	blocks []*waitingBlock
	// By place: the rows, the upper halves of their hashes, their classes, the first of the equal rows that are new
	// (none where the row was there) and the slot that it took.
	kids, tags, out, first, slot []uint32
	order                        []uint32 // places, block by block and there by shard
	crossing                     [mostShards][]uint32
}

func (in *interning) begin(g *EGraph, threads int) {
	in.g, in.threads, in.parts = g, threads, in.parts[:0]
	in.of[0], in.of[1] = in.of[1], in.of[0]
	for _, x := range in.of[0] {
		x.n, x.blocks = 0, x.blocks[:0]
	}
	in.tables = in.tables[:0]
}

// add takes a block whose arguments stand ready.
func (in *interning) add(b *waitingBlock, i *instruction) {
	for op := len(in.of[0]); op <= int(i.table.op); op++ {
		in.of[0] = append(in.of[0], &internTable{t: in.g.tables[op]})
	}
	x := in.of[0][i.table.op]
	if x.n == 0 {
		in.tables = append(in.tables, x)
	}
	b.in.t, b.in.x, b.in.from = x, i, x.n
	x.n += b.n
	x.blocks = append(x.blocks, b)
	in.parts = append(in.parts, b)
}

// run finds or makes the rows. Of all blocks, those that take no part among them, the level before is done with.
func (in *interning) run(all []waitingBlock) {
	rows := 0
	for _, x := range in.tables {
		x.t.reserveBy(in.threads, x.n)
		rows += x.n
	}
	in.g.uf.parent = growColumn(in.g.uf.parent, rows)
	if in.threads == 1 || rows < fewRowsIn || !in.fits() {
		in.oneByOne(all)
		return
	}
	for _, x := range in.tables {
		x.prepare()
	}
	share(in.threads, len(all), func(i int) {
		if b := &all[i]; b.repeat() {
			b.sign()
		}
	})
	in.search()
	for _, x := range in.tables {
		x.cross()
	}
	in.number()
	share(in.threads, len(in.parts), func(i int) { in.parts[i].write(in.g) })
}

// fits says whether places can stand for rows in the index meanwhile.
func (in *interning) fits() bool {
	for _, x := range in.tables {
		if len(x.t.slots) >= math.MaxUint32 || x.t.rows()+x.n >= math.MaxUint32-1 {
			return false
		}
	}
	return true
}

// oneByOne is what threads do together, in the order of the blocks.
func (in *interning) oneByOne(all []waitingBlock) {
	for i := range all {
		all[i].repeat()
	}
	for _, b := range in.parts {
		in.book(b, in.g.insertBlock(b.in.x.table, b.args, b.out, b.into, b.n))
	}
}

func (in *interning) book(b *waitingBlock, rows int) {
	b.in.x.table.tried += b.n
	b.in.x.table.added += rows
	b.c.stats.Nodes += rows
	if b.into != nil {
		b.c.stats.Unions += rows
	}
	if rows > 0 {
		in.g.version++
	}
}

func (x *internTable) prepare() {
	x.shards = min(max(1, len(x.t.slots)/shardSlots), mostShards)
	for _, c := range []*[]uint32{&x.tags, &x.out, &x.first, &x.slot, &x.order} {
		*c = roomFor(*c, x.n)
	}
	x.kids = roomFor(x.kids, x.n*x.t.arity)
	for i := range x.crossing {
		x.crossing[i] = x.crossing[i][:0]
	}
}

func roomFor(c []uint32, n int) []uint32 {
	if cap(c) < n {
		return make([]uint32, n, n+n/4)
	}
	return c[:n]
}

func (x *internTable) shardOf(tag uint32) int { return int(uint64(tag) * uint64(x.shards) >> 32) }

func (b *waitingBlock) sign() {
	x, from := b.in.t, b.in.from
	arity := x.t.arity
	b.in.made.Store(0)
	kids, tags := x.kids[from*arity:(from+b.n)*arity], x.tags[from:from+b.n]
	for j, column := range b.args {
		at := j
		for _, k := range column[:b.n] {
			kids[at] = k
			at += arity
		}
	}
	var counts [mostShards]uint16
	for i := range tags {
		var h uint64
		if arity == 2 {
			h = hash2(kids[2*i], kids[2*i+1])
		} else {
			h = hashRow(kids[i*arity : (i+1)*arity])
		}
		tags[i] = uint32(h >> 32)
		counts[x.shardOf(tags[i])]++
	}
	sum := uint16(0)
	for s, n := range counts[:x.shards] {
		b.in.starts[s], counts[s] = sum, sum
		sum += n
	}
	b.in.starts[x.shards] = sum
	for i, tag := range tags {
		at := &counts[x.shardOf(tag)]
		x.order[from+int(*at)] = uint32(from + i)
		*at++
	}
}

// search fills all shards of all tables.
func (in *interning) search() {
	all := 0
	for _, x := range in.tables {
		all += x.shards
	}
	share(in.threads, all, func(i int) {
		for _, x := range in.tables {
			if i < x.shards {
				x.search(i)
				return
			}
			i -= x.shards
		}
	})
}

// shardEnd is the first slot that is not a shard's own.
func shardEnd(shard, shards, slots int) uint64 {
	tags := (uint64(shard+1)<<32 + uint64(shards) - 1) / uint64(shards)
	return tags * uint64(slots) >> 32
}

// search goes through a shard's rows, block by block and so many at a time that the cache misses of the
// searches overlap.
func (x *internTable) search(shard int) {
	var places [2 * blockSize]uint32
	n, first := 0, 0
	for i, b := range x.blocks {
		from := b.in.from
		n += copy(places[n:], x.order[from+int(b.in.starts[shard]):from+int(b.in.starts[shard+1])])
		if n >= blockSize || i == len(x.blocks)-1 {
			x.searchPart(shard, places[:n], x.blocks[first:i+1])
			n, first = 0, i+1
		}
	}
}

// searchPart is search for places of some blocks, in order.
func (x *internTable) searchPart(shard int, part []uint32, blocks []*waitingBlock) {
	t := x.t
	n, to := uint64(len(t.slots)), shardEnd(shard, x.shards, len(t.slots))
	var words, ends [2 * blockSize]uint64
	for i, p := range part {
		if ends[i] = uint64(x.tags[p]) * n >> 32; ends[i] < to { // else it is the next shard's, of a slot that both share
			words[i] = t.slots[ends[i]]
		}
	}
	for i, p := range part {
		word, slot, tag := words[i], ends[i], x.tags[p]
		for word != 0 && uint32(word>>32) != tag {
			if slot++; slot >= to {
				break
			}
			word = t.slots[slot]
		}
		words[i], ends[i] = word, slot
	}
	for i, p := range part {
		x.find(p, words[i])
	}
	at, made := 0, int32(0)
	for i, p := range part {
		if x.first[p] != p {
			continue
		}
		for int(p) >= blocks[at].in.from+blocks[at].n {
			blocks[at].in.made.Add(made)
			at, made = at+1, 0
		}
		if x.settle(shard, p, ends[i], to) {
			made++
		}
	}
	blocks[at].in.made.Add(made)
}

// find looks whether the row in a word of the index is that of a place; one that was there is done with.
func (x *internTable) find(p uint32, word uint64) {
	x.first[p] = p
	if r := int(uint32(word)) - 1; word != 0 && uint32(word>>32) == x.tags[p] && r < x.t.rows() && x.is(p, x.t.kids, r) {
		x.out[p], x.first[p] = x.t.class[r], none
	}
}

// is says whether row r of kids is that of a place.
func (x *internTable) is(p uint32, kids []uint32, r int) bool {
	if x.t.arity == 2 {
		return kids[2*r] == x.kids[2*p] && kids[2*r+1] == x.kids[2*p+1]
	}
	a := x.t.arity
	return equalRow(kids[r*a:(r+1)*a], x.kids[int(p)*a:(int(p)+1)*a])
}

// settle finishes a search from a slot on: the row is that of an earlier place, or takes the first empty slot before
// to, or crosses into the next shard. It says whether the row is new.
func (x *internTable) settle(shard int, p uint32, slot, to uint64) bool {
	t, base, tag := x.t, x.t.rows(), x.tags[p]
	for ; slot < to; slot++ {
		word := t.slots[slot]
		if word == 0 {
			t.slots[slot] = uint64(tag)<<32 | uint64(base+int(p)+1)
			x.slot[p] = uint32(slot)
			return true
		}
		if uint32(word>>32) == tag && x.same(p, int(uint32(word))-1) {
			return false
		}
	}
	x.crossing[shard] = append(x.crossing[shard], p)
	return false
}

// same says whether a row, or place behind the rows, is that of a place, and notes which.
func (x *internTable) same(p uint32, r int) bool {
	if base := x.t.rows(); r >= base {
		if other := r - base; x.is(p, x.kids, other) {
			x.first[p] = uint32(other)
			return true
		}
		return false
	}
	if x.is(p, x.t.kids, r) {
		x.out[p], x.first[p] = x.t.class[r], none
		return true
	}
	return false
}

// cross places what ran out of its shard. Rows equal to such a one all did.
func (x *internTable) cross() {
	t := x.t
	for s := range x.shards {
	rows:
		for _, p := range x.crossing[s] {
			tag := x.tags[p]
			slot := uint64(tag) * uint64(len(t.slots)) >> 32
			for ; t.slots[slot] != 0; slot++ {
				if word := t.slots[slot]; uint32(word>>32) == tag && x.same(p, int(uint32(word))-1) {
					continue rows
				}
				if slot+1 == uint64(len(t.slots)) {
					slot = ^uint64(0)
				}
			}
			t.slots[slot] = uint64(tag)<<32 | uint64(t.rows()+int(p)+1)
			x.slot[p] = uint32(slot)
			x.blockOf(p).in.made.Add(1)
		}
	}
}

// blockOf is the block of a place.
func (x *internTable) blockOf(p uint32) *waitingBlock {
	i, _ := slices.BinarySearchFunc(x.blocks, int(p)+1, func(b *waitingBlock, p int) int { return b.in.from + b.n - p })
	return x.blocks[i]
}

// number gives new rows their numbers and classes, block by block.
func (in *interning) number() {
	u := &in.g.uf
	for _, x := range in.tables {
		row := x.t.rows()
		for _, b := range x.blocks {
			b.in.row = row
			row += int(b.in.made.Load())
		}
		x.t.used += row - x.t.rows()
	}
	class := len(u.parent)
	for _, b := range in.parts {
		n := int(b.in.made.Load())
		in.book(b, n)
		b.in.class = uint32(class)
		if b.into == nil {
			class += n
		} else {
			in.g.joined += n
		}
	}
	u.parent = u.parent[:class]
	for _, x := range in.tables {
		last := x.blocks[len(x.blocks)-1]
		rows := last.in.row + int(last.in.made.Load())
		x.t.kids, x.t.class = x.t.kids[:rows*x.t.arity], x.t.class[:rows]
	}
}

// write makes the new rows of a block.
func (b *waitingBlock) write(g *EGraph) {
	x, row, class := b.in.t, b.in.row, b.in.class
	t, arity := x.t, x.t.arity
	b.again = repetition{x, b.in.from, b.out}
	for i := range b.n {
		p := b.in.from + i
		if x.first[p] != uint32(p) {
			continue
		}
		c := class
		if b.into != nil {
			c = b.into[i]
		} else {
			g.uf.parent[c] = c
			class++
		}
		copy(t.kids[row*arity:(row+1)*arity], x.kids[p*arity:(p+1)*arity])
		t.class[row], x.out[p] = c, c
		t.slots[x.slot[p]] = uint64(x.tags[p])<<32 | uint64(row+1)
		row++
	}
}

// repeat gives the block the classes of its last level's rows, once all blocks are written. It says whether the block
// takes part in this one.
func (b *waitingBlock) repeat() (takesPart bool) {
	if x := b.again.t; x != nil {
		for i := range b.again.out {
			p := uint32(b.again.from + i)
			if first := x.first[p]; first != none {
				p = first
			}
			b.again.out[i] = x.out[p]
		}
	}
	b.again.t = nil
	return b.in.t != nil
}

// share calls do for every number below n, on so many threads at the same time, each of which takes the next number.
func share(threads, n int, do func(i int)) {
	if threads = min(threads, n); threads <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var done sync.WaitGroup
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	for range threads - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
}
