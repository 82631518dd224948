package egraph

import (
	"slices"
	"time"
)

// A run that is cut within an iteration leaves the place up to which its matches were applied, and
// a further run with the same rules begins there: the parts of the rows are searched from it on,
// then those before it. An iteration still sees everything, but slices of a long one do not all see
// its beginning.

// cutAt is the place, of a run with these rules.
type cutAt struct {
	rules     []*Rule
	root, row int
}

// A cutting is how far a run has come in an iteration.
type cutting struct {
	tasks         []task
	done, applied int           // tasks that were searched, and whose matches were applied
	start         time.Duration // of the search
}

func (c *cutting) begin(now time.Duration) { *c = cutting{start: now} }

// fromCut gives the tasks in the order in which they are run.
func (r *runner) fromCut(tasks []task) []task {
	at := r.g.cutAt
	r.g.cutAt = cutAt{}
	if r.resumes() && len(r.report.Iterations) == 0 && slices.Equal(at.rules, r.ruleList()) {
		first := slices.IndexFunc(tasks, func(t task) bool { return t.root > at.root || t.root == at.root && t.to > at.row })
		if first > 0 {
			tasks = slices.Concat(tasks[first:], tasks[:first])
		}
	}
	r.cut.tasks = tasks
	return tasks
}

// resumes reports whether matches are applied as they are found.
func (r *runner) resumes() bool {
	return !slices.ContainsFunc(r.p.rules, func(c *compiled) bool { return c.collect })
}

func (r *runner) ruleList() []*Rule {
	list := make([]*Rule, len(r.p.rules))
	for i, c := range r.p.rules {
		list[i] = c.Rule
	}
	return list
}

// finished notes that the search of a task came to its end, or did not.
func (r *runner) finished(whole bool) {
	if whole {
		if r.cut.done++; !r.windowed {
			r.cut.applied = r.cut.done
		}
	}
}

// mayGetOn reports whether a run that is out of time may go on: in its first search, for as much
// time again, until it has finished a part of the rows.
func (r *runner) mayGetOn() bool {
	return r.g.matching && len(r.report.Iterations) == 0 && r.cut.done == 0 && r.read()-r.cut.start < r.limits.time
}

// noteCut notes where the next run begins.
func (r *runner) noteCut() {
	if r.report.Stop == "" || r.report.Stop == Failed {
		return
	}
	r.report.Cut = true
	if r.resumes() && r.cut.applied < len(r.cut.tasks) {
		t := r.cut.tasks[r.cut.applied]
		r.g.cutAt = cutAt{r.ruleList(), t.root, t.from}
	}
}
