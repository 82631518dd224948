package yaegi_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/yaegi"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

func execute(t *testing.T, e engine.Engine, source string) error {
	t.Helper()
	c, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := c.Check(1, source)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Load(k.Unit); err != nil {
		return err
	}
	_, err = e.Run(t.Context(), k.Unit)
	return err
}

func open(t *testing.T, o yaegi.Options) engine.Engine {
	t.Helper()
	o.Symbols, o.Types = symbols.Lookup, symbols.Type
	e, err := yaegi.New(o)
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

// Every kind of refusal, with its whole text.
func TestRefusals(t *testing.T) {
	const vm = "; %engine vm executes it"
	for source, want := range map[string]string{
		"f := func() {}\nreflect.ValueOf(f).Pointer()":          "In[1]:2:27: reflect.Value.Pointer of a function of a cell is not supported: in yaegi they share one address" + vm,
		"runtime.MemProfile(nil, true)":                         "In[1]:1:19: runtime.MemProfile is not supported: it would show yaegi's own in place of the profile of the cell" + vm,
		"runtime.SetFinalizer(nil, nil)":                        "In[1]:1:21: runtime.SetFinalizer is not supported: it would show yaegi's own in place of the life of values of the cell" + vm,
		"import \"weak\"\nweak.Make(new(int))":                  "In[1]:2:10: weak.Make is not supported: it would show yaegi's own in place of the life of values of the cell" + vm,
		"testing.AllocsPerRun(1, nil)":                          "In[1]:1:21: testing.AllocsPerRun is not supported: it would show yaegi's own in place of the memory of the cell" + vm,
		"import \"unsafe\"\nx := 1\nunsafe.Slice(&x, x)":        "In[1]:3:13: the builtin Slice is not supported: yaegi's text has no form for it" + vm,
		"import \"unsafe\"\nx := uintptr(8)\nunsafe.Pointer(x)": "In[1]:3:15: a conversion of uintptr to unsafe.Pointer is not supported: between operations nothing keeps the memory that an integer points to" + vm,
		"func f()": "In[1]:1:6: function f without a body is not supported: assembly and linkname need a compiled package; write the function in Go",
		"func f(n int) int { return 1 + f(n + 1) }\nf(0)": "In[1]:1:33: a recursion deeper than 20000 calls is not supported: " +
			"the interpreter's own stack would overflow, and the process with it" + vm,
		"func f() {\n\tfor range func(y func() bool) { y() } {\n\t\tfmt.Print(recover())\n\t}\n}": "In[1]:3:20: recover in the body of a range over a function " +
			"is not supported: the call that it belongs to is not known" + vm,
		"type T int\nfunc (T) M() { recover() }\nfunc() {\n\tdefer reflect.ValueOf(T(1)).Method(0).Interface().(func())()\n\tpanic(1)\n}()": "In[1]:5:7: a deferred call " +
			"of a method through package reflect while panicking is not supported: whether it may recover is not known" + vm,
	} {
		var r *engine.Refusal
		if err := execute(t, open(t, yaegi.Options{}), source); !errors.As(err, &r) {
			t.Errorf("%s: error %v, not a refusal", source, err)
		} else if r.Error() != want {
			t.Errorf("%s:\n%s\nwant\n%s", source, r, want)
		}
	}
}

func TestStandardStreams(t *testing.T) {
	var out strings.Builder
	e := open(t, yaegi.Options{Stdin: strings.NewReader("one\ntwo\nthree 4\n"), Writer: func(*os.File) io.Writer { return &out }})
	err := execute(t, e, `var a string
var n int
fmt.Scanln(&a)
in := bufio.NewScanner(os.Stdin)
in.Scan()
fmt.Println(a, in.Text(), n)
fmt.Fprintf(os.Stdout, "%T\n", a)
os.Stderr.WriteString("err\n")
println("p", 7, true)`)
	if err != nil {
		t.Fatal(err)
	}
	if want := "one two 0\nstring\nerr\np 7 true\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestGoroutines(t *testing.T) {
	e := open(t, yaegi.Options{})
	died := make(chan *engine.Panic, 1)
	e.OnPanic(func(p *engine.Panic) { died <- p })
	if err := execute(t, e, "c := make(chan int)\ngo func() { <-c }()\ngo func() { var s []int; _ = s[len(c)] }()\ntime.AfterFunc(0, func() {})"); err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-died:
		if text := p.Error(); text != "panic: runtime error: index out of range [0] with length 0" || len(p.Stack) == 0 || p.Stack[0].Pos.Line != 3 {
			t.Errorf("%s %v", text, p.Stack)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("nobody told of the panic")
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		gs := e.Goroutines()
		if len(gs) == 1 && gs[0].Wait == "chan receive" && len(gs[0].Stack) == 1 && gs[0].Stack[0].Pos.Line == 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%v", gs)
		}
	}
}

func TestDo(t *testing.T) {
	e := open(t, yaegi.Options{})
	var p *engine.Panic
	if err := e.Do(t.Context(), func() { panic("no") }); !errors.As(err, &p) || p.Value != "no" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Do(ctx, func() {}); err != nil {
		t.Errorf("%v", err)
	}
}
