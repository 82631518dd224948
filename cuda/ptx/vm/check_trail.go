package vm

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A Trail is where an instruction went in an allocation: how it touched it, between which bytes, in elements of
// which size. Line, Instruction, Source, Code and Column are as in driver.Fault.
type Trail struct {
	Touch       Touch
	Element     uint64
	Line        int
	Instruction string
	Source      string
	Code        string
	Column      int
	from, to    atomic.Uint64 // from is one more, 0 before the first
}

// trailOf gives the trail of an instruction's accesses to an allocation.
func (f *Footprint) trailOf(al *Allocation, a *access, touch Touch, b *block) *Trail {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.trails == nil {
		f.trails = map[*Allocation]map[*access]*Trail{}
	}
	if f.trails[al] == nil {
		f.trails[al] = map[*access]*Trail{}
	}
	t := f.trails[al][a]
	if t == nil {
		t = &Trail{Touch: touch, Element: uint64(a.elem), Line: a.in.Pos.Line, Instruction: a.in.Mnemonic(),
			Source: sourceOf(a.in, b.code.files)}
		if t.Source != "" {
			t.Column = a.in.FileColumn
		} else if b.code.text != nil {
			t.Code, t.Column = b.code.text(t.Line), a.in.Pos.Col
		}
		f.trails[al][a] = t
	}
	return t
}

// widen lets the trail reach over the bytes from one to another.
func (t *Trail) widen(from, to uint64) {
	for old := t.from.Load(); old == 0 || old > from+1; old = t.from.Load() {
		if t.from.CompareAndSwap(old, from+1) {
			break
		}
	}
	for old := t.to.Load(); old < to; old = t.to.Load() {
		if t.to.CompareAndSwap(old, to) {
			break
		}
	}
}

// Trails gives where the instructions of the launch went, by allocation.
func (f *Footprint) Trails() map[*Allocation][]*Trail {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[*Allocation][]*Trail, len(f.trails))
	for a, trails := range f.trails {
		for _, t := range trails {
			all[a] = append(all[a], t)
		}
		slices.SortFunc(all[a], func(x, y *Trail) int { return cmp.Compare(x.Line, y.Line) })
	}
	return all
}

// Access is what the instruction does to memory.
func (t *Trail) Access() driver.AccessKind {
	const reads, writes = TouchRead | TouchStrongRead, TouchWrite | TouchStrongWrite
	switch {
	case t.Touch&reads != 0 && t.Touch&writes != 0:
		return driver.AccessAtomic
	case t.Touch&writes != 0:
		return driver.AccessWrite
	}
	return driver.AccessRead
}

// Toward gives the trail that has most likely touched the bytes of a span: one that wrote where the span was written,
// and that went least far around it. Nil where there is none.
func (s Span) Toward(trails []*Trail) *Trail {
	const writes = TouchWrite | TouchStrongWrite
	var best *Trail
	for _, t := range trails {
		from, to := t.from.Load()-1, t.to.Load()
		if t.Touch&s.Touch == 0 || s.Touch&writes != 0 && t.Touch&writes == 0 || to <= s.From || from >= s.To {
			continue
		}
		if best == nil || to-from < best.to.Load()-best.from.Load()+1 {
			best = t
		}
	}
	return best
}
