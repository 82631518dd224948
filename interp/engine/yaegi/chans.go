package yaegi

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

func registerChannels() {
	printerOf(func(p *printer, in *ssa.MakeChan) {
		t := p.u.typeOf(in.Type())
		p.operate(in, []ssa.Value{in.Size}, func(_ *Frame, a []reflect.Value) reflect.Value {
			n, _ := number(a[0])
			if n < 0 || t.Elem().Size() > 0 && n > 1<<47/int64(t.Elem().Size()) {
				_ = make(chan struct{}, minusOne)
			}
			return as(markedChan(reflect.ChanOf(reflect.BothDir, t.Elem()), int(n)), t)
		})
	})
	printerOf(func(p *printer, in *ssa.Send) {
		t := p.u.typeOf(in.Chan.Type())
		p.operate(in, []ssa.Value{in.Chan, in.X}, func(f *Frame, a []reflect.Value) reflect.Value {
			f.g.choose("chan send", []reflect.SelectCase{{Dir: reflect.SelectSend, Chan: a[0], Send: as(a[1], t.Elem())}}, true)
			return reflect.Value{}
		})
	})
	printerOf(printSelect)
}

// receive is <-c.
func (u *unit) receive(in *ssa.UnOp) func(*Frame, []reflect.Value) reflect.Value {
	return func(f *Frame, a []reflect.Value) reflect.Value {
		_, v, ok := f.g.choose("chan receive", []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: a[0]}}, true)
		if in.CommaOk {
			return tupleOf(fresh(v), boolean(ok))
		}
		return fresh(v)
	}
}

// choose waits for one of the cases, or for the end of the run. The first result is -1 where none
// is ready and it does not block.
func (g *routine) choose(what string, cases []reflect.SelectCase, blocking bool) (int, reflect.Value, bool) {
	n := len(cases)
	i, v, ok := reflect.Select(append(cases[:n:n], reflect.SelectCase{Dir: reflect.SelectDefault}))
	if i < n {
		return i, v, ok
	}
	if !blocking {
		return -1, v, ok
	}
	stop := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(g.run.done)}
	if !g.stopping.IsZero() { // in a deferred call of a stopped goroutine
		g.stop()
	}
	if n == 1 && cases[0].Chan.IsNil() {
		what += " (nil chan)"
	}
	end := g.waiting(what, channels(cases))
	defer end()
	if i, v, ok = reflect.Select(append(cases[:n:n], stop)); i == n {
		g.stop()
	}
	return i, v, ok
}

// printSelect prints a select: the index of the case, whether something was received, and a value
// for each receiving case.
func printSelect(p *printer, in *ssa.Select) {
	var args []ssa.Value
	var out []reflect.Type
	for _, s := range in.States {
		args = append(args, s.Chan)
		if s.Dir == types.SendOnly {
			args = append(args, s.Send)
		} else {
			out = append(out, p.u.typeOf(s.Chan.Type()).Elem())
		}
	}
	what := "select"
	if len(in.States) == 0 {
		what = "select (no cases)"
	}
	p.operate(in, args, func(f *Frame, a []reflect.Value) reflect.Value {
		cases := selectCases(in, a)
		i, v, ok := f.g.choose(what, cases, in.Blocking)
		results := tuple{reflect.ValueOf(i), boolean(ok && i >= 0 && cases[i].Dir == reflect.SelectRecv)}
		for k, s := range in.States {
			if s.Dir == types.SendOnly {
				continue
			}
			if k == i {
				results = append(results, fresh(v))
			} else {
				results = append(results, reflect.New(out[len(results)-2]).Elem())
			}
		}
		return reflect.ValueOf(results)
	})
}

func selectCases(in *ssa.Select, a []reflect.Value) []reflect.SelectCase {
	cases := make([]reflect.SelectCase, len(in.States))
	for i, s := range in.States {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: a[0]}
		a = a[1:]
		if s.Dir == types.SendOnly {
			cases[i].Dir, cases[i].Send = reflect.SelectSend, as(a[0], cases[i].Chan.Type().Elem())
			a = a[1:]
		}
	}
	return cases
}
