package egraph

import "math"

// Interning: rows of many blocks are found or made at once, by threads, as if one had done so block by block. An index
// of rows is divided into shards by the upper half of hashes, and who fills a shard shares nothing with the others. Nor
// do threads write side by side: the rows of some blocks, a batch, stand together by shard.
//
//	sign    by batch: the rows by shard, and their hashes
//	search  by shard: rows that are there, and the first of equal ones that are not, which takes a slot
//	cross   by one thread: rows whose search ran out of their shard
//	count   by batch: what is new
//	number  by one thread: the numbers of what is new, block by block
//	write   by batch: what is new gets its number, its class and its columns
//	repeat  by block, before anything asks for its classes: rows equal to a new one get its class

// An interning is one level of a window.
type interning struct {
	g       *EGraph
	threads int
	parts   []*waitingBlock
	rest    []*waitingBlock   // that take no part
	tables  []*internTable    // of the parts
	batches []internBatch     // of these
	of      [2][]*internTable // by operator, those of this level and of the one before, which repeat reads
}

// shardSlots is how many slots a shard has at least, mostShards how many shards a table.
const (
	shardSlots = 1 << 12
	mostShards = 64
	fewRowsIn  = 1 << 11 // rows that threads do not pay for
	batchRows  = 1 << 12 // rows that fill a batch, the last of whose blocks may pass it
)

// An internBlock is where a block's rows are.
type internBlock struct {
	t     *internTable
	x     *instruction
	from  int // of its places in the table
	made  int
	row   int // of the first that is made
	class uint32
}

// An internBatch is blocks of a table that follow each other: their places are those of the batch.
type internBatch struct {
	x       *internTable
	blocks  []*waitingBlock
	from, n int
	starts  [mostShards + 1]uint16 // of the shards' rows behind from
}

// A repetition is what repeat is to do for a block.
type repetition struct {
	t    *internTable // nil where nothing is to be done
	from int
	out  column
}

// An internTable is the rows that a level asks a table for.
type internTable struct {
	t       *table
	shards  int
	n       int
	blocks  []*waitingBlock
	batches []internBatch
	last    int      // end of these among all tables'
	at      []uint32 // by place, block by block: where the row stands
	// By where it stands: the row, the upper half of its hash, its class, where the first of the equal rows stands that
	// are new (none where the row was there) and the slot that this one took.
	kids, tags, out, first, slot []uint32
	crossing                     [mostShards][]uint32
}

