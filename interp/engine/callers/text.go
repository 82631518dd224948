package callers

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// compiled are the places of the compiled functions that stacks of cells name, as this program's
// own stack has them.
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

// text is the stack of the running goroutine as the runtime writes it, below what compiled code has
// put there.
func (e *Engine) text(above ...string) []byte {
	self := e.Self()
	self.Wait, self.Stack = "running", e.Frames()
	return goroutineText(nil, self, above...)
}

// stack is runtime.Stack.
func (e *Engine) stack(buf []byte, all bool) int {
	text := e.text()
	if all {
		for _, g := range e.Others() {
			text = goroutineText(append(text, '\n'), g)
		}
	}
	return copy(buf, text)
}

// goroutineText writes a goroutine as the runtime does.
func goroutineText(b []byte, g engine.Goroutine, above ...string) []byte {
	b = fmt.Appendf(b, "goroutine %d [%s]:\n", g.ID, g.Wait)
	for _, s := range above {
		b = append(b, s...)
	}
	for _, f := range g.Stack {
		b = placeText(append(b, f.Call()...), f)
	}
	if g.Began.Function == "" {
		return b
	}
	b = fmt.Appendf(b, "created by %s", g.Began.Function)
	if g.By != 0 {
		b = fmt.Appendf(b, " in goroutine %d", g.By)
	}
	return placeText(b, g.Began)
}

func placeText(b []byte, f engine.Frame) []byte {
	f = placed(f)
	return fmt.Appendf(b, "\n\t%s:%d +%#x\n", file(f), f.Pos.Line, PC(f)-Entry(f))
}
