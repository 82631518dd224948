package supervise

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

func TestSecondInterruptEndsTheWorker(t *testing.T) {
	s, r := supervise(t, self(t))
	run(t, s, "")
	done := make(chan worker.ExecuteReply)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { done <- s.Execute(ctx, 1, worker.ExecuteRequest{Source: "stuck"}) }()
	time.Sleep(20 * time.Millisecond)
	s.Interrupt()
	s.Interrupt()                                                    // the same wish
	time.AfterFunc(secondInterruptAfter+10*time.Millisecond, cancel) // the first one, seen late on a busy machine
	select {
	case <-done:
		t.Fatal("a double click ended the worker")
	case <-time.After(secondInterruptAfter + 500*time.Millisecond):
	}
	s.Interrupt()
	reply := <-done
	if reply.Error == nil || !strings.Contains(reply.Error.Value, "second interrupt") {
		t.Fatalf("%+v", reply.Error)
	}
	if got := result(run(t, s, "")); got != `"1"` {
		t.Errorf("fresh worker: %s", got)
	}
	if len(r.deaths) != 1 {
		t.Errorf("%d deaths", len(r.deaths))
	}
}

func TestInputIsCancelled(t *testing.T) {
	s, _ := supervise(t, self(t))
	run(t, s, "")
	done := make(chan worker.ExecuteReply)
	go func() {
		done <- s.Execute(context.Background(), 1, worker.ExecuteRequest{Source: "input never", AllowStdin: true})
	}()
	time.Sleep(20 * time.Millisecond)
	s.Interrupt()
	if got := result(<-done); !strings.Contains(got, "context canceled") {
		t.Error(got)
	}
	r := s.Execute(t.Context(), 1, worker.ExecuteRequest{Source: "input x"})
	if got := result(r); !strings.Contains(got, "does not allow it") {
		t.Error(got)
	}
}

// TestLoopsOnAllProcessors is that an interrupt reaches loops where nothing else can run meanwhile:
// after a pause, in which all has fallen asleep, and in a sequence of cells.
func TestLoopsOnAllProcessors(t *testing.T) {
	for _, processors := range []string{"1", "2"} {
		c := self(t)
		c.Env = append(c.Env, "GOMAXPROCS="+processors)
		s, _ := supervise(t, c)
		run(t, s, "")
		for i := range 6 {
			run(t, s, "")
			time.AfterFunc(30*time.Millisecond, s.Interrupt)
			began := time.Now()
			r := s.Execute(t.Context(), 1, worker.ExecuteRequest{Source: "spin " + processors})
			if took := time.Since(began); r.Error == nil || r.Error.Name != "Interrupted" || took > 5*time.Second {
				t.Fatalf("%s processors: after %v: %+v", processors, took, r.Error)
			}
			if i%2 == 0 {
				time.Sleep(time.Second) // the worker no longer polls
			}
		}
	}
}

// TestCrowdIsInterrupted is that an interrupt passes thousands of goroutines that compute. // G12
func TestCrowdIsInterrupted(t *testing.T) {
	c := self(t)
	c.Env = append(c.Env, "GOMAXPROCS=2")
	s, _ := supervise(t, c)
	run(t, s, "")
	for _, n := range []string{"300", "3000"} {
		asked := make(chan time.Time, 1)
		time.AfterFunc(300*time.Millisecond, func() { asked <- time.Now(); s.Interrupt() })
		r := s.Execute(t.Context(), 1, worker.ExecuteRequest{Source: "spin " + n})
		took := time.Since(<-asked)
		if r.Error == nil || r.Error.Name != "Interrupted" || took > 2*time.Second {
			t.Errorf("%s goroutines: after %v: %+v", n, took, r.Error)
		}
		t.Logf("%s goroutines: %v", n, took)
	}
}
