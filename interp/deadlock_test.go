package interp

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/yaegi"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

var (
	ansi     = regexp.MustCompile("\x1b\\[[0-9;]*m")
	literals = regexp.MustCompile(`\.func\d+`) // their numbers are no matter here
)

// executeFor runs a cell and interrupts it after a while. The error's traceback comes as plain
// text.
func executeFor(s *Session, n int, source string, limit time.Duration) (*worker.CellError, string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	e := s.Execute(ctx, worker.ExecuteRequest{Number: n, Source: source}, new(host)).Error
	if e == nil {
		return nil, ""
	}
	text := ansi.ReplaceAllString(strings.Join(e.Traceback, "\n"), "")
	return e, literals.ReplaceAllString(text, ".func")
}

// onEngines runs f with every engine.
func onEngines(t *testing.T, f func(t *testing.T, name string, open func(testing.TB) *Session)) {
	t.Run("vm", func(t *testing.T) { f(t, "vm", openVM) })
	t.Run("yaegi", func(t *testing.T) { f(t, "yaegi", openYaegi) })
}

func openYaegi(t testing.TB) *Session {
	t.Helper()
	e, err := yaegi.New(yaegi.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, e)
}

func TestDeadlocks(t *testing.T) {
	tests := []struct {
		name, before, source string
		want                 []string // lines of the traceback
	}{
		{"receive", "", "ch := make(chan int)\n<-ch", []string{"goroutine 1 [chan receive]:", "  main.In[2]  In[2]:2:1",
			"    <-ch"}},
		{"send", "", "make(chan string) <- \"\"", []string{"goroutine 1 [chan send]:", "  main.In[2]  In[2]:1:19"}},
		{"nil channel", "", "var ch chan int\nch <- 1", []string{"goroutine 1 [chan send (nil chan)]:"}},
		{"wide elements", "", "ch := make(chan [5]string)\n<-ch", []string{"goroutine 1 [chan receive]:"}},
		{"empty select", "", "select {}", []string{"goroutine 1 [select (no cases)]:"}},
		{"select", "", "a, b := make(chan int), make(chan error)\nselect {\ncase <-a:\ncase b <- nil:\n}",
			[]string{"goroutine 1 [select]:", "  main.In[2]  In[2]:2:1"}},
		{"select of reflect", "",
			"reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))}})",
			[]string{"goroutine 1 [select]:", "  main.In[2]  In[2]:1:15"}},
		{"send of reflect", "", "reflect.ValueOf(make(chan int)).Send(reflect.ValueOf(1))",
			[]string{"goroutine 1 [chan send]:"}},
		{"once in itself", "", "var once sync.Once\nonce.Do(func() { once.Do(func() {}) })",
			[]string{"goroutine 1 [sync.Once.Do]:", "  main.In[2].func  In[2]:2:25"}},
		{"locked twice", "", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()",
			[]string{"goroutine 1 [sync.Mutex.Lock]:", "  main.In[2]  In[2]:3:8"}},
		{"read lock", "", "var mu sync.RWMutex\nmu.Lock()\nmu.RLock()", []string{"goroutine 1 [sync.RWMutex.RLock]:"}},
		{"condition", "", "c := sync.NewCond(new(sync.Mutex))\nc.L.Lock()\nc.Wait()",
			[]string{"goroutine 1 [sync.Cond.Wait]:"}},
		{"never done", "", "var wg sync.WaitGroup\nwg.Add(2)\ngo wg.Done()\nwg.Wait()",
			[]string{"goroutine 1 [sync.WaitGroup.Wait]:"}},
		{"in a function", "func f(ch chan int) {\n\tg(ch)\n}\nfunc g(ch chan int) {\n\tfor range ch {\n\t}\n}",
			"f(make(chan int))",
			[]string{"  main.g  In[1]:5:2", "  main.f  In[1]:2:3", "  main.In[2]  In[2]:1:2"}},
		{"workers", "jobs, results := make(chan int), make(chan int)",
			"for range 3 {\n\tgo func() {\n\t\tfor j := range jobs {\n\t\t\tresults <- j\n\t\t}\n\t}()\n}\n" +
				"for i := range 9 {\n\tjobs <- i\n}", []string{"goroutine 1 [chan send]:",
				"3 goroutines [chan send] at main.In[2].func In[2]:4:12, started at In[2]:2:2"}},
		{"group", "", "var wg sync.WaitGroup\nch := make(chan int)\nwg.Go(func() { ch <- 1 })\nwg.Wait()",
			[]string{"goroutine 1 [sync.WaitGroup.Wait]:",
				"goroutine 2 [chan send] at main.In[2].func In[2]:3:19, started at In[2]:3:6"}},
		{"earlier goroutines wait too", "ch := make(chan int)\ngo func() { <-ch }()", "<-make(chan int)",
			[]string{"goroutine 2 [chan receive] at main.In[1].func In[1]:2:13, started at In[1]:2:1"}},
		{"after what is over", "ctx, stop := context.WithCancel(context.Background())\nt := " +
			"time.NewTimer(time.Hour)\nt.Stop()\nstop()\n<-ctx.Done()\ntime.Sleep(time.Millisecond)",
			"fmt.Println(\"prints\")\n<-make(chan struct{})", []string{"goroutine 1 [chan receive]:"}},
		{"in a callback", "", "sort.Slice([]int{2, 1}, func(i, j int) bool {\n\t<-make(chan int)\n\treturn true\n})",
			[]string{"goroutine 1 [chan receive]:", "  main.In[2].func  In[2]:2:2"}},
		{"lock handed on", "", "var a, b sync.Mutex\ndone := make(chan int)\nfor _, m := range [][2]*sync.Mutex{{&a, " +
			"&b}, {&b, &a}} {\n\tgo func() {\n\t\tm[0].Lock()\n" +
			"\t\ttime.Sleep(20*time.Millisecond)\n\t\tm[1].Lock()\n\t\tdone <- 1\n\t}()\n}\n<-done",
			[]string{"goroutine 1 [chan receive]:",
				"2 goroutines [sync.Mutex.Lock] at main.In[2].func In[2]:7:12, started at In[2]:4:2"}},
	}
	onEngines(t, func(t *testing.T, name string, open func(testing.TB) *Session) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				s := open(t)
				captured(t, func() {
					if e, text := executeFor(s, 1, test.before+"\nkept := 7", 10*time.Second); e != nil {
						t.Error(text)
						return
					}
					e, text := executeFor(s, 2, test.source, 20*time.Second)
					if e == nil || e.Name != "Deadlock" || e.Value != "all goroutines are asleep - deadlock!" {
						t.Errorf("%+v %s", e, text)
						return
					}
					for _, line := range append(slices.Clip(test.want), "fatal error: all goroutines are asleep - deadlock!") {
						if !strings.Contains("\n"+text+"\n", "\n"+line+"\n") {
							t.Errorf("no line %q in\n%s", line, text)
						}
					}
				})
				checkStep(t, s, 3, step{source: "kept", shows: "7"})
			})
		}
	})
}

