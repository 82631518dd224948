package supervise

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/serve"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// TestMain is also the worker process that the tests supervise.
func TestMain(m *testing.M) {
	if _, ok := os.LookupEnv(protocol.CookieVariable); ok {
		err := serve.Process(func(context.Context) (worker.Session, error) { return openScript() })
		if err != nil && !errors.Is(err, serve.ErrKernelGone) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(leaktest.Run(m, "vyre-kernel/kernel"))
}

// hushed is what goroutines that spin wait for.
var hushed atomic.Pointer[chan struct{}]

func (s *script) Hush(on bool) {
	c := make(chan struct{})
	if on {
		hushed.CompareAndSwap(nil, &c)
	} else if c := hushed.Swap(nil); c != nil {
		close(*c)
	}
}

func openScript() (worker.Session, error) {
	if why := os.Getenv("SCRIPT_OPEN"); why != "" {
		return nil, errors.New(why)
	}
	return &script{}, nil
}

// script is a session whose cells are words: "print x", "display x", and so on.
type script struct{ count int }

func (s *script) Execute(ctx context.Context, req worker.ExecuteRequest, h worker.Host) worker.ExecuteReply {
	for line := range strings.Lines(req.Source) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if do := scriptWords[word]; do != nil {
			if reply := do(ctx, s, rest, h); reply != nil {
				return *reply
			}
		}
	}
	s.count++
	return worker.ExecuteReply{Result: text(fmt.Sprint(s.count))}
}

func text(s string) *display.Bundle {
	return &display.Bundle{Data: map[string]any{display.TypeText: s}}
}

var scriptWords = map[string]func(context.Context, *script, string, worker.Host) *worker.ExecuteReply{
	"print": func(_ context.Context, _ *script, s string, _ worker.Host) *worker.ExecuteReply {
		fmt.Println(s)
		return nil
	},
	"println": func(_ context.Context, _ *script, s string, _ worker.Host) *worker.ExecuteReply {
		println(s)
		return nil
	},
	"child": func(_ context.Context, _ *script, s string, _ worker.Host) *worker.ExecuteReply {
		c := exec.Command("echo", s)
		c.Stdout = os.Stdout
		_ = c.Run()
		return nil
	},
	"display": func(_ context.Context, _ *script, s string, h worker.Host) *worker.ExecuteReply {
		h.Display(worker.Display{Bundle: *text(s), ID: "d"})
		return nil
	},
	"spin": func(ctx context.Context, _ *script, s string, _ worker.Host) *worker.ExecuteReply {
		n, _ := strconv.Atoi(s)
		spin := func() {
			for ctx.Err() == nil { // nothing in here asks the scheduler for anything
				if c := hushed.Load(); c != nil {
					<-*c
				}
			}
		}
		for range n - 1 {
			go spin()
		}
		spin()
		return &worker.ExecuteReply{Error: &worker.CellError{Name: "Interrupted"}}
	},
	"unencodable": func(_ context.Context, _ *script, _ string, h worker.Host) *worker.ExecuteReply {
		h.Display(worker.Display{Bundle: display.Bundle{Data: map[string]any{"text/plain": "shown",
			"application/json": make(chan int)}}})
		return nil
	},
	"lines": func(_ context.Context, _ *script, s string, _ worker.Host) *worker.ExecuteReply {
		var n int
		_, _ = fmt.Sscan(s, &n)
		for i := range n {
			fmt.Println(i)
		}
		return nil
	},
	"input": func(ctx context.Context, _ *script, s string, h worker.Host) *worker.ExecuteReply {
		line, err := h.Input(ctx, s, false)
		return &worker.ExecuteReply{Result: text(fmt.Sprint(line, err))}
	},
	"wait": func(ctx context.Context, _ *script, _ string, _ worker.Host) *worker.ExecuteReply {
		<-ctx.Done()
		return &worker.ExecuteReply{Error: &worker.CellError{Name: "Interrupted", Value: "stopped"}}
	},
	"stuck": func(context.Context, *script, string, worker.Host) *worker.ExecuteReply { select {} },
	"panic": func(context.Context, *script, string, worker.Host) *worker.ExecuteReply { panic("caught") },
	"gopanic": func(context.Context, *script, string, worker.Host) *worker.ExecuteReply {
		fmt.Println("before the crash")
		go func() { panic("nobody catches this") }()
		select {}
	},
	"kill": func(context.Context, *script, string, worker.Host) *worker.ExecuteReply {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	},
	"exit": func(context.Context, *script, string, worker.Host) *worker.ExecuteReply { os.Exit(7); return nil },
	"comm": func(_ context.Context, _ *script, s string, h worker.Host) *worker.ExecuteReply {
		h.Comm(worker.CommEvent{Kind: "open", ID: "c", Target: s, Data: json.RawMessage(`{"a":1}`),
			Buffers: [][]byte{{1}, {2, 3}}})
		return nil
	},
}

