package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func buildMakeChan(c *compiler, in *ssa.MakeChan) op {
	d, w, n, ip := c.dst(in), rtype.MarkedChan(c.typ(in.Type()).word), c.index(in.Size), c.ip(in)
	return n.before(func(fp pointer) {
		mark(fp, ip)
		*ref[pointer](fp, d) = rtype.MakeChan(w, *ref[int](fp, n.slot))
	})
}

func buildSend(c *compiler, in *ssa.Send) op {
	t := c.typ(in.Chan.Type())
	x, v, ip := c.slot(in.Chan), c.slot(in.X), c.ip(in)
	elem := c.typ(in.X.Type())
	return func(fp pointer) {
		mark(fp, ip)
		ch := *ref[pointer](fp, x)
		if ch != nil && rtype.ChanSend(ch, at(fp, v), false) {
			return
		}
		g := head(fp).g
		if mayPark(ch) {
			if g.sendParked(ch, at(fp, v)) {
				g.stopNow()
			}
			return
		}
		defer g.waiting(waitWord("chan send", ch), awaited{known: !inBubble(), ch: ch})()
		g.selectBlocking([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: bidirectional(t, at(fp, x)), Send: elem.val(at(fp, v))}})
	}
}

func waitWord(what string, ch pointer) string {
	if ch == nil {
		return what + " (nil chan)"
	}
	return what
}

// bidirectional is the channel at p as a value, of its own type.
func bidirectional(t *typ, p pointer) reflect.Value { return t.val(p) }

// selectBlocking waits for one of the cases, or for the run to stop. The goroutine then ends here.
func (g *routine) selectBlocking(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	if inBubble() {
		return reflect.Select(cases)
	}
	cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(g.stopping())})
	i, v, ok := reflect.Select(cases)
	if i == len(cases)-1 {
		g.stopNow()
		// The run was stopped before, and this is a deferred call that waits: it waits for the cases alone.
		return reflect.Select(cases[:len(cases)-1])
	}
	return i, v, ok
}

// receive compiles <-ch and v, ok := <-ch.
func (c *compiler) receive(in *ssa.UnOp) op {
	t := c.typ(in.X.Type())
	x, ip := c.slot(in.X), c.ip(in)
	elem := newTyp(t.rt.Elem())
	val, ok := part{typ: elem}, part{typ: typBool}
	if in.CommaOk {
		val, ok = c.parts[in][0], c.parts[in][1]
	} else {
		val.at, val.used = c.dst(in), true
	}
	if !val.used {
		val.at = c.temp(elem)
	}
	return func(fp pointer) {
		mark(fp, ip)
		received := receive(head(fp).g, t, at(fp, x), elem, at(fp, val.at))
		if ok.used {
			*ref[bool](fp, ok.at) = received
		}
	}
}

// receive receives into to from the channel at p.
func receive(g *routine, t *typ, p pointer, elem *typ, to pointer) (received bool) {
	ch := *(*pointer)(p)
	if ch != nil {
		if selected, received := rtype.ChanRecv(ch, to, false); selected {
			return received
		}
	}
	if mayPark(ch) {
		received, stopped := g.receiveParked(ch, to)
		if stopped {
			g.stopNow()
		}
		return received
	}
	defer g.waiting(waitWord("chan receive", ch), awaited{known: !inBubble(), ch: ch})()
	_, v, received := g.selectBlocking([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: bidirectional(t, p)}})
	elem.val(to).Set(v)
	return received
}
