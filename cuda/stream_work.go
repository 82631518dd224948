package cuda

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// work submits something to the stream, which runs it, or records it as a node. The name is what
// Named says, else that of the node; buffers are those of the node.
func (s *Stream) work(op string, n *Node, name []NameOption, submit func() error) error {
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	return r.fail(s.tryWork(op, r, n, name, submit))
}

func (s *Stream) tryWork(op string, r *recording, n *Node, name []NameOption, submit func() error) (err error) {
	if n.Name, err = nameOr(op, n.Name, name); err != nil {
		return err
	}
	for _, b := range n.buffers {
		if err := b.live(op, s.dev); err != nil {
			return err
		}
	}
	if err := s.room(op); err != nil {
		return err
	}
	if r != nil {
		return r.put(op, s, n, submit)
	}
	if err := submit(); err != nil {
		return s.dev.late(op, n.String(), err)
	}
	runtime.KeepAlive(n)
	return nil
}

// Fill sets every byte of a buffer.
func (s *Stream) Fill(b *Buffer, value byte, name ...NameOption) error {
	return s.fill("Stream.Fill", b, value, name)
}

func (s *Stream) fill(op string, b *Buffer, value byte, name []NameOption) error {
	n := &Node{Name: "fill", Kind: driver.GraphNodeMemset, buffers: []*Buffer{b}, fill: &value}
	return s.work(op, n, name, func() error {
		return s.dev.ctx.MemsetD8Async(b.a.ptr, value, b.a.bytes, s.s)
	})
}

// Copy copies a buffer into another of the same size.
func (s *Stream) Copy(dst, src *Buffer, name ...NameOption) error {
	const op = "Stream.Copy"
	n := &Node{Name: "copy", Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{dst, src}}
	return s.work(op, n, name, func() error {
		if err := sameSize(op, dst, src); err != nil {
			return err
		}
		return s.dev.ctx.CopyDtoDAsync(dst.a.ptr, src.a.ptr, src.a.bytes, s.s)
	})
}

// sameSize refuses to copy between buffers of different sizes.
func sameSize(op string, dst, src *Buffer) error {
	if dst.a.bytes == src.a.bytes {
		return nil
	}
	return &Error{Op: op, What: dst.String(), Want: fmt.Sprintf("%d bytes", dst.a.bytes), Got: fmt.Sprint(src.a.bytes)}
}

// Write copies a slice into a buffer in stream order. The slice is read when the copy runs (in a
// graph, at every launch) and must not change before.
func (s *Stream) Write(dst *Buffer, values any, name ...NameOption) error {
	return s.hostCopy("Stream.Write", dst, values, true, name)
}

// Read copies a buffer into a slice in stream order. The values are there when the stream has
// passed the copy.
func (s *Stream) Read(src *Buffer, into any, name ...NameOption) error {
	return s.hostCopy("Stream.Read", src, into, false, name)
}

func (s *Stream) hostCopy(op string, b *Buffer, values any, write bool, name []NameOption) error {
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	n, err := newHostCopy(op, r, s.dev, b, values, write)
	if err != nil {
		return r.fail(err)
	}
	copies := func() error { return s.dev.ctx.CopyDtoHAsync(n.host, b.a.ptr, s.s) }
	count := &s.dev.counters.toHost
	if write {
		copies = func() error { return s.dev.ctx.CopyHtoDAsync(b.a.ptr, n.host, s.s) }
		count = &s.dev.counters.toDevice
	}
	if err := s.work(op, n, name, copies); err != nil {
		return err
	}
	if r == nil {
		s.keepUntilDone(values)
		count.moved(uint64(len(n.host)))
	}
	return nil
}

// newHostCopy is the node of a copy between a buffer and a slice, which the node keeps.
func newHostCopy(op string, r *recording, d *Device, b *Buffer, values any, write bool) (*Node, error) {
	raw, elem, count, err := rawSlice(op, values)
	if err == nil {
		err = r.allows(op, "a copy between host and device")
	}
	if err == nil {
		err = b.live(op, d)
	}
	if err == nil {
		err = b.fits(op, elem, 0, count)
	}
	if err == nil && count == 0 && r != nil {
		err = &Error{Op: op, What: b.String(), Want: "at least one element", Got: "an empty slice"}
	}
	if err != nil {
		return nil, err
	}
	n := &Node{Name: "read", Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{b}, host: raw, write: write, keep: values}
	if write {
		n.Name = "write"
	}
	return n, nil
}

