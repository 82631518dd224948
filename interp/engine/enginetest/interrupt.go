package enginetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// interrupted are cells that do not end by themselves, one for each way to wait. A goroutine sleeps
// beside them, which might wake them.
var interrupted = map[string]string{
	"empty loop":      "for {\n}",
	"counting loop":   "for i := 0; ; i++ {\n\tn = i\n}",
	"range over int":  "for i := range 1 << 60 {\n\tn = i\n}",
	"range over func": "for i := range func(yield func(int) bool) { for yield(1) {} } {\n\tn = i\n}",
	"recursion in loop": "var f func(int) int\nf = func(k int) int { if k == 0 { return 0 }; return f(k-1) " +
		"}\nfor {\n\tf(10)\n}",
	"goto":                "again:\n\tn++\n\tgoto again",
	"receive":             "<-make(chan int)",
	"receive nil channel": "var never chan int\n<-never",
	"send":                "make(chan int) <- 1",
	"range over channel":  "for range make(chan int) {\n}",
	"select":              "select {\ncase <-make(chan int):\ncase make(chan string) <- \"\":\n}",
	"empty select":        "select {}",
	"sleep":               "time.Sleep(time.Hour)",
	"mutex":               "var mu sync.Mutex\nmu.Lock()\nmu.Lock()",
	"read-write lock":     "var rw sync.RWMutex\nrw.Lock()\nrw.RLock()",
	"wait group":          "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()",
	"condition":           "c := sync.NewCond(&sync.Mutex{})\nc.L.Lock()\nc.Wait()",
	"select of reflect": "never := reflect.ValueOf(make(chan int))\nreflect.Select([]reflect.SelectCase{{Dir: " +
		"reflect.SelectRecv, Chan: never}, {Dir: reflect.SelectSend}, {Dir: reflect.SelectSend, Chan: never, Send: " +
		"reflect.ValueOf(1)}}[:2])",
	"receive of reflect":    "reflect.ValueOf(make(chan int)).Recv()",
	"send of reflect":       "reflect.ValueOf(make(chan int)).Send(reflect.ValueOf(1))",
	"once":                  "var once sync.Once\nonce.Do(func() { once.Do(func() {}) })",
	"inside a callback":     "sort.Slice([]int{2, 1}, func(i, j int) bool {\n\tfor {\n\t}\n})",
	"in a deferred call":    "func() {\n\tdefer func() {\n\t\tfor {\n\t\t}\n\t}()\n}()",
	"recovering everything": "for {\n\tfunc() { defer func() { recover() }(); panic(1) }()\n}",
}

// InterruptLimit is how soon after its context is cancelled a cell must be over. Engines promise
// 100 ms; a busy machine needs some more.
const InterruptLimit = 500 * time.Millisecond

// Interrupts cancels cells that wait or loop for ever: each must end soon, with the state that it
// had made, and the session must go on.
func Interrupts(t *testing.T, open conformance.Open, o Options) {
	for name, source := range interrupted {
		t.Run(name, func(t *testing.T) {
			s, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			if err := s.Cell(t.Context(), "n := -1\nkept := \"kept\"\ngo func() { time.Sleep(time.Hour) }()"); err != nil {
				t.Fatal(err)
			}
			o.interrupt(t, s, name, source)
		})
	}
}

func (o Options) interrupt(t *testing.T, s conformance.Session, name, source string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Cell(ctx, source) }()
	select {
	case err := <-done:
		cancel()
		if o.MayRefuse && conformance.IsRefusal(err) {
			if o.Refused != nil {
				o.Refused(name, err)
			}
			return
		}
		t.Fatalf("ended by itself: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	cancel()
	select {
	case err := <-done:
		var i *engine.Interrupted
		if !errors.As(err, &i) {
			t.Fatalf("ended with %v, not as interrupted", err)
		}
	case <-time.After(InterruptLimit):
		t.Fatalf("not over %s after it was cancelled", InterruptLimit)
	}
	out, err := conformance.Capture(func() error { return s.Cell(t.Context(), "fmt.Println(kept)") })
	if err != nil || out != "kept\n" {
		t.Errorf("the next cell printed %q, %v", out, err)
	}
}
