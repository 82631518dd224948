package vm

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// buildSelect compiles to: each case once, in random order, without waiting; then, unless there is a default, all together.
func buildSelect(c *compiler, in *ssa.Select) op {
	s := newSelection(c.selectStates(in))
	index, recvOk := c.parts[in][0], c.parts[in][1]
	ip, blocking := c.ip(in), in.Blocking
	return func(fp pointer) {
		mark(fp, ip)
		i, received := s.try(fp)
		if i < 0 && blocking {
			i, received = s.wait(fp)
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
			to := c.parts[in][next]
			if next++; !to.used {
				to.at = c.temp(s.elem)
			}
			s.to = to.at
		}
		states[i] = s
	}
	return states
}