func (s *script) Complete(_ context.Context, req worker.CompleteRequest) worker.CompleteReply {
	if req.Source == "panic" {
		panic("in complete")
	}
	return worker.CompleteReply{Start: 0, End: req.Cursor, Matches: []worker.Completion{{Text: req.Source + "!"}}}
}
func (s *script) Inspect(context.Context, worker.InspectRequest) worker.InspectReply {
	return worker.InspectReply{Found: true, Bundle: *text("doc")}
}
func (s *script) IsComplete(_ context.Context, r worker.IsCompleteRequest) worker.IsCompleteReply {
	return worker.IsCompleteReply{Status: "incomplete", Indent: r.Source}
}
func (s *script) Comm(_ context.Context, e worker.CommEvent, h worker.Host) {
	h.Display(worker.Display{Bundle: *text(fmt.Sprint(e.Kind, len(e.Buffers)))})
}
func (s *script) Close() error { return nil }

// recorder is a Receiver that writes down what it gets.
type recorder struct {
	mu     sync.Mutex
	lines  []string
	out    strings.Builder
	comms  []worker.CommEvent
	deaths []*DeathError
	block  chan struct{}
	tags   map[any]bool
	sent   int // cells that the worker was given
}

func (r *recorder) note(tag any, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tags == nil {
		r.tags = map[any]bool{}
	}
	r.tags[tag] = true
	line := fmt.Sprintf(format, args...)
	if n := len(r.lines); n > 0 && strings.HasPrefix(line, "std") &&
		strings.HasPrefix(r.lines[n-1], line[:len("stdout:")]) {
		r.lines[n-1] += line[len("stdout:"):] // how a stream is cut does not matter
		return
	}
	r.lines = append(r.lines, line)
}

func (r *recorder) Stream(tag any, stderr bool, b []byte) {
	if r.block != nil {
		<-r.block
	}
	name := "stdout"
	if stderr {
		name = "stderr"
	}
	r.note(tag, "%s:%s", name, b)
	r.mu.Lock()
	r.out.Write(b)
	r.mu.Unlock()
}

func (r *recorder) Display(tag any, d worker.Display) {
	r.note(tag, "display:%s", d.Bundle.Data["text/plain"])
}
func (r *recorder) ClearOutput(tag any, wait bool) { r.note(tag, "clear") }
func (r *recorder) Comm(tag any, e worker.CommEvent) {
	r.mu.Lock()
	r.comms = append(r.comms, e)
	r.mu.Unlock()
}

func (r *recorder) Input(ctx context.Context, _ any, prompt string, _ bool) (string, error) {
	if prompt == "never" {
		<-ctx.Done()
		return "", ctx.Err()
	}
	return "typed after " + prompt, nil
}

func (r *recorder) Sent(any) {
	r.mu.Lock()
	r.sent++
	r.mu.Unlock()
}

func (r *recorder) Died(e *DeathError) {
	r.mu.Lock()
	r.deaths = append(r.deaths, e)
	r.mu.Unlock()
}

func (r *recorder) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.lines, "|")
}

func supervise(t *testing.T, l Launcher) (*Supervisor, *recorder) {
	t.Helper()
	r := &recorder{}
	s := New(l, r, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, r
}

func self(t *testing.T) Command {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Path: path}
}

func launchers(t *testing.T) map[string]Launcher {
	return map[string]Launcher{
		"process":   self(t),
		"inprocess": InProcess{Serve: serve.Pipes(func(context.Context) (worker.Session, error) { return &script{}, nil })},
	}
}

func run(t *testing.T, s *Supervisor, source string) worker.ExecuteReply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return s.Execute(ctx, "tag:"+source, worker.ExecuteRequest{Source: source, AllowStdin: true})
}