// allows refuses what the body of a conditional node cannot have.
func (r *recording) allows(op, what string) error {
	if r == nil || !r.inside {
		return nil
	}
	return &Error{Op: op, What: "the body of a conditional node",
		Want: "launches, fills, copies between buffers, conditions", Got: what,
		Fix: "do it before or behind the node", code: driver.ErrorNotSupported}
}

// Host calls a Go function in stream order. It may not call CUDA: that is refused with
// driver.ErrorNotPermitted. What it panics with is the error of the call that waits for it, a
// *driver.HostFunctionError. While it blocks, what is behind it waits, and an interrupt of a cell
// does not end it: give it a channel to be ended by.
func (s *Stream) Host(call func(), name ...NameOption) error {
	const op = "Stream.Host"
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	if err := r.allowsCall(op, call); err != nil {
		return r.fail(err)
	}
	n := &Node{Name: "host", Kind: driver.GraphNodeHost, what: "a Go function"}
	return s.work(op, n, name, func() error { return s.s.LaunchHost(call) })
}

// allowsCall refuses nil, and a body that cannot call Go.
func (r *recording) allowsCall(op string, call func()) error {
	if call == nil {
		return &Error{Op: op, Want: "a function", Got: "nil"}
	}
	return r.allows(op, "a call of Go")
}

// keepUntilDone keeps host memory reachable while the stream may use it.
func (s *Stream) keepUntilDone(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep = append(s.keep, v)
}

// Fork gives a second stream whose work starts behind what this one has so far; Join brings it
// back. In a capture the two run concurrently in the graph, and the fork ends with the capture.
func (s *Stream) Fork() (*Stream, error) {
	const op = "Stream.Fork"
	if err := s.check(op); err != nil {
		return nil, err
	}
	r := s.recording()
	f, err := s.dev.NewStream()
	if err != nil {
		return nil, r.fail(err)
	}
	if r != nil {
		f.recorded = true
		r.mu.Lock()
		r.forks = append(r.forks, f)
		r.mu.Unlock()
		f.aside.Store(&aside{record: r})
		return f, r.fail(s.dev.order(op, s, f))
	}
	if err := s.dev.order(op, s, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Join makes later work of this stream wait for what the other has so far. In a capture both are of
// it.
func (s *Stream) Join(other *Stream) error {
	const op = "Stream.Join"
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	if err := other.joins(op, s.dev, r); err != nil {
		return r.fail(err)
	}
	return r.fail(s.dev.order(op, other, s))
}

// joins refuses a stream that is closed, of another device, or not of the capture r.
func (s *Stream) joins(op string, d *Device, r *recording) error {
	if s != nil && r != nil && s.aside.Load() == closedFork {
		return nil // what it recorded before can still be joined
	}
	if err := s.checkOf(op, d); err != nil {
		return err
	}
	switch in := s.recording(); {
	case in == r:
		return nil
	case r == nil:
		return in.fail(&Error{Op: op, Want: "a stream that runs", Got: "one that records a graph",
			code: driver.ErrorStreamCaptureIsolation})
	case in == nil:
		return &Error{Op: op, Want: "a stream of this capture", Got: "one that runs",
			code: driver.ErrorStreamCaptureIsolation,
			Fix:  "fork the capture's stream: Stream.Fork"}
	default:
		return &Error{Op: op, Want: "a stream of this capture", Got: "one of another capture",
			code: driver.ErrorStreamCaptureMerge}
	}
}

// order makes later work of one stream wait for what another has so far.
func (d *Device) order(op string, before, after *Stream) error {
	e, err := d.ctx.CreateEvent(driver.EventDisableTiming)
	if err != nil {
		return d.late(op, "", err)
	}
	err = e.Record(before.s)
	if err == nil {
		err = after.s.WaitEvent(e)
	}
	return wrap(op, "", errors.Join(err, e.Destroy()))
}
