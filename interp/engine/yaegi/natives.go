package yaegi

import (
	"fmt"
	"go/token"
	"log"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"golang.org/x/tools/go/ssa"
)

// A methodName names a method of a compiled type.
type methodName struct {
	recv reflect.Type
	name string
}

// refused are the compiled functions that would show yaegi's frames in place of the cell's, by what they would show.
var refused = map[string]string{
	"runtime.Caller": "callers", "runtime.Callers": "callers", "runtime.CallersFrames": "callers", "runtime.FuncForPC": "functions",
	"runtime.SetFinalizer": "the life of values", "runtime.AddCleanup": "the life of values", "runtime.ReadMemStats": "the memory",
	"testing.AllocsPerRun": "the memory", "runtime/pprof.Lookup": "the profile", "testing.Benchmark": "the time",
	"runtime.Stack": "the stack", "runtime/debug.Stack": "the stack", "runtime/debug.PrintStack": "the stack",
}

// replaced are the compiled functions that cells must not reach as they are: those that wait where nobody can stop them, or end the process.
var (
	replaced        map[string]reflect.Value
	replacedMethods map[methodName]reflect.Value
)

func init() {
	replaced = map[string]reflect.Value{
		"time.Sleep":           reflect.ValueOf(sleep),
		"os.Exit":              reflect.ValueOf(exit),
		"log.Fatal":            reflect.ValueOf(func(v ...any) { fatal(log.Default(), fmt.Sprint(v...)) }),
		"log.Fatalln":          reflect.ValueOf(func(v ...any) { fatal(log.Default(), fmt.Sprintln(v...)) }),
		"log.Fatalf":           reflect.ValueOf(func(f string, v ...any) { fatal(log.Default(), fmt.Sprintf(f, v...)) }),
		"runtime.NumGoroutine": reflect.ValueOf(numGoroutine),
	}
	replacedMethods = map[methodName]reflect.Value{
		method[*sync.Mutex]("Lock"):     reflect.ValueOf(func(m *sync.Mutex) { lock("sync.Mutex.Lock", m.TryLock, m.Lock, m.Unlock) }),
		method[*sync.RWMutex]("Lock"):   reflect.ValueOf(func(m *sync.RWMutex) { lock("sync.RWMutex.Lock", m.TryLock, m.Lock, m.Unlock) }),
		method[*sync.RWMutex]("RLock"):  reflect.ValueOf(func(m *sync.RWMutex) { lock("sync.RWMutex.RLock", m.TryRLock, m.RLock, m.RUnlock) }),
		method[*sync.WaitGroup]("Wait"): reflect.ValueOf(func(w *sync.WaitGroup) { waitFor("sync.WaitGroup.Wait", w.Wait, nil) }),
		method[*sync.Cond]("Wait"):      reflect.ValueOf(waitCond),
		method[*log.Logger]("Fatal"):    reflect.ValueOf(func(l *log.Logger, v ...any) { fatal(l, fmt.Sprint(v...)) }),
		method[*log.Logger]("Fatalln"):  reflect.ValueOf(func(l *log.Logger, v ...any) { fatal(l, fmt.Sprintln(v...)) }),
		method[*log.Logger]("Fatalf"):   reflect.ValueOf(func(l *log.Logger, f string, v ...any) { fatal(l, fmt.Sprintf(f, v...)) }),
	}
}

func method[T any](name string) methodName { return methodName{reflect.TypeFor[T](), name} }

// native finds the compiled function that an SSA function without a body stands for.
func (u *unit) native(fn *ssa.Function, pos token.Position) reflect.Value {
	if recv := fn.Signature.Recv(); recv != nil {
		rt := u.typeOf(recv.Type())
		if r, ok := replacedMethods[methodName{rt, fn.Name()}]; ok {
			return r
		}
		if rt == fileType {
			if r, ok := u.e.standardMethod(fn.Name()); ok {
				return r
			}
		}
		m, ok := rt.MethodByName(fn.Name())
		if !ok || !m.Func.IsValid() {
			refuse(pos, "method "+fn.String(), "it is not reachable in compiled code")
		}
		return m.Func
	}
	pkg := fn.Pkg
	if pkg == nil && fn.Object() != nil && fn.Object().Pkg() != nil {
		pkg = fn.Prog.Package(fn.Object().Pkg())
	}
	if pkg == nil {
		panic(&engine.Refusal{Pos: pos, What: fn.String(), Reason: "it has no body and belongs to no package"})
	}
	path := pkg.Pkg.Path()
	name := path + "." + fn.Name()
	if what := refused[name]; what != "" {
		refuse(pos, name, "it would show yaegi's own in place of "+what+" of the cell")
	}
	if r, ok := replaced[name]; ok {
		return r
	}
	if r, ok := u.e.standard(name); ok {
		return r
	}
	if v, ok := u.e.options.Symbols(path, fn.Name()); ok && v.Kind() == reflect.Func {
		return v
	}
	if path == "main" {
		panic(&engine.Refusal{Pos: pos, What: "function " + fn.Name() + " without a body",
			Reason: "assembly and linkname need a compiled package; write the function in Go"})
	}
	panic(&engine.Refusal{Pos: pos, What: name, Reason: "this kernel's tables of compiled functions do not have it"})
}

func exit(code int) {
	g := current()
	if g == nil {
		runtime.Goexit() // compiled code called back on a goroutine that is gone by now
	}
	g.leave(code)
}

func fatal(l *log.Logger, text string) {
	flags := l.Flags()
	l.SetFlags(flags &^ (log.Lshortfile | log.Llongfile)) // the file would be the kernel's
	_ = l.Output(2, text)                                 // as the program would not learn of it either
	l.SetFlags(flags)
	exit(1)
}

func numGoroutine() int {
	g := current()
	if g == nil {
		return runtime.NumGoroutine()
	}
	g.run.mu.Lock()
	defer g.run.mu.Unlock()
	return len(g.run.routines)
}

func sleep(d time.Duration) {
	g := current()
	if g == nil || d <= 0 {
		time.Sleep(d)
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	defer g.waiting("sleep")()
	select {
	case <-t.C:
	case <-g.run.done:
		g.stop()
	}
}

func lock(what string, try func() bool, wait, undo func()) {
	if !try() {
		waitFor(what, wait, undo)
	}
}

// waitFor waits in compiled code so that the end of the run ends it for the cell: the wait itself goes on elsewhere, and undo takes back
// what it got when nobody wants it any more.
func waitFor(what string, wait, undo func()) {
	g := current()
	if g == nil {
		wait()
		return
	}
	var left, got atomic.Bool
	var once sync.Once
	done := make(chan any, 1)
	takeBack := func() {
		if left.Load() && got.Load() && undo != nil {
			once.Do(undo)
		}
	}
	go func() {
		defer func() { done <- recover() }() // a WaitGroup that is misused
		wait()
		got.Store(true)
		takeBack()
	}()
	defer g.waiting(what)()
	select {
	case r := <-done:
		if r != nil {
			panic(r)
		}
	case <-g.run.done:
		left.Store(true)
		takeBack()
		g.stop()
	}
}

// waitCond holds the lock again when it is stopped, as the deferred Unlock of its caller expects.
func waitCond(c *sync.Cond) {
	g := current()
	if g == nil {
		c.Wait()
		return
	}
	done := make(chan struct{})
	defer g.waiting("sync.Cond.Wait")()
	go func() { c.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-g.run.done:
	}
	for {
		c.Broadcast()
		select {
		case <-done:
			g.stop()
		case <-time.After(time.Millisecond):
		}
	}
}