func result(r worker.ExecuteReply) string {
	if r.Error != nil {
		return r.Error.Name + ": " + r.Error.Value
	}
	raw, _ := r.Result.Data["text/plain"].(json.RawMessage)
	return string(raw)
}

// TestLaws holds for both launchers.
func TestLaws(t *testing.T) {
	for name, l := range launchers(t) {
		t.Run(name, func(t *testing.T) {
			s, r := supervise(t, l)
			for i, want := range []string{`"1"`, `"2"`} {
				if got := result(run(t, s, "")); got != want {
					t.Errorf("cell %d: %s, want %s", i, got, want)
				}
			}
			if got := result(run(t, s, "input name?")); got != `"typed after name?<nil>"` {
				t.Errorf("input: %s", got)
			}
			if got := result(run(t, s, "panic")); got != "InternalError: the session panicked: caught" {
				t.Errorf("panic: %s", got)
			}
			run(t, s, "display x\nunencodable")
			if got := r.all(); !strings.HasPrefix(got, `display:"x"|stderr:vyre-kernel: the application/json form`) ||
				!strings.HasSuffix(got, `display:"shown"`) {
				t.Errorf("displays: %s", got)
			}
			run(t, s, "comm tgt")
			if len(r.comms) != 1 || r.comms[0].Target != "tgt" || len(r.comms[0].Buffers) != 2 ||
				len(r.comms[0].Buffers[1]) != 2 {
				t.Errorf("comm: %+v", r.comms)
			}
			if err := s.Comm(t.Context(), "ct", worker.CommEvent{Kind: "msg", Buffers: [][]byte{{9}}}); err != nil {
				t.Error(err)
			}
			if got := r.all(); !strings.HasSuffix(got, `display:"msg1"`) || !r.tags["ct"] {
				t.Errorf("comm in: %s", got)
			}
			if r.sent != 6 {
				t.Errorf("told of %d cells of 6", r.sent)
			}
		})
	}
}

