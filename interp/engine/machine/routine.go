package machine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A Routine is the engine's side of a goroutine that executes cell code.
type Routine struct {
	Machine *Machine
	// Limit is the depth at which calls look at the stack: ceiling, or 0 once the goroutine is to
	// stop.
	Limit atomic.Uint32
	// ceiling is the depth that calls surely have the stack for.
	ceiling uint32
	free    []pointer // released frames by Code.pool
	// leaves are the frames of functions that call nothing, by Code.pool.
	leaves []pointer
	cell   int64   // when it was used last: how many had ended
	Top    pointer // the innermost frame when control last left the engine's hands
	gp     atomic.Uintptr
	Run    *Run
	id     int
	// dropping is set when the goroutine ends without deferred calls: os.Exit.
	dropping bool
	// panicking is the innermost panic that a function with defers saw pass.
	panicking *panicRecord
	wait      waitState
	unwound   unwinding
	// Passed are the deferred calls of which compiled code, that only passes on what it gets, is
	// one (package calls).
	Passed *DeferStack
	goOn   func()       // ends a wait
	first  DeferredCall // of the go statement, until the goroutine begins
	// in is the run that lists the goroutine, between the two others.
	in             atomic.Pointer[Run]
	before, behind *Routine
	// stop is closed when the run is to stop, as Run.Done is, which goroutines that hand something
	// to one another would have to lock in turns. It is made for the first select that waits.
	stop    chan struct{}
	stopped bool
	// selecting is the memory of its selects, luck in which order they try their cases.
	selecting *selectMemory
	luck      uint32
}

// Goroutines that execute cell code, by their descriptors. Almost always a goroutine has its place
// in the table for itself.
var (
	routineTable [4096]atomic.Pointer[Routine]
	routineSpill sync.Map // uintptr -> *routine, for places taken
	spilled      atomic.Int64
)

func place(gp uintptr) *atomic.Pointer[Routine] {
	return &routineTable[(gp>>6^gp>>18)%uintptr(len(routineTable))]
}

// Current returns the routine of the running goroutine, nil if it executes no cell code.
func Current() *Routine {
	gp := gorelease.Goroutine()
	if r := place(gp).Load(); r != nil && r.gp.Load() == gp {
		return r
	}
	if spilled.Load() > 0 {
		if r, ok := routineSpill.Load(gp); ok {
			return r.(*Routine)
		}
	}
	return nil
}

// attach makes r the running goroutine's.
func (r *Routine) attach() {
	gp := gorelease.Goroutine()
	r.gp.Store(gp)
	if !place(gp).CompareAndSwap(nil, r) {
		spilled.Add(1)
		routineSpill.Store(gp, r)
	}
	r.hush()
}

func (r *Routine) detach() {
	gp := r.gp.Load()
	if !place(gp).CompareAndSwap(r, nil) {
		routineSpill.Delete(gp)
		spilled.Add(-1)
	}
	r.gp.Store(0)
}

// newRoutine takes a routine for one goroutine of the run; that of the cell itself is the one that
// began nowhere.
func (v *Machine) newRoutine(run *Run, began origin) *Routine {
	g := v.idleRoutine()
	g.join(run, began)
	return g
}

// idleRoutine is one that no goroutine has.
func (v *Machine) idleRoutine() *Routine {
	if g, ok := v.idle.Get().(*Routine); ok {
		if g.cell != v.cells.Load() {
			g.free, g.leaves = nil, nil
		}
		return g
	}
	g := &Routine{Machine: v}
	g.goOn = g.wait.end
	return g
}

// join makes the routine one of the run's.
func (g *Routine) join(run *Run, began origin) {
	g.Run = run
	g.ceiling = min(g.Machine.maxDepth, uint32(g.Machine.maxStack/callBytes))
	g.Limit.Store(g.going())
	g.id = mainID
	if began != itself {
		g.id = int(g.Machine.lastID.Add(1))
	}
	g.wait.begin(g.id, began)
	run.add(g)
}

// retire puts the routine, and with it its frames, back for the next goroutine.
func (g *Routine) retire() {
	g.Run.remove(g)
	g.Top, g.Run, g.dropping, g.panicking, g.Passed, g.unwound = nil, nil, false, nil, nil, unwinding{}
	g.cell = g.Machine.cells.Load()
	g.Machine.idle.Put(g)
}

// A Run is one execution of a unit and the goroutines that it starts.
type Run struct {
	machine *Machine
	ctx     context.Context // what it was begun with
	Done    chan struct{}   // closed when the run is to stop
	// halted is stopped for those that do not hold the lock.
	halted atomic.Bool

	mu       sync.Mutex
	stopped  bool
	routines *Routine // the first of a list
	count    int      // of routines
	exit     *exitRequest
	Main     atomic.Pointer[Routine] // the goroutine that runs the cell itself
	where    []engine.Frame          // where main stood when the run was stopped
	dead     *engine.Deadlock
}

func (v *Machine) newRun(ctx context.Context) *Run {
	return &Run{machine: v, ctx: ctx, Done: make(chan struct{})}
}

// Context is that of the run that the calling goroutine belongs to.
func (v *Machine) Context() context.Context {
	if g := Current(); g != nil {
		return g.Run.ctx
	}
	return nil
}

