package interp

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/yaegi"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// openShells is a session as the kernel's worker has it, with both engines.
func openShells(context.Context) (worker.Session, error) {
	standin.OwnProgram()
	in, out := &Stdin{}, NewStreams()
	engines := map[string]func() (engine.Engine, error){
		"vm": func() (engine.Engine, error) {
			return vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: in.Reader(), Writer: out.Writer})
		},
		"yaegi": func() (engine.Engine, error) {
			return yaegi.New(yaegi.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: in.Reader(), Writer: out.Writer})
		},
	}
	e, err := engines["vm"]()
	if err != nil {
		return nil, err
	}
	return New(e, Options{Names: map[string]string{"fmt": "fmt"}, Stdin: in, Streams: out, Engines: engines})
}

// tagged keeps what each cell prints, by its tag; cells are asked "<tag>'s answer".
type tagged struct {
	deaf
	mu    sync.Mutex
	texts map[any]string
}

func (r *tagged) Stream(tag any, stderr bool, b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stderr {
		b = fmt.Appendf(nil, "<%s>", b)
	}
	r.texts[tag] += string(b)
}

func (r *tagged) Display(tag any, d worker.Display) {
	r.Stream(tag, false, fmt.Appendf(nil, "[%s]", d.Bundle.Data["text/plain"]))
}

func (r *tagged) Input(_ context.Context, tag any, _ string, _ bool) (string, error) {
	return fmt.Sprint(tag, "'s answer"), nil
}

func (r *tagged) text(tag any) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.texts[tag]
}

// shells is a worker whose cells are executed on shells.
type shells struct {
	*tagged
	s *supervise.Supervisor
	t *testing.T
	n int // of cells that were begun

	engine string
}

func newShells(t *testing.T, engine string) *shells {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &tagged{deaf: deaf{make(chan error, 1)}, texts: map[any]string{}}
	command := supervise.Command{Path: path, Env: []string{servesVariable + "=shells"}}
	s := &shells{r, supervise.New(command, r, slog.New(slog.DiscardHandler)), t, 0, engine}
	t.Cleanup(func() { s.s.Close() })
	if engine != "vm" {
		s.right("", "%engine "+engine)
	}
	return s
}

// start begins a cell, whose tag is its number; the answer is how it ended.
func (s *shells) start(shell, source string) func() *worker.CellError {
	s.n++
	n, done := s.n, make(chan *worker.CellError, 1)
	go func() {
		req := worker.ExecuteRequest{Number: n, Source: source, Subshell: shell, AllowStdin: true}
		done <- s.s.Execute(s.t.Context(), n, req).Error
	}()
	return func() *worker.CellError { return <-done }
}

func (s *shells) right(shell, source string) {
	s.t.Helper()
	if e := s.start(shell, source)(); e != nil {
		s.t.Fatalf("%s: %+v", source, e)
	}
}

// until waits for what a cell prints.
func (s *shells) until(tag int, text string) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(s.text(tag), text); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("cell %d prints %q, want %q", tag, s.text(tag), text)
		}
	}
}

func onShells(t *testing.T, test func(t *testing.T, s *shells)) {
	for _, name := range []string{"vm", "yaegi"} {
		t.Run(name, func(t *testing.T) { test(t, newShells(t, name)) })
	}
}

