package conformance

import (
	"context"
	"errors"
	"go/types"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// On opens sessions of cells that package check checks and engines made by newEngine execute.
func On(newEngine func() (engine.Engine, error)) Open {
	return func() (Session, error) {
		c, err := check.New(nil)
		if err != nil {
			return nil, err
		}
		e, err := newEngine()
		if err != nil {
			return nil, err
		}
		c.Compiled = func(f *types.Func, args []types.Type) bool { return check.CompiledBy(e, f, args) }
		s := &checked{check: c, engine: e}
		e.OnPanic(s.goroutinePanicked)
		return s, nil
	}
}

// checked is a session on an engine.
type checked struct {
	check  *check.Checker
	engine engine.Engine
	cells  int

	mu        sync.Mutex
	cancel    context.CancelFunc // of the cell that runs
	elsewhere *engine.Panic      // what a goroutine died of
}

// Cell checks, loads and runs one cell. A panic in a goroutine ends the cell that runs, or the
// next, as it ends a program.
func (s *checked) Cell(ctx context.Context, source string) error {
	if p := s.over(); p != nil {
		return p
	}
	s.cells++
	k, err := s.check.Check(s.cells, source)
	if err != nil {
		return err
	}
	if k.Constant.IsValid() {
		s.check.Commit(k)
		return nil
	}
	if err := s.engine.Load(k.Unit); err != nil {
		return err
	}
	s.check.Commit(k)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.running(cancel)
	_, err = s.engine.Run(ctx, k.Unit)
	var interrupted *engine.Interrupted
	if p := s.over(); p != nil && (err == nil || errors.As(err, &interrupted)) {
		return p
	}
	return err
}

func (s *checked) running(cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel = cancel; s.elsewhere != nil {
		cancel()
	}
}

func (s *checked) over() *engine.Panic {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.elsewhere
	s.cancel, s.elsewhere = nil, nil
	return p
}

func (s *checked) goroutinePanicked(p *engine.Panic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.elsewhere == nil {
		s.elsewhere = p
	}
	if s.cancel != nil {
		s.cancel()
	}
}

func (s *checked) Close() error { return s.engine.Close() }
