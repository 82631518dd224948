package machine

import "runtime"

// Many goroutines that compute leave the runtime's scheduler no turn for who is to interrupt them:
// each has its 10 ms. Whoever sees to it that others have
// a turn hushes them: at their next loop or call they wait until they may go on.

// crowd is how many goroutines the process has at least where that is of use.
const crowd = 64

// Hush holds up goroutines of cells that compute, where there are many, until it is told to let
// them go on. It takes no lock that others hold for long: one
// who lost its turn in here is in nobody's way.
func (v *Machine) Hush(on bool) {
	if !on {
		if v.interrupting.Load() > 0 {
			return
		}
		if c := v.hushed.Swap(nil); c != nil {
			close(*c)
		}
		return
	}
	if c := make(chan struct{}); v.hushed.Load() == nil {
		if runtime.NumGoroutine() < crowd {
			return
		}
		v.hushed.CompareAndSwap(nil, &c)
	}
	for g := range attached {
		if g.Machine == v {
			g.Limit.Store(0)
		}
	}
}

// attached yields the goroutines that execute cell code, without those that begin or end meanwhile.
func attached(yield func(*Routine) bool) {
	for i := range routineTable {
		if g := routineTable[i].Load(); g != nil && !yield(g) {
			return
		}
	}
	routineSpill.Range(func(_, g any) bool { return yield(g.(*Routine)) })
}

// hush has a goroutine that begins be quiet at once.
func (g *Routine) hush() {
	if g.Machine.hushed.Load() != nil {
		g.Limit.Store(0)
	}
}

// pause waits while the goroutine, which stands at fp, is to be quiet.
func (g *Routine) pause(fp pointer) {
	c := g.Machine.hushed.Load()
	if c == nil {
		return
	}
	g.wait.start(running, fp, Awaited{})
	defer g.wait.end()
	select {
	case <-*c:
	case <-g.Run.Done:
	}
}