func TestQuestionsWhileACellRuns(t *testing.T) {
	s, _ := supervise(t, self(t))
	run(t, s, "")
	done := make(chan worker.ExecuteReply)
	go func() { done <- s.Execute(context.Background(), 1, worker.ExecuteRequest{Source: "wait"}) }()
	time.Sleep(20 * time.Millisecond)
	if c, err := s.Complete(t.Context(), worker.CompleteRequest{Source: "fmt", Cursor: 3}); err != nil ||
		c.Matches[0].Text != "fmt!" {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := s.Inspect(t.Context(), worker.InspectRequest{}); err != nil || !c.Found {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := s.IsComplete(t.Context(), worker.IsCompleteRequest{Source: "x"}); err != nil || c.Indent != "x" {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := s.Complete(t.Context(), worker.CompleteRequest{Source: "panic"}); err == nil ||
		!strings.Contains(err.Error(), "in complete") {
		t.Errorf("panic in complete: %v", err)
	}
	s.Interrupt()
	if r := <-done; r.Error == nil || r.Error.Name != "Interrupted" {
		t.Errorf("%+v", r)
	}
	if got := result(run(t, s, "")); got != `"2"` {
		t.Errorf("state after interrupt: %s", got)
	}
}

func TestStreamsInOrder(t *testing.T) {
	s, r := supervise(t, self(t))
	run(t, s, "print a\nchild b\ndisplay c\nprint d\ndisplay e\nprintln f")
	want := "stdout:a\nb\n|display:\"c\"|stdout:d\n|display:\"e\"|stderr:f\n"
	if got := r.all(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAllBytesBeforeTheReply(t *testing.T) {
	s, r := supervise(t, self(t))
	for range 3 {
		r.mu.Lock()
		r.out.Reset()
		r.mu.Unlock()
		run(t, s, "lines 50000")
		r.mu.Lock()
		got := r.out.String()
		r.mu.Unlock()
		if n := strings.Count(got, "\n"); n != 50000 || !strings.HasSuffix(got, "49999\n") {
			t.Fatalf("%d lines", n)
		}
	}
}

func TestSlowReceiverHoldsTheCellNotTheQuestions(t *testing.T) {
	s, r := supervise(t, self(t))
	run(t, s, "")
	r.block = make(chan struct{})
	done := make(chan worker.ExecuteReply)
	go func() { done <- s.Execute(context.Background(), 1, worker.ExecuteRequest{Source: "lines 600000"}) }()
	time.Sleep(100 * time.Millisecond)
	if _, err := s.Complete(t.Context(), worker.CompleteRequest{}); err != nil {
		t.Error(err)
	}
	select {
	case <-done:
		t.Fatal("the cell ended though nobody took its output")
	default:
	}
	close(r.block)
	<-done
	if n := strings.Count(r.out.String(), "\n"); n != 600000 {
		t.Errorf("%d lines", n)
	}
}

func TestDeaths(t *testing.T) {
	for _, c := range []struct{ source, value, trace string }{
		{"gopanic", "panic: nobody catches this (state of the session is lost)", "goroutine"},
		{"kill", "signal: killed (state of the session is lost)", "when memory runs out"},
		{"exit", "exit status 7 (state of the session is lost)", "fresh worker"},
	} {
		t.Run(c.source, func(t *testing.T) {
			s, r := supervise(t, self(t))
			run(t, s, "")
			reply := run(t, s, c.source)
			if reply.Error == nil || reply.Error.Name != "WorkerDied" || reply.Error.Value != c.value {
				t.Fatalf("%+v", reply.Error)
			}
			if trace := strings.Join(reply.Error.Traceback, "\n"); !strings.Contains(trace, c.trace) {
				t.Errorf("traceback: %s", trace)
			}
			if c.source == "gopanic" && !strings.Contains(r.all(), "stdout:before the crash\n") {
				t.Errorf("output before the crash: %s", r.all())
			}
			if got := result(run(t, s, "")); got != `"1"` {
				t.Errorf("fresh worker: %s", got)
			}
		})
	}
}

func TestFailuresToStart(t *testing.T) {
	s, _ := supervise(t, Command{Path: "/nonexistent/worker"})
	if r := run(t, s, ""); r.Error == nil || r.Error.Name != "WorkerFailed" ||
		!strings.Contains(r.Error.Value, "/nonexistent/worker") {
		t.Errorf("%+v", r.Error)
	}
	c := self(t)
	c.Env = []string{"SCRIPT_OPEN=no device of that name"}
	s, _ = supervise(t, c)
	var open *OpenError
	if _, err := s.Complete(t.Context(), worker.CompleteRequest{}); !errors.As(err, &open) ||
		open.Reason != "no device of that name" {
		t.Errorf("%v", err)
	}
	s, _ = supervise(t, Command{Path: "/bin/true"})
	if r := run(t, s, ""); r.Error == nil || r.Error.Name != "WorkerDied" {
		t.Errorf("%+v", r.Error)
	}
}

func TestByHand(t *testing.T) {
	var by *serve.NotSupervisedError
	if err := serve.Process(nil); !errors.As(err, &by) || !strings.Contains(err.Error(), "started by the kernel") {
		t.Errorf("%v", err)
	}
}

func TestKernelGone(t *testing.T) {
	l, err := self(t).launch()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(protocol.SendHello(l.in, l.cookie), protocol.ReceiveHello(l.out, l.cookie)); err != nil {
		t.Fatal(err)
	}
	_ = l.in.(*direct.Stream).ReadWriter.(*os.File).Close()
	_ = l.control.(*direct.Stream).ReadWriter.(*os.File).Close()
	ended := make(chan ending)
	go func() { ended <- l.wait() }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		l.kill()
		t.Fatal("the worker outlived its kernel")
	}
	l.close()
}

func BenchmarkRoundTrip(b *testing.B) {
	path, _ := os.Executable()
	s := New(Command{Path: path}, &recorder{}, slog.New(slog.DiscardHandler))
	defer s.Close()
	for b.Loop() {
		if r := s.Execute(context.Background(), 1, worker.ExecuteRequest{}); r.Error != nil {
			b.Fatal(r.Error)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	path, _ := os.Executable()
	for b.Loop() {
		s := New(Command{Path: path}, &recorder{}, slog.New(slog.DiscardHandler))
		if r := s.Execute(context.Background(), 1, worker.ExecuteRequest{}); r.Error != nil {
			b.Fatal(r.Error)
		}
		s.Close()
	}
}
