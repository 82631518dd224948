package lower

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// buildSelect compiles to: each case once, in random order, without waiting; then, unless there is
// a default, all together.
func buildSelect(c *compiler, in *ssa.Select) op {
	s := machine.NewSelect(c.selectStates(in))
	index, recvOk := c.parts[in][0], c.parts[in][1]
	ip, blocking := c.ip(in), in.Blocking
	return func(fp pointer) {
		machine.Mark(fp, ip)
		i, received := s.Try(fp)
		if i < 0 && blocking {
			i, received = s.Wait(fp)
		}
		if index.used {
			*ref[int](fp, index.at) = i
		}
		if recvOk.used {
			*ref[bool](fp, recvOk.at) = received
		}
	}
}

func (c *compiler) selectStates(in *ssa.Select) []machine.SelectCase {
	states := make([]machine.SelectCase, len(in.States))
	next := 2 // components of the result: index, recvOk, what each receive got
	for i, st := range in.States {
		t := c.typ(st.Chan.Type())
		s := machine.SelectCase{Send: st.Dir == types.SendOnly, Chan: c.slot(st.Chan),
			Elem: machine.NewType(t.Reflect.Elem())}
		if s.Send {
			s.Value = c.slot(st.Send)
		} else {
			to := c.parts[in][next]
			if next++; !to.used {
				to.at = c.temp(s.Elem)
			}
			s.To = to.at
		}
		states[i] = s
	}
	return states
}
