package serve

import (
	"context"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// A watch is over descriptor 0 while a cell runs.
type watch struct {
	request uint64
	host    *host
	ctx     context.Context
	over    chan struct{} // closed when the cell is over
	done    chan struct{} // closed when nobody watches any more; nil: nobody did
	cancel  context.CancelFunc
}

// watchStdin notes the cell that may be watched; the result ends it.
func (s *server) watchStdin(ctx context.Context, h *host) (end func()) {
	w := &watch{request: h.request, host: h, ctx: ctx, over: make(chan struct{})}
	s.mu.Lock()
	s.watches = append(s.watches, w)
	alone := len(s.watches) == 1
	s.mu.Unlock()
	if alone {
		s.stdin.forget()
	}
	return func() {
		s.mu.Lock()
		s.watches = slices.DeleteFunc(s.watches, func(x *watch) bool { return x == w })
		s.mu.Unlock()
		close(w.over)
		if w.done != nil {
			w.cancel()
			<-w.done
		}
	}
}

// longRunning begins the watch of a cell that the kernel reports to have run for a while: most are
// over before, and a timer here would wake a thread for each of them.
func (s *server) longRunning(f protocol.Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		if w.request != f.Request || w.done != nil {
			continue
		}
		w.done = make(chan struct{})
		var ctx context.Context
		ctx, w.cancel = context.WithCancel(w.ctx)
		s.tasks.Go(func() {
			defer close(w.done)
			s.stdin.serve(ctx, w.host, w.over, func() bool { return s.isFirst(w) })
		})
	}
	return nil
}

// isFirst reports whether no cell has run for longer: whoever reads descriptor 0 is asked by that
// one, as nobody can tell whose it is. Of a cell that is over it reports whether no other runs.
func (s *server) isFirst(w *watch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.watches) == 0 || s.watches[0] == w
}
