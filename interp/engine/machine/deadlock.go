package machine

import (
	"iter"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// wakers are what cells handed over that may wake a goroutine.
type wakers = deadlock.Wakers

// lookout begins the watches of runs.
type lookout = deadlock.Lookout

// sleepers tells package deadlock of the goroutines of an engine's cells.
type sleepers struct{ *Machine }

func (s sleepers) All() iter.Seq[*Routine] {
	return func(yield func(*Routine) bool) {
		s.routines(func(g *Routine, _ *Run) bool { return yield(g) })
	}
}

func (sleepers) Turn(g *Routine) uint64   { return g.wait.turn.Load() }
func (sleepers) Endless(g *Routine) bool  { return g.wait.endless() }
func (sleepers) Number(g *Routine) uint64 { return g.number() }
func (s sleepers) Wakers() *wakers        { return &s.KnownWakers }

// routines yields the goroutines of the cells, and whose they are.
func (v *Machine) routines(yield func(*Routine, *Run) bool) {
	v.live.Range(func(k, _ any) bool {
		r := k.(*Run)
		for _, g := range r.all() {
			if !yield(g, r) {
				return false
			}
		}
		return true
	})
}

// watchedRun is a run as package deadlock sees it.
type watchedRun struct{ *Run }

func (r watchedRun) Began() bool { return r.Main.Load() != nil }
func (r watchedRun) Over() bool  { return r.Stopped() }
func (r watchedRun) Die()        { r.die(r.machine.roster(r.Run)) }

// watched ends the run with a deadlock where there is one, until the answer is called.
func (r *Run) watched() (stop func()) {
	if !gorelease.GoroutineNumbers.Holds() {
		return func() {}
	}
	return deadlock.Watch(&r.machine.lookout, sleepers{r.machine}, watchedRun{r})
}

// endless tells of waits that cells alone can end.
func (w *waitState) endless() bool {
	waits := w.look()
	defer w.leave()
	if !waits || !w.on.known {
		return false
	}
	if w.on.ch != nil && !rtype.Marked(w.on.ch) {
		return false
	}
	for _, ch := range w.on.chans {
		if ch != nil && !rtype.Marked(ch) {
			return false
		}
	}
	return true
}

// die ends the run: all its goroutines, as an interrupt does.
func (r *Run) die(all []engine.Goroutine) {
	r.mu.Lock()
	if !r.stopped {
		r.dead = &engine.Deadlock{Goroutines: all}
	}
	r.mu.Unlock()
	r.stop()
}
