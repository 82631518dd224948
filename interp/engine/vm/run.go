package vm

import (
	"context"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

// An exitRequest is os.Exit, asked for by some goroutine of a run.
type exitRequest struct {
	code  int
	stack []engine.Frame
}

// Run executes the unit on a goroutine of its own; those it starts may go on afterwards.
func (v *vm) Run(ctx context.Context, cell *engine.Unit) ([]reflect.Value, error) {
	defer v.cells.Add(1)
	return v.Execute(ctx, cell,
		func(f func()) error { return v.do(ctx, (*run).watched, f) },
		func(t *target) []reflect.Value { return t.code().call(current()) })
}

// Do runs f as a run of its own. Callbacks in it are the engine's goroutine calling itself, not a stranger's.
func (v *vm) Do(ctx context.Context, f func()) error {
	return v.do(ctx, func(*run) func() { return func() {} }, f)
}

func (v *vm) do(ctx context.Context, watched func(*run) (stop func()), f func()) error {
	r := v.newRun()
	var others []engine.Goroutine
	noted := make(chan struct{})
	detach := context.AfterFunc(ctx, func() {
		defer close(noted)
		others = v.interrupt(r)
	})
	defer watched(r)()
	err := v.apart(func(finish func(error)) {
		g := v.newRoutine(r, itself)
		r.main.Store(g)
		g.execute(f, finish)
	})
	if r.isStopped() {
		r.settle()
	}
	if detach() {
		return err
	}
	<-noted
	if i, ok := err.(*engine.Interrupted); ok {
		i.Goroutines = others
	}
	return err
}

// settleTime is how long the end of a stopped run waits for goroutines that the cell started: the next cell is not to meet them.
const settleTime = 20 * time.Millisecond

func (r *run) settle() {
	for deadline := time.Now().Add(settleTime); r.alive() > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond / 5)
	}
}

// call runs a function without parameters as the first of its goroutine.
func (c *code) call(g *routine) []reflect.Value {
	fp := c.take(g)
	head(fp).up, head(fp).depth = nil, 1
	g.top = fp
	c.run(fp)
	results := make([]reflect.Value, len(c.sig.results))
	for i, r := range c.sig.results {
		results[i] = reflect.New(r.typ.rt).Elem()
		r.typ.move(results[i].Addr().UnsafePointer(), at(fp, r.at))
	}
	c.release(g, fp)
	return results
}

// execute runs body as all that the goroutine does, then finish with how it ended: nil, *engine.Panic, *engine.Exit or
// *engine.Interrupted. It does not return where body ended the goroutine.
func (g *routine) execute(body func(), finish func(error)) {
	debug.SetPanicOnFault(true) // a bad unsafe.Pointer is the cell's fault
	g.attach()
	normal := false
	defer func() {
		var err error
		if !normal {
			err = g.ending(recover())
		}
		g.detach()
		g.retire()
		finish(err)
	}()
	body()
	normal = true
}

// ending explains why a goroutine did not come to its end.
func (g *routine) ending(r any) error {
	if r != nil && !(g.run.isStopped() && standin.GaveUp(r)) {
		return g.asPanic(r)
	}
	g.run.mu.Lock()
	defer g.run.mu.Unlock()
	switch {
	case g.run.exit != nil:
		return &engine.Exit{Code: g.run.exit.code, Stack: g.run.exit.stack}
	case g.run.dead != nil:
		return g.run.dead
	case g.run.stopped:
		return &engine.Interrupted{Stack: g.run.where}
	}
	return &engine.Exit{Stack: stackFrom(g.top)} // runtime.Goexit
}

func (g *routine) asPanic(r any) *engine.Panic {
	p := g.sighted(r, nil)
	id := g.id
	if g.run.main.Load() == g {
		id = 0
	}
	return &engine.Panic{Value: r, Goroutine: id, Stack: p.stack, Chain: p.chain}
}

// noteStop keeps where the cell stood when it was stopped.
func (r *run) noteStop(g *routine) {
	if r.main.Load() != g {
		return
	}
	where := stackFrom(g.top)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.where == nil {
		r.where = where
	}
}

// leave ends the run because some goroutine asked for it, and that goroutine at once, without its deferred calls.
func (g *routine) leave(code int) {
	g.run.mu.Lock()
	if g.run.exit == nil {
		g.run.exit = &exitRequest{code, stackFrom(g.top)}
	}
	g.run.mu.Unlock()
	g.run.stop()
	g.dropping = true
}
