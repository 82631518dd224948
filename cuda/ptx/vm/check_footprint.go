package vm

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// Touch says how a byte of memory was accessed. Strong accesses are atomics, and loads and stores that are
// volatile, relaxed, acquire or release.
type Touch uint8

const (
	TouchRead Touch = 1 << iota
	TouchWrite
	TouchStrongRead
	TouchStrongWrite
)

// Conflicts reports whether two accesses of a byte race where nothing orders them.
func (t Touch) Conflicts(u Touch) bool {
	const all = TouchRead | TouchWrite | TouchStrongRead | TouchStrongWrite
	meets := func(x, y Touch) bool {
		return x&TouchWrite != 0 && y&all != 0 || x&TouchStrongWrite != 0 && y&(TouchRead|TouchWrite) != 0
	}
	return meets(t, u) || meets(u, t)
}

// A Span is bytes of an allocation, [From, To), that were accessed alike.
type Span struct {
	From, To uint64
	Touch    Touch
}

// A Footprint collects which bytes of global memory a launch accesses (Launch.Footprint): rows of
// elements as such, and single ones as marks.
type Footprint struct {
	mu    sync.Mutex
	rows  map[*Allocation][]Span   // in no order; they may overlap
	steps map[*Allocation][]uint32 // see tread
	// By the access of an instruction, where it went.
	trails map[*Allocation]map[*access]*Trail
}

// A row is no shorter than longRow; more than mostRows become marks.
const (
	longRow    = 64
	mostRows   = 1 << 14
	recentRows = 8 // that a row may continue
)

// row notes bytes that are next to each other.
func (f *Footprint) row(a *Allocation, s Span) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rows == nil {
		f.rows = map[*Allocation][]Span{}
	}
	rows := f.rows[a]
	for i := len(rows) - 1; i >= max(0, len(rows)-recentRows); i-- {
		if r := &rows[i]; r.Touch == s.Touch && r.From <= s.To && r.To >= s.From { // one continues the other
			r.From, r.To = min(r.From, s.From), max(r.To, s.To)
			return
		}
	}
	if len(rows) == mostRows {
		f.mark(a, rows)
		rows = rows[:0]
	}
	f.rows[a] = append(rows, s)
}

// mark makes marks of rows; the caller holds mu.
func (f *Footprint) mark(a *Allocation, rows []Span) {
	steps := f.stepsLocked(a)
	for _, s := range rows {
		tread(steps, s.From, s.To-s.From, kindsOf(s.Touch))
	}
}

// stepsOf gives the marks of an allocation: for each 4 bytes 16 bits, of which bit 4*k+i stands for
// the k-th kind of access to byte i; two in a word.
func (f *Footprint) stepsOf(a *Allocation) []uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stepsLocked(a)
}

func (f *Footprint) stepsLocked(a *Allocation) []uint32 {
	s := f.steps[a]
	if s == nil {
		if f.steps == nil {
			f.steps = map[*Allocation][]uint32{}
		}
		s = make([]uint32, (a.Size+7)/8)
		f.steps[a] = s
	}
	return s
}

// Spans gives what was accessed, by allocation, ascending.
func (f *Footprint) Spans() map[*Allocation][]Span {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[*Allocation][]Span, len(f.steps)+len(f.rows))
	for a, rows := range f.rows {
		if f.steps[a] == nil {
			all[a] = overlay(rows)
			continue
		}
		f.mark(a, rows)
	}
	for a, steps := range f.steps {
		all[a] = spansOf(steps)
	}
	return all
}

// overlay cuts rows where they overlap, so that each byte is in one span.
func overlay(rows []Span) []Span {
	type edge struct {
		at    uint64
		touch Touch
		more  int
	}
	edges := make([]edge, 0, 2*len(rows))
	for _, r := range rows {
		edges = append(edges, edge{r.From, r.Touch, 1}, edge{r.To, r.Touch, -1})
	}
	slices.SortFunc(edges, func(x, y edge) int { return cmp.Compare(x.at, y.at) })
	var out []Span
	var open [TouchStrongWrite << 1]int // rows over this place, by their touch
	for i, e := range edges {
		open[e.touch] += e.more
		if i+1 == len(edges) || edges[i+1].at == e.at {
			continue
		}
		var t Touch
		for touch, n := range open {
			if n > 0 {
				t |= Touch(touch)
			}
		}
		if t != 0 {
			out = extend(out, Span{e.at, edges[i+1].at, t})
		}
	}
	return out
}

