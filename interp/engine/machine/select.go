package machine

import (
	"reflect"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A SelectCase is one case of a select: which channel, what is sent, where what is received goes.
type SelectCase struct {
	Send  bool
	Chan  uintptr
	Value uintptr // of a send
	Elem  *Type
	To    uintptr // of a receive
}

// ready tries the case without waiting.
func (s *SelectCase) ready(fp pointer) (selected, received bool) {
	ch := *ref[pointer](fp, s.Chan)
	if ch == nil {
		return false, false
	}
	if s.Send {
		return rtype.ChanSend(ch, at(fp, s.Value), false), false
	}
	return rtype.ChanRecv(ch, at(fp, s.To), false)
}

func (s *SelectCase) asCase(fp pointer) rtype.SelectCase {
	if s.Send {
		return rtype.SelectCase{Dir: reflect.SelectSend, Ch: *ref[pointer](fp, s.Chan), Val: at(fp, s.Value)}
	}
	return rtype.SelectCase{Dir: reflect.SelectRecv, Ch: *ref[pointer](fp, s.Chan), Val: at(fp, s.To)}
}

// A Select is the cases of a select.
type Select struct {
	states []SelectCase
	// sends first, then receives, as the runtime wants them: numbers in states, and how many of
	// them send.
	order []int
	sends int
}

// NewSelect makes a select of the cases, in the order of the statement.
func NewSelect(states []SelectCase) *Select {
	s := &Select{states: states}
	for i := range states {
		if states[i].Send {
			s.order = slices.Insert(s.order, s.sends, i)
			s.sends++
		} else {
			s.order = append(s.order, i)
		}
	}
	return s
}

// Try goes through the cases in random order: of those that are ready each is as likely as another.
func (s *Select) Try(fp pointer) (int, bool) {
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
		random := head(fp).Routine.random()
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

func (s *Select) tryMany(fp pointer) (int, bool) {
	var few [16]int
	order := few[:0]
	for i := range s.states {
		k := int(head(fp).Routine.random()) % (i + 1)
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

// Wait waits for one of the cases, or for the run to stop.
func (s *Select) Wait(fp pointer) (int, bool) {
	if n := len(s.states); n > 0 && n < maxSelected && gorelease.Selectgo() != nil {
		return s.waitHere(fp)
	}
	g, states := head(fp).Routine, s.states
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
	defer g.Waiting(what, Awaited{known: true, chans: chans})()
	i, received := rtype.Select(cases)
	if i == len(states) {
		g.Stop()
		// The run was stopped before, and this is a deferred call that waits: it waits for the
		// cases alone.
		return rtype.Select(cases[:i])
	}
	return i, received
}
