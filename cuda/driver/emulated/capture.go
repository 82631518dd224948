package emulated

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
)

// capture is the recording of one or more streams into a graph. Its fields are
// guarded by the context's mu.
type capture struct {
	id     uint64
	graph  *graph
	origin *stream
	mode   driver.CaptureMode
	owner  string // the goroutine that began it
	status driver.CaptureStatus
	// members are the streams that record into it.
	members map[*stream]bool
}

// capturing gives the stream's capture, or nil.
func (s *stream) capturing() *capture {
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	return s.capture
}

// spoilCaptures invalidates captures that a synchronous call of this goroutine
// would break, as CUDA's global and thread-local modes say. It gives err back if
// there is one already.
func (c *context) spoilCaptures(call string, err error) error {
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.captures) == 0 {
		return nil
	}
	self := hostcall.Goroutine()
	spoiled := false
	for k := range c.captures {
		if k.mode == driver.CaptureGlobal || k.mode == driver.CaptureThreadLocal && k.owner == self {
			k.status, spoiled = driver.CaptureInvalidated, true
		}
	}
	if spoiled {
		return fail(call, driver.ErrorStreamCaptureUnsupported, "a stream is being captured")
	}
	return nil
}

// record adds a node to the capture behind what the stream has recorded.
func (k *capture) record(call string, s *stream, n *node) error {
	c := s.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.status == driver.CaptureInvalidated {
		return fail(call, driver.ErrorStreamCaptureInvalidated, "")
	}
	id, err := k.graph.addLocked(call, s.deps, n)
	if err != nil {
		return err
	}
	s.deps = []driver.GraphNode{id}
	return nil
}

func (s *stream) BeginCapture(mode driver.CaptureMode) error {
	const call = "cuStreamBeginCapture"
	if err := s.live(call); err != nil {
		return err
	}
	return s.begin(call, newGraph(s.ctx), nil, mode)
}

func (s *stream) BeginCaptureToGraph(g driver.Graph, after []driver.GraphNode, mode driver.CaptureMode) error {
	const call = "cuStreamBeginCaptureToGraph"
	if err := s.live(call); err != nil {
		return err
	}
	gr, ok := g.(*graph)
	if !ok || gr.ctx != s.ctx {
		return fail(call, driver.ErrorInvalidHandle, "the graph is of another context")
	}
	s.ctx.mu.Lock()
	err := gr.stateLocked(call)
	if err == nil {
		err = gr.knowsLocked(call, after)
	}
	s.ctx.mu.Unlock()
	if err != nil {
		return err
	}
	return s.begin(call, gr, after, mode)
}

func (s *stream) begin(call string, g *graph, after []driver.GraphNode, mode driver.CaptureMode) error {
	c := s.ctx
	if s.isDefault {
		return fail(call, driver.ErrorStreamCaptureUnsupported, "the default stream cannot be captured")
	}
	if mode > driver.CaptureRelaxed {
		return fail(call, driver.ErrorInvalidValue, "capture mode %d", mode)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.capture != nil {
		return fail(call, driver.ErrorIllegalState, "the stream is being captured already")
	}
	k := &capture{id: uint64(c.device.driver.handles.Add(1)), graph: g, origin: s, mode: mode, owner: hostcall.Goroutine(),
		status: driver.CaptureActive, members: map[*stream]bool{s: true}}
	s.spareLocked()
	s.capture, s.deps = k, slices.Clone(after)
	c.captures[k] = true
	return nil
}

func (s *stream) EndCapture() (driver.Graph, error) {
	const call = "cuStreamEndCapture"
	if err := s.live(call); err != nil {
		return nil, err
	}
	c := s.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	k := s.capture
	switch {
	case k == nil:
		return nil, fail(call, driver.ErrorIllegalState, "the stream is not being captured")
	case k.origin != s:
		return nil, fail(call, driver.ErrorStreamCaptureUnmatched, "")
	case k.mode != driver.CaptureRelaxed && k.owner != hostcall.Goroutine():
		return nil, fail(call, driver.ErrorStreamCaptureWrongThread, "")
	}
	unjoined := k.unjoinedLocked()
	for m := range k.members {
		m.capture, m.deps = nil, nil
	}
	delete(c.captures, k)
	switch {
	case k.status == driver.CaptureInvalidated:
		return nil, fail(call, driver.ErrorStreamCaptureInvalidated, "")
	case unjoined:
		return nil, fail(call, driver.ErrorStreamCaptureUnjoined, "")
	}
	return k.graph, nil
}

// unjoinedLocked reports whether a forked stream recorded something that the origin's
// last nodes do not depend on.
func (k *capture) unjoinedLocked() bool {
	reached := map[driver.GraphNode]bool{}
	k.graph.reachLocked(k.origin.deps, reached)
	for m := range k.members {
		for _, d := range m.deps {
			if !reached[d] {
				return true
			}
		}
	}
	return false
}

func (s *stream) CaptureInfo() (driver.CaptureInfo, error) {
	if err := s.live("cuStreamGetCaptureInfo"); err != nil {
		return driver.CaptureInfo{}, err
	}
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	k := s.capture
	if k == nil {
		return driver.CaptureInfo{}, nil
	}
	return driver.CaptureInfo{Status: k.status, ID: k.id, Graph: k.graph, Dependencies: slices.Clone(s.deps)}, nil
}

func (s *stream) SetCaptureDependencies(nodes []driver.GraphNode) error {
	const call = "cuStreamUpdateCaptureDependencies"
	if err := s.live(call); err != nil {
		return err
	}
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	k := s.capture
	if k == nil {
		return fail(call, driver.ErrorIllegalState, "the stream is not being captured")
	}
	if err := k.graph.knowsLocked(call, nodes); err != nil {
		return err
	}
	s.deps = slices.Clone(nodes)
	return nil
}

// captureRecord makes a capturing stream's record part of its capture.
func (s *stream) captureRecord(e *event) bool {
	s.ctx.mu.Lock()
	defer s.ctx.mu.Unlock()
	if s.capture == nil {
		return false
	}
	e.captured, e.deps = s.capture, slices.Clone(s.deps)
	return true
}

// captureWait makes the wait for a captured event a dependency: it forks the
// capture into a stream that is not part of it, or joins two of its streams.
func (s *stream) captureWait(call string, e *event) (handled bool, err error) {
	c := s.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case e.captured == nil && s.capture == nil:
		return false, nil
	case e.captured == nil:
		if !e.recorded {
			return true, nil
		}
		s.capture.status = driver.CaptureInvalidated
		return true, fail(call, driver.ErrorStreamCaptureIsolation, "")
	case !c.captures[e.captured]:
		return true, fail(call, driver.ErrorCapturedEvent, "the event's capture has ended")
	case s.capture != nil && s.capture != e.captured:
		s.capture.status, e.captured.status = driver.CaptureInvalidated, driver.CaptureInvalidated
		return true, fail(call, driver.ErrorStreamCaptureMerge, "")
	case s.isDefault:
		e.captured.status = driver.CaptureInvalidated
		return true, fail(call, driver.ErrorStreamCaptureImplicit, "")
	}
	if s.capture == nil {
		s.spareLocked()
		s.capture = e.captured
		s.capture.members[s] = true
	}
	for _, d := range e.deps {
		if !slices.Contains(s.deps, d) {
			s.deps = append(s.deps, d)
		}
	}
	return true, nil
}
