package cuda

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A driver's queue has an end: driver 580 takes 1,021 launches, graph launches, copies or fills of
// a stream (on an H200; a graph counts once, however many nodes it has, and events do not count),
// and whatever finds it full waits inside the driver, where no interrupt reaches it. So each stream
// sets a mark every stride of them, and where the device is strides marks behind, the next waits
// here: at 896 at the latest. A smaller bound would hold back hosts that a driver would not.
const (
	stride  = 128
	strides = 6
)

// An ahead is how far a stream's host is ahead of its device.
type ahead struct {
	left  atomic.Int64 // launches until the next mark
	mu    sync.Mutex
	marks []driver.Event // guarded by mu: each behind stride launches, the oldest first
}

// room waits until the stream's queue has room for one more launch or copy, which follows.
// Interrupt ends the wait: then the caller enqueues nothing.
func (s *Stream) room(op string) error {
	if s.ahead.left.Add(-1) >= 0 {
		return nil
	}
	return s.look(op)
}

// look sees how far the device has come, and sets the next mark.
func (s *Stream) look(op string) error {
	c := interrupted() // before the lock: whoever waits for another's wait hears the interrupt that ends that
	a := &s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.left.Load() > 0 { // another goroutine was here
		a.left.Add(-1)
		return nil
	}
	// what is recorded is not in the queue, and a capture allows no queries
	if s.recording() != nil || s.dev.capturing.Load() > 0 {
		a.left.Store(stride - 1)
		return nil
	}
	if err := a.catchUp(c, op, s.dev); err != nil {
		return err
	}
	e, err := s.dev.leaseFence(op)
	if err != nil {
		return err
	}
	if err := e.Record(s.s); err != nil {
		s.dev.returnFence(e)
		return s.dev.late(op, "", err)
	}
	a.marks = append(a.marks, e)
	a.left.Store(stride - 1)
	return nil
}

// catchUp waits until the device has passed all but the latest marks; the caller holds mu. No mark
// is asked about before it has to be: to ask for one that is not passed costs as much as many
// launches.
func (a *ahead) catchUp(c <-chan struct{}, op string, d *Device) error {
	for pause := quickWait; len(a.marks) >= strides; {
		done, err := passed(a.marks[0])
		if err != nil {
			return d.late(op, "", err)
		}
		if done {
			d.returnFence(a.marks[0])
			a.marks = slices.Delete(a.marks, 0, 1)
			continue
		}
		select {
		case <-c:
			return &InterruptedError{Op: op}
		case <-time.After(pause):
			pause = min(2*pause, time.Millisecond)
		}
	}
	return nil
}

// passed asks whether an event is done.
func passed(e driver.Event) (bool, error) {
	err := e.Query()
	if busy(err) {
		return false, nil
	}
	return err == nil, err
}

// giveBack gives the marks to the pool of events.
func (a *ahead) giveBack(d *Device) {
	for _, e := range a.take() {
		d.returnFence(e)
	}
}

// drop ends the marks with the device.
func (a *ahead) drop() error {
	var errs []error
	for _, e := range a.take() {
		errs = append(errs, e.Destroy())
	}
	return errors.Join(errs...)
}

func (a *ahead) take() []driver.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	marks := a.marks
	a.marks = nil
	return marks
}
