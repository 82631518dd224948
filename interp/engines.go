package interp

import (
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// current is the engine that executes cells.
func (s *Session) current() engine.Engine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine
}

// Hush holds up what computes in goroutines of cells, where the engine can, until it is told to
// let them go on.
func (s *Session) Hush(on bool) {
	if e, ok := s.current().(interface{ Hush(on bool) }); ok {
		e.Hush(on)
	}
}

func (s *Session) engineNames() []string {
	names := slices.Collect(maps.Keys(s.options.Engines))
	if now := s.current().Name(); !slices.Contains(names, now) {
		names = append(names, now)
	}
	slices.Sort(names)
	return names
}

// switchTo has a fresh engine execute what follows. What cells declared is forgotten, and what they
// left running stops: values and functions live in the engine that made them. name is one of
// engineNames, and not that of the current one.
func (s *Session) switchTo(name string) error {
	e, err := s.options.Engines[name]()
	if err != nil {
		return err
	}
	e.OnPanic(s.goroutinePanicked)
	s.mu.Lock()
	old := s.engine
	s.engine = e
	s.mu.Unlock()
	if err := s.reset(); err != nil {
		return err
	}
	return old.Close()
}
