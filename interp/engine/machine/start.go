package machine

import (
	"errors"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// Go starts the goroutine of a go statement, which stands at ip in frame fp.
func Go(fp pointer, ip uint32, prepare Preparation) {
	up := head(fp).Routine
	g := up.Machine.idleRoutine()
	g.first = prepare(fp, g)
	g.join(up.Run, origin{head(fp).Code, ip, up.id})
	go g.begin()
}

// begin is all that the goroutine of a go statement does.
func (g *Routine) begin() {
	g.execute(func() {
		call := g.first
		g.first = nil
		call(g, nil, nil)
	}, g.Machine.ended)
}

// GoInGroup is (*sync.WaitGroup).Go: the goroutine is the cell's, as with a go statement.
func GoInGroup(w *sync.WaitGroup, f func()) {
	up := Current()
	if up == nil {
		w.Go(f)
		return
	}
	w.Add(1)
	g := up.Machine.newRoutine(up.Run, up.place())
	go g.execute(func() {
		defer func() {
			if r := recover(); r != nil && !g.Run.Stopped() {
				panic(r)
			}
			w.Done() // after runtime.Goexit too
		}()
		f()
	}, g.Machine.ended)
}

// ended takes note of how a goroutine beside the cell's ended. Only a panic is of interest.
func (v *Machine) ended(err error) {
	var p *engine.Panic
	if f := v.onPanic.Load(); f != nil && errors.As(err, &p) {
		(*f)(p)
	}
}

// place is where the goroutine stands, as what starts another.
func (g *Routine) place() origin {
	if g.Top == nil {
		return origin{}
	}
	return origin{head(g.Top).Code, head(g.Top).IP, g.id}
}
