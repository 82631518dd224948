package serve

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// maxCommsWaiting bounds the comm events that wait for the session.
const maxCommsWaiting = 10_000

// A commQueue holds events until the session has handled those before: their order is their
// meaning, and a handler that takes its time must not hold up interrupts behind it in the pipe.
type commQueue struct {
	mu      sync.Mutex
	waiting []protocol.Frame
	ready   chan struct{} // holds one token when the queue became non-empty
}

func (q *commQueue) push(f protocol.Frame) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= maxCommsWaiting {
		return false
	}
	q.waiting = append(q.waiting, f)
	select {
	case q.ready <- struct{}{}:
	default:
	}
	return true
}

func (q *commQueue) takeAll() []protocol.Frame {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.waiting
	q.waiting = nil
	return all
}

// comm queues an event for the session.
func (s *server) comm(f protocol.Frame) error {
	if !s.comms.push(f) {
		h := &host{s: s, request: f.Request}
		h.note(&protocol.FrameError{What: "comm events waiting for the session", Got: maxCommsWaiting + 1,
			Limit: maxCommsWaiting})
		s.reply(protocol.KindCommDone, f.Request, struct{}{})
	}
	return nil
}

// serveComms hands events to the session, one at a time.
func (s *server) serveComms() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.comms.ready:
		}
		for _, f := range s.comms.takeAll() {
			s.deliverComm(f)
		}
	}
}

func (s *server) deliverComm(f protocol.Frame) {
	h := &host{s: s, request: f.Request}
	ctx, cancel := s.begin(f.Request)
	defer cancel()
	if e, err := protocol.DecodeComm(f); err != nil {
		h.note(err)
	} else if cell := s.guard(func() { s.session.Comm(ctx, e, h) }); cell != nil {
		h.emitError(cell)
	}
	s.forgetRunning(f.Request)
	s.drain()
	s.reply(protocol.KindCommDone, f.Request, struct{}{})
}

// emitError shows an error where no reply can carry it.
func (h *host) emitError(cell *worker.CellError) {
	text := cell.Name + ": " + cell.Value + "\n"
	for _, line := range cell.Traceback {
		text += line + "\n"
	}
	h.s.emit(protocol.KindStderr, h.request, []byte(text))
}
