package lower

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func buildMakeChan(c *compiler, in *ssa.MakeChan) op {
	d, w, n, ip := c.dst(in), rtype.MarkedChan(c.typ(in.Type()).Word), c.index(in.Size), c.ip(in)
	return n.before(func(fp pointer) {
		machine.Mark(fp, ip)
		*ref[pointer](fp, d) = rtype.MakeChan(w, *ref[int](fp, n.slot))
	})
}

func buildSend(c *compiler, in *ssa.Send) op {
	t := c.typ(in.Chan.Type())
	x, v, ip := c.slot(in.Chan), c.slot(in.X), c.ip(in)
	elem := c.typ(in.X.Type())
	return func(fp pointer) {
		machine.Mark(fp, ip)
		ch := *ref[pointer](fp, x)
		if ch != nil && rtype.ChanSend(ch, at(fp, v), false) {
			return
		}
		head(fp).Routine.Send(t, at(fp, x), elem, at(fp, v))
	}
}

// receive compiles <-ch and v, ok := <-ch.
func (c *compiler) receive(in *ssa.UnOp) op {
	t := c.typ(in.X.Type())
	x, ip := c.slot(in.X), c.ip(in)
	elem := machine.NewType(t.Reflect.Elem())
	val, ok := part{typ: elem}, part{typ: machine.BoolType}
	if in.CommaOk {
		val, ok = c.parts[in][0], c.parts[in][1]
	} else {
		val.at, val.used = c.dst(in), true
	}
	if !val.used {
		val.at = c.temp(elem)
	}
	return func(fp pointer) {
		machine.Mark(fp, ip)
		received := head(fp).Routine.Receive(t, at(fp, x), elem, at(fp, val.at))
		if ok.used {
			*ref[bool](fp, ok.at) = received
		}
	}
}
