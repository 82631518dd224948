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
	return stackFrom(g.top)
}

// caller is runtime.Caller over the cells' frames.
func caller(skip int) (pc uintptr, file string, line int, ok bool) {
	all := frames()
	if skip < 0 || skip >= len(all) {
		return 0, "", 0, false
	}
	f := all[skip]
	return pcOf(f), f.Pos.Filename, f.Pos.Line, true
}

// callers is runtime.Callers: 0 is itself, 1 its caller.
func callers(skip int, pc []uintptr) int {
	all := append([]engine.Frame{{Function: "runtime.Callers"}}, frames()...)
	n := 0
	for i := max(skip, 0); i < len(all) && n < len(pc); i++ {
		pc[n] = pcOf(all[i])
		n++
	}
	return n
}

// callersFrames cannot make a *runtime.Frames of places that the runtime does not know.
func callersFrames([]uintptr) *runtime.Frames {
	panic(&engine.Refusal{What: "runtime.CallersFrames", Reason: "the runtime knows no frames of cells; runtime.Caller gives file and line, debug.Stack the whole stack"})
}

func funcForPC(pc uintptr) *runtime.Func {
	if pc < firstPC {
		return runtime.FuncForPC(pc)
	}
	panic(&engine.Refusal{What: "runtime.FuncForPC", Reason: "the runtime knows no functions of cells; debug.Stack names them"})
}

// stackText is debug.Stack of the cell's functions.
func stackText() []byte {
	var b strings.Builder
	b.WriteString("goroutine 1 [running]:\n")
	for _, f := range frames() {
		fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", f.Function, f.Pos.Filename, f.Pos.Line)
	}
	return []byte(b.String())
}

func stackInto(buf []byte, _ bool) int { return copy(buf, stackText()) }

func printStack() { _, _ = os.Stderr.Write(stackText()) } // as debug.PrintStack, which ignores the error too
