package queue

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
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

var errWrong = errors.New("wrong result")

// drainAndFuse drains a queue that overflows once, and executes a fused pipeline.
func drainAndFuse(drv driver.Driver) (err error) {
	dev, err := cuda.OpenDriver(drv, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	p, err := plan.Drain(plan.QueueProfile{Initial: 1, Capacity: 10, Entry: 8, Control: ControlBytes, Budget: 1 << 20}, 4)
	if err != nil {
		return err
	}
	q, err := New(dev, p, TreeItem{}, Tree())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	counts, err := dev.Make(2, uint64(0))
	if err != nil {
		return err
	}
	r, err := q.Finish([]TreeItem{{Depth: 3, Value: 1}}, counts)
	if err != nil {
		return err
	}
	if r.Finished != 15 || r.Passes < 2 {
		return errWrong
	}
	pipe := Pipeline{Name: "two", N: 3, Stages: []Stage{Affine(1, 7, 2, 1), Square(2, 7)}}
	f, err := pipe.Plan(1 << 20)
	if err != nil {
		return err
	}
	report, err := Execute(dev, pipe, f, []float32{0, 1, 2})
	if err != nil {
		return err
	}
	if report.Output[2] != 25 {
		return errWrong
	}
	return nil
}

// Every call of a queue and of a pipeline fails once, and the device is lost at every call: nothing leaks, hangs or comes out wrong.
func TestEveryCallMayFail(t *testing.T) {
	// What the collector gives back makes calls of its own, which would move the numbers of the others.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	count := faulty.NewInjector(nil)
	if err := drainAndFuse(faulty.New(emulated.New(), count)); err != nil {
		t.Fatal(err)
	}
	for n, call := range count.Calls() {
		for _, in := range []*faulty.Injector{
			faulty.NewInjector(faulty.Once(n, driver.ErrorOutOfMemory)), faulty.NewInjector(faulty.Lost(n, driver.ErrorECCUncorrectable)),
		} {
			done := make(chan error, 1)
			go func() { done <- drainAndFuse(faulty.New(emulated.New(), in)) }()
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
