package yaegi

import (
	"bytes"
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// maxDepth is how deep calls of cell code may nest: yaegi needs some kilobytes of stack for each, of the gigabyte that Go allows.
const maxDepth = 20_000

func itoa(n int) string { return strconv.Itoa(n) }

// A routine is the engine's side of a goroutine that executes cell code.
type routine struct {
	e   *yaegi
	run *run
	id  int
	// began is where the go statement stands that started it, with neither values nor frames around it; nil for a cell's own goroutine.
	began *Frame
	by    int    // the id of the goroutine that executed it
	key   string // the runtime's number of the goroutine
	top   *Frame // the innermost frame
	// outside is the frame whose call of compiled code goes on: what that calls back stands on it, also after it recovered a panic of an
	// earlier callback, when top is where that panicked.
	outside *Frame

	panicking *panicRecord
	passed    *Frame // the next callback is a deferred call of this frame
	dropping  bool   // ends without deferred calls
	stopping  time.Time

	mu    sync.Mutex
	wait  string
	where *Frame
	on    awaited
	// turn counts waits and their ends, before; number is the runtime's (deadlock.go).
	turn, number atomic.Uint64
}

var routines sync.Map // goroutine numbers -> *routine

// number is the runtime's number of the running goroutine, which it tells in stacks only.
func goroutineNumber() string {
	var b [64]byte
	text := b[len("goroutine "):runtime.Stack(b[:], false)]
	return string(text[:bytes.IndexByte(text, ' ')])
}

// current is the routine of the running goroutine, nil if it executes no cell code.
func current() *routine {
	if r, ok := routines.Load(goroutineNumber()); ok {
		return r.(*routine)
	}
	return nil
}

// mainID is the number of a cell's own goroutine, as of a program's.
const mainID = 1

func (e *yaegi) newRoutine(r *run) *routine { return e.numbered(r, mainID+int(e.lastID.Add(1))) }

func (e *yaegi) numbered(r *run, id int) *routine {
	g := &routine{e: e, run: r, id: id}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.routines[g] = true
	e.live.Store(g, struct{}{})
	return g
}

func (g *routine) attach() {
	g.key = goroutineNumber()
	n, _ := strconv.ParseUint(g.key, 10, 64)
	g.number.Store(n)
	routines.Store(g.key, g)
}

func (g *routine) retire() {
	routines.Delete(g.key)
	g.run.mu.Lock()
	defer g.run.mu.Unlock()
	delete(g.run.routines, g)
	g.e.live.Delete(g)
}

// state tells what the goroutine waits for, and where.
func (g *routine) state() (string, []engine.Frame) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wait == "" {
		return "running", nil
	}
	return g.wait, g.where.stack()
}

// waiting notes what the goroutine is about to wait for. The returned func ends that.
func (g *routine) waiting(what string, on awaited) func() {
	g.note(what, g.top, on)
	return func() { g.note("", nil, awaited{}) }
}

func (g *routine) note(what string, where *Frame, on awaited) {
	g.turn.Add(1)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wait, g.where, g.on = what, where, on
}

// patience is how long the deferred calls of a stopped goroutine may take.
const patience = 50 * time.Millisecond

// poll ends the goroutine if its run was stopped. Deferred calls run, for a while.
func (g *routine) poll(f *Frame) {
	select {
	case <-g.run.done:
	default:
		return
	}
	if !g.stopping.IsZero() && time.Since(g.stopping) < patience {
		return
	}
	g.stop()
}

// stop ends the goroutine here.
func (g *routine) stop() {
	if g.stopping.IsZero() {
		g.run.noteStop(g)
		g.stopping = time.Now()
	} else {
		g.dropping = true
	}
	g.dropping = g.dropping || g.run.exiting()
	runtime.Goexit()
}

// A run is one execution of a unit and the goroutines that it starts.
type run struct {
	e    *yaegi
	ctx  context.Context // what it was begun with
	done chan struct{}   // closed when it is to stop

	mu       sync.Mutex
	routines map[*routine]bool
	main     *routine
	stopped  bool
	exit     *engine.Exit
	refused  *engine.Refusal
	where    []engine.Frame
	dead     *engine.Deadlock
}

func (e *yaegi) newRun(ctx context.Context) *run {
	return &run{e: e, ctx: ctx, done: make(chan struct{}), routines: map[*routine]bool{}}
}

func (r *run) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		r.stopped = true
		close(r.done)
	}
}

func (r *run) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

func (r *run) exiting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exit != nil || r.refused != nil
}

// noteStop keeps where the cell's own goroutine stood.
func (r *run) noteStop(g *routine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.main == g && r.where == nil {
		r.where = g.top.stack()
	}
}

// refuse ends the run because it cannot go on as Go would.
func (r *run) refuse(x *engine.Refusal) {
	r.mu.Lock()
	if r.refused == nil {
		r.refused = x
	}
	r.mu.Unlock()
	r.stop()
	if g := current(); g != nil {
		g.dropping = true
	}
}

// leave ends the run as os.Exit ends a program, and this goroutine at once.
func (g *routine) leave(code int) {
	g.run.mu.Lock()
	if g.run.exit == nil {
		g.run.exit = &engine.Exit{Code: code, Stack: g.top.stack()}
	}
	g.run.mu.Unlock()
	g.run.stop()
	g.dropping = true
	runtime.Goexit()
}
