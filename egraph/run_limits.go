package egraph

import (
	"fmt"
	"math"
	"runtime/debug"
	"time"
)

// limits are the bounds of a run. They are looked at after every block of matches, not only between
// iterations, as one iteration can multiply a graph by a hundred.
type limits struct {
	iterations, nodes, bytes int
	time                     time.Duration
}

func defaultLimits() limits {
	return limits{iterations: 30, nodes: 10_000_000, bytes: math.MaxInt, time: math.MaxInt64}
}

// maxRetired is how many bytes of outgrown columns may wait for the collector. It would let them double
// the memory of a large graph, while collecting costs it little: columns hold no
// pointers.
const maxRetired = 64 << 20

// collect takes note of the columns that tables have outgrown, and has them collected where they are many.
func (g *EGraph) collect(tables ...*table) {
	for _, t := range tables {
		g.retired += t.retired
		t.retired = 0
	}
	if g.retired >= maxRetired {
		g.retired = 0
		debug.FreeOSMemory()
	}
}

// within reports whether the run may go on, in the middle of an iteration.
func (r *runner) within() bool {
	r.g.collect(r.g.tables...)
	if r.bar != nil {
		r.bar.show(r)
	}
	switch g := r.g; {
	case g.nodes() > r.limits.nodes || g.quota.met:
		r.stop(NodeLimit, "%d nodes %s, the limit is %d", g.nodes(), r.place(), r.limits.nodes)
	case r.limits.bytes < math.MaxInt && r.bytes()+g.bytesAhead() > r.limits.bytes:
		r.stop(MemoryLimit, "%d bytes %s and %d more to grow, the limit is %d",
			r.bytes(), r.place(), g.bytesAhead(), r.limits.bytes)
	case r.limits.time < math.MaxInt64 && r.read()+r.rebuildAhead() > r.limits.time && !r.mayGetOn():
		r.stop(TimeLimit, "%s", r.place())
	case r.cancelled() != nil:
		r.stop(Interrupted, "%s: %v", r.place(), r.cancelled())
	default:
		return true
	}
	return false
}

// bytes is the memory of the graph and of the matches that are kept.
func (r *runner) bytes() int {
	n := r.g.bytes()
	if r.p != nil {
		for _, c := range r.p.rules {
			n += c.store.bytes()
		}
		n += r.a.bytes()
	}
	return n
}

// place says where a run is.
func (r *runner) place() string {
	if r.g.matching {
		return fmt.Sprintf("within iteration %d", r.iteration.Number)
	}
	return fmt.Sprintf("before iteration %d", len(r.report.Iterations)+1)
}

// rebuildAhead guesses how long the rebuild after this iteration will take, from the last one: rebuilding
// is not interrupted, as the graph would be unusable.
func (r *runner) rebuildAhead() time.Duration {
	if len(r.report.Iterations) == 0 {
		return 0
	}
	last := &r.report.Iterations[len(r.report.Iterations)-1]
	return time.Duration(float64(last.Rebuild) * float64(r.g.nodes()) / float64(max(1, last.Nodes)))
}

// checkBefore looks at the limits between iterations.
func (r *runner) checkBefore() {
	if len(r.report.Iterations) >= r.limits.iterations {
		r.stop(IterationLimit, "")
		return
	}
	if r.within() && r.limits.time == math.MaxInt64 { // it has not read the clock
		r.read()
	}
}

// checkAfter sees whether an iteration was the last one wanted.
func (r *runner) checkAfter(changed, held bool) {
	if r.goal != nil {
		reached := false
		if err := r.g.guard("goal", func() { r.g.ask(func() { reached = r.goal(r.g) }) }); err != nil {
			r.fail(err)
			return
		}
		if reached {
			r.stop(GoalReached, "")
			return
		}
	}
	if changed {
		return
	}
	for _, c := range r.p.rules {
		held = held || c.over
	}
	resume := false
	r.g.ask(func() { resume = r.scheduler.Resume(r.iteration.Number + 1) })
	if !resume && !held {
		r.stop(Saturated, "")
	}
}

// rowsAhead is more rows than one block of matches adds to one operator.
const rowsAhead = 16 * blockSize

// bytesAhead is what columns and indexes that are nearly full will take more when they grow.
func (g *EGraph) bytesAhead() int {
	n := 0
	if cap(g.uf.parent)-len(g.uf.parent) < rowsAhead {
		n += 2 * cap(g.uf.parent)
	}
	for _, t := range g.tables {
		n += t.bytesAhead()
	}
	if g.proofs != nil {
		for _, t := range g.proofs.tables {
			n += t.bytesAhead()
		}
		n += g.proofs.bytes() / 4 // about what append grows a slice by
	}
	return n
}

func (t *table) bytesAhead() int {
	n := 0
	if t.rows() == 0 {
		return 0
	}
	if cap(t.class)-len(t.class) < rowsAhead {
		n += 4 * (cap(t.kids) + cap(t.class) + cap(t.born))
	}
	if (t.used+rowsAhead)*4/3 >= len(t.slots) {
		n += 8 * len(t.slots)
	}
	return n
}
