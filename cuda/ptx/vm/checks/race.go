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
	pageWords  = 512
	pageChunks = pageWords / ChunkWords
	// ChunkWords is how many words Linear takes in at once: what the threads of a
	// warp access when each takes the next word.
	ChunkWords = 32
)

type page struct {
	mu     sync.Mutex
	chunks [pageChunks]chunk
	cells  *[pageWords]cell // nil until a chunk is spread
	values *[pageWords]uint32
}

// chunk stands for its cells as long as every access was one of Linear by the same
// threads: word i by thread first+i>>shift alone, which races with nothing.
type chunk struct {
	age             uint32 // the shadow's when it was touched last; of another, it is untouched
	spread          bool   // the cells count
	shift           uint8
	first           uint32
	wroteAt, readAt uint32 // 0 for never
	last            uint32 // time of the last access
}

// Linear takes in that thread first+i>>shift accessed word i from the aligned chunk at byte
// offset off on, for as many whole chunks as n words fill, all plain; values are what
// they write, nil for reads. Accesses before the given time come before everything that
// any thread does from now on. It gives the number of words taken in, and stops at a
// chunk that others have been at since: there each word is for Observe.
func (s *Shadow) Linear(off uint64, first, time, before uint32, n int, shift uint8, values []uint32) int {
	done := 0
	for n-done >= ChunkWords {
		word := off/4 + uint64(done)
		p := s.page(word / pageWords)
		at := int(word % pageWords)
		want := min(n-done, pageWords-at) / ChunkWords * ChunkWords
		var part []uint32
		if values != nil {
			part = values[done : done+want]
		}
		got := s.linear(p, at, first+uint32(done>>shift), time, before, want, shift, part)
		if done += got; got < want {
			break
		}
	}
	return done
}

// linear is Linear within a page, from its word at on.
func (s *Shadow) linear(p *page, at int, first, time, before uint32, n int, shift uint8, values []uint32) int {
	if !s.alone {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	if values != nil && p.values == nil {
		p.values = new([pageWords]uint32)
	}
	for done := 0; done < n; done += ChunkWords {
		c := &p.chunks[(at+done)/ChunkWords]
		thread := first + uint32(done>>shift)
		switch {
		case c.age != s.age || c.last < before:
			*c = chunk{age: s.age, first: thread, shift: shift}
		case c.spread || c.first != thread || c.shift != shift:
			n = done
			continue
		}
		c.last = time
		if values == nil {
			c.readAt = time
		} else {
			c.wroteAt = time
		}
	}
	if values != nil {
		copy(p.values[at:], values[:n])
	}
	return n
}

// expand writes what a chunk stands for into its cells.
func (s *Shadow) expand(p *page, i int) {
	c := &p.chunks[i]
	if c.age != s.age {
		*c = chunk{age: s.age}
	}
	if c.spread {
		return
	}
	c.spread = true
	if p.cells == nil {
		p.cells = new([pageWords]cell)
	}
	cells := p.cells[i*ChunkWords : (i+1)*ChunkWords]
	clear(cells)
	for w := range cells {
		cl, thread := &cells[w], c.first+uint32(w>>c.shift)
		if c.wroteAt != 0 {
			*cl = cell{writer: thread + 1, wroteAt: c.wroteAt, value: p.values[i*ChunkWords+w], writeMask: 15}
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
	age   uint32 // counts what Clear has made forget; never 0
	alone bool
}

// NewShadow makes the shadow of n bytes.
func NewShadow(n uint64) *Shadow {
	return &Shadow{pages: make([]atomic.Pointer[page], (n+4*pageWords-1)/(4*pageWords)), age: 1}
}

// NewShadowOfOne makes a shadow of n bytes that one goroutine at a time uses.
func NewShadowOfOne(n uint64) *Shadow {
	s := NewShadow(n)
	s.alone = true
	return s
}

// Clear forgets everything. No other goroutine may use the shadow meanwhile.
func (s *Shadow) Clear() {
	if s.age++; s.age == 0 {
		clear(s.pages)
		s.age = 1
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
	if !s.alone {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	i := int(word % pageWords / ChunkWords)
	s.expand(p, i)
	p.chunks[i].last = a.Time
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
