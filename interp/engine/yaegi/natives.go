package yaegi

import (
	"cmp"
	"flag"
	"go/token"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A methodName names a method of a compiled type.
type methodName struct {
	recv reflect.Type
	name string
}

// refused are the compiled functions that would show yaegi's frames in place of the cell's, by what
// they would show.
var refused = map[string]string{
	"runtime.SetFinalizer": "the life of values", "runtime.addCleanup": "the life of values",
	"weak.register": "the life of values", "runtime.ReadMemStats": "the memory",
	"testing.AllocsPerRun": "the memory", "runtime/pprof.Lookup": "the profile", "runtime.MemProfile": "the profile",
	"testing.Benchmark":     "the time",
	"testing/synctest.Test": "the waits",
}

func refuseShown(pos token.Position, name, what string) {
	refuse(pos, name, "it would show yaegi's own in place of "+what+" of the cell")
}

// written are those of them that cells have by another name.
var written = map[string]string{"runtime.addCleanup": "runtime.AddCleanup", "weak.register": "weak.Make"}

// replaced are the compiled functions that cells must not reach as they are: those that wait where
// nobody can stop them, or end the process.
var (
	replaced        map[string]reflect.Value
	replacedMethods map[methodName]reflect.Value
)

func init() {
	replaced = map[string]reflect.Value{
		"time.Sleep":           reflect.ValueOf(sleep),
		"os.Exit":              reflect.ValueOf(exit),
		"flag.Parse":           reflect.ValueOf(func() { standin.ParseCommandLine(exit) }),
		"reflect.Select":       reflect.ValueOf(selectReflected),
		"runtime.NumGoroutine": reflect.ValueOf(numGoroutine),
	}
	replacedMethods = map[methodName]reflect.Value{
		method[*sync.Mutex]("Lock"): reflect.ValueOf(func(m *sync.Mutex) {
			lock("sync.Mutex.Lock", m.TryLock, m.Lock, m.Unlock)
		}),
		method[*sync.RWMutex]("Lock"): reflect.ValueOf(func(m *sync.RWMutex) {
			lock("sync.RWMutex.Lock", m.TryLock, m.Lock, m.Unlock)
		}),
		method[*sync.RWMutex]("RLock"): reflect.ValueOf(func(m *sync.RWMutex) {
			lock("sync.RWMutex.RLock", m.TryRLock, m.RLock, m.RUnlock)
		}),
		method[*sync.WaitGroup]("Go"): reflect.ValueOf(goInGroup),
		method[*sync.WaitGroup]("Wait"): reflect.ValueOf(func(w *sync.WaitGroup) {
			waitFor("sync.WaitGroup.Wait", w.Wait, nil)
		}),
		method[*sync.Cond]("Wait"): reflect.ValueOf(waitCond),
		method[*sync.Once]("Do"):   reflect.ValueOf(doOnce),
		method[*flag.FlagSet]("Parse"): reflect.ValueOf(func(f *flag.FlagSet, args []string) error {
			return standin.ParseFlags(f, args, exit)
		}),
		method[*exec.Cmd]("Start"):          reflect.ValueOf(processes.Start),
		method[*exec.Cmd]("Run"):            reflect.ValueOf(processes.Run),
		method[*exec.Cmd]("Wait"):           reflect.ValueOf(processes.WaitFor),
		method[*exec.Cmd]("Output"):         reflect.ValueOf(processes.Output),
		method[*exec.Cmd]("CombinedOutput"): reflect.ValueOf(processes.CombinedOutput),
		method[reflect.Value]("Recv"):       reflect.ValueOf(receiveReflected),
		method[reflect.Value]("Send"):       reflect.ValueOf(sendReflected),
		method[reflect.Value]("Pointer"):    reflect.ValueOf(valuePointer),

		method[reflect.Value]("Method"):       reflect.ValueOf(rtype.ValueMethod),
		method[reflect.Value]("MethodByName"): reflect.ValueOf(rtype.ValueMethodByName),
	}
	replaceCallers()
}

// replaceCallers puts what looks at the stack into the tables of what is replaced.
func replaceCallers() {
	e := callers.Engine{Frames: frames, Exit: exit, Self: self, Others: others, Main: func() bool {
		g := current()
		return g != nil && g.run.main == g
	}}
	for name, f := range e.Functions() {
		replaced[name] = f
	}
	for m, f := range e.Methods() {
		replacedMethods[methodName{m.Recv, m.Name}] = f
	}
}

// self is the running goroutine.
func self() engine.Goroutine {
	if g := current(); g != nil {
		return g.describe()
	}
	return engine.Goroutine{}
}

// others are the goroutines of the cells but the running one.
func others() (all []engine.Goroutine) {
	self := current()
	if self == nil {
		return nil
	}
	for g := range self.e.routines {
		if g != self {
			all = append(all, g.describe())
		}
	}
	return all
}

// valuePointer is reflect.Value.Pointer. The functions of cells share one address, which is
// refused: it would be another function's.
func valuePointer(v reflect.Value) uintptr {
	g := current()
	if g != nil && v.Kind() == reflect.Func && v.Pointer() == madeFunc {
		g.run.refuse(&engine.Refusal{Pos: g.top.position(), What: "reflect.Value.Pointer of a function of a cell",
			Reason: "in yaegi they share one address" + instead})
		runtime.Goexit()
	}
	return v.Pointer()
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
	if generic, _, _ := strings.Cut(name, "["); refused[generic] != "" {
		refuseShown(pos, cmp.Or(written[generic], generic), refused[generic])
	}
	if path == "reflect" && fn.Name() == "StructOf" {
		return reflect.ValueOf(u.e.Table.StructOf)
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
	defer g.waiting("sleep", awaited{})()
	select {
	case <-t.C:
	case <-g.run.done:
		g.stop()
	}
}

func doOnce(o *sync.Once, f func()) {
	standin.DoOnce(o, f, func(m *sync.Mutex) { lock("sync.Once.Do", m.TryLock, m.Lock, m.Unlock) })
}

func lock(what string, try func() bool, wait, undo func()) {
	if !try() {
		waitFor(what, wait, undo)
	}
}

// waitFor waits in compiled code so that the end of the run ends it for the cell: the wait itself
// goes on elsewhere, and undo takes back what it got when nobody wants it any more.
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
	defer g.waiting(what, awaited{known: true})()
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
	defer g.waiting("sync.Cond.Wait", awaited{known: true})()
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
