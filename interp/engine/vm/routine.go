package vm

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A routine is the engine's side of a goroutine that executes cell code.
type routine struct {
	vm *vm
	// limit is the depth at which calls look at the stack: ceiling, or 0 once the goroutine is to
	// stop.
	limit atomic.Uint32
	// ceiling is the depth that calls surely have the stack for.
	ceiling uint32
	free    []pointer // released frames by code.pool
	// leaves are the frames of functions that call nothing, by code.pool.
	leaves []pointer
	cell   int64   // when it was used last: how many had ended
	top    pointer // the innermost frame when control last left the engine's hands
	gp     atomic.Uintptr
	run    *run
	id     int
	// dropping is set when the goroutine ends without deferred calls: os.Exit.
	dropping bool
	// panicking is the innermost panic that a function with defers saw pass.
	panicking *panicRecord
	wait      waitState
	unwound   unwinding
	// passed are the deferred calls of which compiled code, that only passes on what it gets, is one (passing.go).
	passed *deferStack
	goOn   func()       // ends a wait
	first  deferredCall // of the go statement, until the goroutine begins
	// in is the run that lists the goroutine, between the two others.
	in             atomic.Pointer[run]
	before, behind *routine
	// stop is closed when the run is to stop, as run.done is, which goroutines that hand something to one another would have to lock in turns.
	// It is made for the first select that waits.
	stop    chan struct{}
	stopped bool
	// selecting is the memory of its selects, luck in which order they try their cases.
	selecting *selectMemory
	luck      uint32
}

// Goroutines that execute cell code, by their descriptors. Almost always a goroutine has its place in
// the table for itself.
var (
	routineTable [4096]atomic.Pointer[routine]
	routineSpill sync.Map // uintptr -> *routine, for places taken
	spilled      atomic.Int64
)

func place(gp uintptr) *atomic.Pointer[routine] {
	return &routineTable[(gp>>6^gp>>18)%uintptr(len(routineTable))]
}

// current returns the routine of the running goroutine, nil if it executes no cell code.
func current() *routine {
	gp := gorelease.Goroutine()
	if r := place(gp).Load(); r != nil && r.gp.Load() == gp {
		return r
	}
	if spilled.Load() > 0 {
		if r, ok := routineSpill.Load(gp); ok {
			return r.(*routine)
		}
	}
	return nil
}

// attach makes r the running goroutine's.
func (r *routine) attach() {
	gp := gorelease.Goroutine()
	r.gp.Store(gp)
	if !place(gp).CompareAndSwap(nil, r) {
		spilled.Add(1)
		routineSpill.Store(gp, r)
	}
	r.hush()
}

func (r *routine) detach() {
	gp := r.gp.Load()
	if !place(gp).CompareAndSwap(r, nil) {
		routineSpill.Delete(gp)
		spilled.Add(-1)
	}
	r.gp.Store(0)
}

// newRoutine takes a routine for one goroutine of the run; that of the cell itself is the one that began nowhere.
func (v *vm) newRoutine(run *run, began origin) *routine {
	g := v.idleRoutine()
	g.join(run, began)
	return g
}

// idleRoutine is one that no goroutine has.
func (v *vm) idleRoutine() *routine {
	if g, ok := v.idle.Get().(*routine); ok {
		if g.cell != v.cells.Load() {
			g.free, g.leaves = nil, nil
		}
		return g
	}
	g := &routine{vm: v}
	g.goOn = g.wait.end
	return g
}

// join makes the routine one of the run's.
func (g *routine) join(run *run, began origin) {
	g.run = run
	g.ceiling = min(g.vm.maxDepth, uint32(g.vm.maxStack/callBytes))
	g.limit.Store(g.going())
	g.id = mainID
	if began != itself {
		g.id = int(g.vm.lastID.Add(1))
	}
	g.wait.begin(g.id, began)
	run.add(g)
}

// retire puts the routine, and with it its frames, back for the next goroutine.
func (g *routine) retire() {
	g.run.remove(g)
	g.top, g.run, g.dropping, g.panicking, g.passed, g.unwound = nil, nil, false, nil, nil, unwinding{}
	g.cell = g.vm.cells.Load()
	g.vm.idle.Put(g)
}

// A run is one execution of a unit and the goroutines that it starts.
type run struct {
	vm   *vm
	done chan struct{} // closed when the run is to stop
	// halted is stopped for those that do not hold the lock.
	halted atomic.Bool

	mu       sync.Mutex
	stopped  bool
	routines *routine // the first of a list
	count    int      // of routines
	exit     *exitRequest
	main     atomic.Pointer[routine] // the goroutine that runs the cell itself
	where    []engine.Frame          // where main stood when the run was stopped
	dead     *engine.Deadlock
}

