package cuda

import (
	"errors"
	"testing"
	"time"
)

// Every kind of wait ends when it is interrupted, and works when it is made again.
func TestInterrupt(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	e, err := d.NewEvent()
	check(t, err)
	x := d.MustUpload([]uint32{1})
	plan := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	var q *Pending
	for name, waits := range map[string]func() error{
		"device":   d.Synchronize,
		"stream":   d.Stream().Synchronize,
		"event":    e.Synchronize,
		"dispatch": func() error { _, err := d.Dispatch(k, Grid(1), Block(1), x, 1, 1, 1); return err },
		"pending":  func() error { _, err := q.Wait(); return err },
		"read":     func() error { _, err := x.Uint32s(); return err },
		"ranges":   func() error { _, err := d.ReadRanges(x.All()); return err },
	} {
		gate := make(chan struct{})
		check(t, d.Stream().Driver().LaunchHost(func() { <-gate }))
		check(t, e.Record(d.Stream()))
		q, err = plan.Submit([]*Buffer{x}, x.All())
		check(t, err)
		stop := time.AfterFunc(20*time.Millisecond, Interrupt)
		var stopped *InterruptedError
		if err := waits(); !errors.As(err, &stopped) {
			t.Errorf("%s: %v", name, err)
		}
		stop.Stop()
		close(gate)
		if _, err := q.Wait(); err != nil {
			t.Errorf("%s, again: %v", name, err)
		}
		check(t, d.Synchronize())
		if err := waits(); err != nil {
			t.Errorf("%s, again: %v", name, err)
		}
	}
	check(t, e.Close())
}
