package vm

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
)

// Package testing runs each test on a goroutine of its own, and its caller waits there for the
// test to
// say that it is over. A test that panics does not say so: the process ends. Here it is the cell
// that
// ends, so the one that waits is told, and a test belongs to the run that started it: an interrupt
// ends
// it. What a test logs names the place in the cell.

// inTest gives a test that runs as a goroutine of the run that the running goroutine belongs to.
func inTest[T any](f func(*T)) func(*T) {
	up := machine.Current()
	if up == nil || f == nil {
		return f
	}
	serve := up.Lend()
	return func(t *T) { serve(func() { f(t) }, func() { standin.LeaveTest(unsafe.Pointer(t)) }) }
}

// testInBubble is synctest.Test.
func testInBubble(t *testing.T, f func(*testing.T)) {
	machine.Bubbled(func() { synctest.Test(t, inTest(f)) })
}

// helpers are the names of functions that called Helper.
var helpers sync.Map

// logPlace is the place that a line names: that of the innermost function that is no helper.
func logPlace() string {
	all := frames()
	for i, f := range all {
		if _, helps := helpers.Load(f.Function); !helps || i == len(all)-1 {
			return fmt.Sprintf("%s:%d: ", filepath.Base(f.Pos.Filename), f.Pos.Line)
		}
	}
	return "???:1: "
}

// testLog is what (*testing.common).log does.
func testLog(t *testing.T, s string) {
	s = strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ")
	_, _ = t.Output().Write([]byte(logPlace() + s + "\n")) // it never fails
}

// testEnds are the families of methods that log: what they do after.
var testEnds = map[string]func(*testing.T){
	"Log": func(*testing.T) {}, "Error": (*testing.T).Fail, "Fatal": (*testing.T).FailNow, "Skip": (*testing.T).SkipNow,
}

// testMethods are those of every kind of test, as functions of a *testing.T: what all kinds share
// is at its beginning.
func testMethods() map[string]reflect.Value {
	all := map[string]reflect.Value{"Helper": reflect.ValueOf(func(*testing.T) {
		if on := frames(); len(on) > 0 {
			helpers.Store(on[0].Function, true)
		}
	})}
	for name, end := range testEnds {
		all[name] = reflect.ValueOf(func(t *testing.T, args ...any) { testLog(t, fmt.Sprintln(args...)); end(t) })
		all[name+"f"] = reflect.ValueOf(func(t *testing.T, f string, args ...any) {
			testLog(t, fmt.Sprintf(f, args...))
			end(t)
		})
	}
	return all
}

func init() {
	common := reflect.PointerTo(reflect.TypeFor[testing.T]().Field(0).Type)
	kinds := []reflect.Type{
		common, reflect.TypeFor[*testing.T](), reflect.TypeFor[*testing.B](), reflect.TypeFor[*testing.F](),
	}
	for name, f := range testMethods() {
		for _, kind := range kinds {
			replacedMethods[methodName{kind, name}] = f
		}
	}
	replacedMethods[method[*testing.T]("Run")] = reflect.ValueOf(func(t *testing.T, name string, f func(*testing.T)) bool {
		return t.Run(name, inTest(f))
	})
	replacedMethods[method[*testing.B]("Run")] = reflect.ValueOf(func(b *testing.B, name string, f func(*testing.B)) bool {
		return b.Run(name, inTest(f))
	})
	replaced["testing.Benchmark"] = reflect.ValueOf(func(f func(*testing.B)) testing.BenchmarkResult {
		return testing.Benchmark(inTest(f))
	})
	replaced["testing.Init"] = reflect.ValueOf(standin.InitTesting)
	replaced["testing/synctest.Test"] = reflect.ValueOf(testInBubble)
	replaced["testing.MainStart"] = reflect.ValueOf(mainStart)
	replaced["testing.RunTests"] = reflect.ValueOf(func(match standin.MatchString, tests []testing.InternalTest) bool {
		return testing.RunTests(match, inTests(tests))
	})
	replaced["testing.Main"] = reflect.ValueOf(func(match standin.MatchString, tests []testing.InternalTest,
		benchmarks []testing.InternalBenchmark, examples []testing.InternalExample) {
		exit(mainStart(standin.TestDeps{Match: match}, tests, benchmarks, nil, examples).Run())
	})
}

func mainStart(deps standin.Deps, tests []testing.InternalTest, benchmarks []testing.InternalBenchmark,
	fuzz []testing.InternalFuzzTarget, examples []testing.InternalExample) *testing.M {
	standin.InitTesting()
	if deps == nil { // %test
		deps = standin.TestDeps{Match: standin.Match}
	}
	own := make([]testing.InternalBenchmark, len(benchmarks))
	for i, b := range benchmarks {
		own[i] = testing.InternalBenchmark{Name: b.Name, F: inTest(b.F)}
	}
	targets := make([]testing.InternalFuzzTarget, len(fuzz))
	for i, f := range fuzz {
		targets[i] = testing.InternalFuzzTarget{Name: f.Name, Fn: inTest(f.Fn)}
	}
	return testing.MainStart(deps, inTests(tests), own, targets, examples)
}

func inTests(tests []testing.InternalTest) []testing.InternalTest {
	own := make([]testing.InternalTest, len(tests))
	for i, t := range tests {
		own[i] = testing.InternalTest{Name: t.Name, F: inTest(t.F)}
	}
	return own
}