// A cell that something may wake is not dead, however long all wait.
func TestNoDeadlock(t *testing.T) {
	tests := []struct{ name, before, source string }{
		{"timer", "", "ch := make(chan int)\ntime.AfterFunc(150*time.Millisecond, func() { close(ch) })\n<-ch"},
		{"timer of a function declared again", "func f(chan int) {}",
			"func f(ch chan int) { time.AfterFunc(150*time.Millisecond, func() { close(ch) }) }\nch := make(chan " +
				"int)\nf(ch)\n<-ch"},
		{"timer of a method declared again", "type T struct{}\nfunc (T) m(chan int) {}",
			"func (T) m(ch chan int) { time.AfterFunc(150*time.Millisecond, func() { close(ch) }) }\nch := make(chan " +
				"int)\nT{}.m(ch)\n<-ch"},
		{"timer of a generic function declared again", "func f[T any](chan T) {}\nf[int](nil)",
			"func f[T any](ch chan T) { time.AfterFunc(150*time.Millisecond, func() { close(ch) }) }\nch := make(chan " +
				"int)\nf(ch)\n<-ch"},
		{"timer's channel", "", "<-time.After(150*time.Millisecond)"},
		{"timer or never", "", "select {\ncase <-time.After(150*time.Millisecond):\ncase <-make(chan int):\n}"},
		{"ticker", "", "t := time.NewTicker(150*time.Millisecond)\nfor range 2 {\n\t<-t.C\n}"},
		{"deadline", "", "ctx, stop := context.WithTimeout(context.Background(), 150*time.Millisecond)\ndefer " +
			"stop()\n<-ctx.Done()"},
		{"after a context", "", "ch := make(chan int)\nctx, stop := context.WithTimeout(context.Background(), " +
			"150*time.Millisecond)\ndefer stop()\n" +
			"context.AfterFunc(ctx, func() { close(ch) })\n<-ch"},
		{"sleeper", "", "ch := make(chan int)\ngo func() { time.Sleep(150*time.Millisecond); ch <- 1 }()\n<-ch"},
		{"sleeper of an earlier cell", "ch := make(chan int)\ngo func() { time.Sleep(400*time.Millisecond); ch <- 1 }()",
			"<-ch"},
		{"sleeper that holds a lock", "",
			"var mu sync.Mutex\nmu.Lock()\ngo func() { time.Sleep(150*time.Millisecond); mu.Unlock() }()\nmu.Lock()"},
		{"busy goroutine", "", "ch := make(chan int)\ngo func() { for t := time.Now(); time.Since(t) < " +
			"150*time.Millisecond; {}; ch <- 1 }()\n<-ch"},
		{"group", "", "var wg sync.WaitGroup\nwg.Go(func() { time.Sleep(150*time.Millisecond) })\nwg.Wait()"},
		{"process", "", "ch := make(chan int)\ngo func() { exec.Command(\"sleep\", \"0.15\").Run(); ch <- 1 }()\n<-ch"},
		{"pipe of the process's own", "r, w, _ := os.Pipe()",
			"ch := make(chan int)\ngo func() { r.Read(make([]byte, 1)); ch <- 1 }()\n" +
				"go func() { time.Sleep(150*time.Millisecond); w.Write([]byte{1}) }()\n<-ch"},
		{"server", "ch := make(chan int)\nl, _ := net.Listen(\"tcp\", \"127.0.0.1:0\")\ngo http.Serve(l, " +
			"http.HandlerFunc(func(http.ResponseWriter, *http.Request) { ch <- 1 }))\n" +
			"go func() {\n\ttime.Sleep(150*time.Millisecond)\n\tc, _ := net.Dial(\"tcp\", " +
			"l.Addr().String())\n\tc.Write([]byte(\"GET / HTTP/1.0\\r\\n\\r\\n\"))\n\tio.ReadAll(c)\n\tc.Close()\n}()",
			"<-ch\nl.Close()"},
		{"signal", "ch := make(chan os.Signal, 1)\nsignal.Notify(ch, syscall.SIGUSR2)\nexec.Command(\"sh\", \"-c\", " +
			"fmt.Sprintf(\"sleep 0.15; kill -USR2 %d\", os.Getpid())).Start()", "<-ch"},
		{"finalizer", "ch := make(chan int)\nfunc f() { runtime.SetFinalizer(new([4]int), func(*[4]int) { ch <- 1 }) " +
			"}\nf()\ngo func() { time.Sleep(150*time.Millisecond); for { runtime.GC() } }()", "<-ch"},
		{"compiled goroutine", "ch := make(chan int)\nr, w := io.Pipe()\nc := exec.Command(\"sh\", \"-c\", \"sleep " +
			"0.15; echo\")\nc.Stdout = w\nc.Start()", "go func() { r.Read(make([]byte, 1)); ch <- 1 }()\n<-ch"},
		{"writer of a process", "ch := make(chan int)\ntype out struct{}\nfunc (out) Write(p []byte) (int, error) { ch " +
			"<- 1; return len(p), nil }\n" +
			"c := exec.Command(\"sh\", \"-c\", \"sleep 0.15; echo\")\nc.Stdout = out{}\nc.Start()", "<-ch"},
		{"signal's context", "",
			"ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGUSR2)\ndefer stop()\nch := make(chan " +
				"int)\ncontext.AfterFunc(ctx, func() { close(ch) })\nexec.Command(\"sh\", \"-c\", fmt.Sprintf(\"sleep 0.15; " +
				"kill -USR2 %d\", os.Getpid())).Start()\n<-ch"},
		{"deadline's channel beside one that nobody has", "",
			"ctx, stop := context.WithDeadline(context.Background(), time.Now().Add(150*time.Millisecond))\ndefer " +
				"stop()\nselect {\ncase <-ctx.Done():\ncase <-make(chan int):\n}"},
		{"context of a cell's type",
			"type Ctx struct{ context.Context }\nfunc (c Ctx) Done() <-chan struct{} { return c.Context.Done() }",
			"parent, stop := context.WithTimeout(context.Background(), 150*time.Millisecond)\ndefer stop()\nctx, end := " +
				"context.WithCancel(Ctx{parent})\ndefer end()\n<-ctx.Done()"},
		{"timer reset", "", "t := time.NewTimer(time.Hour)\nt.Stop()\nch := make(chan int)\ngo func() { <-t.C; ch <- 1 " +
			"}()\nt.Reset(150*time.Millisecond)\n<-ch"},
		{"function value of a timer", "after := time.AfterFunc",
			"ch := make(chan int)\nafter(150*time.Millisecond, func() { ch <- 1 })\n<-ch"},
		{"timer in a map of functions", "",
			"ch := make(chan int)\nfs := map[string]any{\"after\": time.AfterFunc}\nfs[\"after\"].(func(time.Duration, " +
				"func()) *time.Timer)(150*time.Millisecond, func() { ch <- 1 })\n<-ch"},
		{"timer called by reflection", "",
			"ch := make(chan " +
				"int)\nreflect.ValueOf(time.AfterFunc).Call([]reflect.Value{reflect.ValueOf(150*time.Millisecond), " +
				"reflect.ValueOf(func() { ch <- 1 })})\n<-ch"},
		{"timer in a package variable's initializer", "",
			"var ch = make(chan int)\nvar timer = time.AfterFunc(150*time.Millisecond, func() { close(ch) })\n<-ch"},
		{"timer in a method value",
			"type T struct{ ch chan int }\nfunc (t T) fire() { t.ch <- 1 }\nfunc (t T) arm() { " +
				"time.AfterFunc(150*time.Millisecond, t.fire) }", "t := T{make(chan int)}\nf := t.arm\nf()\n<-t.ch"},
		{"timer of a generic method",
			"type Q[T any] struct{ ch chan T }\nfunc (q Q[T]) later(v T) { time.AfterFunc(150*time.Millisecond, func() { " +
				"q.ch <- v }) }", "q := Q[string]{make(chan string)}\nq.later(\"x\")\n<-q.ch"},
		{"method found by reflection", "",
			"ch := make(chan int)\nt := time.AfterFunc(time.Hour, func() { ch <- 1 " +
				"})\nreflect.ValueOf(t).MethodByName(\"Reset\").Call([]reflect.Value{reflect.ValueOf(150*time.Millisecond)})\n<-ch"},
		{"cleanup", "ch := make(chan int)\nfunc f() { runtime.AddCleanup(new([4]int), func(n int) { ch <- n }, 7) " +
			"}\nf()\ngo func() { time.Sleep(150*time.Millisecond); for { runtime.GC(); time.Sleep(time.Millisecond) } }()",
			"<-ch"},
		{"cleanup, nothing else alive",
			"ch := make(chan int)\nfunc f() { runtime.AddCleanup(new([4]int), func(n int) { ch <- n }, 7) " +
				"}\nf()\nexec.Command(\"sleep\", \"0.01\").Run()",
			"go func() { time.Sleep(150*time.Millisecond); runtime.GC() }()\n<-ch"},
		{"finalizer by reflection",
			"ch := make(chan int)\nfunc f() { " +
				"reflect.ValueOf(runtime.SetFinalizer).Call([]reflect.Value{reflect.ValueOf(new([4]int)), " +
				"reflect.ValueOf(func(*[4]int) { ch <- 1 })}) }\nf()",
			"go func() { time.Sleep(150*time.Millisecond); runtime.GC() }()\n<-ch"},
		{"pipe in memory", "", "ch := make(chan int)\na, b := net.Pipe()\ngo func() { a.Read(make([]byte, 1)); ch <- 1 " +
			"}()\ngo func() { time.Sleep(150*time.Millisecond); b.Write([]byte{1}) }()\n<-ch"},
		{"deadline of a pipe in memory", "",
			"ch := make(chan int)\na, _ := net.Pipe()\na.SetDeadline(time.Now().Add(150*time.Millisecond))\ngo func() { " +
				"a.Read(make([]byte, 1)); ch <- 1 }()\n<-ch"},
		{"test server", "", "ch := make(chan int)\nsrv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, " +
			"*http.Request) { time.Sleep(150*time.Millisecond); ch <- 1 }))\ndefer srv.Close()\ngo http.Get(srv.URL)\n<-ch"},
		{"client's timeout", "",
			"l, _ := net.Listen(\"tcp\", \"127.0.0.1:0\")\ndefer l.Close()\nch := make(chan error)\ngo func() { _, err := " +
				"(&http.Client{Timeout: 150*time.Millisecond}).Get(\"http://\"+l.Addr().String()); ch <- err }()\n<-ch"},
		{"shut down", "", "srv := &http.Server{}\nch := make(chan int)\nsrv.RegisterOnShutdown(func() { " +
			"time.Sleep(150*time.Millisecond); ch <- 1 })\nl, _ := net.Listen(\"tcp\", \"127.0.0.1:0\")\ngo " +
			"srv.Serve(l)\ntime.Sleep(10*time.Millisecond)\nsrv.Shutdown(context.Background())\n<-ch"},
		{"process in a goroutine", "",
			"c := exec.Command(\"sleep\", \"0.15\")\nc.Start()\nch := make(chan error)\ngo func() { ch <- c.Wait() }()\n<-ch"},
		{"killed by its context", "",
			"ctx, stop := context.WithTimeout(context.Background(), 150*time.Millisecond)\ndefer stop()\nch := make(chan " +
				"error)\ngo func() { ch <- exec.CommandContext(ctx, \"sleep\", \"9\").Run() }()\n<-ch"},
		{"condition", "", "var mu sync.Mutex\nc := sync.NewCond(&mu)\nready := false\ngo func() { " +
			"time.Sleep(150*time.Millisecond); mu.Lock(); ready = true; mu.Unlock(); c.Broadcast() }()\nmu.Lock()\nfor " +
			"!ready {\n\tc.Wait()\n}\nmu.Unlock()"},
		{"condition woken by a timer", "",
			"var mu sync.Mutex\nc := sync.NewCond(&mu)\ntime.AfterFunc(150*time.Millisecond, " +
				"c.Signal)\nmu.Lock()\nc.Wait()\nmu.Unlock()"},
		{"unlocked by a timer", "",
			"var mu sync.Mutex\nmu.Lock()\ntime.AfterFunc(150*time.Millisecond, mu.Unlock)\nmu.Lock()"},
		{"group ended by a timer", "",
			"var wg sync.WaitGroup\nwg.Add(1)\ntime.AfterFunc(150*time.Millisecond, wg.Done)\nwg.Wait()"},
		{"once", "", "var once sync.Once\ngo once.Do(func() { time.Sleep(150*time.Millisecond) " +
			"})\ntime.Sleep(20*time.Millisecond)\nch := make(chan int)\ngo func() { once.Do(func() {}); ch <- 1 }()\n<-ch"},
		{"pull", "", "next, stop := iter.Pull(func(yield func(int) bool) { time.Sleep(150*time.Millisecond); yield(1) " +
			"})\ndefer stop()\nch := make(chan int)\ngo func() { v, _ := next(); ch <- v }()\n<-ch"},
		{"benchmark", "", "ch := make(chan int)\ngo func() { testing.Benchmark(func(b *testing.B) { if b.N == 1 { " +
			"time.Sleep(150*time.Millisecond) }; time.Sleep(time.Second/time.Duration(b.N+1)) }); ch <- 1 }()\n<-ch"},
		{"calls of compiled goroutines",
			"type T struct{}\nfunc (T) Sleep(n int, out *int) error { time.Sleep(150*time.Millisecond); *out = n; return nil }",
			"s := rpc.NewServer()\ns.RegisterName(\"T\", T{})\na, b := net.Pipe()\ngo s.ServeConn(a)\nc := " +
				"rpc.NewClient(b)\ndone := make(chan *rpc.Call, 1)\nvar out int\nc.Go(\"T.Sleep\", 3, &out, " +
				"done)\n<-done\nc.Close()"},
		{"compiled channel of a chain", "",
			"in := make(chan int)\nout := make(chan int)\ngo func() { for v := range in { out <- v } }()\ngo func() { for " +
				"t := range time.Tick(150*time.Millisecond) { in <- t.Second(); return } }()\n<-out"},
		{"tabs of a reader", "",
			"r, w := io.Pipe()\nch := make(chan string)\ngo func() { s := bufio.NewScanner(r); s.Scan(); ch <- s.Text() " +
				"}()\ngo func() { time.Sleep(150*time.Millisecond); fmt.Fprintln(w, \"x\") }()\n<-ch"},
		{"parallel subroutines of an earlier cell",
			"var wg sync.WaitGroup\nfor range 3 {\n\twg.Go(func() { time.Sleep(150*time.Millisecond) })\n}\nch := " +
				"make(chan int)\ngo func() { wg.Wait(); close(ch) }()", "<-ch"},
		{"busy compiled code", "",
			"ch := make(chan int)\ngo func() { x := rand.Perm(1 << 21); sort.Ints(x); ch <- x[0] }()\n<-ch"},
		{"interrupted signal channel of an earlier function",
			"func listen() chan os.Signal { c := make(chan os.Signal, 1); notify(c); return c }\nfunc notify(c chan<- " +
				"os.Signal) { signal.Notify(c, syscall.SIGUSR1) }",
			"c := listen()\nexec.Command(\"sh\", \"-c\", fmt.Sprintf(\"sleep 0.15; kill -USR1 %d\", os.Getpid())).Start()\n<-c"},
		{"slow writer behind a log",
			"type W struct{ ch chan int }\nfunc (w W) Write(p []byte) (int, error) { w.ch <- len(p); return len(p), nil }",
			"w := W{make(chan int)}\nl := log.New(w, \"\", 0)\ntime.AfterFunc(150*time.Millisecond, func() { " +
				"l.Print(\"x\") })\n<-w.ch"},
		{"AfterFunc of a cell's context type",
			"type C struct{ context.Context }\nfunc (c C) AfterFunc(f func()) func() bool { return " +
				"time.AfterFunc(150*time.Millisecond, f).Stop }",
			"ctx, stop := context.WithCancel(C{context.WithValue(context.Background(), 1, 2)})\ndefer stop()\nch := " +
				"make(chan int)\ngo func() { defer close(ch); select { case <-ctx.Done(): case " +
				"<-time.After(400*time.Millisecond): } }()\n<-ch"},
		{"unlocked from compiled code", "",
			"var mu sync.RWMutex\nmu.Lock()\ngo func() { defer mu.Unlock(); exec.Command(\"sleep\", \"0.15\").Run() " +
				"}()\nmu.RLock()"},
	}
	onEngines(t, func(t *testing.T, name string, open func(testing.TB) *Session) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				s := open(t)
				for i, source := range []string{test.before, test.source} {
					e, text := executeFor(s, i+1, source, 20*time.Second)
					switch {
					case e == nil:
					case name != "vm" && e.Name == "Refused":
						return
					default:
						t.Fatal(text)
					}
				}
			})
		}
	})
}

// Goroutines that hand something on and on all wait now and then, and every look finds them so.
func TestHandingOnIsNoDeadlock(t *testing.T) {
	source := `in := make(chan int)
end := in
var mu sync.Mutex
for range 50 {
	from, to := end, make(chan int)
	go func() {
		for v := range from {
			mu.Lock()
			v++
			mu.Unlock()
			to <- v
		}
		close(to)
	}()
	end = to
}
sum := 0
for start := time.Now(); time.Since(start) < 1500*time.Millisecond; {
	in <- 0
	sum += <-end
}
close(in)
for range end {
}`
	onEngines(t, func(t *testing.T, _ string, open func(testing.TB) *Session) {
		if e, text := executeFor(open(t), 1, source, 30*time.Second); e != nil {
			t.Error(text)
		}
	})
}
