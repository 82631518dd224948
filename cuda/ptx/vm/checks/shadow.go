package checks

import (
	"sync"
	"sync/atomic"
)

const (
	pageBytes  = 2048
	pageChunks = pageBytes / ChunkBytes
	// ChunkBytes is how much Linear takes in at once.
	ChunkBytes = 64
	chunkWords = ChunkBytes / 4
)

type page struct {
	mu     sync.Mutex
	chunks [pageChunks]chunk
}

// chunk stands for its cells as long as every access was one of Linear: word i by thread
// first+i>>shift, where first is what the epochs of all name.
type chunk struct {
	age    uint32 // the shadow's when it was touched last; of another, it is untouched
	spread bool   // cells counts
	all    cell
	cells  *Cells
}

// Shadow is the race detector's memory of an allocation. Pages are made when they are first
// touched; it is safe for use by several goroutines.
type Shadow struct {
	// Alone is set while one goroutine at a time uses the shadow.
	Alone bool

	pages []atomic.Pointer[page]
	age   uint32 // counts what Clear has made forget; never 0
}

// NewShadow makes the shadow of n bytes.
func NewShadow(n uint64) *Shadow {
	return &Shadow{pages: make([]atomic.Pointer[page], (n+pageBytes-1)/pageBytes), age: 1}
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

// Observe judges an access of size bytes at off, and remembers it where it races with nothing.
func (s *Shadow) Observe(off, size uint64, o *Observer) (Conflict, bool) {
	for size > 0 {
		n := min(size, ChunkBytes-off%ChunkBytes)
		p := s.lock(off / pageBytes)
		x, bad := s.cells(p, off).Observe(off, n, o)
		s.unlock(p)
		if bad {
			return x, true
		}
		off, size = off+n, size-n
	}
	return Conflict{}, false
}

func (s *Shadow) lock(i uint64) *page {
	p := s.page(i)
	if !s.Alone {
		p.mu.Lock()
	}
	return p
}

func (s *Shadow) unlock(p *page) {
	if !s.Alone {
		p.mu.Unlock()
	}
}

// cells gives the cells of the chunk that holds off, spread out. The page is locked.
func (s *Shadow) cells(p *page, off uint64) *Cells {
	c := &p.chunks[off%pageBytes/ChunkBytes]
	c.renew(s.age)
	if !c.spread {
		c.expand()
		c.cells.start = off &^ (ChunkBytes - 1)
	}
	return c.cells
}

// renew makes the chunk untouched where the shadow was cleared since.
func (c *chunk) renew(age uint32) {
	if c.age != age {
		c.age, c.spread, c.all = age, false, cell{}
	}
}

// expand writes what the chunk stands for into its cells.
func (c *chunk) expand() {
	c.spread = true
	if c.cells == nil {
		c.cells = NewCells(ChunkBytes)
	} else {
		c.cells.strong, c.cells.more = nil, nil
	}
	if c.all == (cell{}) {
		clear(c.cells.cells)
		return
	}
	log := c.cells.log
	for k := range c.cells.cells {
		word := uint32(k) << log >> wordLog
		c.cells.cells[k] = cell{c.all.w.of(word), c.all.r1.of(word), c.all.r2.of(word)}
	}
}

// of gives the epoch of a word of a chunk.
func (e Epoch) of(word uint32) Epoch {
	if e.Thread != 0 {
		e.Thread += word >> (e.Info >> shiftBits & 3)
	}
	e.Info &^= 3 << shiftBits
	return e
}

// Linear takes in an access to n bytes from off on, whole chunks, where each thread from the
// observer's on takes 1<<shift words. It gives the bytes taken in, and stops at a chunk whose words
// are for Observe one by one.
func (s *Shadow) Linear(off, n uint64, shift int, o *Observer) uint64 {
	e := o.Epoch
	o.Info |= Info(shift) << shiftBits
	done := uint64(0)
	for ok := true; done < n && ok; {
		p := s.lock((off + done) / pageBytes)
		for end := min(n, done+pageBytes-(off+done)%pageBytes); done < end && ok; {
			if ok = s.linear(p, off+done, shift, o); ok {
				done += ChunkBytes
				o.Thread += chunkWords >> shift
			}
		}
		s.unlock(p)
	}
	o.Epoch = e
	return done
}

// linear is Linear of one chunk.
func (s *Shadow) linear(p *page, off uint64, shift int, o *Observer) bool {
	c := &p.chunks[off%pageBytes/ChunkBytes]
	c.renew(s.age)
	if c.spread {
		return false
	}
	return o.linear(&c.all, chunkWords>>shift)
}

// linear judges an access of all words of a chunk by n threads; false says that each is to be
// judged by itself.
func (o *Observer) linear(c *cell, n int) bool {
	if !o.knowsAll(&c.w, n) {
		return false
	}
	if o.Write {
		if !o.knowsAll(&c.r1, n) || !o.knowsAll(&c.r2, n) {
			return false
		}
		o.wrote(c)
		return true
	}
	switch {
	case o.knowsAll(&c.r1, n):
		c.r1 = o.Epoch
		if o.knowsAll(&c.r2, n) {
			c.r2 = Epoch{}
		}
	case o.knowsAll(&c.r2, n):
		c.r2 = o.Epoch
	case o.Precise:
		return false
	case c.r2.Info&apartBlocks != 0:
		return true
	case o.block(&c.r1) == o.block(&o.Epoch) && !(o.inWarp(&c.r1) && o.inWarp(&c.r2) && o.inWarp(&o.Epoch)):
		return false
	case o.adds(c):
		c.r2 = o.Epoch
	}
	o.mark(c)
	return true
}

// inWarp reports whether the threads of a chunk's epoch are of one warp.
func (o *Observer) inWarp(e *Epoch) bool {
	last := *e
	last.Thread += chunkWords>>(e.Info>>shiftBits&3) - 1
	return o.warp(e) == o.warp(&last)
}

// knowsAll reports whether n threads from the observed one on know of the accesses of a chunk's
// threads, as far as that is the same for all.
func (o *Observer) knowsAll(e *Epoch, n int) bool {
	switch {
	case e.Thread == 0:
		return true
	case e.Thread == o.Thread && (e.Info^o.Info)>>shiftBits&3 == 0:
		return true
	case e.Thread-o.First < o.N:
		return e.Time < o.Base
	}
	return o.Precise && o.Order.Ordered(e.Thread-1, e.Time, true)
}
