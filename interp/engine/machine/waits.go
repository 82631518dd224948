package machine

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A waitState is what a goroutine waits for, in the runtime's words. While it waits its frames
// stand still: others look at them (look, leave), and the goroutine goes on when nobody does.
type waitState struct {
	mu      sync.Mutex
	lookers atomic.Int32
	// what it waits for, and where: while turn is odd.
	what string
	top  pointer
	// forgotten is set once the frames that stand still hold nothing dead (forget.go).
	forgotten bool
	// woken is set when a stop woke the goroutine (chanwait.go): for good, as nothing of a run
	// waits again after that.
	woken atomic.Bool
	// on is what could end the wait (deadlock.go).
	on Awaited
	// turn counts waits and their ends.
	turn atomic.Uint64
	// id is the goroutine's, began the go statement that started it. Where one that runs was asked
	// for its place, told is the answer (roster.go).
	id    int
	began origin
	asked atomic.Bool
	told  []engine.Frame
}

// An Awaited is what can end a wait: nothing that is known, one of the channels, a lock of package
// sync. Channels of the frames do not tell: frames forget what nobody reads after the wait.
type Awaited struct {
	known  bool
	ch     pointer // nil: chans
	chans  []pointer
	parked parking // in the channel's own queue
}

// start publishes what the goroutine is about to wait for.
func (w *waitState) start(what string, top pointer, on Awaited) {
	w.what, w.top, w.forgotten, w.on = what, top, false, on
	w.turn.Add(1)
}

// park is start for a wait in the channel's own queue. The parts of what is awaited that it does
// not set are as end leaves them.
func (w *waitState) park(what string, top, ch pointer, how parking) {
	w.what, w.top, w.forgotten = what, top, false
	w.on.known, w.on.ch, w.on.parked = !inBubble(), ch, how
	w.turn.Add(1)
}

// end is the goroutine's, whose wait is over. Who looks at its frames has said so before it saw
// that the goroutine waits: either that is seen here, or the wait's end there.
func (w *waitState) end() {
	w.turn.Add(1)
	if w.lookers.Load() != 0 {
		w.mu.Lock() // they have left
		defer w.mu.Unlock()
	}
	w.top, w.on.ch = nil, nil // as nothing else may keep them
	if w.on.chans != nil {
		w.on.chans = nil
	}
}

// look holds the goroutine, if it waits, where it is, until leave.
func (w *waitState) look() (waits bool) {
	w.mu.Lock()
	w.lookers.Add(1)
	return w.turn.Load()&1 == 1
}

func (w *waitState) leave() {
	w.lookers.Add(-1)
	w.mu.Unlock()
}

// Waiting notes what the goroutine is about to wait for; the returned func ends that.
func (g *Routine) Waiting(what string, on Awaited) func() {
	g.wait.start(what, g.Top, on)
	return g.goOn
}

// WaitFor runs a wait of compiled code so that stopping the run ends it for the cell: the wait
// itself goes on on a goroutine of its own, and undo takes back what it got when nobody wants it
// any more.
func WaitFor(what string, wait, undo func()) {
	g := Current()
	if g == nil || inBubble() {
		wait()
		return
	}
	const (
		pending = iota
		got
		left
	)
	var state atomic.Int32
	done := make(chan struct{})
	var failed any
	go func() {
		defer close(done)
		defer func() {
			failed = recover() // a group that is used again too soon: of no interest to who has left
			if !state.CompareAndSwap(pending, got) && undo != nil && failed == nil {
				undo()
			}
		}()
		wait()
	}()
	end := g.Waiting(what, Awaited{known: true})
	defer end()
	select {
	case <-done:
		if failed != nil {
			panic(failed)
		}
	case <-g.Run.Done:
		if !state.CompareAndSwap(pending, left) && undo != nil && failed == nil {
			undo()
		}
		g.Stop()
	}
}

// Stop ends the goroutine at the place where it waits.
func (g *Routine) Stop() {
	StopHere(g.Top, head(g.Top).IP)
}

// Sleep is time.Sleep.
func Sleep(d time.Duration) {
	g := Current()
	if g == nil || d <= 0 || inBubble() {
		time.Sleep(d)
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	end := g.Waiting("sleep", Awaited{})
	defer end()
	select {
	case <-t.C:
	case <-g.Run.Done:
		g.Stop()
	}
}

// LockMutex is (*sync.Mutex).Lock.
func LockMutex(m *sync.Mutex) {
	if !m.TryLock() {
		WaitFor("sync.Mutex.Lock", m.Lock, m.Unlock)
	}
}

// LockOnce is the lock of a sync.Once whose function runs.
func LockOnce(m *sync.Mutex) {
	if !m.TryLock() {
		WaitFor("sync.Once.Do", m.Lock, m.Unlock)
	}
}

// LockRWMutex is (*sync.RWMutex).Lock.
func LockRWMutex(m *sync.RWMutex) {
	if !m.TryLock() {
		WaitFor("sync.RWMutex.Lock", m.Lock, m.Unlock)
	}
}

// ReadLockRWMutex is (*sync.RWMutex).RLock.
func ReadLockRWMutex(m *sync.RWMutex) {
	if !m.TryRLock() {
		WaitFor("sync.RWMutex.RLock", m.RLock, m.RUnlock)
	}
}

// WaitGroup is (*sync.WaitGroup).Wait.
func WaitGroup(w *sync.WaitGroup) {
	if Current() == nil {
		w.Wait()
		return
	}
	WaitFor("sync.WaitGroup.Wait", w.Wait, nil)
}

// WaitCond holds the lock again when it is stopped, as the deferred Unlock of its caller expects:
// those who wait on the condition are woken, which Cond.Wait's contract has them ready for.
func WaitCond(c *sync.Cond) {
	g := Current()
	if g == nil || inBubble() {
		c.Wait()
		return
	}
	done := make(chan struct{})
	end := g.Waiting("sync.Cond.Wait", Awaited{known: true})
	defer end()
	go func() { c.Wait(); close(done) }()
	select {
	case <-done:
	case <-g.Run.Done:
		for stopped := false; !stopped; {
			c.Broadcast()
			select {
			case <-done:
				stopped = true
			case <-time.After(time.Millisecond):
			}
		}
		g.Stop()
	}
}
