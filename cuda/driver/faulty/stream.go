package faulty

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

type stream struct {
	driver.Stream
	ctx *context
	in  *Injector
	// into is the graph that a capture goes into where that was there before; nil otherwise.
	into *graph
}

func (s *stream) Context() driver.Context { return s.ctx }

func (s *stream) Synchronize() error { return s.in.waits("cuStreamSynchronize", s.Stream.Synchronize) }
func (s *stream) Query() error       { return s.in.poll("cuStreamQuery", s.Stream.Query) }
func (s *stream) Destroy() error     { return s.in.gone("stream", "cuStreamDestroy", s.Stream.Destroy) }

func (s *stream) WaitEvent(e driver.Event) error {
	return s.in.do("cuStreamWaitEvent", func() error { return s.Stream.WaitEvent(bareEvent(e)) })
}

func (s *stream) LaunchHost(fn func()) error {
	return s.in.do("cuLaunchHostFunc", func() error { return s.Stream.LaunchHost(fn) })
}

func (s *stream) BeginCapture(mode driver.CaptureMode) error {
	return s.in.do("cuStreamBeginCapture", func() error {
		s.into = nil
		return s.Stream.BeginCapture(mode)
	})
}

func (s *stream) BeginCaptureToGraph(g driver.Graph, after []driver.GraphNode, mode driver.CaptureMode) error {
	return s.in.do("cuStreamBeginCaptureToGraph", func() error {
		s.into, _ = g.(*graph)
		return s.Stream.BeginCaptureToGraph(bareGraph(g), after, mode)
	})
}

// EndCapture ends the capture in either case: a failure that left it open would lock the thread.
func (s *stream) EndCapture() (driver.Graph, error) {
	injected := s.in.ask("cuStreamEndCapture")
	g, err := s.Stream.EndCapture()
	if injected != nil {
		if err == nil && s.into == nil {
			_ = g.Destroy() // the caller never sees it
		}
		return nil, injected
	}
	if err != nil {
		return nil, err
	}
	if s.into != nil {
		return s.into, nil
	}
	s.in.mu.Lock()
	s.in.alive["graph"]++
	s.in.mu.Unlock()
	return &graph{Graph: g, ctx: s.ctx, in: s.in}, nil
}

func (s *stream) CaptureInfo() (driver.CaptureInfo, error) {
	if err := s.in.ask("cuStreamGetCaptureInfo"); err != nil {
		return driver.CaptureInfo{}, err
	}
	info, err := s.Stream.CaptureInfo()
	if info.Graph != nil {
		info.Graph = &graph{Graph: info.Graph, ctx: s.ctx, in: s.in}
	}
	return info, err
}

func (s *stream) SetCaptureDependencies(nodes []driver.GraphNode) error {
	return s.in.do("cuStreamUpdateCaptureDependencies", func() error { return s.Stream.SetCaptureDependencies(nodes) })
}

type event struct {
	driver.Event
	in *Injector
}

func (e *event) Record(s driver.Stream) error {
	return e.in.do("cuEventRecord", func() error { return e.Event.Record(bareStream(s)) })
}

func (e *event) Synchronize() error { return e.in.waits("cuEventSynchronize", e.Event.Synchronize) }
func (e *event) Query() error       { return e.in.poll("cuEventQuery", e.Event.Query) }
func (e *event) Destroy() error     { return e.in.gone("event", "cuEventDestroy", e.Event.Destroy) }

func (e *event) ElapsedMilliseconds(since driver.Event) (float32, error) {
	if err := e.in.ask("cuEventElapsedTime"); err != nil {
		return 0, err
	}
	return e.Event.ElapsedMilliseconds(bareEvent(since))
}
