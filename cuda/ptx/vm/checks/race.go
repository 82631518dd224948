package checks

import (
	"sync"
	"sync/atomic"
)

// Access is one thread's access to some bytes of a word.
type Access struct {
	Thread uint32
	Time   uint32
	Mask   uint8 // which of the word's four bytes
	Write  bool
	// Strong accesses (atomic, volatile, relaxed) do not race with each other.
	Strong bool
	// Value is what a write stores: two writes of one value do not race.
	Value uint32
}

// Conflict is an earlier access that a new one races with.
type Conflict struct {
	Thread uint32
	Write  bool
}

// cell remembers of a word the last plain write, the last strong one since, and the
// last reads since.
type cell struct {
	writer, strong, reader          uint32 // threads, plus 1; 0 for none
	wroteAt, strongAt, readAt       uint32
	value                           uint32
	writeMask, strongMask, readMask uint8
	strongRead                      bool
	manyReaders                     bool
}

const (
	pageWords = 512
	// ChunkWords is how many words Linear takes in at once: what the threads of a
	// warp access when each takes the next word.
	ChunkWords = 32
)

type page struct {
	mu     sync.Mutex
	chunks [pageWords / ChunkWords]chunk
	cells  *[pageWords]cell // nil until a chunk is spread
	values *[pageWords / ChunkWords][ChunkWords]uint32
}

// chunk stands for its cells as long as every access was one of Linear by the same
// threads: word i by thread first+i alone, which races with nothing.
type chunk struct {
	spread          bool // the cells count
	first           uint32
	wroteAt, readAt uint32              // 0 for never
	values          *[ChunkWords]uint32 // of the last write, in the page's
}

// Linear takes in that thread first+i accessed word i of the aligned chunk at byte
// offset off, for all words, all plain; values are what they write, nil for reads. It
// answers false, and takes nothing in, where others have been at the chunk: then each
// word is for Observe.
func (s *Shadow) Linear(off uint64, first, time uint32, values *[ChunkWords]uint32) bool {
	word := off / 4
	p := s.page(word / pageWords)
	c := &p.chunks[word%pageWords/ChunkWords]
	p.mu.Lock()
	ok := p.linear(c, word, first, time, values)
	p.mu.Unlock()
	return ok
}

func (p *page) linear(c *chunk, word uint64, first, time uint32, values *[ChunkWords]uint32) bool {
	untouched := c.wroteAt|c.readAt == 0
	if c.spread || !untouched && c.first != first {
		return false
	}
	c.first = first
	if values == nil {
		c.readAt = time
		return true
	}
	c.wroteAt = time
	if c.values == nil {
		if p.values == nil {
			p.values = new([pageWords / ChunkWords][ChunkWords]uint32)
		}
		c.values = &p.values[word%pageWords/ChunkWords]
	}
	*c.values = *values
	return true
}

// expand writes what a chunk stands for into its cells.
func (p *page) expand(i uint64) {
	c := &p.chunks[i]
	if c.spread {
		return
	}
	c.spread = true
	if p.cells == nil {
		p.cells = new([pageWords]cell)
	}
	for w := range uint32(ChunkWords) {
		cl := &p.cells[uint32(i)*ChunkWords+w]
		thread := c.first + w
		if c.wroteAt != 0 {
			*cl = cell{writer: thread + 1, wroteAt: c.wroteAt, value: c.values[w], writeMask: 15}
		}
		if c.readAt != 0 {
			cl.reader, cl.readAt, cl.readMask = thread+1, c.readAt, 15
		}
	}
}

// Shadow is the race detector's memory of an address range. Pages are made when
// they are first touched; it is safe for use by several goroutines.
//
// Of a word it keeps the last write and the last reader (and that there were
// several), so it may miss a race, and what it reports is two accesses that
// the order given did not order.
type Shadow struct {
	pages []atomic.Pointer[page]
}

// NewShadow makes the shadow of n bytes.
func NewShadow(n uint64) *Shadow {
	return &Shadow{pages: make([]atomic.Pointer[page], (n+4*pageWords-1)/(4*pageWords))}
}

// Clear forgets everything. No other goroutine may use the shadow meanwhile.
func (s *Shadow) Clear() {
	for i := range s.pages {
		if p := s.pages[i].Load(); p != nil {
			p.chunks = [pageWords / ChunkWords]chunk{}
			if p.cells != nil {
				*p.cells = [pageWords]cell{}
			}
		}
	}
}

func (s *Shadow) page(i uint64) *page {
	if p := s.pages[i].Load(); p != nil {
		return p
	}
	s.pages[i].CompareAndSwap(nil, new(page))
	return s.pages[i].Load()
}

// Order judges what synchronises.
type Order interface {
	// Ordered says whether an access of a thread at a time comes before everything
	// that the observed thread does now.
	Ordered(thread, time uint32) bool
}

// Observe takes an access to the word that holds byte offset off in, and gives the
// access that it races with.
func (s *Shadow) Observe(off uint64, a Access, o Order) (Conflict, bool) {
	word := off / 4
	p := s.page(word / pageWords)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expand(word % pageWords / ChunkWords)
	c := &p.cells[word%pageWords]
	if x, bad := c.conflict(a, o); bad {
		return x, true
	}
	c.remember(a, o)
	return Conflict{}, false
}

func (c *cell) conflict(a Access, o Order) (Conflict, bool) {
	if c.writer != 0 && c.writer-1 != a.Thread && c.writeMask&a.Mask != 0 &&
		!(a.Write && a.Value == c.value) && !o.Ordered(c.writer-1, c.wroteAt) {
		return Conflict{c.writer - 1, true}, true
	}
	if !a.Strong && c.strong != 0 && c.strong-1 != a.Thread && c.strongMask&a.Mask != 0 && !o.Ordered(c.strong-1, c.strongAt) {
		return Conflict{c.strong - 1, true}, true
	}
	if a.Write && c.reader != 0 && c.readMask&a.Mask != 0 && !(c.strongRead && a.Strong) &&
		(c.reader-1 != a.Thread || c.manyReaders) && !o.Ordered(c.reader-1, c.readAt) {
		return Conflict{c.reader - 1, false}, true
	}
	return Conflict{}, false
}

func (c *cell) remember(a Access, o Order) {
	if a.Write {
		if a.Strong {
			c.strong, c.strongAt, c.strongMask = a.Thread+1, a.Time, a.Mask
		} else {
			c.writer, c.wroteAt, c.value, c.writeMask = a.Thread+1, a.Time, a.Value, a.Mask
			c.strong = 0
		}
		c.reader, c.manyReaders, c.readMask = 0, false, 0
		return
	}
	stale := c.reader == 0 || o.Ordered(c.reader-1, c.readAt)
	switch {
	case stale:
		c.reader, c.readAt, c.readMask, c.strongRead, c.manyReaders = a.Thread+1, a.Time, a.Mask, a.Strong, false
	case c.reader-1 == a.Thread:
		c.readAt, c.readMask, c.strongRead = a.Time, c.readMask|a.Mask, c.strongRead && a.Strong
	default:
		// The first reader stays, so that both kinds of later writer, it and others,
		// meet a reader that is not themselves.
		c.manyReaders = true
		c.readAt, c.readMask, c.strongRead = a.Time, c.readMask|a.Mask, c.strongRead && a.Strong
	}
}
