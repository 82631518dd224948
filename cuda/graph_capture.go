package cuda

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A recording is a capture under way: the nodes so far, named as they are made, and the first
// error.
type recording struct {
	op      string // for errors; "" is Device.Capture
	dev     *Device
	origin  *Stream // the stream that the recording function is given, nil for a builder's
	inside  bool    // the body of a conditional node, which cannot have everything
	failed  atomic.Pointer[Error]
	mu      *sync.Mutex // of a capture and the bodies in it
	nodes   []*Node     // guarded by mu, as the rest is
	names   map[string]int
	buffers map[*allocation]*Buffer
	modules map[*Module]bool // whose kernels are launched
	keep    []any            // host memory that copies read and write
	forks   []*Stream
}

// err is the first error of the recording.
func (r *recording) err() error {
	if e := r.failed.Load(); e != nil {
		return e
	}
	return nil
}

// Capture records what record submits to the stream and makes it a graph. Nothing runs. Calls on
// the stream that fail make the capture fail, also where record ignores their errors: the error
// names the call and its line. Named names the graph.
//
// The stream is for record alone, and refuses everything once record has returned. Launches that
// were prepared or are made On(s) are recorded too. What has no place in a graph is refused: plans
// and batches, dispatches, graphs (GraphBuilder.Graph takes them), waits for the stream. While
// record runs, its goroutine cannot free buffers, unload modules, or close or reset a device.
func (d *Device) Capture(record func(s *Stream), name ...NameOption) (*Graph, error) {
	const op = "Device.Capture"
	named, err := nameOr(op, "", name)
	if err != nil {
		return nil, err
	}
	r, g, err := d.record(op, record)
	if err != nil {
		return nil, err
	}
	return newGraph(op, named, r, g)
}

// record captures what record submits.
func (d *Device) record(op string, record func(s *Stream)) (*recording, driver.Graph, error) {
	if err := d.checkOpen(op); err != nil {
		return nil, nil, err
	}
	if record == nil {
		return nil, nil, &Error{Op: op, Want: "a function that submits work", Got: "nil"}
	}
	s, err := d.NewStream()
	if err != nil {
		return nil, nil, err
	}
	s.recorded = true
	r := newRecording("", d)
	r.origin = s
	g, err := r.capture(op, s, record)
	// Nothing runs on streams that only recorded, so they go at once.
	if closeErr := r.closeStreams(); closeErr != nil {
		if err == nil {
			closeErr = errors.Join(closeErr, g.Destroy())
		}
		return nil, nil, errors.Join(err, closeErr)
	}
	return r, g, err
}

func newRecording(op string, d *Device) *recording {
	return &recording{op: op, dev: d, mu: new(sync.Mutex), names: map[string]int{}, buffers: map[*allocation]*Buffer{},
		modules: map[*Module]bool{}}
}

// capture begins, records and ends.
func (r *recording) capture(op string, s *Stream, record func(*Stream)) (driver.Graph, error) {
	if err := s.s.BeginCapture(driver.CaptureThreadLocal); err != nil {
		return nil, r.dev.late(op, "", err)
	}
	s.aside.Store(&aside{record: r})
	r.dev.capturing.Add(1)
	defer capturers.enter()()
	return r.run(op, s, record)
}

