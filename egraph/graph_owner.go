package egraph

import "runtime"

// A graph is one goroutine's at a time. Calls that change it, or shorten its paths as they look at it, take it for as
// long as they last, so that two at once are found, where they would leave a graph that is wrong. A function of the
// person's that a call asks may use the graph: it is lent to the function meanwhile.

// A BusyError is a call on a graph that another goroutine's call was using at the same time.
type BusyError struct{ Call string }

func (e *BusyError) Error() string {
	return "egraph: " + e.Call + ": another goroutine is using the graph at the same time, and a graph is for one at a " +
		"time: wait until that call has returned, guard the graph by a sync.Mutex, or give each goroutine a graph of its own"
}

// enter takes the graph for a call until leave; it refuses a graph that is none or taken, and ids of no class.
func (g *EGraph) enter(call string, ids ...ID) error {
	if err := g.sound(call); err != nil {
		return err
	}
	if !g.busy.CompareAndSwap(false, true) {
		return &BusyError{call}
	}
	if err := g.check(call, ids...); err != nil {
		g.leave()
		return err
	}
	return nil
}

// mustEnter is enter for calls whose result has no room for an error.
func (g *EGraph) mustEnter(call string) {
	if err := g.enter(call); err != nil {
		panic(err)
	}
}

func (g *EGraph) leave() { g.busy.Store(false) }

// ask lends the graph to a function of the person's. Where another goroutine uses it when the function returns, ask
// waits until that call is over, so that the graph is whole, and panics with a *BusyError.
func (g *EGraph) ask(f func()) {
	if g.busy.Swap(false) {
		defer g.takeBack()
	}
	f()
}

func (g *EGraph) takeBack() {
	if g.busy.CompareAndSwap(false, true) {
		return
	}
	for !g.busy.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	panic(&BusyError{"a call that asked a function"})
}
