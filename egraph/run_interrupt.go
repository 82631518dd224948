package egraph

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// errInterrupt is the cause that Interrupt gives.
var errInterrupt = errors.New("egraph.Interrupt was called")

// underWay holds the runs that are under way.
var underWay struct {
	sync.Mutex
	runs []*interruption
}

// An InterruptedError is a call that Interrupt ended before it had an answer. The graph is as it was.
type InterruptedError struct{ What string }

func (e *InterruptedError) Error() string {
	return "egraph: " + e.What + " has no answer: " + errInterrupt.Error()
}

// An interruption is how a run, a search or an extraction learns that it was interrupted: a flag, and for code
// that waits for contexts, which a run on the host does not need, the end of one.
type interruption struct {
	called atomic.Bool
	cancel context.CancelCauseFunc // nil while the run has no context of its own
}

// Interrupt makes every run that is under way stop soon, with the reason Interrupted and a graph that is
// closed and usable: what a notebook's interrupt calls, as a cell's run has no context of its own. An extraction
// or WhyNot under way ends with an *InterruptedError, ExtractDAG with what it has found, if anything. Interrupt
// does not wait for them, and is safe at any time and from any goroutine.
func Interrupt() {
	underWay.Lock()
	defer underWay.Unlock()
	for _, run := range underWay.runs {
		run.called.Store(true)
		if run.cancel != nil {
			run.cancel(errInterrupt)
		}
	}
}

// listen lets Interrupt reach a run, until leave is called.
func (r *runner) listen() { r.interruption.listen() }
func (r *runner) leave()  { r.interruption.leave() }

// listen lets Interrupt reach whatever looks at the flag, until leave is called.
func (x *interruption) listen() {
	underWay.Lock()
	underWay.runs = append(underWay.runs, x)
	underWay.Unlock()
}

func (x *interruption) leave() {
	underWay.Lock()
	defer underWay.Unlock()
	i := slices.Index(underWay.runs, x)
	last := len(underWay.runs) - 1
	underWay.runs[i], underWay.runs[last] = underWay.runs[last], nil
	underWay.runs = underWay.runs[:last]
}

// cancelled is why the run is to stop, nil where it may go on.
func (r *runner) cancelled() error {
	if r.interruption.called.Load() {
		return errInterrupt
	}
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	return nil
}

// cancellable is a context that ends when the run is to stop, until release is called.
func (r *runner) cancellable() (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	underWay.Lock()
	defer underWay.Unlock()
	if r.interruption.cancel = cancel; r.interruption.called.Load() {
		cancel(errInterrupt)
	}
	return ctx, func() {
		underWay.Lock()
		defer underWay.Unlock()
		r.interruption.cancel = nil
		cancel(nil)
	}
}
