package vm_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

// cells runs cells in a session of their own and returns how the last one ended.
func cells(t *testing.T, e engine.Engine, sources ...string) (err error) {
	t.Helper()
	s := session(t, e)
	for i, source := range sources {
		err = s.Cell(context.Background(), source)
		if err != nil && i < len(sources)-1 {
			t.Fatalf("cell %d: %v", i+1, err)
		}
	}
	return err
}

func session(t *testing.T, e engine.Engine) conformance.Session {
	t.Helper()
	s, err := conformance.On(func() (engine.Engine, error) { return e, nil })()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reported is the first panic that the engine reports of a goroutine that the cell starts.
func reported(t *testing.T, source string) *engine.Panic {
	t.Helper()
	e := open(t, vm.Options{})
	s := session(t, e)
	got := make(chan *engine.Panic, 1)
	e.OnPanic(func(p *engine.Panic) { got <- p })
	if err := s.Cell(context.Background(), source); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-got:
		return p
	case <-time.After(10 * time.Second):
		t.Fatal("no panic reported")
		return nil
	}
}

func open(t *testing.T, o vm.Options) engine.Engine {
	t.Helper()
	o.Symbols, o.Types = symbols.Lookup, symbols.Type
	e, err := vm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// panics are cells that die, the text that Go gives to their panic, and where they die: function, line and column.
var panics = []struct{ source, text, where string }{
	{"func f(s []int, i int) int {\n\treturn s[i]\n}\nf([]int{1}, 5)", "runtime error: index out of range [5] with length 1", "main.f In[1]:2:10"},
	{"func f(s []int, i int) []int {\n\treturn s[i:]\n}\nf([]int{1}, 5)", "runtime error: slice bounds out of range [5:1]", "main.f In[1]:2:10"},
	{"func f(a, b int) int {\n\treturn a / b\n}\nf(1, 0)", "runtime error: integer divide by zero", "main.f In[1]:2:11"},
	{"var m map[string]int\nfunc f() {\n\tm[\"a\"] = 1\n}\nf()", "assignment to entry in nil map", "main.f In[1]:3:3"},
	{"type T struct{ n int }\nfunc f(p *T) int {\n\treturn p.n\n}\nf(nil)", "runtime error: invalid memory address or nil pointer dereference", "main.f In[1]:3:11"},
	{"func f(x any) int {\n\treturn x.(int)\n}\nf(\"a\")", "interface conversion: interface {} is string, not int", "main.f In[1]:2:11"},
	{"func f(n int) []int {\n\treturn make([]int, n)\n}\nf(-1)", "runtime error: makeslice: len out of range", ""},
	{"func f(s []int) [2]int {\n\treturn [2]int(s)\n}\nf([]int{1})", "runtime error: cannot convert slice with length 1 to array or pointer to array with length 2", ""},
	{"func f(n int) int {\n\treturn 1 << n\n}\nf(-1)", "runtime error: negative shift amount", "main.f In[1]:2:11"},
	{"func f(a, b any) bool {\n\treturn a == b\n}\nf([]int{}, []int{})", "runtime error: comparing uncomparable type []int", "main.f In[1]:2:11"},
	{"var c chan int\nclose(c)", "close of nil channel", ""},
}

func TestPanics(t *testing.T) {
	for _, x := range panics {
		err := cells(t, open(t, vm.Options{}), x.source)
		var p *engine.Panic
		if !errors.As(err, &p) {
			t.Errorf("%s: ended with %v", x.source, err)
			continue
		}
		value, ok := p.Value.(error)
		if !ok || value.Error() != x.text {
			t.Errorf("%s: panic %v, want %s", x.source, p.Value, x.text)
		}
		if x.where == "" {
			continue
		}
		if len(p.Stack) == 0 || p.Stack[0].Function+" "+p.Stack[0].Pos.String() != x.where {
			t.Errorf("%s: died at %v, want %s", x.source, p.Stack, x.where)
		}
	}
}

func TestRunawayRecursion(t *testing.T) {
	err := cells(t, open(t, vm.Options{MaxDepth: 1000}), "func f(n int) int { return f(n+1) + 1 }\nf(0)")
	var p *engine.Panic
	if !errors.As(err, &p) {
		t.Fatalf("ended with %v", err)
	}
	if o, ok := p.Value.(machine.StackOverflow); !ok || o.Depth < 990 || o.Depth > 1001 {
		t.Errorf("panic %#v", p.Value)
	}
}

func TestExitRunsNothingDeferred(t *testing.T) {
	s := session(t, open(t, vm.Options{}))
	err := s.Cell(context.Background(), "import \"os\"\nx := 1\nfunc f() { defer func() { x = 2 }(); os.Exit(3) }\nf()")
	var exit *engine.Exit
	if !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("ended with %v", err)
	}
	if err := s.Cell(context.Background(), "if x != 1 { panic(x) }"); err != nil {
		t.Error(err)
	}
}

