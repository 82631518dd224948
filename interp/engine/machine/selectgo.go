package machine

import (
	"math/rand/v2"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Selects that wait call the runtime as compiled ones do: reflect's way there makes four objects
// each time. Their memory is the goroutine's.

// maxSelected is how many cases a goroutine has memory for, that which ends the wait among them.
const maxSelected = 9

// selectMemory is what the runtime needs for a select.
type selectMemory struct {
	cases [maxSelected]gorelease.SelectCase
	order [2 * maxSelected]uint16
	chans [maxSelected]pointer
}

// waitHere waits for the cases and for what stops the goroutine.
func (s *Select) waitHere(fp pointer) (int, bool) {
	g, n := head(fp).Routine, len(s.states)
	if inBubble() {
		i, received := s.selectOf(fp, nil)
		return s.order[i], received
	}
	stop := g.stopping()
	i, received := s.selectOf(fp, *(*pointer)(pointer(&stop)))
	if i == n {
		g.Stop()
		// The run was stopped before, and this is a deferred call that waits: it waits for the
		// cases alone.
		i, received = s.selectOf(fp, nil)
	}
	return s.order[i], received
}

// selectOf waits for one of the cases, by their order, or for stop to be closed, behind them.
func (s *Select) selectOf(fp, stop pointer) (int, bool) {
	g, n := head(fp).Routine, len(s.states)
	if g.selecting == nil {
		g.selecting = &selectMemory{}
	}
	m := g.selecting
	s.fill(fp, m)
	m.cases[n] = gorelease.SelectCase{Ch: stop} // one without a channel is never chosen
	g.wait.start("select", g.Top, Awaited{known: !inBubble(), chans: m.chans[:n]})
	defer g.selected(m, n)
	return gorelease.Selectgo()(&m.cases[0], &m.order[0], nil, s.sends, n+1-s.sends, true)
}

// selected ends the wait, however it ended, and forgets what the cases hold, as nothing else may
// keep it.
func (g *Routine) selected(m *selectMemory, n int) {
	g.wait.end()
	clear(m.cases[:n+1])
	clear(m.chans[:n])
}

func (s *Select) fill(fp pointer, m *selectMemory) {
	for k, i := range s.order {
		x := &s.states[i]
		ch, elem := *ref[pointer](fp, x.Chan), at(fp, x.To)
		if x.Send {
			elem = at(fp, x.Value)
		}
		m.cases[k], m.chans[k] = gorelease.SelectCase{Ch: ch, Elem: elem}, ch
	}
}

// random is a number below 1 << 31.
func (g *Routine) random() uint32 {
	x := g.luck
	if x == 0 {
		x = rand.Uint32() | 1
	}
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	g.luck = x
	return x >> 1
}
