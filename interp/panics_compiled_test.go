package interp

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

const passes = `import "testing"
func match(pat, str string) (bool, error) { return true, nil }
func TestP(t *testing.T) { t.Log("before"); t.Run("inner", func(t *testing.T) { var p *int; *p = 1 }) }
func TestF(t *testing.T) { t.Fatal("fails") }
`

// timesOut has a handler that panics on a goroutine of package net/http's, which panics anew on
// the cell's.
const timesOut = `import ("fmt"; "net/http"; "net/http/httptest"; "runtime")
h := http.TimeoutHandler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
	var m map[string]int
	m["a"] = 1
}), time.Minute, "late")
func() {
	defer func() {
		r := recover()
		_, runtimes := r.(runtime.Error)
		panic(fmt.Sprintf("%v %v", r, runtimes))
	}()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}()`

// TestPanicsOnCompiledGoroutines is that what ends a goroutine which compiled code started is the
// error of the cell, and that the worker goes on.
// G3 G5 U8
func TestPanicsOnCompiledGoroutines(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := deaf{make(chan error, 1)}
	command := supervise.Command{Path: path, Env: []string{servesVariable + "=1"}}
	s := supervise.New(command, r, slog.New(slog.DiscardHandler))
	defer s.Close()
	for i, x := range []struct{ source, name, value string }{
		{passes, "", ""},
		{`testing.Main(match, []testing.InternalTest{{"TestP", TestP}}, nil, nil)`, "Panic", "nil pointer"},
		{`testing.Main(match, []testing.InternalTest{{"TestF", TestF}}, nil, nil)`, "Exit", "exit status 1"},
		{"import \"time\"\ntime.AfterFunc(1, func() { panic(\"timer\") })\ntime.Sleep(time.Minute)", "Panic", "timer"},
		{"import \"runtime\"\ntype big struct{ a *int }\n" +
			"func() { x := &big{}; runtime.SetFinalizer(x, func(*big) { panic(\"finalizer\") }) }()\n" +
			"runtime.GC()\ntime.Sleep(time.Minute)", "Panic", "finalizer"},
		{"func deep(n int) int { if n == 0 { return 0 }; return deep(n-1) + 1 }\n" +
			"if deep(1_000_000) != 1_000_000 { panic(1) }", "", ""},
		{"func endless(n int) int { return endless(n+1) + 1 }\nendless(0)", "Panic", "stack overflow"},
		{timesOut, "Panic", "assignment to entry in nil map true"},
	} {
		e := s.Execute(t.Context(), i+1, worker.ExecuteRequest{Number: i + 1, Source: x.source}).Error
		if e == nil && x.name != "" || e != nil && (e.Name != x.name || !strings.Contains(e.Value, x.value)) {
			t.Errorf("%s: %+v", x.source, e)
		}
	}
	select {
	case err := <-r.died:
		t.Error(err)
	default:
	}
}