func TestGoroutinePanicIsReported(t *testing.T) {
	p := reported(t, "go func() {\n\tpanic(\"away\")\n}()")
	if p.Value != "away" || p.Goroutine == 0 || len(p.Stack) == 0 || !strings.Contains(p.Stack[0].Function, "func1") {
		t.Errorf("panic %+v", p)
	}
}

// awayPanics are panics beside the cell's goroutine, and where they happen.
var awayPanics = map[string]string{
	"import \"time\"\ntime.AfterFunc(1, func() {\n\tpanic(\"late\")\n})":                                                                 "In[1]:3:7",
	"import \"time\"\nfunc f(s []int) int { return s[3] }\ntime.AfterFunc(1, func() { f(nil) })":                                         "In[1]:2:31",
	"import \"time\"\ntype T struct{ n int }\nfunc f(t *T) int { return t.n }\ntime.AfterFunc(1, func() {\n\tf(nil)\n})":                 "In[1]:3:29",
	"import \"sort\"\ngo func() {\n\tsort.Slice([]int{1, 2}, func(i, j int) bool {\n\t\tpanic(i)\n\t})\n}()":                             "In[1]:4:8",
	"import \"context\"\nctx, cancel := context.WithCancel(context.Background())\ncontext.AfterFunc(ctx, func() { panic(1) })\ncancel()": "In[1]:3:38",
	"import \"sync\"\nvar wg sync.WaitGroup\nwg.Go(func() {\n\tpanic(1)\n})":                                                             "In[1]:4:7",
}

func TestPanicsBesideTheCellHavePlaces(t *testing.T) {
	for source, where := range awayPanics {
		p := reported(t, source)
		if len(p.Stack) == 0 || p.Stack[0].Pos.String() != where {
			t.Errorf("%s: panic %v at %v, want %s", source, p.Value, p.Stack, where)
		}
	}
}

func TestGoroutinesTellWhatTheyWaitFor(t *testing.T) {
	e := open(t, vm.Options{})
	if err := cells(t, e, "ch := make(chan int)\ngo func() {\n\t<-ch\n}()"); err != nil {
		t.Fatal(err)
	}
	want := []string{"chan receive"}
	var got []string
	for range 100 {
		got = nil
		for _, g := range e.Goroutines() {
			got = append(got, g.Wait)
		}
		if reflect.DeepEqual(got, want) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("waits %v, want %v", got, want)
}

// What panics in a wait of compiled code panics in the cell.
func TestPanicInAWait(t *testing.T) {
	e := open(t, vm.Options{})
	var p *engine.Panic
	if err := e.Do(t.Context(), func() { vm.WaitFor("a test", func() { panic("misuse") }, nil) }); !errors.As(err, &p) || p.Value != "misuse" {
		t.Errorf("%v, want the panic", err)
	}
}

// refusals are programs that cannot be right, and what their refusal names.
var refusals = []struct{ source, what string }{
	{"package main\nfunc f() int\nfunc main() { f() }", "function f without a body"},
}

func TestRefusals(t *testing.T) {
	for _, x := range refusals {
		err := cells(t, open(t, vm.Options{}), x.source)
		var r *engine.Refusal
		if !errors.As(err, &r) || r.What != x.what {
			t.Errorf("%s: ended with %v, want a refusal of %s", x.source, err, x.what)
		}
	}
}

// TestLockedThreads is that a cell may end locked to its thread: coroutines, on which others run, may not.
func TestLockedThreads(t *testing.T) {
	for _, lock := range []string{"runtime.LockOSThread()", "f := runtime.LockOSThread\nf()\nf()", "defer runtime.LockOSThread()", "runtime.LockOSThread()\nruntime.Goexit()"} {
		s := session(t, open(t, vm.Options{}))
		for _, source := range []string{"x := 1", "import \"runtime\"\n" + lock, "x++\nif x != 2 { panic(x) }"} {
			var exit *engine.Exit
			if err := s.Cell(context.Background(), source); err != nil && !errors.As(err, &exit) {
				t.Errorf("%q: %v", source, err)
			}
		}
	}
}