// TestCellsOfShellsRunConcurrently is that two cells that wait for each other come to their ends, each
// with its own output, and that both know what earlier cells declared.
func TestCellsOfShellsRunConcurrently(t *testing.T) { // U9
	onShells(t, func(t *testing.T, s *shells) {
		s.right("", `import ("fmt"; "os"; "sync"; "sync/atomic"; "time")
var there, back = make(chan int), make(chan int)
var begun atomic.Bool
func tell(who string, n int) {
	for i := range n {
		fmt.Println(who, i)
		fmt.Fprintln(os.Stderr, who, "error", i)
	}
}`)
		first := s.n + 1
		one := s.start("", `fmt.Println("one begins")
for !begun.Load() { time.Sleep(time.Millisecond) } // a cell that waits alone is a deadlock
there <- 1
var w sync.WaitGroup
for range 3 {
	w.Add(1)
	go func() { defer w.Done(); tell("one", 200) }()
}
w.Wait()
<-back
fmt.Println("one ends")`)
		s.until(first, "one begins")
		two := s.start("sub", `begun.Store(true)
v := <-there
go tell("two", 200)
tell("two", 200)
back <- v
time.Sleep(50*time.Millisecond)
fmt.Println("two ends", v)`)
		if e := one(); e != nil {
			t.Errorf("%+v", e)
		}
		if e := two(); e != nil {
			t.Errorf("%+v", e)
		}
		for tag, x := range map[int]struct{ own, other string }{first: {"one", "two"}, first + 1: {"two", "one"}} {
			text := s.text(tag)
			if strings.Contains(text, x.other) || !strings.Contains(text, x.own+" ends") {
				t.Errorf("cell %d prints %.2000q", tag, text)
			}
			if n := strings.Count(text, x.own+" error 199"); n < 2 {
				t.Errorf("cell %d prints the last line to stderr %d times", tag, n)
			}
		}
	})
}

// TestWhatShellsLeave is that goroutines print, and panic, where their own shell's last cell is.
func TestWhatShellsLeave(t *testing.T) { // U9
	onShells(t, func(t *testing.T, s *shells) {
		s.right("", `import ("fmt"; "time")
var turn = make(chan int)
var over, panics = make(chan int), make(chan int)`)
		s.right("sub", `go func() { for i := range turn { fmt.Println("left", i); over <- i } }()
go func() { <-panics; panic("of sub") }()`)
		sub := s.n
		s.right("", `fmt.Println("main"); turn <- 1; <-over; fmt.Println("again")`)
		if got := s.text(s.n); got != "main\nagain\n" {
			t.Errorf("the main shell's cell prints %q", got)
		}
		s.until(sub, "left 1\n")
		s.right("", `close(panics); time.Sleep(100*time.Millisecond); fmt.Println("goes on")`)
		s.until(sub, "of sub")
		s.right("sub", `turn <- 2; <-over`)
		s.until(s.n, "left 2\n")
	})
}

// TestStreamsOfNobody is that what no cell's goroutine writes, as a child process does, is output of the cell
// that wrote or began last, and of one that runs.
func TestStreamsOfNobody(t *testing.T) { // U9
	s := newShells(t, "vm")
	s.right("", `import ("fmt"; "os"; "os/exec"; "sync/atomic"; "time")
var c = make(chan int)
var begun atomic.Bool
func echo(text string) {
	cmd := exec.Command("echo", text)
	cmd.Stdout = os.Stdout
	if err := cmd.Run(); err != nil { panic(err) }
}`)
	first := s.n + 1
	one := s.start("", `fmt.Println("one")
for !begun.Load() { time.Sleep(time.Millisecond) }
<-c; echo("x of one"); c <- 1`)
	s.until(first, "one\n")
	s.right("sub", `echo("of two"); begun.Store(true); c <- 1; <-c`)
	if e := one(); e != nil {
		t.Errorf("%+v", e)
	}
	if got := s.text(s.n); !strings.HasPrefix(got, "of two\n") {
		t.Errorf("the cell that began last prints %q", got)
	}
	s.right("", `echo("alone")`)
	if got := s.text(s.n); got != "alone\n" {
		t.Errorf("the cell that runs alone prints %q", got)
	}
}

