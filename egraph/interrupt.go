package egraph

import (
	"context"
	"errors"
	"sync"
)

// errInterrupt is the cause that Interrupt gives.
var errInterrupt = errors.New("egraph.Interrupt was called")

// underWay holds what ends the runs that are under way.
var underWay = struct {
	sync.Mutex
	runs map[*runner]context.CancelCauseFunc
}{runs: map[*runner]context.CancelCauseFunc{}}

// Interrupt makes every run that is under way stop soon, with the reason Interrupted and a graph that is
// closed and usable: what a notebook's interrupt calls, as a cell's run has no context of its own. It
// does not wait for them, and is safe at any time and from any goroutine.
func Interrupt() {
	underWay.Lock()
	defer underWay.Unlock()
	for _, cancel := range underWay.runs {
		cancel(errInterrupt)
	}
}

// listen lets Interrupt reach a run, until the answer is called.
func (r *runner) listen() (leave func()) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	r.ctx = ctx
	underWay.Lock()
	defer underWay.Unlock()
	underWay.runs[r] = cancel
	return func() {
		underWay.Lock()
		defer underWay.Unlock()
		delete(underWay.runs, r)
		cancel(nil)
	}
}
