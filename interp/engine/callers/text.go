package callers

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// compiled are the places of the compiled functions that stacks of cells name, as this program's own stack has them.
var compiled = func() (places map[string]runtime.Frame) {
	defer func() {
		_ = recover() // it only asked where panics go
		pcs := make([]uintptr, 64)
		places = map[string]runtime.Frame{}
		frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
		for {
			f, more := frames.Next()
			if places[f.Function].PC == 0 {
				places[f.Function] = f
			}
			if !more {
				return
			}
		}
	}()
	panic("where")
}()

// placed gives a frame of a compiled function its place.
func placed(f engine.Frame) engine.Frame {
	if own, ok := compiled[f.Function]; ok && f.Pos.Line == 0 {
		f.Pos.Filename, f.Pos.Line = own.File, own.Line
		f.Start, f.End = own.Line, own.Line
	}
	return f
}

// What package runtime/debug puts above the stack of who asked.
var debugStack, debugPrintStack = func() (stack, printStack string) {
	var b bytes.Buffer
	lines := bytes.SplitAfterN(debug.Stack(), []byte{'\n'}, 4)
	for _, l := range lines[1:3] {
		b.Write(l)
	}
	stack = b.String()
	f := runtime.FuncForPC(reflect.ValueOf(debug.PrintStack).Pointer())
	name, line := f.FileLine(f.Entry())
	return stack, fmt.Sprintf("%s()\n\t%s:%d +%#x\n", f.Name(), name, line, 0)
}()

// text is the stack of the running goroutine as the runtime writes it, below what compiled code has put there.
func (e *Engine) text(above ...string) []byte {
	var b bytes.Buffer
	b.WriteString("goroutine 1 [running]:\n")
	for _, s := range above {
		b.WriteString(s)
	}
	for _, f := range e.Frames() {
		f = placed(f)
		fmt.Fprintf(&b, "%s\n\t%s:%d +%#x\n", f.Call(), file(f), f.Pos.Line, PC(f)-Entry(f))
	}
	return b.Bytes()
}
