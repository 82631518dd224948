package interp

import (
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"github.com/vyre-kernel/vyre-kernel/plots/display/newest"
)

// A screen is where display.Show of cells shows: the output of the cell that ran last. An output that is replaced faster
// than pages draw is replaced by its newest form.
type screen struct {
	host    atomic.Pointer[worker.Host]
	updates newest.Sender[string, display.Bundle]
}

func (s *screen) init() {
	s.updates.Send = func(id string, b display.Bundle) {
		s.now().Display(worker.Display{Bundle: b, ID: id, Update: true})
	}
}

// enter says which cell shows from now on.
func (s *screen) enter(h worker.Host) { s.host.Store(&h) }

func (s *screen) now() worker.Host { return *s.host.Load() }

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
