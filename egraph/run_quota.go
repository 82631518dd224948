package egraph

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// MostThreads is how many threads a run may be given.
const MostThreads = 1 << 10

// An OptionError is a run's option whose value is out of range. The run did nothing.
type OptionError struct {
	Option string
	Value  any
	Reason string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("egraph: %s(%v): %s", e.Option, e.Value, e.Reason)
}

// checkOptions refuses options that nothing can hold.
func (r *runner) checkOptions() error {
	if r.missing != "" {
		return &OptionError{r.missing, nil, "it is to be given something; leave the option away"}
	}
	if r.threads < 1 || r.threads > MostThreads {
		reason := fmt.Sprintf("a run has 1 to %d threads; as many as Go uses without the option", MostThreads)
		return &OptionError{"Threads", r.threads, reason}
	}
	for _, l := range []struct {
		option string
		value  int
	}{
		{"Iterations", r.limits.iterations}, {"MaxNodes", r.limits.nodes}, {"MaxBytes", r.limits.bytes},
		{"MaxTime", int(r.limits.time)},
	} {
		if l.value < 0 {
			return &OptionError{l.option, l.value, "a limit is 0 or above; a run is without one where it is not said"}
		}
	}
	return nil
}

// A quota is what a run allows functions of the person's while they are called: rows that they may add, and whether
// there is time for a further call.
type quota struct {
	nodes int         // of the graph, at most
	left  int         // rows that may be added before they are counted again
	met   bool        // a row was refused
	goOn  func() bool // asked between calls
	pacer pacer
}

// A pacer says after which calls to look at the limits: after each that lasts, and after a block of those that do not.
type pacer struct {
	unseen, every int
	last          time.Duration
}

// Calls that took less than shortCalls together are too cheap to look at the clock after each.
const shortCalls = 50 * time.Microsecond

// due reports whether it is time to look; clock reads the time.
func (p *pacer) due(clock func() time.Duration) bool {
	if p.unseen++; p.unseen < p.every {
		return false
	}
	now := clock()
	if p.every = min(2*max(1, p.every), blockSize); now-p.last > shortCalls {
		p.every = 1
	}
	p.unseen, p.last = 0, now
	return true
}

// recount has the graph's rows counted before a function adds the next one.
func (q *quota) recount() {
	if q != nil {
		q.left = 0
	}
}

// admit refuses a row beyond the 32-bit ids, and one that a function of the person's adds where a
// run's limit of nodes is met.
func (g *EGraph) admit() error {
	if err := g.room(1); err != nil {
		return err
	}
	q := g.quota
	if q == nil {
		return nil
	}
	if q.left <= 0 {
		if q.left = q.nodes - g.nodes(); q.left <= 0 {
			q.met = true
			return &FullError{"the number of nodes in this run", uint64(max(0, q.nodes))}
		}
	}
	q.left--
	return nil
}

// admitBlock is admit for a block of rows, some of which may be there: it passes the limit by less than a block.
func (g *EGraph) admitBlock() error {
	g.quota.recount()
	if err := g.admit(); err != nil {
		return err
	}
	g.quota.recount()
	return nil
}

// refusedNodes reports whether an error is that of a function that passed on, or panicked with, what admit refused.
func (g *EGraph) refusedNodes(err error) bool {
	var called *CallbackError
	if errors.As(err, &called) {
		err, _ = called.Panic.(error)
	}
	var full *FullError
	return g.quota.met && errors.As(err, &full)
}

// bound puts the run's bounds into the graph, until release is called.
func (r *runner) bound() (release func()) {
	g := r.g
	threads, before := g.threads, g.quota
	g.threads, g.quota = r.threads, &quota{nodes: r.limits.nodes, goOn: r.within}
	return func() { g.threads, g.quota = threads, before }
}

// beyond is what analyses may add beyond a limit, so that a run that met it has its constants folded nonetheless.
func beyond(limit int) int {
	if limit > math.MaxInt-limit/32-1 {
		return limit
	}
	return limit + limit/32
}

// settling lets analyses act after an iteration, within bounds of their own.
func (r *runner) settling() (done func()) {
	q := r.g.quota
	before, until := *q, r.read()
	if r.limits.time < math.MaxInt64 {
		until = max(r.limits.time, until) + r.limits.time/32
	} else {
		until = math.MaxInt64
	}
	q.nodes, q.left = beyond(q.nodes), 0
	q.goOn = func() bool {
		switch {
		case r.cancelled() != nil:
			r.stop(Interrupted, "%s: %v", r.place(), r.cancelled())
		case r.read() > until:
			r.stop(TimeLimit, "%s", r.place())
		case r.limits.bytes < math.MaxInt && r.bytes() > beyond(r.limits.bytes):
			r.stop(MemoryLimit, "%d bytes %s, the limit is %d", r.bytes(), r.place(), r.limits.bytes)
		default:
			return true
		}
		return false
	}
	return func() { q.nodes, q.left, q.goOn = before.nodes, 0, before.goOn }
}

// rebuild rebuilds the graph within the run's bounds.
func (r *runner) rebuild() error {
	defer r.settling()()
	err := r.g.guard("analysis", r.g.mustRebuild)
	if r.g.quota.met && r.report.Stop == "" {
		r.stop(NodeLimit, "%d nodes %s, the limit is %d", r.g.nodes(), r.place(), r.limits.nodes)
	}
	if err != nil && r.g.refusedNodes(err) {
		return nil
	}
	return err
}

// called says, after a call of a function of the person's, whether there is to be another one.
func (g *EGraph) called() bool {
	q := g.quota
	return q == nil || !q.pacer.due(q.clock) || q.goOn()
}

var epoch = time.Now()

func (q *quota) clock() time.Duration { return time.Since(epoch) }
