package cuda

import (
	"errors"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
)

// Every kind of wait ends when it is interrupted, and works when it is made again.
func TestInterrupt(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	e, err := d.NewEvent()
	check(t, err)
	x := d.MustUpload([]uint32{1})
	plan := k.MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	y, z := d.MustUpload([]uint32{1, 2}), d.MustUpload([]uint32{3, 4})
	freed, unloaded := d.MustUpload([]uint32{1}), d.MustLoadPTX(string(drivertest.KernelsPTX()))
	var q *Pending
	for name, waits := range map[string]func() error{
		"device":   d.Synchronize,
		"stream":   d.Stream().Synchronize,
		"event":    e.Synchronize,
		"dispatch": func() error { _, err := d.Dispatch(k, Grid(1), Block(1), x, 1, 1, 1); return err },
		"pending":  func() error { _, err := q.Wait(); return err },
		"read":     func() error { _, err := Slice[uint32](x); return err },
		"ranges":   func() error { _, err := d.ReadRanges(x.All()); return err },
		"write":    func() error { return y.Write(0, []uint32{5, 6}) },
		"writes":   func() error { return d.WriteRanges(BufferWrite{y, 0, []byte{1, 2, 3, 4}}) },
		"upload":   func() error { _, err := d.Upload([]uint32{5, 6}); return err },
		"make":     func() error { _, err := d.Make(5, uint32(0)); return err },
		"clear":    y.Clear,
		"copy":     func() error { return y.CopyFrom(z) },
		"free":     freed.Close,
		"unload":   unloaded.Close,
	} {
		gate := make(chan struct{})
		check(t, d.Stream().Driver().LaunchHost(func() { <-gate }))
		check(t, e.Record(d.Stream()))
		q, err = plan.Submit([]*Buffer{x}, x.All())
		check(t, err)
		ended := make(chan error)
		go func() { ended <- waits() }()
		var stopped *InterruptedError
		if err := interruptUntil(ended); !errors.As(err, &stopped) {
			t.Errorf("%s: %v", name, err)
		}
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
	if n := MustSlice[uint32](y); len(n) != 2 {
		t.Error(n)
	}
}

// interruptUntil interrupts again and again, since a wait hears only what comes after its beginning.
func interruptUntil(ended <-chan error) error {
	for {
		Interrupt()
		select {
		case err := <-ended:
			return err
		case <-time.After(time.Millisecond):
		}
	}
}

// A copy behind what another goroutine enqueued after the stream was seen empty is interrupted too: what it
// used goes back when the stream has passed it, and memory of the caller is left alone.
func TestInterruptOfACopyUnderWay(t *testing.T) {
	d, _ := openKernels(t)
	x := d.MustUpload([]uint32{1, 2})
	kept := func() uint64 {
		d.hostPool.mu.Lock()
		defer d.hostPool.mu.Unlock()
		return d.hostPool.kept
	}
	before := kept()
	gate, enqueued := make(chan struct{}), make(chan struct{})
	mine := []byte{9, 9, 9, 9}
	failed := make(chan error)
	go func() {
		_, err := d.stage("test", x, len(mine), func(mem []byte) error {
			check(t, d.stream.s.LaunchHost(func() { <-gate }))
			defer close(enqueued)
			return d.ctx.CopyDtoHAsync(mem, x.a.ptr, d.stream.s)
		})
		failed <- err
	}()
	<-enqueued
	err := interruptUntil(failed)
	if !wasInterrupted(err) || kept() >= before {
		t.Errorf("%v, and %d of %d bytes are in the pool while the copy is under way", err, kept(), before)
	}
	close(gate)
	check(t, d.Synchronize())
	for kept() != before {
		time.Sleep(time.Millisecond)
	}
	if mine[0] != 9 {
		t.Error("the caller's memory was written")
	}
}

// A device whose close was interrupted is open.
func TestInterruptOfClose(t *testing.T) {
	d, err := Open("emulated")
	check(t, err)
	gate := make(chan struct{})
	check(t, d.Stream().Driver().LaunchHost(func() { <-gate }))
	closed := make(chan error)
	go func() { closed <- d.Close() }()
	if err = interruptUntil(closed); !wasInterrupted(err) {
		t.Errorf("%v", err)
	}
	close(gate)
	if got := MustSlice[uint32](d.MustUpload([]uint32{7})); got[0] != 7 {
		t.Error(got)
	}
	check(t, d.Close())
}
