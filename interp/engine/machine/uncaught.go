package machine

import (
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A panic of cell code on a goroutine that compiled code started goes on through that code's
// frames, which may recover it, look at it, or panic anew. One that nobody recovers would end the
// process. So the goroutine's last deferred call, below all frames, is one of the engine's, which
// reports the panic and ends the goroutine.

// A lastResort is the last deferred call of a goroutine that compiled code started.
type lastResort struct {
	record  gorelease.LastDefer
	machine *Machine
	// last is the last panic of cell code that was seen to leave it, on a run that is told of it.
	last *engine.Panic
	run  *Run
	left func() // tells who waits for the goroutine that it ended; nil: nobody
}

// rescue makes sure that the running goroutine has one, and gives it; nil where it cannot have one.
func (v *Machine) rescue() *lastResort {
	last, ok := gorelease.Last()
	if last != nil || !ok {
		return (*lastResort)(pointer(last))
	}
	l := &lastResort{machine: v}
	l.record.Append(func() {
		if r := recover(); r != nil {
			l.end(r)
			runtime.Goexit()
		}
	})
	return l
}

// end reports what nobody recovered, unless the goroutine was to stop.
func (l *lastResort) end(r any) {
	if l.left != nil {
		defer l.left()
	}
	p := l.last
	switch {
	case l.run != nil && l.run.Stopped():
		return
	case p == nil:
		p = &engine.Panic{Value: r}
	case *(*Pair)(pointer(&p.Value)) != *(*Pair)(pointer(&r)):
		again := *p
		again.Value, again.Chain = r, append(p.Chain[:len(p.Chain):len(p.Chain)], p.Value)
		p = &again
	}
	l.machine.ended(p)
	if l.run != nil {
		l.run.stop() // before who waits goes on
	}
}

// Lend gives a way to run f on a goroutine that compiled code has started as one of g's run. left
// is called if f panics: who waits for that goroutine is told that it has ended.
func (g *Routine) Lend() (serve func(f, left func())) {
	v, run, began := g.Machine, g.Run, g.place()
	return func(f, left func()) {
		if Current() != nil {
			f()
			return
		}
		v.serve(run, began, f, left)
	}
}

func (v *Machine) serve(run *Run, began origin, f, left func()) {
	g, last := v.newRoutine(run, began), v.rescue()
	if last != nil {
		last.run, last.left = run, left
	}
	g.attach()
	defer func() {
		r := recover()
		if r != nil && last != nil {
			last.last = g.asPanic(r)
		}
		g.abandon()
		if r != nil {
			panic(r)
		}
	}()
	f()
}