func (in *interning) begin(g *EGraph, threads int) {
	in.g, in.threads, in.parts, in.rest = g, threads, in.parts[:0], in.rest[:0]
	in.of[0], in.of[1] = in.of[1], in.of[0]
	for _, x := range in.of[0] {
		x.n, x.blocks = 0, x.blocks[:0]
	}
	in.tables, in.batches = in.tables[:0], in.batches[:0]
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

// run finds or makes the rows. Of all blocks the level before is done with.
func (in *interning) run() {
	rows := 0
	for _, x := range in.tables {
		x.t.reserveBy(in.threads, x.n)
		rows += x.n
	}
	in.g.uf.parent = growColumn(in.g.uf.parent, rows)
	if in.threads == 1 || rows < fewRowsIn || !in.fits() {
		in.oneByOne()
		return
	}
	in.divide()
	share(in.threads, len(in.batches)+len(in.rest), func(i int) {
		if i < len(in.batches) {
			in.batches[i].sign()
		} else {
			in.rest[i-len(in.batches)].repeat()
		}
	})
	in.search()
	for _, x := range in.tables {
		x.cross()
	}
	share(in.threads, len(in.batches), func(i int) { in.batches[i].count() })
	in.number()
	share(in.threads, len(in.batches), func(i int) { in.batches[i].write(in.g) })
}

// divide makes batches.
func (in *interning) divide() {
	for _, x := range in.tables {
		x.prepare()
		for first, i := 0, 0; i < len(x.blocks); i++ {
			b, from := x.blocks[i], x.blocks[first].in.from
			if n := b.in.from + b.n - from; n >= batchRows || i == len(x.blocks)-1 {
				in.batches = append(in.batches, internBatch{x: x, blocks: x.blocks[first : i+1], from: from, n: n})
				first, x.last = i+1, len(in.batches)
			}
		}
	}
	first := 0
	for _, x := range in.tables {
		x.batches, first = in.batches[first:x.last], x.last
	}
}

// fits reports whether places can stand for rows in the index meanwhile.
func (in *interning) fits() bool {
	for _, x := range in.tables {
		if len(x.t.slots) >= math.MaxUint32 || x.t.rows()+x.n >= math.MaxUint32-1 {
			return false
		}
	}
	return true
}

// oneByOne is what threads do together, in the order of the blocks.
func (in *interning) oneByOne() {
	for _, b := range in.rest {
		b.repeat()
	}
	for _, b := range in.parts {
		b.repeat()
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
	for _, c := range []*[]uint32{&x.tags, &x.out, &x.first, &x.slot, &x.at} {
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

// sign puts the rows of a batch where they stand, and what is new in no batch yet.
func (p *internBatch) sign() {
	x := p.x
	tags := x.slot[p.from : p.from+p.n] // by place, until searches need the array
	var next [mostShards]uint16
	for _, b := range p.blocks {
		b.repeat()
		b.hash(tags[b.in.from-p.from:])
	}
	for _, tag := range tags {
		next[x.shardOf(tag)]++
	}
	sum := uint16(0)
	for s, n := range next[:x.shards] {
		p.starts[s], next[s] = sum, sum
		sum += n
	}
	p.starts[x.shards] = sum
	at := x.at[p.from : p.from+p.n]
	for i, tag := range tags {
		to := &next[x.shardOf(tag)]
		at[i] = uint32(p.from) + uint32(*to)
		x.tags[at[i]] = tag
		*to++
	}
	for _, b := range p.blocks {
		b.place(x.at[b.in.from : b.in.from+b.n])
	}
}

// hash gives the upper halves of the hashes of a block's rows.
func (b *waitingBlock) hash(tags []uint32) {
	if len(b.args) == 2 {
		left, right := b.args[0][:b.n], b.args[1][:b.n]
		for i, k := range left {
			tags[i] = uint32(hash2(k, right[i]) >> 32)
		}
		return
	}
	for i := range b.n {
		tags[i] = uint32(hashColumns(b.args, i) >> 32)
	}
}

// place puts a block's rows where they stand.
func (b *waitingBlock) place(at []uint32) {
	kids, arity := b.in.t.kids, uint32(len(b.args))
	for j, column := range b.args {
		column = column[:len(at)]
		for i, p := range at {
			kids[p*arity+uint32(j)] = column[i]
		}
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

// search goes through a shard's rows, batch by batch and so many at a time that the cache misses of the
// searches overlap.
func (x *internTable) search(shard int) {
	for i := range x.batches {
		p := &x.batches[i]
		to := p.from + int(p.starts[shard+1])
		for from := p.from + int(p.starts[shard]); from < to; from += blockSize {
			x.searchPart(shard, uint32(from), min(blockSize, to-from))
		}
	}
}

// searchPart is search for n rows from one on.
func (x *internTable) searchPart(shard int, from uint32, n int) {
	slots, to := x.t.slots, shardEnd(shard, x.shards, len(x.t.slots))
	var words, ends [blockSize]uint64
	tags := x.tags[from:][:n]
	for i, tag := range tags {
		// A slot that two shards share is the next one's.
		if ends[i] = uint64(tag) * uint64(len(slots)) >> 32; ends[i] < to {
			words[i] = slots[ends[i]]
		}
	}
	for i, tag := range tags {
		word, slot := words[i], ends[i]
		for word != 0 && uint32(word>>32) != tag {
			if slot++; slot >= to {
				break
			}
			word = slots[slot]
		}
		words[i], ends[i] = word, slot
	}
	for i := range tags {
		x.find(from+uint32(i), words[i])
	}
	for i := range tags {
		if p := from + uint32(i); x.first[p] == p {
			x.settle(shard, p, ends[i], to)
		}
	}
}

// find looks whether the row in a word of the index is that of a place; one that was there is done with.
func (x *internTable) find(p uint32, word uint64) {
	x.first[p] = p
	if r := int(uint32(word)) - 1; word != 0 && uint32(word>>32) == x.tags[p] && r < x.t.rows() && x.is(p, x.t.kids, r) {
		x.out[p], x.first[p] = x.t.class[r], none
	}
}

// is reports whether row r of kids is that of a place.
func (x *internTable) is(p uint32, kids []uint32, r int) bool {
	if x.t.arity == 2 {
		return kids[2*r] == x.kids[2*p] && kids[2*r+1] == x.kids[2*p+1]
	}
	a := x.t.arity
	return equalRow(kids[r*a:(r+1)*a], x.kids[int(p)*a:(int(p)+1)*a])
}

// settle finishes a search from a slot on: the row is that of an earlier place, or takes the first empty slot before
// to, or crosses into the next shard.
func (x *internTable) settle(shard int, p uint32, slot, to uint64) {
	t, base, tag := x.t, x.t.rows(), x.tags[p]
	for ; slot < to; slot++ {
		word := t.slots[slot]
		if word == 0 {
			t.slots[slot] = uint64(tag)<<32 | uint64(base+int(p)+1)
			x.slot[p] = uint32(slot)
			return
		}
		if uint32(word>>32) == tag && x.same(p, int(uint32(word))-1) {
			return
		}
	}
	x.crossing[shard] = append(x.crossing[shard], p)
}

// same reports whether a row, or place behind the rows, is that of a place, and notes which.
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
		}
	}
}

// count counts the new rows of a batch's blocks.
func (p *internBatch) count() {
	x := p.x
	for _, b := range p.blocks {
		n := 0
		for _, at := range x.at[b.in.from : b.in.from+b.n] {
			if x.first[at] == at {
				n++
			}
		}
		b.in.made = n
	}
}

// number gives new rows their numbers and classes, block by block.
func (in *interning) number() {
	u := &in.g.uf
	for _, x := range in.tables {
		row := x.t.rows()
		for _, b := range x.blocks {
			b.in.row = row
			row += b.in.made
		}
		x.t.used += row - x.t.rows()
	}
	class := len(u.parent)
	for _, b := range in.parts {
		n := b.in.made
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
		rows := last.in.row + last.in.made
		x.t.kids, x.t.class = x.t.kids[:rows*x.t.arity], x.t.class[:rows]
	}
}

// write makes the new rows of a batch.
func (p *internBatch) write(g *EGraph) {
	for _, b := range p.blocks {
		b.write(g)
	}
}

func (b *waitingBlock) write(g *EGraph) {
	x, row, class := b.in.t, b.in.row, b.in.class
	t, arity := x.t, x.t.arity
	b.again = repetition{x, b.in.from, b.out}
	for i, p := range x.at[b.in.from : b.in.from+b.n] {
		if x.first[p] != p {
			continue
		}
		c := class
		if b.into != nil {
			c = b.into[i]
		} else {
			g.uf.parent[c] = c
			class++
		}
		copy(t.kids[row*arity:(row+1)*arity], x.kids[int(p)*arity:(int(p)+1)*arity])
		t.class[row], x.out[p] = c, c
		t.slots[x.slot[p]] = uint64(x.tags[p])<<32 | uint64(row+1)
		row++
	}
}

// repeat gives the block the classes of its last level's rows, once all blocks are written.
func (b *waitingBlock) repeat() {
	if x := b.again.t; x != nil {
		for i, p := range x.at[b.again.from : b.again.from+len(b.again.out)] {
			if first := x.first[p]; first != none {
				p = first
			}
			b.again.out[i] = x.out[p]
		}
	}
	b.again.t = nil
}
