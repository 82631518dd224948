package plan

import (
	"cmp"
	"slices"
)

// A state is a way to cut the stages from some start on: launches and avoided bytes, the end of its
// first segment, and the place of the state that goes on behind that.
type state struct {
	launches int
	avoided  uint64
	end      int
	rest     int
}

// partition chooses the cuts: of all ways that are not worse than base in either figure the one
// with the fewest launches, and of those the one that avoids most.
//
// It is dynamic programming from the last stage back. For each start it keeps the ways that no
// other way beats in both figures (a Pareto front): one best way would not do, because the way with
// the fewest launches may avoid fewer bytes than the greedy one.
func (f *flow) partition(base Baseline) []segment {
	n := len(f.stages)
	f.states = f.states[:0]
	f.frontAt = slices.Grow(f.frontAt[:0], n+1)[:n+1]
	f.states = append(f.states, state{end: n, rest: -1})
	f.frontAt[n] = struct{ lo, hi int }{0, 1}
	for start := n - 1; start >= 0; start-- {
		f.front(start)
	}
	f.chosen = f.chosen[:0]
	at := f.frontAt[0].lo
	for f.states[at].avoided < base.Avoided { // sorted: more launches only where they avoid more
		at++
	}
	for start := 0; start < n; {
		s := f.states[at]
		f.chosen = append(f.chosen, f.measure(start, s.end))
		start, at = s.end+1, s.rest
	}
	return f.chosen
}

// front finds the best ways from start on.
func (f *flow) front(start int) {
	f.found = f.found[:0]
	for r := f.from(start, f.budget); r.next(); {
		next := f.frontAt[r.end+1]
		for at := next.lo; at < next.hi; at++ {
			rest := f.states[at]
			f.found = append(f.found, state{launches: rest.launches + 1, avoided: rest.avoided + r.avoided, end: r.end,
				rest: at})
		}
	}
	slices.SortStableFunc(f.found, func(a, b state) int {
		return cmp.Or(cmp.Compare(a.launches, b.launches), cmp.Compare(b.avoided, a.avoided))
	})
	lo := len(f.states)
	for _, s := range f.found {
		if len(f.states) == lo || s.avoided > f.states[len(f.states)-1].avoided {
			f.states = append(f.states, s)
		}
	}
	f.frontAt[start] = struct{ lo, hi int }{lo, len(f.states)}
}

// measure is the segment with its peak.
func (f *flow) measure(start, end int) segment {
	r := f.from(start, f.budget)
	for r.end < end && r.next() {
	}
	return r.segment
}

// baseline is what a plan must not be worse than: the greedy plan where it keeps the rules of the
// edges, else the longest segments one after the other.
func (p *Planner) baseline(stages []Stage, budget uint64) Baseline {
	if base, kept := p.greedyBaseline(stages, budget); kept {
		return base
	}
	base := Baseline{}
	for start := 0; start < len(stages); base.Launches++ {
		r := p.flow.from(start, budget)
		for r.next() {
		}
		base.Avoided += r.avoided
		start = r.end + 1
	}
	return base
}

// greedyBaseline measures LaunchFusion's plan by the edges; false where it breaks a rule.
func (p *Planner) greedyBaseline(stages []Stage, budget uint64) (Baseline, bool) {
	base := Baseline{}
	for start := 0; start < len(stages); base.Launches++ {
		g, err := p.grow(stages, start, budget)
		if err != nil {
			return base, false
		}
		end := start + len(g.Stages) - 1
		s := p.flow.measure(start, end)
		if s.end != end {
			return base, false
		}
		base.Avoided += s.avoided
		start = end + 1
	}
	return base, true
}
