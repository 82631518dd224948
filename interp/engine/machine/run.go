package machine

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
func (v *Machine) Run(ctx context.Context, cell *engine.Unit) ([]reflect.Value, error) {
	defer v.cells.Add(1)
	return v.Execute(ctx, cell,
		func(f func()) error { return v.do(ctx, (*Run).watched, f) },
		func(t *Function) []reflect.Value { return t.Code().call(Current()) })
}

// Do runs f as a run of its own. Callbacks in it are the engine's goroutine calling itself, not a
// stranger's.
func (v *Machine) Do(ctx context.Context, f func()) error {
	return v.do(ctx, func(*Run) func() { return func() {} }, f)
}

func (v *Machine) do(ctx context.Context, watched func(*Run) (stop func()), f func()) error {
	r := v.newRun(ctx)
	var others []engine.Goroutine
	noted := make(chan struct{})
	detach := context.AfterFunc(ctx, func() {
		defer close(noted)
		others = v.interrupt(r)
	})
	defer watched(r)()
	err := v.apart(func(finish func(error)) {
		g := v.newRoutine(r, itself)
		r.Main.Store(g)
		g.execute(f, finish)
	})
	if r.Stopped() {
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

// settleTime is how long the end of a stopped run waits for goroutines that the cell started: the
// next cell is not to meet them.
const settleTime = 20 * time.Millisecond

func (r *Run) settle() {
	for deadline := time.Now().Add(settleTime); r.Alive() > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond / 5)
	}
}

// call runs a function without parameters as the first of its goroutine.
func (c *Code) call(g *Routine) []reflect.Value {
	fp := c.Take(g)
	head(fp).up, head(fp).depth = nil, 1
	g.Top = fp
	c.Run(fp)
	results := make([]reflect.Value, len(c.Signature.Results))
	for i, r := range c.Signature.Results {
		results[i] = reflect.New(r.Type.Reflect).Elem()
		r.Type.Move(results[i].Addr().UnsafePointer(), at(fp, r.At))
	}
	c.release(g, fp)
	return results
}

// execute runs body as all that the goroutine does, then finish with how it ended: nil,
// *engine.Panic, *engine.Exit or *engine.Interrupted. It does not return where body ended the
// goroutine.
func (g *Routine) execute(body func(), finish func(error)) {
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
func (g *Routine) ending(r any) error {
	if r != nil && !(g.Run.Stopped() && standin.GaveUp(r)) {
		return g.asPanic(r)
	}
	g.Run.mu.Lock()
	defer g.Run.mu.Unlock()
	switch {
	case g.Run.exit != nil:
		return &engine.Exit{Code: g.Run.exit.code, Stack: g.Run.exit.stack}
	case g.Run.dead != nil:
		return g.Run.dead
	case g.Run.stopped:
		return &engine.Interrupted{Stack: g.Run.where}
	}
	return &engine.Exit{Stack: Stack(g.Top)} // runtime.Goexit
}

func (g *Routine) asPanic(r any) *engine.Panic {
	p := g.sighted(r, nil)
	id := g.id
	if g.Run.Main.Load() == g {
		id = 0
	}
	return &engine.Panic{Value: r, Goroutine: id, Stack: p.stack, Chain: p.chain, Context: g.Run.ctx}
}

// noteStop keeps where the cell stood when it was stopped.
func (r *Run) noteStop(g *Routine) {
	if r.Main.Load() != g {
		return
	}
	where := Stack(g.Top)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.where == nil {
		r.where = where
	}
}

// Exit ends the run because some goroutine asked for it, and that goroutine at once, without its
// deferred calls.
func (g *Routine) Exit(code int) {
	g.Run.mu.Lock()
	if g.Run.exit == nil {
		g.Run.exit = &exitRequest{code, Stack(g.Top)}
	}
	g.Run.mu.Unlock()
	g.Run.stop()
	g.dropping = true
}
