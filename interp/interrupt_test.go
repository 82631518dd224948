package interp

import (
	"context"
	"reflect"
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
	s, err := New(e, Options{OnInterrupt: func() { close(e.woken) }})
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
