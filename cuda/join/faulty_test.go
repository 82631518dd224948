package join

import (
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty"
)

var errWrong = errors.New("wrong rows")

// twoJoins joins in two classes, the second of which the output outgrows.
func twoJoins(drv driver.Driver) (err error) {
	dev, err := cuda.OpenDriver(drv, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	j, err := New(dev)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	for _, keys := range [][]uint32{{1, 2, 3, 2}, {5, 5, 5, 5, 5}} {
		rows, err := j.Inner(keys, keys)
		if err != nil {
			return err
		}
		if want := map[int]int{4: 6, 5: 25}[len(keys)]; len(rows) != want {
			return errWrong
		}
	}
	return nil
}

// Every call of a join fails once, and the device is lost at every call: nothing leaks, hangs or comes out wrong.
func TestEveryCallMayFail(t *testing.T) {
	// What the collector gives back makes calls of its own, which would move the numbers of the others.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	count := faulty.NewInjector(nil)
	if err := twoJoins(faulty.New(emulated.New(), count)); err != nil {
		t.Fatal(err)
	}
	for n, call := range count.Calls() {
		for _, in := range []*faulty.Injector{
			faulty.NewInjector(faulty.Once(n, driver.ErrorOutOfMemory)), faulty.NewInjector(faulty.Lost(n, driver.ErrorECCUncorrectable)),
		} {
			done := make(chan error, 1)
			go func() { done <- twoJoins(faulty.New(emulated.New(), in)) }()
			select {
			case err := <-done:
				if err == nil || errors.Is(err, errWrong) {
					t.Errorf("call %d, %s: %v", n, call, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("call %d, %s: hangs", n, call)
			}
			if alive := in.Alive(); len(alive) > 0 {
				t.Errorf("call %d, %s: left alive %v", n, call, alive)
			}
		}
		if n%50 == 0 {
			runtime.GC()
		}
	}
}
