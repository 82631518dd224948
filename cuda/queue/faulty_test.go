package queue

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty/faultytest"
	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

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
		return faultytest.ErrWrong
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
		return faultytest.ErrWrong
	}
	return nil
}

// Every call of a queue and of a pipeline fails once, and the device is lost at every call: nothing leaks, hangs or comes out wrong.
func TestEveryCallMayFail(t *testing.T) { faultytest.EveryCall(t, drainAndFuse) }
