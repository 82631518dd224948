// Package faultytest tries what a program does where calls of its driver fail: each call of it in
// turn.
package faultytest

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty"
)

// ErrWrong is what a program returns (wrapped or not) whose result is not the right one.
var ErrWrong = errors.New("wrong result")

// hangs is how long a program may take.
const hangs = 20 * time.Second

// A Way is how a call fails.
type Way struct {
	Name string
	Fail func(call int) func(int, string) error
}

// Ways are those that are tried unless others are named: one call that finds no memory, and a
// device that is lost from a call on.
var Ways = []Way{
	{"out of memory", func(n int) func(int, string) error { return faulty.Once(n, driver.ErrorOutOfMemory) }},
	{"lost device", func(n int) func(int, string) error { return faulty.Lost(n, driver.ErrorECCUncorrectable) }},
}

// EveryCall executes a program on an emulated device, counts its calls, and executes it again and
// again with each call failing in each way. No failure may be swallowed, come out as ErrWrong, hang
// or leave anything alive.
func EveryCall(t *testing.T, program func(driver.Driver) error, ways ...Way) {
	t.Helper()
	// What the collector gives back makes calls of its own, which would move the numbers of the
	// others.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	count := faulty.NewInjector(nil)
	if err := program(faulty.New(emulated.New(), count)); err != nil {
		t.Fatal(err)
	}
	if alive := count.Alive(); len(alive) > 0 {
		t.Fatalf("without any failure %v are left", alive)
	}
	calls := count.Calls()
	t.Logf("%d calls", len(calls))
	if len(ways) == 0 {
		ways = Ways
	}
	for _, way := range ways {
		t.Run(way.Name, func(t *testing.T) {
			for n, call := range calls {
				if n%50 == 0 {
					runtime.GC()
				}
				try(t, fmt.Sprintf("call %d, %s", n, call), program, faulty.NewInjector(way.Fail(n)))
			}
		})
	}
}

func try(t *testing.T, what string, program func(driver.Driver) error, in *faulty.Injector) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- program(faulty.New(emulated.New(), in)) }()
	select {
	case err := <-done:
		if err == nil {
			t.Errorf("%s: the failure was swallowed", what)
		}
		if errors.Is(err, ErrWrong) {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(hangs):
		t.Fatalf("%s: hangs", what)
	}
	if alive := in.Alive(); len(alive) > 0 {
		t.Errorf("%s: left alive %v", what, alive)
	}
}
