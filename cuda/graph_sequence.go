package cuda

import (
	"fmt"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
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
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	if len(launches) == 0 {
		return nil, &Error{Op: op, Want: "at least one prepared launch", Got: "none"}
	}
	for i, p := range launches {
		if err := p.check(op, d); err != nil {
			return nil, within(op, fmt.Sprint("launch ", i), err)
		}
	}
	return &Sequence{dev: d, launches: append([]*Prepared(nil), launches...)}, nil
}

// Launch enqueues all launches on the device's own stream.
func (s *Sequence) Launch() error {
	const op = "Sequence.Launch"
	if s.none() {
		return missing(op, "a sequence", "Device.NewSequence")
	}
	if err := s.dev.checkOpen(op); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.isClosed(op)
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
		if err := p.run("Sequence.Launch", s.dev.stream); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sequence) none() bool { return s == nil || s.dev == nil }

func (s *Sequence) isClosed(op string) error {
	return &Error{Op: op, Got: "the sequence is closed", Fix: "make another: Device.NewSequence",
		code: driver.ErrorInvalidHandle}
}

// Graph is the captured sequence, nil before the second Launch.
func (s *Sequence) Graph() *Graph {
	if s.none() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.graph
}

// Close gives the graph back.
func (s *Sequence) Close() error {
	const op = "Sequence.Close"
	if s.none() {
		return missing(op, "a sequence", "Device.NewSequence")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.isClosed(op)
	}
	s.closed = true
	if s.graph == nil || s.graph.isGone() { // its device closed it
		return nil
	}
	return s.graph.Close()
}

// Table is the sequence's card.
func (s *Sequence) Table() display.Table {
	if s.none() {
		return *display.Card("No sequence")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := display.Card("Sequence of " + plural(len(s.launches), "launch"))
	for i, p := range s.launches {
		if i == 8 && len(s.launches) > 9 {
			t.Add("…", fmt.Sprintf("%d more", len(s.launches)-i))
			break
		}
		t.Add(fmt.Sprint("launch ", i), p.label)
	}
	t.Add("runs", s.runs)
	switch {
	case s.closed:
		t.Note("Closed.")
	case s.graph == nil:
		t.Note("Captured by the second run; from then on one graph launch enqueues it.")
	default:
		t.Note("Captured as " + s.graph.name + ": one graph launch enqueues it.")
	}
	return *t
}

func (s *Sequence) String() string {
	if s.none() {
		return "no sequence"
	}
	return fmt.Sprintf("sequence of %s on %s", plural(len(s.launches), "launch"), s.dev)
}

// MustSequence is NewSequence for cells.
func (d *Device) MustSequence(launches ...*Prepared) *Sequence {
	return must(d.NewSequence(launches...))
}

// MustPrepare is Prepare for cells.
func (k *Kernel) MustPrepare(grid GridDim, block BlockDim, args ...any) *Prepared {
	return must(k.Prepare(grid, block, args...))
}

func (p *Prepared) String() string {
	if p == nil || p.kernel == nil {
		return "no prepared launch"
	}
	var args []string
	for _, a := range p.args {
		args = append(args, argumentText(a))
	}
	return p.label + "(" + strings.Join(args, ", ") + ")"
}
