package checks

// Info says what an access was: the instruction's number and the flags below.
type Info uint32

// The flags of an Info, above the site.
const (
	Strong      Info = 1 << (19 + iota) // atomic, volatile, relaxed, acquire or release
	Atomic                              // reads and writes as one
	InBlock                             // strong towards threads of its block only
	Beside                              // a plain read that an atomic of its thread may follow
	Constant                            // a write of a value that is the same in every thread
	apartWarps                          // of a second reader: it and the first are of two warps of a block
	apartBlocks                         // or of two blocks
)

const (
	siteBits  = 19
	shiftBits = 26 // two bits: the threads of a chunk's epoch take 1<<shift words each
	widthBits = 28 // three bits: log2 of the bytes
)

// MakeInfo makes the information of an access by an instruction of 1<<logWidth bytes.
func MakeInfo(site int, logWidth int, flags Info) Info {
	return Info(min(site, 1<<siteBits-1)) | Info(logWidth)<<widthBits | flags
}

// Site gives the number of the instruction; those above half a million share the last number.
func (i Info) Site() int { return int(i & (1<<siteBits - 1)) }

// Width gives the bytes of the access.
func (i Info) Width() int { return 1 << (i >> widthBits & 7) }

// An Epoch is an access by a thread (plus 1; 0 for none) at a time of its block.
type Epoch struct {
	Thread, Time uint32
	Info         Info
}

// cell is what is remembered of some bytes: the last plain write, and two readers since.
type cell struct{ w, r1, r2 Epoch }

// A Conflict is an earlier access that a new one races with.
type Conflict struct {
	Epoch
	Write bool
}

// Order says what synchronises the observed thread with others, beyond barriers of its whole block
// or warp, and what the thread stores.
type Order interface {
	// Ordered reports whether what a thread did at a time comes before what the observed one does
	// now; with whole, whether that holds for all threads of that thread's block.
	Ordered(thread, time uint32, whole bool) bool
	// Equal reports whether the n bytes at off that the observed thread is about to store are what
	// the other's write left there.
	Equal(off uint64, n int, other Epoch) bool
}

// Observer is the thread whose access is judged, and what orders it with others.
type Observer struct {
	Epoch                      // the access
	Write    bool              // it is one
	First, N uint32            // the threads of its block, first (plus 1) and number
	Base     uint32            // time of the block's last barrier: what came before is known
	Warps    *[maxWarps]uint32 // likewise of its warps
	Precise  bool              // more than barriers of whole blocks and warps orders threads
	Strict   bool
	Order    Order
}

// knows reports whether the observed thread knows of an access.
func (o *Observer) knows(e *Epoch) bool {
	switch {
	case e.Thread == 0 || e.Thread == o.Thread:
		return true
	case e.Thread-o.First < o.N:
		w := (o.Thread - o.First) / 32
		if e.Time < o.Base || (e.Thread-o.First)/32 == w && e.Time < o.Warps[w] {
			return true
		}
	}
	return o.Precise && o.Order.Ordered(e.Thread-1, e.Time, false)
}

// mine reports whether two threads are of the observed thread's block.
func (o *Observer) mine(e *Epoch) bool { return e.Thread-o.First < o.N }

// conflict judges an access to a cell of n bytes at off. The strong writes may be nil.
func (o *Observer) conflict(c *cell, s *[2]Epoch, more []Epoch, off uint64, n int) (Conflict, bool) {
	if !o.knows(&c.w) && !(o.Write && o.equalWrites(&c.w, off, n)) {
		return Conflict{c.w, true}, true
	}
	for i := 0; s != nil && i < 2; i++ {
		if s[0].Thread == o.Thread && !o.Strict {
			break // what others did before the thread's own atomic comes before what it does now to the same bytes
		}
		if !o.knows(&s[i]) && !o.passes(&o.Epoch, &s[i]) {
			return Conflict{s[i], true}, true
		}
	}
	if !o.Write {
		return Conflict{}, false
	}
	for _, r := range [...]*Epoch{&c.r1, &c.r2} {
		if !o.knows(r) && !o.passes(r, &o.Epoch) {
			return Conflict{*r, false}, true
		}
	}
	for i := range more {
		if !o.knows(&more[i]) && !o.passes(&more[i], &o.Epoch) {
			return Conflict{more[i], false}, true
		}
	}
	return Conflict{}, false
}

func (o *Observer) equalWrites(w *Epoch, off uint64, n int) bool {
	if o.Strict || o.Info&Strong != 0 || w.Info.Site() != o.Info.Site() && w.Info&o.Info&Constant == 0 {
		return false
	}
	return o.Order.Equal(off, n, *w)
}

// passes reports whether access x beside the strong write y is no race.
func (o *Observer) passes(x, y *Epoch) bool {
	if x.Info&y.Info&Strong != 0 {
		return (x.Info|y.Info)&InBlock == 0 || o.mine(x) && o.mine(y)
	}
	return !o.Strict && x.Info&Beside != 0 && y.Info&Atomic != 0 && x.Info.Width() == y.Info.Width()
}

// wrote remembers the plain write that was judged.
func (o *Observer) wrote(c *cell) { *c = cell{w: o.Epoch} }

// wroteStrongly remembers the strong write that was judged: plain writes before it stay, and
// readers that it does not know of.
func (o *Observer) wroteStrongly(c *cell, s *[2]Epoch) {
	if o.knows(&c.r2) {
		c.r2 = Epoch{}
	}
	if o.knows(&c.r1) {
		c.r1, c.r2 = c.r2, Epoch{}
		c.r1.Info &^= apartWarps | apartBlocks
	}
	if !o.knows(&s[0]) {
		s[1] = s[0]
	} else if o.knows(&s[1]) {
		s[1] = Epoch{}
	}
	s[0] = o.Epoch
}

// read remembers the read that was judged. It reports false where there is no room and the reader
// counts.
func (o *Observer) read(c *cell) bool {
	switch {
	case o.knows(&c.r1):
		c.r1 = o.Epoch
		if o.knows(&c.r2) {
			c.r2 = Epoch{}
		}
	case o.knows(&c.r2) || c.r2.Info&Strong > o.Info&Strong || !o.Precise && o.adds(c):
		c.r2 = o.Epoch
	case o.Precise:
		return false
	}
	o.mark(c)
	return true
}

// adds reports whether a third reader, which knows of neither of the two, is to take the place of
// the
// second: where a writer that knows both may not know it.
func (o *Observer) adds(c *cell) bool {
	if b := o.block(&c.r1); b != o.block(&c.r2) || b != o.block(&o.Epoch) {
		return b == o.block(&c.r2)
	}
	return o.warp(&c.r1) == o.warp(&c.r2) && o.warp(&c.r1) != o.warp(&o.Epoch)
}

// mark notes how far two readers are apart: of two blocks, or of two warps of a block.
func (o *Observer) mark(c *cell) {
	c.r2.Info &^= apartWarps | apartBlocks
	switch {
	case c.r1.Thread == 0 || c.r2.Thread == 0:
	case o.block(&c.r1) != o.block(&c.r2):
		c.r2.Info |= apartBlocks
	case o.warp(&c.r1) != o.warp(&c.r2):
		c.r2.Info |= apartWarps
	}
}

func (o *Observer) block(e *Epoch) uint32 { return (e.Thread - 1) / o.N }

// warp gives the number of a thread's warp in its block.
func (o *Observer) warp(e *Epoch) uint32 { return (e.Thread - 1) % o.N / 32 }
