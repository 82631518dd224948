package vm

import (
	"reflect"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A selectState is one case of a select: which channel, what is sent, where what is received goes.
type selectState struct {
	send bool
	ch   uintptr
	val  uintptr // of a send
	elem *typ
	to   uintptr // of a receive
}

// ready tries the case without waiting.
func (s *selectState) ready(fp pointer) (selected, received bool) {
	ch := *ref[pointer](fp, s.ch)
	if ch == nil {
		return false, false
	}
	if s.send {
		return rtype.ChanSend(ch, at(fp, s.val), false), false
	}
	return rtype.ChanRecv(ch, at(fp, s.to), false)
}

func (s *selectState) asCase(fp pointer) rtype.SelectCase {
	if s.send {
		return rtype.SelectCase{Dir: reflect.SelectSend, Ch: *ref[pointer](fp, s.ch), Val: at(fp, s.val)}
	}
	return rtype.SelectCase{Dir: reflect.SelectRecv, Ch: *ref[pointer](fp, s.ch), Val: at(fp, s.to)}
}

// A selection is the cases of a select.
type selection struct {
	states []selectState
	// sends first, then receives, as the runtime wants them: numbers in states, and how many of
	// them send.
	order []int
	sends int
}

func newSelection(states []selectState) *selection {
	s := &selection{states: states}
	for i := range states {
		if states[i].send {
			s.order = slices.Insert(s.order, s.sends, i)
			s.sends++
		} else {
			s.order = append(s.order, i)
		}
	}
	return s
}

// try goes through the cases in random order: of those that are ready each is as likely as another.
func (s *selection) try(fp pointer) (int, bool) {
	n := len(s.states)
	switch n {
	case 0:
		return -1, false
	case 1:
		if selected, received := s.states[0].ready(fp); selected {
			return 0, received
		}
		return -1, false
	case 2, 3: // where to begin, and which way to go, are all orders that there are
		random := head(fp).g.random()
		i, step := int(random>>1)%n, 1+int(random&1)*(n-2)
		for range n {
			if selected, received := s.states[i].ready(fp); selected {
				return i, received
			}
			if i += step; i >= n {
				i -= n
			}
		}
		return -1, false
	}
	return s.tryMany(fp)
}

func (s *selection) tryMany(fp pointer) (int, bool) {
	var few [16]int
	order := few[:0]
	for i := range s.states {
		k := int(head(fp).g.random()) % (i + 1)
		order = append(order, i)
		order[i], order[k] = order[k], i
	}
	for _, i := range order {
		if selected, received := s.states[i].ready(fp); selected {
			return i, received
		}
	}
	return -1, false
}

// wait waits for one of the cases, or for the run to stop.
func (s *selection) wait(fp pointer) (int, bool) {
	if n := len(s.states); n > 0 && n < maxSelected && gorelease.Selectgo() != nil {
		return s.waitHere(fp)
	}
	g, states := head(fp).g, s.states
	what := "select"
	if len(states) == 0 {
		what = "select (no cases)"
	}
	cases, chans := make([]rtype.SelectCase, 0, len(states)+1), make([]pointer, len(states))
	for i := range states {
		cases = append(cases, states[i].asCase(fp))
		chans[i] = cases[i].Ch
	}
	if inBubble() {
		return rtype.Select(cases)
	}
	stop := g.stopping()
	cases = append(cases, rtype.SelectCase{Dir: reflect.SelectRecv, Ch: *(*pointer)(pointer(&stop))})
	defer g.waiting(what, awaited{known: true, chans: chans})()
	i, received := rtype.Select(cases)
	if i == len(states) {
		g.stopNow()
		// The run was stopped before, and this is a deferred call that waits: it waits for the
		// cases alone.
		return rtype.Select(cases[:i])
	}
	return i, received
}
