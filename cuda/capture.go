package cuda

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A recording is a capture under way: the nodes so far, named as they are made, and the first error.
type recording struct {
	op      string // for errors; "" is Device.Capture
	dev     *Device
	nodes   []*Node
	names   map[string]int
	buffers map[*allocation]*Buffer
	modules map[*Module]bool // whose kernels are launched
	keep    []any            // host memory that copies read and write
	forks   []*Stream
	inside  bool // the body of a conditional node, which cannot have everything
	err     error
}

// Capture records what record submits to the stream and makes it a graph. Nothing runs. Calls on the
// stream that fail make the capture fail, also where record ignores their errors: the error names the
// call and its line. Named names the graph.
func (d *Device) Capture(record func(s *Stream), options ...LaunchOption) (*Graph, error) {
	const op = "Device.Capture"
	if record == nil {
		return nil, &Error{Op: op, Want: "a function that submits work", Got: "nil"}
	}
	r, g, err := d.record(op, record)
	if err != nil {
		return nil, err
	}
	return newGraph(op, nameOr("", options), r, g)
}

// record captures what record submits.
func (d *Device) record(op string, record func(s *Stream)) (*recording, driver.Graph, error) {
	if err := d.open(op); err != nil {
		return nil, nil, err
	}
	s, err := d.NewStream()
	if err != nil {
		return nil, nil, err
	}
	s.recorded = true
	r := &recording{dev: d, names: map[string]int{}, buffers: map[*allocation]*Buffer{}, modules: map[*Module]bool{}}
	g, err := r.capture(op, s, record)
	// Nothing runs on streams that only recorded, so they go at once.
	if closeErr := errors.Join(r.closeForks(), s.Close()); closeErr != nil {
		if err == nil {
			closeErr = errors.Join(closeErr, g.Destroy())
		}
		return nil, nil, errors.Join(err, closeErr)
	}
	return r, g, err
}

// capture begins, records and ends.
func (r *recording) capture(op string, s *Stream, record func(*Stream)) (driver.Graph, error) {
	if err := s.s.BeginCapture(driver.CaptureThreadLocal); err != nil {
		return nil, r.dev.late(op, "", err)
	}
	s.setRecording(r)
	r.dev.capturing.Add(1)
	return r.run(op, s, record)
}

// MustCapture is Capture for cells.
func (d *Device) MustCapture(record func(s *Stream), options ...LaunchOption) *Graph {
	return must(d.Capture(record, options...))
}

// run calls record and ends the capture, whatever record does.
func (r *recording) run(op string, s *Stream, record func(*Stream)) (g driver.Graph, err error) {
	ended := false
	end := func() error {
		ended = true
		for _, f := range r.forks {
			f.setRecording(nil)
		}
		s.setRecording(nil)
		var endErr error
		g, endErr = s.s.EndCapture()
		r.dev.capturing.Add(-1)
		return endErr
	}
	defer func() {
		if ended {
			return
		}
		if end() == nil { // record panicked: its panic goes on, the half-made graph and the streams do not
			_ = g.Destroy()
		}
		_ = errors.Join(r.closeForks(), s.Close())
	}()
	record(s)
	err = end()
	if r.err != nil {
		if err == nil {
			err = g.Destroy()
		}
		return nil, errors.Join(r.err, onlyUnexpected(err))
	}
	if err != nil {
		return nil, r.dev.late(op, "ending the capture", err)
	}
	return g, nil
}

// onlyUnexpected drops the error that every capture ends with after a call in it failed.
func onlyUnexpected(err error) error {
	if errors.Is(err, driver.ErrorStreamCaptureInvalidated) || errors.Is(err, driver.ErrorStreamCaptureUnjoined) {
		return nil
	}
	return err
}

func (r *recording) closeForks() error {
	var errs []error
	for _, f := range r.forks {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

func (s *Stream) setRecording(r *recording) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = r
}

func (s *Stream) recording() *recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record
}

// fail keeps the first error of a capture, with the line outside this package that made the call.
func (r *recording) fail(err error) error {
	if r != nil && r.err == nil && err != nil {
		op := r.op
		if op == "" {
			op = "Device.Capture"
		}
		r.err = &Error{Op: op, What: "recorded " + r.place(), Err: err}
	}
	return err
}

