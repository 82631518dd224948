package vm

import (
	"go/types"
	"math/rand/v2"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A selectState is one case of a select: which channel, what is sent, where what is received goes.
type selectState struct {
	send bool
	ch   uintptr
	val  uintptr // of a send
	elem *typ
	to   part // of a receive
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
	return rtype.ChanRecv(ch, at(fp, s.to.at), false)
}

func (s *selectState) asCase(fp pointer) rtype.SelectCase {
	if s.send {
		return rtype.SelectCase{Dir: reflect.SelectSend, Ch: *ref[pointer](fp, s.ch), Val: at(fp, s.val)}
	}
	return rtype.SelectCase{Dir: reflect.SelectRecv, Ch: *ref[pointer](fp, s.ch), Val: at(fp, s.to.at)}
}

// buildSelect compiles to: each case once, in random order, without waiting; then, unless there is a default, all together.
func buildSelect(c *compiler, in *ssa.Select) op {
	states := c.selectStates(in)
	index, recvOk := c.parts[in][0], c.parts[in][1]
	ip, blocking := c.ip(in), in.Blocking
	return func(fp pointer) {
		mark(fp, ip)
		i, received := try(fp, states)
		if i < 0 && blocking {
			i, received = wait(fp, states)
		}
		if index.used {
			*ref[int](fp, index.at) = i
		}
		if recvOk.used {
			*ref[bool](fp, recvOk.at) = received
		}
	}
}

func (c *compiler) selectStates(in *ssa.Select) []selectState {
	states := make([]selectState, len(in.States))
	next := 2 // components of the result: index, recvOk, what each receive got
	for i, st := range in.States {
		t := c.typ(st.Chan.Type())
		s := selectState{send: st.Dir == types.SendOnly, ch: c.slot(st.Chan), elem: newTyp(t.rt.Elem())}
		if s.send {
			s.val = c.slot(st.Send)
		} else {
			s.to = c.parts[in][next]
			if next++; !s.to.used {
				s.to.at = c.temp(s.elem)
			}
		}
		states[i] = s
	}
	return states
}

func try(fp pointer, states []selectState) (int, bool) {
	if len(states) == 0 {
		return -1, false
	}
	start := rand.IntN(len(states))
	for k := range states {
		i := (start + k) % len(states)
		if selected, received := states[i].ready(fp); selected {
			return i, received
		}
	}
	return -1, false
}

func wait(fp pointer, states []selectState) (int, bool) {
	g := head(fp).g
	what := "select"
	if len(states) == 0 {
		what = "select (no cases)"
	}
	var few [6]rtype.SelectCase
	cases, chans := few[:0], make([]pointer, len(states))
	for i := range states {
		cases = append(cases, states[i].asCase(fp))
		chans[i] = cases[i].Ch
	}
	stop := g.stopping()
	cases = append(cases, rtype.SelectCase{Dir: reflect.SelectRecv, Ch: *(*pointer)(pointer(&stop))})
	defer g.waiting(what, awaited{known: true, chans: chans})()
	i, received := rtype.Select(cases)
	if i == len(states) {
		g.stopNow()
		// The run was stopped before, and this is a deferred call that waits: it waits for the cases alone.
		return rtype.Select(cases[:i])
	}
	return i, received
}
