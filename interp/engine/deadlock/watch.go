package deadlock

import (
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// An Engine tells of the goroutines of its cells.
type Engine[G comparable] interface {
	// All are all of them.
	All() iter.Seq[G]
	// Turn is a number that is another in every wait.
	Turn(G) uint64
	// Endless tells that one waits, and that cells alone can end the wait.
	Endless(G) bool
	// Number is the runtime's number of one; 0 where it is not known.
	Number(G) uint64
	// Wakers are what cells handed over.
	Wakers() *Wakers
}

// A Run is the execution of a cell that is watched.
type Run interface {
	Began() bool // its goroutine is one of the engine's
	Over() bool
	Die() // ends all its goroutines, as an interrupt does
}

// A watch looks now and then whether a cell that lasts can still go on.
type watch[G comparable] struct {
	engine Engine[G]
	run    Run
	timer  atomic.Pointer[time.Timer]
	over   atomic.Bool
	seen   map[G]uint64 // those that waited when the watch last looked, and their turns; nil: not all did
	every  time.Duration
	doubts int // how often they did, and it was no deadlock
}

const (
	firstLook = 50 * time.Millisecond
	maxLook   = 2 * time.Second
)

// blocked are all goroutines with their turns; nil where one runs, or waits for what something else
// than cells could end.
func (w *watch[G]) blocked() map[G]uint64 {
	var all map[G]uint64
	for g := range w.engine.All() {
		turn := w.engine.Turn(g) // before it is asked: a wait that ends meanwhile has this turn no more
		if !w.engine.Endless(g) {
			return nil
		}
		if all == nil {
			all = map[G]uint64{}
		}
		all[g] = turn
	}
	return all
}

// Watch ends the run with a deadlock where there is one, until the answer is called.
func Watch[G comparable](l *Lookout, e Engine[G], r Run) (stop func()) {
	w := &watch[G]{engine: e, run: r, every: firstLook}
	l.add(w)
	return func() {
		w.over.Store(true)
		if t := w.timer.Load(); t != nil {
			t.Stop()
		}
	}
}

// begin has the watch look at once, and then now and then.
func (w *watch[G]) begin() {
	w.timer.Store(time.AfterFunc(time.Hour, w.look)) // look needs it there
	w.timer.Load().Reset(0)
}

func (w *watch[G]) isOver() bool { return w.over.Load() }

func (w *watch[G]) look() {
	if w.over.Load() || w.run.Over() || w.engine.Wakers().Found() {
		return
	}
	now := w.blocked()
	switch {
	case now == nil || !w.run.Began():
		w.seen, w.every, w.doubts = nil, firstLook, 0
	case !same(now, w.seen):
		w.seen, w.every, w.doubts = now, firstLook, 0
	default:
		if w.dead() {
			return
		}
		w.doubts++
		w.every = min(w.every*2, maxLook)
	}
	if !w.over.Load() {
		w.timer.Load().Reset(w.every)
	}
}

func same[G comparable](a, b map[G]uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for g, turn := range a {
		if t, ok := b[g]; !ok || t != turn {
			return false
		}
	}
	return true
}

// dead asks the runtime, and ends the run if it is so.
func (w *watch[G]) dead() bool {
	now := Snapshot()
	if now == nil {
		return false
	}
	numbers := map[uint64]bool{own(): true}
	for g := range w.seen {
		id := w.engine.Number(g)
		numbers[id] = true
		if !channelState[now[id].State] {
			return false
		}
	}
	for id, p := range now {
		if !numbers[id] && !harmless(p) {
			return false
		}
	}
	if !same(w.blocked(), w.seen) || w.engine.Wakers().Found() {
		return false
	}
	w.run.Die()
	return true
}

// channelState are the words for goroutines that are parked in a channel operation. Those that wait
// for a lock are: another waits for them.
var channelState = map[string]bool{
	"select": true, "select (no cases)": true, "chan receive": true, "chan send": true, "chan receive (nil chan)": true,
	"chan send (nil chan)": true,
}

// lockState are those for goroutines that wait for locks.
var lockState = map[string]bool{
	"sync.Mutex.Lock": true, "sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true, "sync.WaitGroup.Wait": true,
	"sync.Cond.Wait": true, "semacquire": true,
}

// waiters start the goroutines that wait for locks in the place of those of the cells, in each
// engine.
var waiters = []string{
	enginePath + "machine.WaitFor", enginePath + "machine.WaitCond",
	enginePath + "yaegi.waitFor", enginePath + "yaegi.waitCond",
}

const (
	modulePath = "github.com/vyre-kernel/vyre-kernel/"
	enginePath = modulePath + "interp/engine/"
)

// transient start goroutines that may just be about to end, or to begin, something of the cells':
// the engines, timers and contexts.
var transient = []string{enginePath, "time.", "context."}

// infrastructure starts goroutines that do nothing for cells but what cells asked them for
// (wakers.go): this project's and the runtime's, and tests.
var infrastructure = []string{modulePath, "main.", "testing.", "runtime.", "runtime/", "os/signal."}

// harmless tells of a goroutine that is none of the cells': it cannot end a wait of theirs.
func harmless(p Parked) bool {
	begins := func(s string) bool { return strings.HasPrefix(p.Starter, s) }
	switch {
	case p.Starter == "": // the process's first
		return true
	case slices.Contains(waiters, p.Starter):
		return lockState[p.State]
	case slices.ContainsFunc(transient, begins):
		return channelState[p.State]
	}
	return slices.ContainsFunc(infrastructure, begins)
}
