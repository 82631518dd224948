package interp

import (
	"context"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"github.com/vyre-kernel/vyre-kernel/plots/display/newest"
)

// A screen is where display.Show of cells shows: the output of the cell that ran last. An output
// that is replaced faster than pages draw is replaced by its newest form.
type screen struct {
	cell    atomic.Pointer[shownCell]
	updates newest.Sender[string, display.Bundle]
}

// A shownCell is whose output is shown, and whose person is asked; ctx is done when it was
// interrupted or is over.
type shownCell struct {
	ctx  context.Context
	host worker.Host
}

func (s *screen) init() {
	s.updates.Send = func(id string, b display.Bundle) {
		s.now().Display(worker.Display{Bundle: b, ID: id, Update: true})
	}
}

// enter says which cell shows from now on.
func (s *screen) enter(ctx context.Context, h worker.Host) { s.cell.Store(&shownCell{ctx, h}) }

// within says until when the person is asked: the end of what runs, which may be before that of the
// cell.
func (s *screen) within(ctx context.Context) { s.cell.Store(&shownCell{ctx, s.now()}) }

func (s *screen) now() worker.Host { return s.cell.Load().host }

func (s *screen) Show(b display.Bundle, id string, update bool) {
	if update && id != "" {
		s.updates.Put(id, b)
		return
	}
	s.updates.Flush()
	s.now().Display(worker.Display{Bundle: b, ID: id, Update: update})
}

func (s *screen) Clear(wait bool) {
	s.updates.Flush()
	s.now().ClearOutput(wait)
}

// Ask asks the person of the cell that ran last, after what it showed. Errors:
// worker.ErrStdinNotAllowed, one that wraps the context's.
func (s *screen) Ask(prompt string, password bool) (string, error) {
	s.updates.Flush()
	c := s.cell.Load()
	answer, err := c.host.Input(c.ctx, prompt, password)
	if err != nil && c.ctx.Err() != nil {
		return "", unanswered{c.ctx.Err()}
	}
	return answer, err
}

// screens are those of all shells: what is shown, or asked, is for the cell of the calling
// goroutine.
type screens struct{ s *Session }

var _ display.Asker = screens{}

// of is the screen of the calling goroutine's shell: there is one from the first cell on.
func (s screens) of() *screen { return &s.s.shell().screen }

func (s screens) Show(b display.Bundle, id string, update bool) { s.of().Show(b, id, update) }
func (s screens) Clear(wait bool)                               { s.of().Clear(wait) }
func (s screens) Ask(prompt string, password bool) (string, error) {
	return s.of().Ask(prompt, password)
}
