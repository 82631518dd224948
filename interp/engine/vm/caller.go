package vm

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A program counter of cell code is a number that this table gave to a place. They lie where no code can.
const firstPC = 1 << 60

var places struct {
	sync.Mutex
	frames []engine.Frame
	number map[engine.Frame]uintptr
}

func pcOf(f engine.Frame) uintptr {
	places.Lock()
	defer places.Unlock()
	if n, ok := places.number[f]; ok {
		return n
	}
	if places.number == nil {
		places.number = map[engine.Frame]uintptr{}
	}
	n := uintptr(firstPC + len(places.frames))
	places.frames = append(places.frames, f)
	places.number[f] = n
	return n
}

// frames are the stack of the running goroutine's cell functions, innermost first.
func frames() []engine.Frame {
	g := current()
	if g == nil {
		return nil
	}
	var above []engine.Frame
	for p := g.top; p != nil && len(above) < maxStackFrames; p = head(p).up {
		h := head(p)
		if ds := h.defered; ds != nil && ds.panic != nil {
			// a deferred call stands on the frames of the panic that it runs for
			above = append(above, h.frame(), engine.Frame{Function: "runtime.gopanic"})
			return append(above, ds.panic.stack...)
		}
		if !h.code.wrapper {
			above = append(above, h.frame())
		}
	}
	return stackFrom(g.top)
}

// framesToStart are the frames down to what starts goroutines.
func framesToStart() []engine.Frame {
	all := frames()
	if g := current(); g != nil && g.run.main.Load() == g {
		all = append(all, engine.Frame{Function: "runtime.main"})
	}
	return append(all, engine.Frame{Function: "runtime.goexit"})
}

// caller is runtime.Caller over the cells' frames.
func caller(skip int) (pc uintptr, file string, line int, ok bool) {
	all := framesToStart()
	if skip < 0 || skip >= len(all) {
		return 0, "", 0, false
	}
	f := all[skip]
	return pcOf(f), f.Pos.Filename, f.Pos.Line, true
}

// callers is runtime.Callers: 0 is itself, 1 its caller.
func callers(skip int, pc []uintptr) int {
	all := append([]engine.Frame{{Function: "runtime.Callers"}}, framesToStart()...)
	n := 0
	for i := max(skip, 0); i < len(all) && n < len(pc); i++ {
		pc[n] = pcOf(all[i])
		n++
	}
	return n
}

// frameAt is the place that a number of pcOf stands for.
func frameAt(pc uintptr) (engine.Frame, bool) {
	places.Lock()
	defer places.Unlock()
	if pc < firstPC || pc-firstPC >= uintptr(len(places.frames)) {
		return engine.Frame{}, false
	}
	return places.frames[pc-firstPC], true
}

// cellFrames is what a *runtime.Frames of cell code stands for: the runtime's own knows no places of cells. The runtime's part
// comes first, so that the pointer is a *runtime.Frames.
type cellFrames struct {
	runtime.Frames
	pcs []uintptr
}

// callersFrames is runtime.CallersFrames. Programs call its Next through nextFrame.
func callersFrames(pcs []uintptr) *runtime.Frames {
	f := &cellFrames{pcs: append([]uintptr(nil), pcs...)}
	return &f.Frames
}

// nextFrame is (*runtime.Frames).Next.
func nextFrame(r *runtime.Frames) (frame runtime.Frame, more bool) {
	f := (*cellFrames)(pointer(r))
	if len(f.pcs) == 0 {
		return runtime.Frame{}, false
	}
	pc := f.pcs[0]
	f.pcs = f.pcs[1:]
	place, ok := frameAt(pc)
	if !ok {
		frame, _ = runtime.CallersFrames([]uintptr{pc}).Next()
		return frame, len(f.pcs) > 0
	}
	return runtime.Frame{PC: pc, Func: funcNamed(place), Function: place.Function, File: place.Pos.Filename, Line: place.Pos.Line, Entry: pc}, len(f.pcs) > 0
}

// cellFuncs are the *runtime.Func that stand for functions of cells: pointers to memory that says nothing, by function and back.
var cellFuncs struct {
	sync.Mutex
	of    map[string]*runtime.Func
	place map[*runtime.Func]engine.Frame
}

func funcNamed(place engine.Frame) *runtime.Func {
	cellFuncs.Lock()
	defer cellFuncs.Unlock()
	if f, ok := cellFuncs.of[place.Function]; ok {
		return f
	}
	if cellFuncs.of == nil {
		cellFuncs.of, cellFuncs.place = map[string]*runtime.Func{}, map[*runtime.Func]engine.Frame{}
	}
	f := (*runtime.Func)(pointer(new([64]byte)))
	cellFuncs.of[place.Function], cellFuncs.place[f] = f, place
	return f
}

func placeOf(f *runtime.Func) (engine.Frame, bool) {
	cellFuncs.Lock()
	defer cellFuncs.Unlock()
	p, ok := cellFuncs.place[f]
	return p, ok
}

func funcForPC(pc uintptr) *runtime.Func {
	if place, ok := frameAt(pc); ok {
		return funcNamed(place)
	}
	return runtime.FuncForPC(pc)
}

func funcName(f *runtime.Func) string {
	if place, ok := placeOf(f); ok {
		return place.Function
	}
	return f.Name()
}

func funcEntry(f *runtime.Func) uintptr {
	if place, ok := placeOf(f); ok {
		return pcOf(place)
	}
	return f.Entry()
}

func funcFileLine(f *runtime.Func, pc uintptr) (string, int) {
	if place, ok := frameAt(pc); ok {
		return place.Pos.Filename, place.Pos.Line
	}
	if place, ok := placeOf(f); ok {
		return place.Pos.Filename, place.Pos.Line
	}
	return f.FileLine(pc)
}

// stackText is debug.Stack of the cell's functions.
func stackText() []byte {
	var b strings.Builder
	b.WriteString("goroutine 1 [running]:\n")
	for _, f := range frames() {
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Call(), f.Pos.Filename, f.Pos.Line)
	}
	return []byte(b.String())
}

func stackInto(buf []byte, _ bool) int { return copy(buf, stackText()) }

func printStack() { _, _ = os.Stderr.Write(stackText()) } // as debug.PrintStack, which ignores the error too
