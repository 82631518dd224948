package cuda

import (
	"sync"
	"sync/atomic"
)

// recentLaunches is how many launches an error that arrived late names.
const recentLaunches = 8

// A ledger has what every launch writes down, under one lock: a launch is about a microsecond, and
// each locked instruction of it takes half a percent of that.
type ledger struct {
	// the name of the graph that was launched last, nil where that was no graph; set under mu
	latest atomic.Pointer[string]
	mu     sync.Mutex
	newest uint                   // guarded by mu: how many launches there were since a wait succeeded
	load   load                   // guarded by mu: what was enqueued so far
	missed uint64                 // guarded by mu: additions that would have overflowed
	recent [recentLaunches]string // guarded by mu: the launches since a wait succeeded, in a ring
}

// A load is what launches counted.
type load struct{ launches, graphs, slots, elements, bytes uint64 }

// launched remembers a launch until a wait succeeds, and counts it.
func (l *ledger) launched(what string, n load) {
	l.mu.Lock()
	l.note(what)
	l.add(n)
	l.mu.Unlock()
}

// launchedGraph remembers the launch of a graph until a wait succeeds. One that is the latest
// already need not be written down again.
func (l *ledger) launchedGraph(name *string) {
	l.mu.Lock()
	l.note(*name)
	l.latest.Store(name)
	l.mu.Unlock()
}

// note remembers a launch; the caller holds mu.
func (l *ledger) note(what string) {
	l.recent[l.newest%recentLaunches] = what
	l.newest++
	if l.latest.Load() != nil {
		l.latest.Store(nil)
	}
}

// count counts what no error is to name.
func (l *ledger) count(n load) {
	l.mu.Lock()
	l.add(n)
	l.mu.Unlock()
}

// add takes a load in; the caller holds mu. A sum that would overflow stays where it is.
func (l *ledger) add(n load) {
	s := &l.load
	l.grow(&s.launches, n.launches)
	l.grow(&s.graphs, n.graphs)
	l.grow(&s.slots, n.slots)
	l.grow(&s.elements, n.elements)
	l.grow(&s.bytes, n.bytes)
}

func (l *ledger) grow(v *uint64, n uint64) {
	if *v+n < n {
		l.missed++
		return
	}
	*v += n
}

// total gives what was counted, and how many additions were left out.
func (l *ledger) total() (load, uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.load, l.missed
}

// suspects are the launches since a wait succeeded, the newest last.
func (l *ledger) suspects() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []string
	for i := l.newest - min(l.newest, recentLaunches); i < l.newest; i++ {
		list = append(list, l.recent[i%recentLaunches])
	}
	return list
}

// clear forgets the launches: a wait succeeded.
func (l *ledger) clear() {
	l.mu.Lock()
	l.newest = 0
	l.latest.Store(nil)
	l.mu.Unlock()
}
