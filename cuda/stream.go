package cuda

import (
	"context"
	"errors"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A Stream is a queue of work on a device that runs in order.
type Stream struct {
	s     driver.Stream
	ahead ahead
	dev   *Device
	own   bool // the device's own, closed with it
	// recorded says that the stream only ever recorded; set before anything else sees the stream.
	recorded bool
	handle   *Handle

	mu     sync.Mutex
	closed bool       // guarded by mu
	record *recording // guarded by mu: not nil while the stream captures
	keep   []any      // guarded by mu: host memory that copies under way use
}

func makeStream(d *Device, s driver.Stream) *Stream {
	st := &Stream{dev: d, s: s}
	st.ahead.left.Store(stride)
	return st
}

// NewStream makes a stream. It is given back by Close or with its device.
func (d *Device) NewStream() (*Stream, error) {
	const op = "Device.NewStream"
	if err := d.open(op); err != nil {
		return nil, err
	}
	s, err := d.leaseStream(op)
	if err != nil {
		return nil, err
	}
	st := makeStream(d, s)
	st.handle = track("stream", d.String())
	if !d.own(st) {
		_ = st.closeWithDevice() // the device was closed meanwhile
		return nil, d.open(op)
	}
	return st, nil
}

// pooledStreams is how many streams that only recorded are kept: each capture needs one, and making one costs far more than a capture.
const pooledStreams = 8

// leaseStream takes an empty stream from the pool, or makes one.
func (d *Device) leaseStream(op string) (driver.Stream, error) {
	d.mu.Lock()
	if n := len(d.empties); n > 0 {
		s := d.empties[n-1]
		d.empties = d.empties[:n-1]
		d.mu.Unlock()
		return s, nil
	}
	d.mu.Unlock()
	s, err := d.ctx.CreateStream(driver.StreamNonBlocking, 0)
	if err != nil {
		return nil, d.late(op, "", err)
	}
	return s, nil
}

// returnStream keeps a stream in which nothing is.
func (d *Device) returnStream(s driver.Stream) error {
	d.mu.Lock()
	keep := !d.closed && len(d.empties) < pooledStreams
	if keep {
		d.empties = append(d.empties, s)
	}
	d.mu.Unlock()
	if keep {
		return nil
	}
	return s.Destroy()
}

func (d *Device) dropStreams() error {
	d.mu.Lock()
	empties := d.empties
	d.empties = nil
	d.mu.Unlock()
	var errs []error
	for _, s := range empties {
		errs = append(errs, s.Destroy())
	}
	return errors.Join(errs...)
}

// Device is where the stream runs.
func (s *Stream) Device() *Device { return s.dev }

// Driver is the stream behind the seam.
func (s *Stream) Driver() driver.Stream { return s.s }

// Launch checks and enqueues one launch on this stream.
func (s *Stream) Launch(k *Kernel, grid GridDim, block BlockDim, args ...any) error {
	const op = "Stream.Launch"
	p, err := s.dev.prepare(op, k, grid, block, args)
	if err != nil {
		return s.recording().fail(err)
	}
	return s.enqueue(op, p)
}

// Enqueue enqueues a prepared launch on this stream.
func (s *Stream) Enqueue(p *Prepared) error { return s.enqueue("Stream.Enqueue", p) }

// Synchronize waits until the stream is empty and reports what failed in it.
func (s *Stream) Synchronize() error {
	s.mu.Lock()
	kept := len(s.keep)
	s.mu.Unlock()
	const op = "Stream.Synchronize"
	block := s.s.Synchronize
	if s.recording() == nil {
		block = func() error { return s.dev.wait(op, func() bool { return !busy(s.s.Query()) }, s.s.Synchronize) }
	}
	err := s.dev.waited(op, block())
	var stopped *InterruptedError
	if !errors.As(err, &stopped) {
		s.mu.Lock()
		s.keep = append(s.keep[:0:0], s.keep[min(kept, len(s.keep)):]...)
		s.mu.Unlock()
	}
	return s.recording().fail(err)
}

// Wait is Synchronize that gives up when ctx ends: the work goes on, only the waiting stops.
func (s *Stream) Wait(ctx context.Context) error {
	done := make(chan error, 1)
	go func() { done <- s.Synchronize() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return &Error{Op: "Stream.Wait", What: "the work goes on", Err: context.Cause(ctx)}
	}
}

// Done says whether the stream is empty, without waiting.
func (s *Stream) Done() (bool, error) {
	err := s.s.Query()
	if err == nil {
		return true, nil
	}
	if e := (&Error{Err: err}); e.Code() == driver.ErrorNotReady {
		return false, nil
	}
	return false, s.dev.late("Stream.Done", "", err)
}

// WaitFor holds later work of this stream back until the event's most recent record is done.
func (s *Stream) WaitFor(e *Event) error {
	const op = "Stream.WaitFor"
	if err := s.room(op); err != nil {
		return err
	}
	return wrap(op, "", s.s.WaitEvent(e.e))
}

// Close gives the stream back; work in it goes on. The device's own stream is closed with the device.
func (s *Stream) Close() error {
	const op = "Stream.Close"
	if s.own {
		return &Error{Op: op, Got: "this is the device's own stream", Fix: "close the device"}
	}
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return &Error{Op: op, Got: "the stream was closed already"}
	}
	if !s.dev.disown(s) {
		return nil
	}
	defer s.dev.gone()
	s.handle.forget()
	if !s.recorded && (s.dev.capturing.Load() > 0 || busy(s.s.Query())) {
		s.dev.unknown.Store(true)
	}
	s.ahead.giveBack(s.dev)
	if s.recorded {
		return wrap(op, "", s.dev.returnStream(s.s))
	}
	return wrap(op, "", s.s.Destroy())
}

func (s *Stream) closeWithDevice() error {
	s.lost()
	return errors.Join(s.ahead.drop(), s.s.Destroy())
}

func (s *Stream) lost() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.handle.forget()
}
