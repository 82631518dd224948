package callers

import (
	"os"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/pctab"
)

// A Stack gives the frames of the running goroutine's cell functions, innermost first.
type Stack func() []engine.Frame

// A Method names a method of a compiled type.
type Method struct {
	Recv reflect.Type
	Name string
}

// An Engine is what the functions need of an engine. Main reports whether the running goroutine is
// the cell's own, Exit ends the cell as os.Exit ends a program.
type Engine struct {
	Frames Stack
	Main   func() bool
	Exit   func(code int)
	// Self is the running goroutine, without what Frames tells, Others are all others of the cells.
	Self   func() engine.Goroutine
	Others func() []engine.Goroutine
}

// Functions are the compiled functions to replace, by package path and name.
func (e *Engine) Functions() map[string]reflect.Value {
	all := map[string]reflect.Value{
		"runtime.Caller":      reflect.ValueOf(e.caller),
		"runtime.Callers":     reflect.ValueOf(e.callers),
		"runtime.Stack":       reflect.ValueOf(e.stack),
		"runtime/debug.Stack": reflect.ValueOf(func() []byte { return e.text(debugStack) }),
		// which ignores the error too
		"runtime/debug.PrintStack": reflect.ValueOf(func() { _, _ = os.Stderr.Write(e.text(debugStack, debugPrintStack)) }),
	}
	e.logFunctions(all)
	e.slogFunctions(all)
	return all
}

// Methods are the compiled methods to replace.
func (e *Engine) Methods() map[Method]reflect.Value {
	all := map[Method]reflect.Value{}
	e.logMethods(all)
	e.slogMethods(all)
	return all
}

func method[T any](name string) Method { return Method{reflect.TypeFor[T](), name} }

// PC is the program counter of a frame.
func PC(f engine.Frame) uintptr { return pctab.Of(function(f), f.Pos.Line) }

// Entry is the program counter where a frame's function begins.
func Entry(f engine.Frame) uintptr { return pctab.Entry(function(f)) }

// function is the function of a frame. Where a line directive has put the frame elsewhere, that
// place is a function of its own.
func function(f engine.Frame) pctab.Func {
	if f.Pos.Line < f.Start || f.End > 0 && f.Pos.Line > f.End {
		f.Start, f.End = f.Pos.Line, f.Pos.Line
	}
	return pctab.Func{Name: f.Function, File: file(f), Line: f.Start, End: f.End}
}

// file is how the runtime tells a frame's file: a line directive can leave it without one.
func file(f engine.Frame) string {
	if f.Pos.Filename == "" && f.Pos.Line > 0 {
		return "??"
	}
	return f.Pos.Filename
}

// toStart are the frames down to what starts goroutines.
func (e *Engine) toStart() []engine.Frame {
	all := e.Frames()
	if e.Main() {
		all = append(all, engine.Frame{Function: "runtime.main"})
	}
	all = append(all, engine.Frame{Function: "runtime.goexit"})
	for i, f := range all {
		all[i] = placed(f)
	}
	return all
}

// caller is runtime.Caller.
func (e *Engine) caller(skip int) (pc uintptr, path string, line int, ok bool) {
	all := e.toStart()
	if skip < 0 || skip >= len(all) {
		return 0, "", 0, false
	}
	f := all[skip]
	return PC(f), file(f), f.Pos.Line, true
}

// callers is runtime.Callers: 0 is itself, 1 its caller.
func (e *Engine) callers(skip int, pc []uintptr) int {
	all := append([]engine.Frame{placed(engine.Frame{Function: "runtime.Callers"})}, e.toStart()...)
	n := 0
	for i := max(skip, 0); i < len(all) && n < len(pc); i++ {
		pc[n] = PC(all[i])
		n++
	}
	return n
}