// run calls record and ends the capture, whatever record does.
func (r *recording) run(op string, s *Stream, record func(*Stream)) (g driver.Graph, err error) {
	ended := false
	end := func() error {
		ended = true
		r.over()
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
		_ = r.closeStreams()
	}()
	record(s)
	err = end()
	if r.err() != nil {
		if err == nil {
			err = g.Destroy()
		}
		return nil, errors.Join(r.err(), onlyUnexpected(err))
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

// over makes the streams of the recording refuse what comes after it.
func (r *recording) over() {
	for _, s := range append(r.forks, r.origin) {
		s.aside.Store(recordedStream)
	}
}

// closeStreams gives the driver's streams back.
func (r *recording) closeStreams() error {
	var errs []error
	for _, s := range append(r.forks, r.origin) {
		errs = append(errs, s.giveBack(r.called()))
	}
	return errors.Join(errs...)
}

// recording is the capture that the stream records for, nil where it runs or is closed.
func (s *Stream) recording() *recording {
	if a := s.aside.Load(); a != nil {
		return a.record
	}
	return nil
}

// called is the call that records.
func (r *recording) called() string {
	if r.op == "" {
		return "Device.Capture"
	}
	return r.op
}

// fail keeps the first error of a capture, with the line outside this package that made the call.
func (r *recording) fail(err error) error {
	if r != nil && err != nil && r.err() == nil {
		r.failed.CompareAndSwap(nil, &Error{Op: r.called(), What: "recorded " + r.place(), Err: err})
	}
	return err
}

// place is the line of the call outside this package; where that is not known, what was recorded
// before.
func (r *recording) place() string {
	if site := callSite(); site != "" {
		return "at " + site
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.nodes); n > 0 {
		return "behind " + r.nodes[n-1].Name
	}
	return "at the beginning"
}

// cellSite tells the place of cell code, where an engine told how.
var cellSite atomic.Pointer[func() string]

// SetCallSite says how errors find the place of the calling code where that is not compiled: place
// gives the line that the running goroutine's code is at, "In[3]:2", or nothing. The kernel sets
// it; nil ends that.
func SetCallSite(place func() string) {
	if place == nil {
		cellSite.Store(nil)
		return
	}
	cellSite.Store(&place)
}

// inCell is the line of the cell that calls, nothing where that is not known.
func inCell() string {
	if place := cellSite.Load(); place != nil {
		return (*place)()
	}
	return ""
}

// callSite is the line of the cell that calls, or the nearest compiled caller outside this package.
func callSite() string {
	if site := inCell(); site != "" {
		return site
	}
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !ours(f) && !strings.HasPrefix(f.Function, "reflect.") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

// put submits the work of a node to a stream that records, and notes the node. Everything that this
// package records goes through here: it holds what the node uses until the graph is gone.
func (r *recording) put(op string, s *Stream, n *Node, submit func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := submit(); err != nil {
		var told *Error
		if errors.As(err, &told) {
			return err
		}
		return r.dev.late(op, n.String(), err)
	}
	return r.note(op, s, n)
}

// note adds the node that the last call on the stream made; the caller holds mu.
func (r *recording) note(op string, s *Stream, n *Node) error {
	info, err := s.s.CaptureInfo()
	if err != nil {
		return r.dev.late(op, n.Name, err)
	}
	if info.Status != driver.CaptureActive || len(info.Dependencies) == 0 {
		return &Error{Op: r.called(), What: n.Name, Want: "an active capture", Got: info.Status.String(),
			code: driver.ErrorStreamCaptureInvalidated}
	}
	n.node = info.Dependencies[0]
	r.add(n)
	return nil
}

// add takes a node in, with what it uses; the caller holds mu.
func (r *recording) add(n *Node) {
	n.Name = r.unique(n.Name)
	r.nodes = append(r.nodes, n)
	r.uses(n.buffers...)
	if n.launch != nil {
		r.uses(n.launch.buffers...)
		r.modules[n.launch.kernel.mod] = true
	}
	if n.keep != nil {
		r.keep = append(r.keep, n.keep)
	}
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

// ours reports whether a frame is of this package, its tests left out.
func ours(f runtime.Frame) bool {
	return strings.Contains(f.Function, "vyre-kernel/cuda.") && !strings.HasSuffix(f.File, "_test.go")
}

// recordLaunch makes a launch a node of the graph that the stream records.
func (s *Stream) recordLaunch(op string, p *prepared) error {
	r := s.recording()
	if r == nil {
		return s.check(op)
	}
	n := &Node{Name: p.name, Kind: driver.GraphNodeKernel, launch: p.clone()}
	if n.Name == "" {
		n.Name = p.kernel.name
	}
	return r.fail(r.put(op, s, n, func() error { return p.submit(op, s.s) }))
}

// clone copies a prepared launch, so that a graph may change its parameters.
func (p *prepared) clone() *prepared {
	c := *p
	c.params, c.args, c.buffers = slices.Clone(p.params), slices.Clone(p.args), slices.Clone(p.buffers)
	return &c
}