// TestInputOfShells is that each cell asks its own front end, and keeps the rest of its line.
func TestInputOfShells(t *testing.T) { // U9
	onShells(t, func(t *testing.T, s *shells) {
		s.right("", `import ("fmt"; "bufio"; "os"; "sync/atomic"; "time")
var both = make(chan int)
var begun atomic.Bool
func ask() (a, b string) { fmt.Scan(&a); return a, b }`)
		first := s.n + 1
		one := s.start("", `a, _ := ask()
for !begun.Load() { time.Sleep(time.Millisecond) }
<-both; var b string; fmt.Scan(&b); fmt.Println(a, b)`)
		two := s.start("sub", `begun.Store(true)
line, _ := bufio.NewReader(os.Stdin).ReadString('\n'); both <- 1; fmt.Print("got ", line)`)
		if e := one(); e != nil {
			t.Errorf("%+v", e)
		}
		if e := two(); e != nil {
			t.Errorf("%+v", e)
		}
		if got := s.text(first); got != fmt.Sprintf("%d's answer\n", first) {
			t.Errorf("%q", got)
		}
		if got := s.text(first + 1); got != fmt.Sprintf("got %d's answer\n", first+1) {
			t.Errorf("%q", got)
		}
	})
}

// TestDeclarationsOfShells is that cells which declare at the same time all declare, and see each other's
// names whole.
func TestDeclarationsOfShells(t *testing.T) { // U9
	onShells(t, func(t *testing.T, s *shells) {
		var ends []func() *worker.CellError
		for shell := range 4 {
			for i := range 10 {
				source := fmt.Sprintf("type T%d_%d struct{ n int }\n"+
					"func (t T%[1]d_%[2]d) Get() int { return t.n }\n"+
					"var v%[1]d_%[2]d = T%[1]d_%[2]d{%[2]d}", shell, i)
				ends = append(ends, s.start(fmt.Sprint("sub", shell), source))
			}
		}
		for _, end := range ends {
			if e := end(); e != nil {
				t.Errorf("%+v", e)
			}
		}
		sum := "0"
		for shell := range 4 {
			for i := range 10 {
				sum += fmt.Sprintf(" + v%d_%d.Get()", shell, i)
			}
		}
		s.right("", "if got := "+sum+"; got != 180 { panic(got) }")
	})
}

// TestInterruptsOfShells is that an interrupt ends the cells of all shells, and that no cell is called
// deadlocked while one runs that could wake it.
func TestInterruptsOfShells(t *testing.T) { // U9
	onShells(t, func(t *testing.T, s *shells) {
		s.right("", `import ("fmt"; "sync/atomic"; "time")
var c = make(chan int)
var begun atomic.Bool`)
		wakes := s.start("sub", `for !begun.Load() { time.Sleep(time.Millisecond) }
time.Sleep(500*time.Millisecond)
c <- 1`)
		s.right("", `begun.Store(true); <-c`)
		if e := wakes(); e != nil {
			t.Errorf("%+v", e)
		}
		one := s.start("", `fmt.Println("spins"); for {}`)
		s.until(s.n, "spins")
		two := s.start("sub", `fmt.Println("sleeps"); time.Sleep(time.Hour)`)
		s.until(s.n, "sleeps")
		other := map[string]string{"vm": "yaegi", "yaegi": "vm"}[s.engine]
		e := s.start("other", "%engine "+other)()
		if e == nil || !strings.Contains(e.Value, "a cell of another subshell runs") {
			t.Errorf("%+v", e)
		}
		s.s.Interrupt()
		for _, end := range []func() *worker.CellError{one, two} {
			if e := end(); e == nil || e.Name != "Interrupted" {
				t.Errorf("%+v", e)
			}
		}
		one = s.start("", `fmt.Println("waits"); <-c`)
		s.until(s.n, "waits")
		two = s.start("sub", `<-c`)
		names := map[string]bool{}
		for _, end := range []func() *worker.CellError{one, two} {
			if e := end(); e != nil {
				names[e.Name] = true
			}
		}
		if !names["Deadlock"] || len(names) != 1 {
			t.Errorf("two cells that wait for nothing end with %v", names)
		}
	})
}
