package machine

import (
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
)

// An origin is the go statement that started a goroutine; none where compiled code did.
type origin struct {
	code *Code
	ip   uint32
	by   int // the goroutine that executed it
}

// mainID is the number of a cell's own goroutine, as of a program's; itself is its origin.
const mainID = 1

var itself = origin{ip: ^uint32(0)}

func (o origin) frame() engine.Frame {
	if o.code == nil {
		return engine.Frame{}
	}
	h := Header{Code: o.code, IP: o.ip}
	return h.frame()
}

func (w *waitState) begin(id int, began origin) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.id, w.began, w.told = id, began, nil
	w.asked.Store(false)
	w.woken.Store(false)
}

// describe tells of the goroutine, with the stack of one that waits: others it is asked for.
func (w *waitState) describe() engine.Goroutine {
	waits := w.look()
	defer w.leave()
	d := engine.Goroutine{ID: w.id, Wait: running, Began: w.began.frame(), By: w.began.by, Stack: w.told}
	if waits {
		d.Wait, d.Stack = w.what, Stack(w.top)
	}
	return d
}

// ask has a goroutine that runs tell where, at its next loop or call.
func (w *waitState) ask() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = nil
	w.asked.Store(true)
}

const running = "running"

// tell answers one who asked where the goroutine stands: at fp.
func (g *Routine) tell(fp pointer) {
	if !g.wait.asked.Load() {
		return
	}
	g.wait.mu.Lock()
	defer g.wait.mu.Unlock()
	g.wait.told = Stack(fp)
	g.wait.asked.Store(false)
}

// A rosterLine is one goroutine of a list that is being made.
type rosterLine struct {
	g   *Routine
	run *Run
	engine.Goroutine
}

// Goroutines lists those that execute cell code.
func (v *Machine) Goroutines() []engine.Goroutine {
	return v.finish(v.ask(nil))
}

// roster is the list with run's own goroutine first.
func (v *Machine) roster(r *Run) []engine.Goroutine {
	all := v.finish(v.ask(nil))
	main := r.Main.Load()
	if main == nil {
		return all
	}
	first := main.wait.describe()
	rest := slices.DeleteFunc(all, func(g engine.Goroutine) bool { return g.ID == mainID && samePlace(g, first) })
	return append([]engine.Goroutine{first}, rest...)
}

// Self tells of the goroutine, which is the running one, without its stack.
func (g *Routine) Self() engine.Goroutine {
	return engine.Goroutine{ID: g.id, Began: g.wait.began.frame(), By: g.wait.began.by}
}

// Others are the goroutines of the cells but this one.
func (g *Routine) Others() []engine.Goroutine { return g.Machine.finish(g.Machine.ask(g)) }

func samePlace(a, b engine.Goroutine) bool {
	return len(a.Stack) == len(b.Stack) && (len(a.Stack) == 0 || a.Stack[0] == b.Stack[0])
}

// interrupt stops the run and tells where the other goroutines stood.
func (v *Machine) interrupt(r *Run) []engine.Goroutine {
	v.interrupting.Add(1)
	v.Hush(true)
	defer func() {
		if v.interrupting.Add(-1) == 0 {
			v.Hush(false)
		}
	}()
	lines := v.ask(r.Main.Load())
	r.stop()
	return v.finish(lines)
}

// ask begins a list, without one of the goroutines. Those that run will tell where they are at
// their next loop or call.
func (v *Machine) ask(except *Routine) []*rosterLine {
	var lines []*rosterLine
	for g, r := range v.routines {
		if g != except {
			g.wait.ask()
			lines = append(lines, &rosterLine{g, r, g.wait.describe()})
		}
	}
	for _, l := range lines {
		if l.Wait == running {
			l.run.askPlace(l.g)
		}
	}
	slices.SortFunc(lines, func(a, b *rosterLine) int { return a.ID - b.ID })
	return lines
}

func (r *Run) askPlace(g *Routine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listed(g) && !r.stopped {
		g.Limit.Store(0)
	}
}

// answerTime is how long a list waits for goroutines that run. Those in compiled code do not
// answer.
const answerTime = 10 * time.Millisecond

// finish ends a list: what runs has told where, or the runtime knows what it waits for in compiled
// code.
func (v *Machine) finish(lines []*rosterLine) []engine.Goroutine {
	deadline := time.Now().Add(answerTime)
	silent := 0
	for _, l := range lines {
		for l.Stack == nil && !l.answered() && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond / 4)
		}
		if l.Stack == nil {
			silent++
		}
	}
	if silent > 0 {
		explain(lines)
	}
	all := make([]engine.Goroutine, len(lines))
	for i, l := range lines {
		all[i] = l.Goroutine
	}
	return all
}

// answered takes what the goroutine told since, or where it waits by now.
func (l *rosterLine) answered() bool {
	d := l.g.wait.describe()
	if d.ID != l.ID { // it has ended
		return true
	}
	if d.Stack != nil {
		l.Goroutine = d
	}
	return d.Stack != nil
}

// explain has the runtime say what goroutines do that did not.
func explain(lines []*rosterLine) {
	now := deadlock.Snapshot()
	for _, l := range lines {
		if l.Stack != nil {
			continue
		}
		if p, ok := now[l.g.number()]; ok && p.State != "runnable" {
			l.Wait = p.State
		}
	}
}
