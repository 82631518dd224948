package checks

// Block remembers the accesses to a block's own memory: in its journal as long as that can tell
// them apart, else word by word, and in cells what one word of it cannot say. Use by one goroutine
// at a time.
type Block struct {
	cells   *Cells
	words   []word
	journal journal
}

// word is what one thread did to a word at one time since the block's last barrier.
type word struct {
	time, thread uint32
	read, write  Info // 0 for none
}

// inCell is the thread of a word whose cell counts.
const inCell = ^uint32(0)

// NewBlock makes the memory of n bytes.
func NewBlock(n uint64) *Block {
	return &Block{cells: NewCells(n), words: make([]word, (n+3)>>wordLog)}
}

// Clear forgets everything.
func (s *Block) Clear() {
	s.cells.Clear()
	clear(s.words)
	s.journal = journal{}
}

// Observe judges an access of size bytes at off, and remembers it where it races with nothing.
func (s *Block) Observe(off, size uint64, o *Observer) (Conflict, bool) {
	s.make(hullOf(off, off+size), o)
	return s.inCells(off, size, o)
}

// inCells is Observe of what the journal knows nothing about.
func (s *Block) inCells(off, size uint64, o *Observer) (Conflict, bool) {
	for w := off >> wordLog; w < (off+size+3)>>wordLog; w++ {
		if q := &s.words[w]; q.time >= o.Base {
			s.fill(w)
		}
		s.words[w] = word{time: o.Time, thread: inCell}
	}
	return s.cells.Observe(off, size, o)
}

// Lanes takes in accesses from the first on that race with nothing, as far as a look at times of
// the block's barriers tells, and gives their number; the next is for Observe.
func (s *Block) Lanes(l *Lanes, o *Observer) int {
	s.journal.begin(o.Base)
	where := hull{0, ^uint64(0)}
	if s.journal.rest == 0 && !o.Precise {
		var ok bool
		if where, ok = s.journal.note(l, o); ok {
			return len(l.Addrs)
		}
	}
	if l.Size < 4 {
		return 0
	}
	s.make(where, o)
	f := fast{o.First, o.N, o.Base, o.Time, o.Info, !o.Precise}
	return s.lanes(&f, l, o)
}

func (s *Block) lanes(f *fast, l *Lanes, o *Observer) int {
	for i := 0; i < len(l.Addrs); i++ {
		if i = s.single(f, l, o, i); i == len(l.Addrs) {
			break
		}
		off := l.Addrs[i] - l.Start
		if off > l.Limit || off&(l.Size-1) != 0 || !s.take(f, l.thread(i, o), off, l.Size, o.Write) {
			return i
		}
	}
	return len(l.Addrs)
}

// single is word.take for lanes from the i-th on that access a word each. It gives the first that
// it is not for.
func (s *Block) single(f *fast, l *Lanes, o *Observer, i int) int {
	if l.Size != 4 {
		return i
	}
	words, write, base, at := s.words, o.Write, f.base, word{time: f.time, read: f.info}
	if write {
		at.read, at.write = 0, f.info
	}
	start, limit, lo, index := l.Start, l.Limit, o.First+uint32(l.Lo), l.Index
	for k, addr := range l.Addrs[i:] {
		off := addr - start
		if off > limit || off&3 != 0 {
			return i + k
		}
		if at.thread = lo + uint32(i+k); index != nil {
			at.thread = o.First + index[i+k]
		}
		switch q := &words[off>>wordLog]; {
		case q.time < base:
			*q = at
		case q.thread != at.thread || q.time != at.time:
			return i + k
		case write:
			*q = at
		default:
			q.read = at.read
		}
	}
	return len(l.Addrs)
}

// take takes an access in, all of it or as much as is no matter to repeat.
func (s *Block) take(f *fast, thread uint32, off, size uint64, write bool) bool {
	for w := off >> wordLog; w < (off+size)>>wordLog; w++ {
		if s.words[w].take(f, thread, write) {
			continue
		}
		s.fill(w)
		s.words[w].time = f.time
		if !s.cells.take(f, thread, w<<wordLog, 4, write) {
			return false
		}
	}
	return true
}

// take takes in what a thread does to a word that no other has accessed since the barrier.
func (q *word) take(f *fast, thread uint32, write bool) bool {
	if q.time < f.base {
		*q = word{time: f.time, thread: thread}
	} else if q.thread != thread || q.time != f.time {
		return false
	}
	if q.read = f.info; write {
		q.write, q.read = f.info, 0
	}
	return true
}

// fill makes a word's cells of what is remembered of the word.
func (s *Block) fill(w uint64) {
	q := &s.words[w]
	if q.thread == inCell {
		return
	}
	var c cell
	if q.write != 0 {
		c.w = Epoch{q.thread, q.time, q.write}
	}
	if q.read != 0 {
		c.r1 = Epoch{q.thread, q.time, q.read}
	}
	n := uint64(1) << (wordLog - s.cells.log)
	for k := w * n; k < min(w*n+n, uint64(len(s.cells.cells))); k++ {
		s.cells.cells[k] = c
	}
	q.thread = inCell
}

// make has what the journal knows about some bytes written out, and notes that they are in words
// and cells.
func (s *Block) make(where hull, o *Observer) {
	j := &s.journal
	j.begin(o.Base)
	if j.direct.add(where); !where.meets(j.reads) && !where.meets(j.writes) {
		return
	}
	j.vain = min(2*j.vain+1, maxRest)
	j.rest = j.vain
	then := *o
	then.Precise = false
	for i := range j.records {
		r := &j.records[i]
		j.direct.add(r.hull)
		then.Epoch, then.Write = r.Epoch, r.write
		s.write(r, &then)
	}
	j.records, j.offs = j.records[:0], j.offs[:0]
	j.reads, j.writes = hull{}, hull{}
}

// write writes a record out.
func (s *Block) write(r *record, o *Observer) {
	f := fast{o.First, o.N, o.Base, o.Time, o.Info, true}
	for i := range r.n {
		if off := r.offset(i); r.size < 4 || !s.take(&f, o.Thread, off, r.size, r.write) {
			s.inCells(off, r.size, o)
		}
		o.Thread++
	}
}
