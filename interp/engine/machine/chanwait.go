package machine

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A wait for one channel parks on it, as compiled code does, and who stops the run wakes those that
// are parked (gorelease.WakeParked). It first marks the run as stopped: who comes later does not
// park. Then it goes through those that wait, again and again until all are awake that had come
// before.

// A parking is in which of its channel's queues a goroutine waits.
type parking uint8

const (
	notParked parking = iota // in none, or in those of a select, which a stop ends by a channel of its own
	sending
	receiving
)

// mayPark reports whether a goroutine may park on the channel: nobody could wake it from a nil one.
func mayPark(ch pointer) bool { return ch != nil && gorelease.Parking.Holds() }

// sendParked sends the value at val; stopped if the run was stopped before.
func (g *Routine) sendParked(ch, val pointer) (stopped bool) {
	w := &g.wait
	w.park("chan send", g.Top, ch, sending)
	defer w.end()
	if g.Run.halted.Load() {
		return true
	}
	rtype.ChanSend(ch, val, true)
	return w.woken.Load()
}

// receiveParked receives into to; stopped if the run was stopped before.
func (g *Routine) receiveParked(ch, to pointer) (received, stopped bool) {
	w := &g.wait
	w.park("chan receive", g.Top, ch, receiving)
	defer w.end()
	if g.Run.halted.Load() {
		return false, true
	}
	_, received = rtype.ChanRecv(ch, to, true)
	return received, w.woken.Load()
}

// A sleeper is a goroutine that waits, held where it is.
type sleeper struct {
	g      *Routine
	ch     pointer
	parked parking
}

// wakeParked wakes the run's goroutines that are parked. The run is marked as stopped, and its lock
// held.
func (r *Run) wakeParked(again time.Duration) {
	var all []sleeper
	for g := r.routines; g != nil; g = g.behind {
		if w := &g.wait; w.look() && w.on.parked != notParked && !w.woken.Load() {
			all = append(all, sleeper{g, w.on.ch, w.on.parked})
		} else {
			w.leave()
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b sleeper) int {
		return cmp.Or(cmp.Compare(uintptr(a.ch), uintptr(b.ch)), cmp.Compare(a.parked, b.parked))
	})
	awake := true
	for from, to := 0, 0; from < len(all); from = to {
		for to < len(all) && all[to].ch == all[from].ch && all[to].parked == all[from].parked {
			to++
		}
		awake = wakeQueue(all[from:to]) && awake
	}
	if !awake {
		r.wakeAgain(again)
	}
}

// wakeQueue wakes those that wait in one queue and lets them go, and reports whether all were
// there.
func wakeQueue(queue []sleeper) bool {
	waiters := make([]gorelease.Waiter, len(queue))
	for i, s := range queue {
		waiters[i] = gorelease.Waiter{G: s.g.gp.Load(), Woken: &s.g.wait.woken}
	}
	gorelease.WakeParked(queue[0].ch, queue[0].parked == sending, waiters)
	all := true
	for _, s := range queue {
		all = s.g.wait.woken.Load() && all
		s.g.wait.leave()
	}
	return all
}

// soon is when those are looked for again that were about to park, or to go on.
const soon = 50 * time.Microsecond

func (r *Run) wakeAgain(after time.Duration) {
	time.AfterFunc(after, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wakeParked(min(2*after, patience))
	})
}

func waitWord(what string, ch pointer) string {
	if ch == nil {
		return what + " (nil chan)"
	}
	return what
}

// selectBlocking waits for one of the cases, or for the run to stop. The goroutine then ends here.
func (g *Routine) selectBlocking(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	if inBubble() {
		return reflect.Select(cases)
	}
	cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(g.stopping())})
	i, v, ok := reflect.Select(cases)
	if i == len(cases)-1 {
		g.Stop()
		// The run was stopped before, and this is a deferred call that waits: it waits for the
		// cases alone.
		return reflect.Select(cases[:len(cases)-1])
	}
	return i, v, ok
}

// Send sends the value at val to the channel at p, which was not ready, or is nil.
func (g *Routine) Send(t *Type, p pointer, elem *Type, val pointer) {
	ch := *(*pointer)(p)
	if mayPark(ch) {
		if g.sendParked(ch, val) {
			g.Stop()
		}
		return
	}
	defer g.Waiting(waitWord("chan send", ch), Awaited{known: !inBubble(), ch: ch})()
	g.selectBlocking([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: t.Value(p), Send: elem.Value(val)}})
}

// Receive receives into to from the channel at p.
func (g *Routine) Receive(t *Type, p pointer, elem *Type, to pointer) (received bool) {
	ch := *(*pointer)(p)
	if ch != nil {
		if selected, received := rtype.ChanRecv(ch, to, false); selected {
			return received
		}
	}
	if mayPark(ch) {
		received, stopped := g.receiveParked(ch, to)
		if stopped {
			g.Stop()
		}
		return received
	}
	defer g.Waiting(waitWord("chan receive", ch), Awaited{known: !inBubble(), ch: ch})()
	_, v, received := g.selectBlocking([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: t.Value(p)}})
	elem.Value(to).Set(v)
	return received
}

// Choose waits for one of the cases as package reflect does; word says what for.
func (g *Routine) Choose(word string, cases []reflect.SelectCase) (int, reflect.Value, bool) {
	a := Awaited{known: !inBubble()}
	if word == "select" {
		for _, c := range cases {
			a.chans = append(a.chans, c.Chan.UnsafePointer())
		}
	} else {
		a.ch = cases[0].Chan.UnsafePointer()
		word = waitWord(word, a.ch)
	}
	defer g.Waiting(word, a)()
	return g.selectBlocking(cases)
}
