package interp

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A deviceWait is an engine whose cells wait for something that no context ends.
type deviceWait struct {
	scripted
	woken chan struct{}
}

func (e *deviceWait) Run(context.Context, *engine.Unit) ([]reflect.Value, error) {
	select {
	case <-e.woken:
		return nil, &engine.Interrupted{}
	case <-time.After(10 * time.Second):
		return nil, nil
	}
}

func TestInterruptWakesTheDevice(t *testing.T) {
	e := &deviceWait{woken: make(chan struct{})}
	s, err := New(e, Options{OnInterrupt: sync.OnceFunc(func() { close(e.woken) })})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	reply := s.Execute(ctx, worker.ExecuteRequest{Number: 1, Source: "println()"}, &host{})
	if reply.Error == nil || reply.Error.Name != "Interrupted" {
		t.Errorf("got %+v, want Interrupted", reply.Error)
	}
}

// A wait that begins after compiled code was told of the interrupt hears of it too.
func TestInterruptIsToldAgain(t *testing.T) {
	e := &deviceWait{woken: make(chan struct{})}
	var calls atomic.Int32
	s, err := New(e, Options{OnInterrupt: func() {
		if calls.Add(1) == 3 {
			close(e.woken)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	reply := s.Execute(ctx, worker.ExecuteRequest{Number: 1, Source: "println()"}, &host{})
	if reply.Error == nil || reply.Error.Name != "Interrupted" {
		t.Errorf("got %+v, want Interrupted", reply.Error)
	}
}

type waitGivenUp struct{ mine bool }

func (waitGivenUp) Error() string       { return "the wait was interrupted" }
func (w waitGivenUp) Interrupted() bool { return w.mine }

// A panic with what a wait said of the interrupt is the interrupt, where there was one.
func TestPanicOfAnInterruptedWait(t *testing.T) {
	for _, c := range []struct {
		name        string
		value       any
		interrupted bool
		want        string
	}{
		{"the wait's error", waitGivenUp{true}, true, "Interrupted"},
		{"the wait's error, wrapped", fmt.Errorf("dispatch: %w", waitGivenUp{true}), true, "Interrupted"},
		{"no interrupt of the cell", waitGivenUp{true}, false, "Panic"},
		{"another error", waitGivenUp{false}, true, "Panic"},
		{"no error", "interrupted", true, "Panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := New(&scripted{run: &engine.Panic{Value: c.value}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if c.interrupted {
				cancel()
			}
			reply := s.Execute(ctx, worker.ExecuteRequest{Number: 1, Source: "println()"}, &host{})
			if reply.Error == nil || reply.Error.Name != c.want {
				t.Fatalf("got %+v, want %s", reply.Error, c.want)
			}
			if says := strings.Join(reply.Error.Traceback, "\n"); c.want == "Interrupted" &&
				!strings.Contains(says, "the wait was interrupted") {
				t.Errorf("what the wait said is not told: %s", says)
			}
		})
	}
}

func TestEndOfCellIsNoInterrupt(t *testing.T) {
	var calls atomic.Int32
	s, err := New(&scripted{}, Options{OnInterrupt: func() { calls.Add(1) }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.Execute(ctx, worker.ExecuteRequest{Number: 1, Source: "println()"}, &host{})
	cancel()
	time.Sleep(20 * time.Millisecond)
	if n := calls.Load(); n != 0 {
		t.Errorf("OnInterrupt was called %d times for a cell that ended", n)
	}
}
