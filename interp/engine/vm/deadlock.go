package vm

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A deadlock is reported where it is known: every goroutine of the cells waits for channels that cells made, or for locks, and nothing else
// can end one of those waits. That they all wait is what they say themselves, before and after an instant at which the runtime says that
// they are parked: one that was woken is not, and one that waits again has another turn. That there is nothing else: the same instant
// shows no goroutine that compiled code of unknown intent started, and cells never handed over what could be used without one (wakers.go).

// A watch looks now and then whether a cell that lasts can still go on.
type watch struct {
	run    *run
	timer  atomic.Pointer[time.Timer]
	over   atomic.Bool
	seen   map[*routine]uint64 // those that waited when the watch last looked, and their turns; nil: not all did
	every  time.Duration
	doubts int // how often they did, and it was no deadlock
}

const (
	firstLook = 50 * time.Millisecond
	maxLook   = 2 * time.Second
)

// watched ends the run with a deadlock where there is one, until the answer is called.
func (r *run) watched() (stop func()) {
	if goidAt() == 0 {
		return func() {}
	}
	w := &watch{run: r, every: firstLook}
	r.vm.lookout.add(w)
	return func() {
		w.over.Store(true)
		if t := w.timer.Load(); t != nil {
			t.Stop()
		}
	}
}

// begin has the watch look at once, and then now and then.
func (w *watch) begin() {
	w.timer.Store(time.AfterFunc(time.Hour, w.look)) // look needs it there
	w.timer.Load().Reset(0)
}

// A lookout begins the watches of runs, with one timer for all that started within firstLook: most are over by then, and each
// timer that is set wakes a thread.
type lookout struct {
	mu    sync.Mutex
	next  []*watch
	timer *time.Timer
	set   bool
}

func (l *lookout) add(w *watch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = append(slices.DeleteFunc(l.next, (*watch).isOver), w)
	switch {
	case l.timer == nil:
		l.timer = time.AfterFunc(firstLook, l.begin)
	case !l.set:
		l.timer.Reset(firstLook)
	}
	l.set = true
}

func (l *lookout) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.next {
		if !w.isOver() {
			w.begin()
		}
	}
	l.next, l.set = nil, false
}

func (w *watch) isOver() bool { return w.over.Load() }

func (w *watch) look() {
	if w.over.Load() || w.run.isStopped() || w.run.vm.wakers.found.Load() {
		return
	}
	now := w.run.vm.blocked()
	switch {
	case now == nil || w.run.main.Load() == nil:
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

func same(a, b map[*routine]uint64) bool {
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

// blocked are the goroutines of the cells with their turns; nil where one runs, or waits for what is not known.
func (v *vm) blocked() map[*routine]uint64 {
	all := map[*routine]uint64{}
	v.live.Range(func(k, _ any) bool {
		g := k.(*routine)
		turn := g.wait.turn.Load()
		if !g.wait.endless() {
			all = nil
			return false
		}
		all[g] = turn
		return true
	})
	if len(all) == 0 {
		return nil
	}
	return all
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

// dead asks the runtime, and ends the run if it is so.
func (w *watch) dead() bool {
	v, now := w.run.vm, snapshot()
	if now == nil {
		return false
	}
	numbers := map[uint64]bool{goidWord(getg(), goidAt()): true}
	for g := range w.seen {
		id := g.number()
		numbers[id] = true
		if !channelState[now[id].state] {
			return false
		}
	}
	for id, p := range now {
		if !numbers[id] && !harmless(p) {
			return false
		}
	}
	if !same(v.blocked(), w.seen) || v.wakers.found.Load() {
		return false
	}
	w.run.die(v.roster(w.run))
	return true
}

// channelState are the words for goroutines that are parked in a channel operation. Those that wait for a lock are: another waits for them.
var channelState = map[string]bool{
	"select": true, "select (no cases)": true, "chan receive": true, "chan send": true, "chan receive (nil chan)": true, "chan send (nil chan)": true,
}

// lockState are those for goroutines that wait for locks.
var lockState = map[string]bool{
	"sync.Mutex.Lock": true, "sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true, "sync.WaitGroup.Wait": true, "sync.Cond.Wait": true, "semacquire": true,
}

// waiters start the goroutines that wait for locks in the place of those of the cells.
var waiters = []string{enginePath + "waitFor", enginePath + "waitCond"}

const enginePath = modulePath + "interp/engine/vm."

// transient start goroutines that may just be about to end, or to begin, something of the cells': the engine, timers and contexts.
var transient = []string{enginePath, "time.", "context."}

// infrastructure starts goroutines that do nothing for cells but what cells asked them for (wakers.go): this project's and the runtime's, and tests.
var infrastructure = []string{modulePath, "main.", "testing.", "runtime.", "runtime/", "os/signal."}

// harmless tells of a goroutine that is none of the cells': it cannot end a wait of theirs.
func harmless(p parked) bool {
	begins := func(s string) bool { return strings.HasPrefix(p.starter, s) }
	switch {
	case p.starter == "": // the process's first
		return true
	case slices.Contains(waiters, p.starter):
		return lockState[p.state]
	case slices.ContainsFunc(transient, begins):
		return channelState[p.state]
	}
	return slices.ContainsFunc(infrastructure, begins)
}

// die ends the run: all its goroutines, as an interrupt does.
func (r *run) die(all []engine.Goroutine) {
	r.mu.Lock()
	if !r.stopped {
		r.dead = &engine.Deadlock{Goroutines: all}
	}
	r.mu.Unlock()
	r.stop()
}