// place is the line of the call outside this package; from a cell, whose engine would be found there, it is what was recorded before.
func (r *recording) place() string {
	if site := callSite(); site != "" {
		return "at " + site
	}
	if n := len(r.nodes); n > 0 {
		return "behind " + r.nodes[n-1].Name
	}
	return "at the beginning"
}

// callSite is the nearest caller outside this package, nothing where that is the engine of a cell.
func callSite() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.Contains(f.Function, "vyre-kernel/interp/engine") || strings.HasPrefix(f.Function, "reflect.") {
			return ""
		}
		if !strings.Contains(f.Function, "vyre-kernel/cuda.(*") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

// Named names a graph, or in it the node of a launch, a fill, a copy or a condition.
func Named(name string) LaunchOption { return optionFunc(func(o *options) { o.name = name }) }

// nameOr is what Named says, else the usual name.
func nameOr(usual string, list []LaunchOption) string {
	var o options
	for _, option := range list {
		option.apply(&o)
	}
	if o.name == "" {
		return usual
	}
	return o.name
}

// note adds the node that the last call on the stream made.
func (r *recording) note(s *Stream, n *Node) error {
	info, err := s.s.CaptureInfo()
	if err != nil {
		return err
	}
	if info.Status != driver.CaptureActive || len(info.Dependencies) == 0 {
		return &Error{Op: "Device.Capture", What: n.Name, Want: "an active capture", Got: info.Status.String()}
	}
	n.node = info.Dependencies[0]
	n.Name = r.unique(n.Name)
	r.nodes = append(r.nodes, n)
	return nil
}

// unique gives the second "scan" the name "scan#2".
func (r *recording) unique(name string) string {
	r.names[name]++
	if r.names[name] == 1 {
		return name
	}
	return r.unique(fmt.Sprintf("%s#%d", name, r.names[name]))
}

// uses keeps buffers from being freed under the graph.
func (r *recording) uses(buffers ...*Buffer) {
	for _, b := range buffers {
		r.buffers[b.a] = b
	}
}

// enqueue submits a prepared launch to this stream, or records it.
func (s *Stream) enqueue(op string, p *Prepared) error {
	r := s.recording()
	if r == nil {
		return p.enqueue(op, s)
	}
	if err := p.submit(op, s.s); err != nil {
		return r.fail(err)
	}
	name := p.name
	if name == "" {
		name = p.kernel.name
	}
	r.uses(p.buffers...)
	r.modules[p.kernel.mod] = true
	return r.fail(r.note(s, &Node{Name: name, Kind: driver.GraphNodeKernel, launch: p.clone()}))
}

// Fill sets every byte of a buffer.
func (s *Stream) Fill(b *Buffer, value byte, options ...LaunchOption) error {
	const op = "Stream.Fill"
	r := s.recording()
	if err := b.live(op, s.dev); err != nil {
		return r.fail(err)
	}
	if err := s.room(op); err != nil {
		return r.fail(err)
	}
	if err := s.dev.ctx.MemsetD8Async(b.a.ptr, value, b.a.bytes, s.s); err != nil {
		return r.fail(s.dev.late(op, b.String(), err))
	}
	if r == nil {
		runtime.KeepAlive(b)
		return nil
	}
	r.uses(b)
	return r.fail(r.note(s, &Node{Name: nameOr("fill", options), Kind: driver.GraphNodeMemset, buffers: []*Buffer{b}, fill: &value}))
}

// Copy copies a buffer into another of the same size.
func (s *Stream) Copy(dst, src *Buffer, options ...LaunchOption) error {
	const op = "Stream.Copy"
	r := s.recording()
	for _, b := range []*Buffer{dst, src} {
		if err := b.live(op, s.dev); err != nil {
			return r.fail(err)
		}
	}
	if dst.a.bytes != src.a.bytes {
		return r.fail(&Error{Op: op, What: dst.String(), Want: fmt.Sprintf("%d bytes", dst.a.bytes), Got: fmt.Sprint(src.a.bytes)})
	}
	if err := s.room(op); err != nil {
		return r.fail(err)
	}
	if err := s.dev.ctx.CopyDtoDAsync(dst.a.ptr, src.a.ptr, src.a.bytes, s.s); err != nil {
		return r.fail(s.dev.late(op, dst.String(), err))
	}
	if r == nil {
		return nil
	}
	r.uses(dst, src)
	return r.fail(r.note(s, &Node{Name: nameOr("copy", options), Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{dst, src}}))
}

