package interp

import (
	"bytes"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// A listener keeps what cells print.
type listener struct {
	deaf
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *listener) Stream(_ any, _ bool, b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
}

// printed is what was printed since it was asked last, without times.
func (l *listener) printed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return times.ReplaceAllString(l.text.String(), "T")
}

var times = regexp.MustCompile(`[0-9.]+s\b`)

const testCells = `import ("fmt"; "testing"; "os"; "sync")
func Sum(a, b int) int { return a + b }
func TestSum(t *testing.T) {
	for _, c := range []struct{ name string; a, b, want int }{{"small", 1, 2, 3}, {"none", 0, 0, 0}} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sum(c.a, c.b); got != c.want { t.Errorf("got %d", got) }
		})
	}
}
func TestParallel(t *testing.T) {
	var group sync.WaitGroup
	group.Add(2)
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) { t.Parallel(); group.Done(); group.Wait() })
	}
}
func TestFolder(t *testing.T) {
	if err := os.WriteFile(t.TempDir()+"/x", nil, 0o600); err != nil { t.Fatal(err) }
	t.Log("wrote")
}
func TestSkipped(t *testing.T) { t.Skip("not now") }
func BenchmarkSum(b *testing.B) { for b.Loop() { Sum(1, 2) } }
func FuzzSum(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) { if Sum(a, b) != a+b { t.Error(a, b) } })
}
func ExampleSum() {
	fmt.Println(Sum(1, 2))
	// Output: 3
}
func ExampleSum_silent() { panic("not run") }`

// TestTestsOfCells is that %test runs what cells declared as go test -v does, that one that fails
// is told, and that the worker and its variables stay. U8
func TestTestsOfCells(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{deaf: deaf{make(chan error, 1)}}
	command := supervise.Command{Path: path, Env: []string{servesVariable + "=1"}}
	s := supervise.New(command, l, slog.New(slog.DiscardHandler))
	defer s.Close()
	n := 0
	for _, x := range []struct{ source, fails, prints string }{
		{"%test", "cells have declared no tests", ""},
		{testCells + "\nkept := 7", "", ""},
		{"%test", "", "=== RUN   TestSum\n=== RUN   TestSum/small\n=== RUN   TestSum/none\n--- PASS: TestSum (T)\n" +
			"    --- PASS: TestSum/small (T)\n    --- PASS: TestSum/none (T)\n" +
			"=== RUN   TestParallel\n=== RUN   TestParallel/one\n=== PAUSE TestParallel/one\n"},
		{"%test", "", "=== RUN   TestFolder\n    In[2]:19: wrote\n--- PASS: TestFolder (T)\n=== RUN   TestSkipped\n" +
			"    In[2]:21: not now\n--- SKIP: TestSkipped (T)\n" +
			"=== RUN   FuzzSum\n=== RUN   FuzzSum/seed#0\n--- PASS: FuzzSum (T)\n" +
			"    --- PASS: FuzzSum/seed#0 (T)\n=== RUN   ExampleSum\n--- PASS: ExampleSum (T)\nPASS\n"},
		{"%test Folder", "", "=== RUN   TestFolder\n    In[2]:19: wrote\n--- PASS: TestFolder (T)\nPASS\n"},
		{"%test -run '^$' -bench Sum -benchtime 3x", "", "BenchmarkSum"},
		{"func TestFails(t *testing.T) { t.Fatal(\"no\") }\nfunc TestPanics(t *testing.T) { var p *int; *p = 1 }", "", ""},
		{"%test Fails", "exit status 1", "=== RUN   TestFails\n    In[7]:1: no\n--- FAIL: TestFails (T)\nFAIL\n"},
		{"%test Panics", "nil pointer dereference", "=== RUN   TestPanics\n"},
		{"%test -timeout 1s", "want an interrupt of the cell", ""},
		{"%test -run [", "want a regular expression", ""},
		{"%test -count", "want a value behind it", ""},
		{"%test -count x", "-count x", ""},
		{"func ExampleSum() {\n\tfmt.Print(Sum(2, 2))\n\t// Output: 5\n}", "", ""},
		{"%test ExampleSum", "exit status 1", "got:\n4\nwant:\n5\n"},
		{"func TestWrong() {}", "", ""},
		{"%test", "TestWrong is a func(): want a func(*testing.T)", ""},
		{"if kept != 7 { panic(kept) }", "", ""},
	} {
		n++
		e := s.Execute(t.Context(), n, worker.ExecuteRequest{Number: n, Source: x.source}).Error
		if e == nil && x.fails != "" || e != nil && (x.fails == "" || !strings.Contains(e.Value, x.fails)) {
			t.Errorf("%s: %+v, want %q", x.source, e, x.fails)
		}
		if got := l.printed(); !strings.Contains(got, x.prints) {
			t.Errorf("%s prints\n%s\nwant\n%s", x.source, got, x.prints)
		}
	}
	select {
	case err := <-l.died:
		t.Error(err)
	default:
	}
}
