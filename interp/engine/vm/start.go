package vm

import (
	"errors"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// spawn starts the goroutine of a go statement, which stands at ip in frame fp.
func spawn(fp pointer, ip uint32, prepare preparation) {
	up := head(fp).g
	g := up.vm.idleRoutine()
	g.first = prepare(fp, g)
	g.join(up.run, origin{head(fp).code, ip, up.id})
	go g.begin()
}

// begin is all that the goroutine of a go statement does.
func (g *routine) begin() {
	g.execute(func() {
		call := g.first
		g.first = nil
		call(g, nil, nil)
	}, g.vm.ended)
}

// goInGroup is (*sync.WaitGroup).Go: the goroutine is the cell's, as with a go statement.
func goInGroup(w *sync.WaitGroup, f func()) {
	up := current()
	if up == nil {
		w.Go(f)
		return
	}
	w.Add(1)
	g := up.vm.newRoutine(up.run, up.place())
	go g.execute(func() {
		defer func() {
			if r := recover(); r != nil && !g.run.isStopped() {
				panic(r)
			}
			w.Done() // after runtime.Goexit too
		}()
		f()
	}, g.vm.ended)
}

// ended takes note of how a goroutine beside the cell's ended. Only a panic is of interest.
func (v *vm) ended(err error) {
	var p *engine.Panic
	if f := v.onPanic.Load(); f != nil && errors.As(err, &p) {
		(*f)(p)
	}
}

// place is where the goroutine stands, as what starts another.
func (g *routine) place() origin {
	if g.top == nil {
		return origin{}
	}
	return origin{head(g.top).code, head(g.top).ip, g.id}
}
