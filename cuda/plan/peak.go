package plan

import (
	"math/bits"
	"slices"
)

// A segment is a run of stages that fits one launch.
type segment struct {
	start, end    int // inclusive
	peak, avoided uint64
}

// A reach extends a segment stage by stage and keeps its peak.
//
// What is alive while stage t of a launch runs: everything that the launch reads from outside (it
// lies there before the launch and belongs to somebody else), the results of stages up to t that
// are still to be read or that leave the launch, and t's scratch. Results and scratch do not depend
// on where the segment ends, so one step costs no more than the edges of one stage.
type reach struct {
	f      *flow
	budget uint64
	segment
	// live is the bytes of results alive at the end, maxLive the most at any stage with its
	// scratch, outer what comes from outside.
	live, maxLive, outer uint64
}

// from begins a segment that holds nothing yet.
func (f *flow) from(start int, budget uint64) reach {
	f.generation++
	return reach{f: f, budget: budget, segment: segment{start: start, end: start - 1}}
}

// next takes one more stage in, or says false and is not to be used further.
func (r *reach) next() bool {
	t := r.end + 1
	if t >= len(r.f.stages) || !r.allows(t) {
		return false
	}
	s := r.f.stages[t]
	sums := sum{}
	r.outer = sums.add(r.outer, r.f.outside[t])
	for _, l := range r.f.reads(t) {
		if l.from < r.start {
			r.outer = sums.add(r.outer, r.f.widen(l))
		}
	}
	r.live = sums.add(r.live, s.Output)
	r.maxLive = max(r.maxLive, sums.add(r.live, s.Scratch))
	r.peak = sums.add(r.outer, r.maxLive)
	if sums.overflow || r.peak > r.budget {
		return false
	}
	r.end = t
	for _, l := range r.f.reads(t) {
		if l.from >= r.start && r.f.lastReader[l.from] == t {
			r.live -= r.f.stages[l.from].Output
			r.avoided += r.f.stages[l.from].Output
		}
	}
	return true
}

// allows reports whether stage t may share the launch of those before it.
func (r *reach) allows(t int) bool {
	if t == r.start {
		return true
	}
	s := r.f.stages[t]
	if s.OnHost || s.Layout != r.f.stages[r.start].Layout {
		return false
	}
	for _, l := range r.f.reads(t) {
		if l.from >= r.start && r.f.stages[l.from].OnHost {
			return false
		}
	}
	return true
}

// widen counts a read from outside: of one producer the widest read of the segment is resident,
// once.
func (f *flow) widen(l link) uint64 {
	w := &f.outer[l.from]
	if w.generation != f.generation {
		*w = outerRead{generation: f.generation}
	}
	more := max(l.bytes, w.bytes) - w.bytes
	w.bytes += more
	return more
}

type outerRead struct {
	generation uint64
	bytes      uint64
}

// A sum adds and remembers whether any sum did not fit.
type sum struct{ overflow bool }

func (s *sum) add(a, b uint64) uint64 {
	v, carry := bits.Add64(a, b, 0)
	s.overflow = s.overflow || carry != 0
	return v
}

// parts is the memory for choosing the cuts.
type parts struct {
	outer      []outerRead
	generation uint64
	// states holds the fronts of all starts, one after the other, the last start first:
	// front i is states[frontAt[i].lo:frontAt[i].hi].
	states  []state
	frontAt []struct{ lo, hi int }
	found   []state
	chosen  []segment
}

// segments checks that each stage fits alone and that no sum of results can overflow.
func (f *flow) segments(budget uint64) error {
	f.outer = slices.Grow(f.outer[:0], len(f.stages))[:len(f.stages)]
	clear(f.outer)
	f.generation = 0
	total := uint64(0)
	for _, s := range f.stages {
		required, err := alone(s)
		if err != nil {
			return err
		}
		if required > budget {
			return overBudget(s.ID, required, budget)
		}
		if total, err = add(fusionPlanner, "total output bytes", total, s.Output); err != nil {
			return err
		}
	}
	f.budget = budget
	return nil
}
