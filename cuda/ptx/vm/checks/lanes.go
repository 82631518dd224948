package checks

// Lanes is one plain access by several threads of a block.
type Lanes struct {
	Addrs []uint64
	Start uint64   // the address of byte 0 of what is accessed
	Limit uint64   // the largest offset that an access may have
	Size  uint64   // its bytes, 4, 8 or 16
	Lo    int      // the i-th is the block's thread Lo+i
	Index []uint32 // or, where not nil, Index[i]
}

// thread gives the i-th thread, plus 1.
func (l *Lanes) thread(i int, o *Observer) uint32 {
	if l.Index == nil {
		return o.First + uint32(l.Lo+i)
	}
	return o.First + l.Index[i]
}

// take takes an access in, all of it or as much as is no matter to repeat.
func (s *Cells) take(f *fast, thread uint32, off, size uint64, write bool) bool {
	if s.strong != nil || s.log != wordLog || write && s.more != nil {
		return false
	}
	cells := s.cells[off>>wordLog : (off+size)>>wordLog]
	for k := range cells {
		c := &cells[k]
		if w := &c.w; w.Thread != 0 && w.Thread != thread && !f.past(w) {
			return false
		}
		if write {
			if !f.write(c, thread) {
				return false
			}
		} else if r := &c.r2; r.Info&apartBlocks != 0 && f.simple || r.Info&apartWarps != 0 && f.simple &&
			f.recent(r) && f.recent(&c.r1) {
			continue
		} else if !f.read(c, thread) {
			return false
		}
	}
	return true
}

// Lanes is Cells.Lanes for an allocation.
func (s *Shadow) Lanes(l *Lanes, o *Observer) int {
	f := fast{o.First, o.N, o.Base, o.Time, o.Info, !o.Precise}
	var p *page
	var cells *Cells
	at, chunk := ^uint64(0), ^uint64(0)
	i := 0
	for ; i < len(l.Addrs); i++ {
		off := l.Addrs[i] - l.Start
		if off > l.Limit || off&(l.Size-1) != 0 {
			break
		}
		if off/ChunkBytes != chunk {
			if off/pageBytes != at {
				if p != nil {
					s.unlock(p)
				}
				at = off / pageBytes
				p = s.lock(at)
			}
			cells, chunk = s.cells(p, off), off/ChunkBytes
		}
		if !cells.take(&f, l.thread(i, o), off-cells.start, l.Size, o.Write) {
			break
		}
		if !o.Write && f.simple {
			i = l.alike(i, o)
		}
	}
	if p != nil {
		s.unlock(p)
	}
	return i
}

// alike gives the last of the lanes from the i-th on that read what the i-th and the one before it,
// all of one warp,
// read: what is remembered of readers is the same with a third.
func (l *Lanes) alike(i int, o *Observer) int {
	if i == 0 || l.Addrs[i-1] != l.Addrs[i] {
		return i
	}
	warp := (l.thread(i, o) - o.First) / 32
	if (l.thread(i-1, o)-o.First)/32 != warp {
		return i
	}
	for i+1 < len(l.Addrs) && l.Addrs[i+1] == l.Addrs[i] && (l.thread(i+1, o)-o.First)/32 == warp {
		i++
	}
	return i
}

// fast is what the look at barriers' times needs of an Observer.
type fast struct {
	first, n, base, time uint32
	info                 Info
	simple               bool
}

func (f *fast) mine(e *Epoch) bool { return e.Thread-f.first < f.n }

// past reports whether an access came before the block's last barrier.
func (f *fast) past(e *Epoch) bool { return e.Time < f.base && f.mine(e) }

// now reports whether an access is of this very time: no barrier of a warp came since.
func (f *fast) now(e *Epoch) bool { return e.Time == f.time && f.mine(e) }

// recent reports whether an access is of the block and no barrier of it came since.
func (f *fast) recent(e *Epoch) bool { return e.Time >= f.base && f.mine(e) }

func (f *fast) over(e *Epoch, thread uint32) bool {
	return e.Thread == 0 || e.Thread == thread || f.past(e)
}

func (f *fast) write(c *cell, thread uint32) bool {
	if !f.over(&c.r1, thread) || !f.over(&c.r2, thread) {
		return false
	}
	*c = cell{w: Epoch{thread, f.time, f.info}}
	return true
}

func (f *fast) warp(e *Epoch) uint32 { return (e.Thread - f.first) >> 5 }

// read remembers a reader as Observer.read does, in the cases that are most.
func (f *fast) read(c *cell, thread uint32) bool {
	x := Epoch{thread, f.time, f.info}
	free := c.r2.Thread == 0 || f.past(&c.r2)
	switch {
	case f.over(&c.r1, thread):
		if free {
			c.r1, c.r2 = x, Epoch{}
		} else if c.r1.Thread != thread || c.r1.Time != f.time {
			return false
		}
		return true
	case f.now(&c.r1) && free:
		c.r2 = x
	case f.now(&c.r1) && f.now(&c.r2) && f.simple:
		if f.warp(&c.r1) == f.warp(&x) {
			return true // so is the second of this warp
		}
		c.r2 = x
	case !f.mine(&c.r1) && (free && c.r2.Thread == 0 || f.simple && !f.mine(&c.r2)):
		x.Info |= apartBlocks
		c.r2 = x
		return true
	default:
		return false
	}
	if f.warp(&c.r1) != f.warp(&x) {
		c.r2.Info |= apartWarps
	}
	return true
}
