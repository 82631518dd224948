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

// cell remembers the last write of a word and the last reads since.
type cell struct {
	writer, reader          uint32 // threads, plus 1; 0 for none
	wroteAt, readAt         uint32
	value                   uint32
	writeMask, readMask     uint8
	strongWrite, strongRead bool
	manyReaders             bool
}

const pageWords = 512

type page struct {
	mu    sync.Mutex
	cells [pageWords]cell
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
	c := &p.cells[word%pageWords]
	if x, bad := c.conflict(a, o); bad {
		return x, true
	}
	c.remember(a, o)
	return Conflict{}, false
}

func (c *cell) conflict(a Access, o Order) (Conflict, bool) {
	if c.writer != 0 && c.writer-1 != a.Thread && c.writeMask&a.Mask != 0 && !(c.strongWrite && a.Strong) &&
		!(a.Write && a.Value == c.value) && !o.Ordered(c.writer-1, c.wroteAt) {
		return Conflict{c.writer - 1, true}, true
	}
	if a.Write && c.reader != 0 && c.readMask&a.Mask != 0 && !(c.strongRead && a.Strong) &&
		(c.reader-1 != a.Thread || c.manyReaders) && !o.Ordered(c.reader-1, c.readAt) {
		return Conflict{c.reader - 1, false}, true
	}
	return Conflict{}, false
}

func (c *cell) remember(a Access, o Order) {
	if a.Write {
		c.writer, c.wroteAt, c.value, c.writeMask, c.strongWrite = a.Thread+1, a.Time, a.Value, a.Mask, a.Strong
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
