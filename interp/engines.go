package interp

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// current is the engine that executes cells.
func (s *Session) current() engine.Engine { return *s.engine.Load() }

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
func (s *Session) switchTo(from *shell, name string) error {
	if s.others(from) {
		return &BusyError{"%engine " + name}
	}
	e, err := s.options.Engines[name]()
	if err != nil {
		return err
	}
	e.OnPanic(s.goroutinePanicked)
	old := *s.engine.Swap(&e)
	if err := s.reset(); err != nil {
		return err
	}
	return old.Close()
}

// A BusyError is a command that would take the ground from under a cell that runs on another shell.
type BusyError struct{ Command string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s: a cell of another subshell runs, and would end: let it end, or interrupt it", e.Command)
}