func spansOf(steps []uint32) []Span {
	var out []Span
	for i, s := range steps {
		if s == 0 {
			continue
		}
		for half := range 2 {
			mask := uint16(s >> (16 * half))
			at := uint64(8*i + 4*half)
			if mask&0x7777 == mask>>1&0x7777 && mask != 0 { // all four bytes alike
				out = extend(out, Span{at, at + 4, touchOf(mask, 0)})
				continue
			}
			for b := range 4 {
				if t := touchOf(mask, b); t != 0 {
					out = extend(out, Span{at + uint64(b), at + uint64(b) + 1, t})
				}
			}
		}
	}
	return slices.Clip(out)
}

// touchOf gives how one of the four bytes was accessed.
func touchOf(mask uint16, b int) Touch {
	m := mask >> b
	return Touch(m&1 | m>>3&2 | m>>6&4 | m>>9&8)
}

func extend(out []Span, s Span) []Span {
	if n := len(out); n > 0 && out[n-1].To == s.From && out[n-1].Touch == s.Touch {
		out[n-1].To = s.To
		return out
	}
	return append(out, s)
}

// tread marks n bytes at off.
func tread(steps []uint32, off, n uint64, kinds uint16) {
	for n > 0 {
		k := min(8-off%8, n)
		var m uint32
		if k == 8 {
			m = uint32(kinds) * 0x000f_000f // kinds has bits 0, 4, 8 and 12
		} else {
			for b := off % 8; b < off%8+k; b++ {
				m |= uint32(kinds) << (16*(b/4) + b%4)
			}
		}
		if w := &steps[off/8]; atomic.LoadUint32(w)&m != m {
			atomic.OrUint32(w, m)
		}
		off, n = off+k, n-k
	}
}

// kindsOf spreads a touch to the bits of byte 0.
func kindsOf(t Touch) uint16 {
	x := uint16(t)
	return x&1 | x&2<<3 | x&4<<6 | x&8<<9
}

// footprint emits what notes the access in the launch's footprint.
func (c *compiler) footprint(a *access) {
	o := *a
	o.site = c.code.sites
	c.code.sites++
	touch := TouchRead
	switch {
	case a.atomic:
		touch = TouchStrongRead | TouchStrongWrite
	case a.strong && a.write:
		touch = TouchStrongWrite
	case a.strong:
		touch = TouchStrongRead
	case a.write:
		touch = TouchWrite
	}
	c.emit(func(b *block) {
		if b.launch.Footprint != nil {
			b.leaveFootprint(&o, touch)
		}
	})
}

func (b *block) leaveFootprint(a *access, touch Touch) {
	addrs, f := a.addresses(b), b.launch.Footprint
	for i := 0; i < len(addrs); {
		addr := addrs[i] + a.offset
		seg := b.translate(a, i, addr)
		if seg == nil {
			return
		}
		n := 1
		if al := seg.alloc; al != nil && !seg.single {
			n = b.inRow(a, seg, addrs[i:])
			off, bytes := addr-seg.base, uint64(n)*a.size
			if seg.trail == nil {
				seg.trail = f.trailOf(al, a, touch, b)
			}
			seg.trail.widen(off, off+bytes)
			if bytes >= longRow {
				f.row(al, Span{off, off + bytes, touch})
			} else {
				if seg.steps == nil {
					seg.steps = f.stepsOf(al)
				}
				tread(seg.steps, off, bytes, kindsOf(touch))
			}
		}
		i += n
	}
}

// inRow counts the accesses from the first on that are next to each other in one segment.
func (b *block) inRow(a *access, seg *segment, addrs []uint64) int {
	most := int(min(uint64(len(addrs)), (seg.base+seg.size-addrs[0]-a.offset)/a.size))
	if b.consecutive { // as the race check has found of the same addresses
		return most
	}
	n := 1
	for n < most && addrs[n] == addrs[n-1]+a.size {
		n++
	}
	return n
}
