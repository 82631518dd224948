package cuda

import (
	"fmt"
	"sync"
)

// A Sequence is prepared launches that are enqueued together, in order, again and again. The second time
// they are captured, and from then on one graph launch enqueues them all.
type Sequence struct {
	dev      *Device
	launches []*Prepared

	mu     sync.Mutex
	runs   int    // guarded by mu
	graph  *Graph // guarded by mu: nil until the second run
	closed bool   // guarded by mu
}

// NewSequence makes a sequence of launches prepared on this device. It is given back by Close.
func (d *Device) NewSequence(launches ...*Prepared) (*Sequence, error) {
	const op = "Device.NewSequence"
	if err := d.open(op); err != nil {
		return nil, err
	}
	if len(launches) == 0 {
		return nil, &Error{Op: op, Want: "at least one prepared launch", Got: "none"}
	}
	for i, p := range launches {
		if p == nil || p.kernel.mod.dev != d {
			return nil, &Error{Op: op, What: fmt.Sprint("launch ", i), Want: "a launch prepared on " + d.String(), Got: "another"}
		}
	}
	return &Sequence{dev: d, launches: append([]*Prepared(nil), launches...)}, nil
}

// Launch enqueues all launches on the device's own stream.
func (s *Sequence) Launch() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &Error{Op: "Sequence.Launch", Got: "the sequence is closed"}
	}
	s.runs++
	if s.runs == 1 {
		return s.plain()
	}
	if s.graph == nil {
		g, err := s.dev.Capture(func(st *Stream) {
			for _, p := range s.launches {
				_ = st.Enqueue(p) // Capture reports what fails in it
			}
		})
		if err != nil {
			return err
		}
		s.graph = g
	}
	return s.graph.Launch()
}

func (s *Sequence) plain() error {
	for _, p := range s.launches {
		if err := p.enqueue("Sequence.Launch", s.dev.stream.s); err != nil {
			return err
		}
	}
	return nil
}

// Graph is the captured sequence, nil before the second Launch.
func (s *Sequence) Graph() *Graph {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.graph
}

// Close gives the graph back.
func (s *Sequence) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &Error{Op: "Sequence.Close", Got: "the sequence was closed already"}
	}
	s.closed = true
	if s.graph == nil {
		return nil
	}
	return s.graph.Close()
}
