package yaegi

import (
	"context"
	"reflect"
	"runtime/debug"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
)

// Run executes the unit on a goroutine of its own; those it starts may go on afterwards.
func (e *yaegi) Run(ctx context.Context, cell *engine.Unit) ([]reflect.Value, error) {
	return e.Execute(ctx, cell,
		func(f func()) error { return e.do(ctx, true, f) },
		func(t *target) []reflect.Value { return t.call(current(), nil, nil, nil, nil) })
}

// Do runs f as a run of its own.
func (e *yaegi) Do(ctx context.Context, f func()) error { return e.do(ctx, false, f) }

func (e *yaegi) do(ctx context.Context, watched bool, f func()) error {
	r := e.newRun(ctx)
	defer context.AfterFunc(ctx, r.stop)()
	g := e.numbered(r, mainID)
	r.main = g
	if watched {
		defer deadlock.Watch(&e.lookout, sleepers{e}, watchedRun{r})()
	}
	done := make(chan error, 1)
	go g.execute(f, func(err error) { done <- err })
	return <-done
}

// execute runs body as all that the goroutine does, then finish with how it ended.
func (g *routine) execute(body func(), finish func(error)) {
	debug.SetPanicOnFault(true)
	g.attach()
	normal := false
	defer func() {
		var err error
		if !normal {
			err = g.ending(recover())
		}
		g.retire()
		finish(err)
	}()
	body()
	normal = true
}

func (g *routine) ending(r any) error {
	if r != nil {
		return g.asPanic(unpack(r))
	}
	g.run.mu.Lock()
	defer g.run.mu.Unlock()
	switch {
	case g.run.refused != nil:
		return g.run.refused
	case g.run.exit != nil:
		return g.run.exit
	case g.run.dead != nil:
		return g.run.dead
	case g.run.stopped:
		return &engine.Interrupted{Stack: g.run.where}
	}
	return &engine.Exit{Stack: g.top.stack()} // runtime.Goexit
}

func (g *routine) asPanic(r any) *engine.Panic {
	p := g.sighted(r)
	id := g.id
	if g.run.main == g {
		id = 0
	}
	return &engine.Panic{Value: r, Goroutine: id, Stack: p.stack, Chain: p.chain, Context: g.run.ctx}
}

// report tells of a panic that nobody recovered on a goroutine beside the cell's.
func (g *routine) report(r any) {
	if f := g.e.onPanic.Load(); f != nil {
		(*f)(g.asPanic(r))
	}
}

// start runs a call on a new goroutine of the run.
func (g *routine) start(call func(*routine)) {
	n := g.e.newRoutine(g.run)
	if g.top != nil {
		n.began, n.by = &Frame{body: g.top.body, at: g.top.at}, g.id
	}
	go n.execute(func() { call(n) }, func(err error) {
		if p, ok := err.(*engine.Panic); ok {
			if f := n.e.onPanic.Load(); f != nil {
				(*f)(p)
			}
		}
	})
}

// goInGroup is (*sync.WaitGroup).Go: the goroutine is the cell's, as with a go statement.
func goInGroup(w *sync.WaitGroup, f func()) {
	g := current()
	if g == nil {
		w.Go(f)
		return
	}
	w.Add(1)
	g.start(func(n *routine) {
		defer func() {
			if r := recover(); r != nil && !n.run.over() {
				panic(r)
			}
			w.Done() // after runtime.Goexit too
		}()
		f()
	})
}
