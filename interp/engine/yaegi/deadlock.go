package yaegi

import (
	"iter"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// watching is what an engine keeps to know deadlocks.
type watching struct {
	wakers  deadlock.Wakers
	lookout deadlock.Lookout
}

// An awaited is what can end a wait: nothing that is known, one of the channels, a lock of package
// sync.
type awaited struct {
	known bool
	chans []unsafe.Pointer
}

// channels are those of the cases.
func channels(cases []reflect.SelectCase) awaited {
	on := awaited{known: true}
	for _, c := range cases {
		on.chans = append(on.chans, c.Chan.UnsafePointer())
	}
	return on
}

// markedChan makes a channel that is known for a cell's.
func markedChan(t reflect.Type, n int) reflect.Value {
	p := rtype.MakeChan(rtype.MarkedChan(rtype.WordOf(t)), n)
	return reflect.NewAt(t, unsafe.Pointer(&p)).Elem()
}

// endless tells of waits that cells alone can end.
func (g *routine) endless() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wait == "" || !g.on.known {
		return false
	}
	for _, ch := range g.on.chans {
		if ch != nil && !rtype.Marked(ch) {
			return false
		}
	}
	return true
}

// sleepers tells package deadlock of the goroutines of an engine's cells.
type sleepers struct{ *yaegi }

func (s sleepers) All() iter.Seq[*routine]  { return s.routines }
func (sleepers) Turn(g *routine) uint64     { return g.turn.Load() }
func (sleepers) Endless(g *routine) bool    { return g.endless() }
func (sleepers) Number(g *routine) uint64   { return g.number.Load() }
func (s sleepers) Wakers() *deadlock.Wakers { return &s.wakers }

// routines yields the goroutines of the cells.
func (e *yaegi) routines(yield func(*routine) bool) {
	e.live.Range(func(k, _ any) bool { return yield(k.(*routine)) })
}

// watchedRun is a run as package deadlock sees it.
type watchedRun struct{ *run }

func (r watchedRun) Began() bool { return true }

func (r watchedRun) Over() bool { return r.over() }

func (r watchedRun) Die() {
	all := []engine.Goroutine{r.main.describe()}
	for g := range r.e.routines {
		if g != r.main {
			all = append(all, g.describe())
		}
	}
	r.mu.Lock()
	if !r.stopped {
		r.dead = &engine.Deadlock{Goroutines: all}
	}
	r.mu.Unlock()
	r.stop()
}

func (g *routine) describe() engine.Goroutine {
	wait, stack := g.state()
	d := engine.Goroutine{ID: g.id, Wait: wait, Stack: stack}
	if g.began != nil {
		d.Began, d.By = g.began.frame(), g.by
	}
	return d
}