// Write copies a slice into a buffer in stream order. The slice is read when the copy runs (in a graph,
// at every launch) and must not change before.
func (s *Stream) Write(dst *Buffer, values any, options ...LaunchOption) error {
	return s.hostCopy("Stream.Write", dst, values, true, options)
}

// Read copies a buffer into a slice in stream order. The values are there when the stream has passed
// the copy.
func (s *Stream) Read(src *Buffer, into any, options ...LaunchOption) error {
	return s.hostCopy("Stream.Read", src, into, false, options)
}

func (s *Stream) hostCopy(op string, b *Buffer, values any, write bool, options []LaunchOption) error {
	r := s.recording()
	raw, elem, n, err := rawSlice(op, values)
	if err == nil {
		err = r.allows(op, "a copy between host and device")
	}
	if err == nil {
		err = b.live(op, s.dev)
	}
	if err == nil {
		err = b.fits(op, elem, 0, n)
	}
	if err == nil {
		err = s.room(op)
	}
	if err != nil {
		return r.fail(err)
	}
	name, count := "read", &s.dev.counters.toHost
	if write {
		name, count = "write", &s.dev.counters.toDevice
		err = s.dev.ctx.CopyHtoDAsync(b.a.ptr, raw, s.s)
	} else {
		err = s.dev.ctx.CopyDtoHAsync(raw, b.a.ptr, s.s)
	}
	if err != nil {
		return r.fail(s.dev.late(op, b.String(), err))
	}
	if r == nil {
		s.keepUntilDone(values)
		count.moved(uint64(len(raw)))
		return nil
	}
	r.uses(b)
	r.keep = append(r.keep, values)
	return r.fail(r.note(s, &Node{Name: nameOr(name, options), Kind: driver.GraphNodeMemcpy, buffers: []*Buffer{b}, host: raw, write: write}))
}

// allows refuses what the body of a conditional node cannot have.
func (r *recording) allows(op, what string) error {
	if r == nil || !r.inside {
		return nil
	}
	return &Error{Op: op, What: "the body of a conditional node", Want: "launches, fills, copies between buffers, conditions", Got: what, Fix: "do it before or behind the node"}
}

// Host calls a Go function in stream order. It may not call CUDA, and what it panics with ends the process.
func (s *Stream) Host(call func(), options ...LaunchOption) error {
	const op = "Stream.Host"
	r := s.recording()
	err := r.allows(op, "a call of Go")
	if err == nil && call == nil {
		err = &Error{Op: op, Want: "a function", Got: "nil"}
	}
	if err != nil {
		return r.fail(err)
	}
	if err := s.s.LaunchHost(call); err != nil {
		return r.fail(s.dev.late(op, "", err))
	}
	if r == nil {
		return nil
	}
	return r.fail(r.note(s, &Node{Name: nameOr("host", options), Kind: driver.GraphNodeHost, what: "a Go function"}))
}

// keepUntilDone keeps host memory reachable while the stream may use it.
func (s *Stream) keepUntilDone(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep = append(s.keep, v)
}

// Fork gives a second stream whose work starts behind what this one has so far; Join brings it back. In
// a capture the two run beside each other in the graph.
func (s *Stream) Fork() (*Stream, error) {
	const op = "Stream.Fork"
	r := s.recording()
	f, err := s.dev.NewStream()
	if err != nil {
		return nil, r.fail(err)
	}
	if err := s.dev.order(op, s, f); err != nil {
		return nil, r.fail(errors.Join(err, f.Close()))
	}
	if r != nil {
		f.recorded = true
		f.setRecording(r)
		r.forks = append(r.forks, f)
	}
	return f, nil
}

// MustFork is Fork for cells.
func (s *Stream) MustFork() *Stream { return must(s.Fork()) }

// Join makes later work of this stream wait for what the other has so far.
func (s *Stream) Join(other *Stream) error {
	return s.recording().fail(s.dev.order("Stream.Join", other, s))
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

// clone copies a prepared launch, so that a graph may change its parameters.
func (p *Prepared) clone() *Prepared {
	c := *p
	c.params, c.args, c.buffers = slices.Clone(p.params), slices.Clone(p.args), slices.Clone(p.buffers)
	return &c
}