func (v *vm) newRun() *run {
	return &run{vm: v, done: make(chan struct{})}
}

func (r *run) add(g *routine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count++; r.count == 1 {
		r.vm.live.Store(r, nil)
	}
	g.in.Store(r)
	if g.behind = r.routines; g.behind != nil {
		g.behind.before = g
	}
	r.routines = g
	if r.stopped {
		g.limit.Store(0)
	}
}

func (r *run) remove(g *routine) {
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
		r.vm.live.Delete(r)
	}
}

// listed reports whether the goroutine is the run's still. The lock is held.
func (r *run) listed(g *routine) bool { return g.in.Load() == r }

// all are the run's goroutines.
func (r *run) all() []*routine {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]*routine, 0, r.count)
	for g := r.routines; g != nil; g = g.behind {
		all = append(all, g)
	}
	return all
}

// patience is how long deferred calls of a stopped run may take before they are stopped too.
const patience = 50 * time.Millisecond

// insist stops what runs in deferred calls, again and again.
func (r *run) insist(after time.Duration) {
	time.AfterFunc(after, func() {
		if r.alive() > 0 {
			r.stop()
			r.insist(min(2*after, time.Second))
		}
	})
}

// stop makes every goroutine of the run end at its next loop, call or wait.
func (r *run) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		r.stopped = true
		r.halted.Store(true)
		close(r.done)
		r.insist(patience)
	}
	for g := r.routines; g != nil; g = g.behind {
		g.limit.Store(0)
		g.endWaits()
	}
	r.wakeParked(soon)
}

// endWaits closes stop. The run's lock is held.
func (g *routine) endWaits() {
	if g.stop != nil && !g.stopped {
		g.stopped = true
		close(g.stop)
	}
}

// stopping is the channel that is closed when the goroutine is to end.
func (g *routine) stopping() chan struct{} {
	if g.stop == nil {
		g.run.mu.Lock()
		defer g.run.mu.Unlock()
		g.stop = make(chan struct{})
		if g.run.stopped {
			g.endWaits()
		}
	}
	return g.stop
}

func (r *run) isStopped() bool { return r.halted.Load() }

func (r *run) isExiting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exit != nil
}

// alive is how many goroutines of the run there are.
func (r *run) alive() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// stopHere ends the goroutine because its run was stopped. Deferred calls run, with calls allowed again; run.stop, called again, stops
// those that take too long. Where the run goes on, the goroutine was only to forget what its frames hold dead.
func stopHere(fp pointer, ip uint32) {
	mark(fp, ip)
	g := head(fp).g
	g.tell(fp)
	if g.pause(fp); !g.run.isStopped() {
		g.forgetHere(fp)
		return
	}
	g.run.noteStop(g)
	g.dropping = g.dropping || g.run.isExiting()
	g.limit.Store(g.ceiling)
	runtime.Goexit()
}

// overLimit is what a call does when the frame it makes is too deep.
//
//go:noinline
func overLimit(fp pointer) {
	h := head(fp)
	switch {
	case h.g.limit.Load() > 0:
	case h.g.run.isStopped():
		stopHere(fp, h.ip)
		return
	default:
		h.g.tell(fp)
		h.g.pause(h.up)
		h.g.forgetFrom(h.up) // fp's arguments are still to be read
	}
	if h.depth >= h.g.ceiling && !h.g.deepen(h.depth) {
		mark(fp, h.ip)
		panic(StackOverflow{Depth: int(h.depth)})
	}
}

// callBytes is more of the stack than a call of cell code takes, but for callbacks, which look for
// themselves.
const callBytes = 8 << 10

// deepen lets the goroutine, which is at a depth, call as deep as the stack surely has room for,
// and reports whether that is deeper.
func (g *routine) deepen(depth uint32) bool {
	used, before := gorelease.StackUsed(), g.ceiling
	if depth >= g.vm.maxDepth || used+callBytes*minDeeper > g.vm.maxStack {
		return false
	}
	g.ceiling = min(depth+uint32((g.vm.maxStack-used)/callBytes), g.vm.maxDepth)
	g.limit.CompareAndSwap(before, g.ceiling) // it is another where the goroutine is asked for something
	return true
}

// minDeeper is how many calls are let go on at least.
const minDeeper = 100

// StackOverflow is the panic value of a recursion deeper than Options.MaxDepth. It is a runtime.Error.
type StackOverflow struct{ Depth int }

func (StackOverflow) Error() string { return "runtime error: stack overflow" }

// RuntimeError marks it as one.
func (StackOverflow) RuntimeError() {}

// number is the runtime's number of the goroutine; 0 where it is not known, or has not begun.
func (g *routine) number() uint64 { return gorelease.GoroutineNumber(g.gp.Load()) }
