package machine

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
	"weak"
)

// A frame's slots hold what was written to them last, and so keep it alive after its last use.
// Nothing is cleared where programs run: at the end of each of the garbage collector's cycles every
// goroutine is asked to forget what its frames hold dead (stackmap.go), for the next cycle to find.
// One that waits has it done by the asker; another does it at the next turn of a loop or call,
// where it looks whether it is to stop. runtime.GC asks before it collects, as programs expect what
// is dead to be gone then.

// witness is collected by the next cycle, and then asks, as long as the engine is there.
func witness(engine weak.Pointer[Machine]) {
	runtime.AddCleanup(&garbage{}, func(engine weak.Pointer[Machine]) {
		if v := engine.Value(); v != nil && !v.closed.Load() {
			v.askAll(nil)
			time.AfterFunc(peace, func() { witness(engine) })
		}
	}, engine)
}

// peace is how long nobody is asked again: the cycles of a small heap follow one another in less.
const peace = 20 * time.Millisecond

// garbage has a pointer, as the runtime puts small objects without any together.
type garbage struct{ _ *garbage }

// askAll asks every goroutine but for the asker.
func (v *Machine) askAll(asker *Routine) {
	for g, r := range v.routines {
		if g != asker {
			r.askOne(g)
		}
	}
}

func (r *Run) askOne(g *Routine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.listed(g) || r.stopped {
		return
	}
	waits := g.wait.look()
	defer g.wait.leave()
	if !waits {
		g.Limit.Store(0)
		return
	}
	if !g.wait.forgotten {
		g.wait.forgotten = true
		g.forgetAll(g.wait.top)
	}
}

// forgetHere makes the goroutine, which is at fp, forget.
func (g *Routine) forgetHere(fp pointer) {
	if fp != nil {
		head(fp).down = nil
	}
	g.forgetFrom(fp)
}

// forgetFrom leaves out what is called from fp.
func (g *Routine) forgetFrom(fp pointer) {
	g.resume()
	g.free, g.leaves = nil, nil
	g.forgetAll(fp)
}

// resume lets the goroutine go on, unless it is asked for something meanwhile: who asks says so
// before it sets the limit.
func (g *Routine) resume() {
	g.Limit.Store(g.going())
	if g.Run.halted.Load() || g.Machine.hushed.Load() != nil {
		g.Limit.Store(0)
	}
}

// AlwaysAsked makes goroutines forget at every turn of a loop and call. Tests set it.
var AlwaysAsked atomic.Bool

// going is the limit of a goroutine that nobody asks for anything.
func (g *Routine) going() uint32 {
	if AlwaysAsked.Load() {
		return 0
	}
	return g.ceiling
}

// forgetAll goes through the frames from fp outwards. They must stand still.
func (g *Routine) forgetAll(fp pointer) {
	for ; fp != nil; fp = head(fp).up {
		h := head(fp)
		m := h.Code.StackMap
		switch {
		case m == nil:
		case h.Defers != nil && h.Defers.unwinding:
			m.forget(fp, m.afterPanic())
		default:
			m.forget(fp, m.deadAt(h.IP))
		}
	}
}

// GC is runtime.GC.
func GC() {
	forgetEverywhere()
	runtime.GC()
}

// FreeOSMemory is debug.FreeOSMemory.
func FreeOSMemory() {
	forgetEverywhere()
	debug.FreeOSMemory()
}

func forgetEverywhere() {
	if g := Current(); g != nil {
		g.forgetHere(g.Top)
		g.Machine.askAll(g)
	}
}