func (r *Run) add(g *Routine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count++; r.count == 1 {
		r.machine.live.Store(r, nil)
	}
	g.in.Store(r)
	if g.behind = r.routines; g.behind != nil {
		g.behind.before = g
	}
	r.routines = g
	if r.stopped {
		g.Limit.Store(0)
	}
}

func (r *Run) remove(g *Routine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if g.stopped {
		g.stop, g.stopped = nil, false
	}
	if g.before != nil {
		g.before.behind = g.behind
	} else {
		r.routines = g.behind
	}
	if g.behind != nil {
		g.behind.before = g.before
	}
	g.before, g.behind = nil, nil
	g.in.Store(nil)
	if r.count--; r.count == 0 {
		r.machine.live.Delete(r)
	}
}

// listed reports whether the goroutine is the run's still. The lock is held.
func (r *Run) listed(g *Routine) bool { return g.in.Load() == r }

// all are the run's goroutines.
func (r *Run) all() []*Routine {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]*Routine, 0, r.count)
	for g := r.routines; g != nil; g = g.behind {
		all = append(all, g)
	}
	return all
}

// patience is how long deferred calls of a stopped run may take before they are stopped too.
const patience = 50 * time.Millisecond

// insist stops what runs in deferred calls, again and again.
func (r *Run) insist(after time.Duration) {
	time.AfterFunc(after, func() {
		if r.Alive() > 0 {
			r.stop()
			r.insist(min(2*after, time.Second))
		}
	})
}

// stop makes every goroutine of the run end at its next loop, call or wait.
func (r *Run) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		r.stopped = true
		r.halted.Store(true)
		close(r.Done)
		r.insist(patience)
	}
	for g := r.routines; g != nil; g = g.behind {
		g.Limit.Store(0)
		g.endWaits()
	}
	r.wakeParked(soon)
}

// endWaits closes stop. The run's lock is held.
func (g *Routine) endWaits() {
	if g.stop != nil && !g.stopped {
		g.stopped = true
		close(g.stop)
	}
}

// stopping is the channel that is closed when the goroutine is to end.
func (g *Routine) stopping() chan struct{} {
	if g.stop == nil {
		g.Run.mu.Lock()
		defer g.Run.mu.Unlock()
		g.stop = make(chan struct{})
		if g.Run.stopped {
			g.endWaits()
		}
	}
	return g.stop
}

// Stopped reports whether the run is to end.
func (r *Run) Stopped() bool { return r.halted.Load() }

func (r *Run) isExiting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exit != nil
}

// Alive is how many goroutines of the run there are.
func (r *Run) Alive() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// StopHere ends the goroutine because its run was stopped. Deferred calls run, with calls allowed
// again; Run.stop, called again, stops those that take too long. Where the run goes on, the
// goroutine was only to forget what its frames hold dead.
func StopHere(fp pointer, ip uint32) {
	Mark(fp, ip)
	g := head(fp).Routine
	g.tell(fp)
	if g.pause(fp); !g.Run.Stopped() {
		g.forgetHere(fp)
		return
	}
	g.Run.noteStop(g)
	g.dropping = g.dropping || g.Run.isExiting()
	g.Limit.Store(g.ceiling)
	runtime.Goexit()
}

// overLimit is what a call does when the frame it makes is too deep.
//
//go:noinline
func overLimit(fp pointer) {
	h := head(fp)
	switch {
	case h.Routine.Limit.Load() > 0:
	case h.Routine.Run.Stopped():
		StopHere(fp, h.IP)
		return
	default:
		h.Routine.tell(fp)
		h.Routine.pause(h.up)
		h.Routine.forgetFrom(h.up) // fp's arguments are still to be read
	}
	if h.depth >= h.Routine.ceiling && !h.Routine.deepen(h.depth) {
		Mark(fp, h.IP)
		panic(StackOverflow{Depth: int(h.depth)})
	}
}

// callBytes is more of the stack than a call of cell code takes, but for callbacks, which look for
// themselves.
const callBytes = 8 << 10

// deepen lets the goroutine, which is at a depth, call as deep as the stack surely has room for,
// and reports whether that is deeper.
func (g *Routine) deepen(depth uint32) bool {
	used, before := gorelease.StackUsed(), g.ceiling
	if depth >= g.Machine.maxDepth || used+callBytes*minDeeper > g.Machine.maxStack {
		return false
	}
	g.ceiling = min(depth+uint32((g.Machine.maxStack-used)/callBytes), g.Machine.maxDepth)
	g.Limit.CompareAndSwap(before, g.ceiling) // it is another where the goroutine is asked for something
	return true
}

// minDeeper is how many calls are let go on at least.
const minDeeper = 100

// StackOverflow is the panic value of a recursion deeper than Options.MaxDepth. It is a
// runtime.Error.
type StackOverflow struct{ Depth int }

func (StackOverflow) Error() string { return "runtime error: stack overflow" }

// RuntimeError marks it as one.
func (StackOverflow) RuntimeError() {}

// number is the runtime's number of the goroutine; 0 where it is not known, or has not begun.
func (g *Routine) number() uint64 { return gorelease.GoroutineNumber(g.gp.Load()) }
