package interp

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// patient is a front end whose person does not answer.
type patient struct{ host }

func (*patient) Input(ctx context.Context, _ string, _ bool) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// interruptRounds are how often each cell is interrupted; the median has to keep the bound, which
// is far above the 100 ms that a machine with nothing else to do keeps.
const (
	interruptRounds = 3
	interruptBound  = 700 * time.Millisecond
)

func TestInterrupts(t *testing.T) {
	tests := []struct{ name, source, stands string }{
		{"tight loop", "for {\n}", "main.In[3]"},
		{"nested loops", "for {\n\tfor i := range 1000 {\n\t\tfor j := range 1000 {\n\t\t\tn = i * j\n\t\t}\n\t}\n}",
			"In[3]:"},
		{"recursion", "var fib func(int) int\nfib = func(k int) int {\n\tif k < 2 {\n\t\treturn k\n\t}\n\treturn " +
			"fib(k-1) + fib(k-2)\n}\nfib(80)", "In[3]:6:"},
		{"receive", "<-never", "In[3]:1:1"},
		{"send", "never <- 1", "In[3]:1:7"},
		{"select", "select {\ncase <-never:\ncase <-time.After(time.Hour):\n}", "In[3]:1:1"},
		{"sleep", "time.Sleep(time.Hour)", "In[3]:1:11"},
		{"mutex", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()", "In[3]:3:8"},
		{"read lock", "var rw sync.RWMutex\nrw.Lock()\nrw.RLock()", "In[3]:3:9"},
		{"write lock", "var rw sync.RWMutex\nrw.RLock()\nrw.Lock()", "In[3]:3:8"},
		{"wait group", "var wg sync.WaitGroup\nwg.Go(func() { <-never })\nwg.Wait()", "In[3]:3:8"},
		{"condition", "c := sync.NewCond(new(sync.Mutex))\nc.L.Lock()\ndefer c.L.Unlock()\nc.Wait()", "In[3]:4:7"},
		{"range over channel", "for range never {\n}", "In[3]:1:1"},
		{"ticks", "for range time.Tick(time.Millisecond) {\n\tn++\n}", "In[3]:"},
		{"callback of compiled code", "sort.Slice([]int{2, 1}, func(i, j int) bool {\n\tfor {\n\t\tn++\n\t}\n})",
			"In[3]:3:3"},
		{"scan", "var name string\nfmt.Scan(&name)", ""},
		{"read by compiled code", "bufio.NewReader(os.Stdin).ReadString('\\n')", "the wait for input was interrupted"},
		{"read by compiled code, panics", "n++\nif _, err := io.ReadAll(os.Stdin); err != nil {\n\tpanic(err)\n}",
			"Interrupted"},
		{"process", "exec.Command(\"sleep\", \"60\").Run()", "In[3]:1:32"},
		{"output of a process", "exec.Command(\"sleep\", \"60\").Output()", "In[3]:1:35"},
		{"server", "http.ListenAndServe(\"127.0.0.1:0\", nil)", "In[3]:1:20"},
		{"server's own method", "server := http.Server{Addr: \"127.0.0.1:0\"}\nserver.ListenAndServe()", "In[3]:2:22"},
		{"server of a listener, which it closes",
			"l, err := net.Listen(\"tcp\", listens)\nif err != nil {\n\tpanic(err)\n}\nhttp.Serve(l, nil)", "In[3]:5:11"},
		{"listener, which stays open", "if _, err := held.Accept(); err != nil {\n\tpanic(err)\n}", "In[3]:1:25"},
		{"request", "http.Get(\"http://\" + held.Addr().String())", "In[3]:1:9"},
		{"request of a client", "c := http.Client{}\nc.Post(\"http://\"+held.Addr().String(), \"text/plain\", nil)",
			"In[3]:2:7"},
		{"write to a pipe", "_, w := io.Pipe()\nw.Write([]byte(\"x\"))", "In[3]:2:8"},
		{"read of a pipe", "r, _ := io.Pipe()\nr.Read(make([]byte, 1))", "In[3]:2:7"},
		{"select of reflect", "reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(never)}})",
			"In[3]:1:15"},
		{"once", "var once sync.Once\nonce.Do(func() { once.Do(func() {}) })", "In[3]:2:25"},
		{"range over func", "for v := range func(yield func(int) bool) { for yield(1) {} } {\n\tn = v\n}", "In[3]:"},
		{"deferred loop", "defer func() {\n\tfor {\n\t}\n}()\nfor {\n}", "Interrupted"},
		{"goroutines", "for range 10 {\n\tgo func() {\n\t\tfor {\n\t\t\tn++\n\t\t}\n\t}()\n}\nselect {}", "In[3]:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, in := openPatient(t)
			for i, source := range []string{"n, kept := 0, 7\nvar beats atomic.Int64\nnever := make(chan int)\n" +
				"held, _ := net.Listen(\"tcp\", \"127.0.0.1:0\")\nfree, _ := net.Listen(\"tcp\", \"127.0.0.1:0\")\nlistens := " +
				"free.Addr().String()\nfree.Close()",
				"go func() {\n\tfor {\n\t\tbeats.Add(1)\n\t\ttime.Sleep(time.Millisecond)\n\t}\n}()"} {
				if e := s.Execute(t.Context(), worker.ExecuteRequest{Number: i + 1, Source: source}, in).Error; e != nil {
					t.Fatal(e)
				}
			}
			var took []time.Duration
			for range interruptRounds {
				took = append(took, interruptCell(t, s, in, test.source, test.stands))
			}
			slices.Sort(took)
			if median := took[len(took)/2]; median > interruptBound {
				t.Errorf("median %v of %v", median, took)
			} else {
				t.Logf("median %v", median)
			}
			checkStep(t, s, 4, step{source: "kept", shows: "7"})
			checkStep(t, s, 5, step{source: "b, end := beats.Load(), time.Now().Add(5*time.Second)\nfor beats.Load() == b " +
				"&& time.Now().Before(end) {\n\ttime.Sleep(time.Millisecond)\n}\nbeats.Load() > b", shows: "true"})
		})
	}
}

func openPatient(t *testing.T) (*Session, *patient) {
	t.Helper()
	in := &Stdin{}
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: in.Reader()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(e, Options{Stdin: in})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, new(patient)
}

// interruptCell gives the time from the interrupt to the reply, which has to tell where the cell
// stood, and of the goroutine beside it.
func interruptCell(t *testing.T, s *Session, in worker.Host, source, stands string) time.Duration {
	t.Helper()
	for after := 60 * time.Millisecond; ; after *= 4 {
		ctx, cancel := context.WithCancel(t.Context())
		var at time.Time
		timer := time.AfterFunc(after, func() { at = time.Now(); cancel() })
		e := s.Execute(ctx, worker.ExecuteRequest{Number: 3, Source: source}, in).Error
		if timer.Stop(); e == nil || e.Name != "Interrupted" {
			t.Fatalf("%+v", e)
		}
		took := time.Since(at)
		text := ansi.ReplaceAllString(strings.Join(e.Traceback, "\n"), "")
		begun := strings.Contains(text, "main.In[3]") || strings.Contains(text, "the wait for input")
		if !begun && after < time.Second {
			continue // a busy machine had not begun the cell
		}
		if !strings.Contains(text, stands) || !strings.Contains(text, "goroutine 2 [") ||
			!strings.Contains(text, "started at In[2]:1:1") {
			t.Errorf("no %s, or no goroutine 2, in\n%s", stands, text)
		}
		return took
	}
}
