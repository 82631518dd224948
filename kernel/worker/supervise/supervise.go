package supervise

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

const (
	// secondInterruptAfter is how long after a first interrupt a second one means: end the process.
	// Sooner, it is the same wish.
	secondInterruptAfter = 500 * time.Millisecond
	// interruptHintAfter is how long a cell may take to stop before the person is told what a
	// second interrupt does.
	interruptHintAfter = 3 * time.Second
	// shortLife is how long a worker is ready, at least, that is replaced before anybody asks.
	shortLife = time.Second
	// shutdownGrace is how long a worker may take to end when asked to.
	shutdownGrace = protocol.CloseGrace + time.Second
)

// A Supervisor keeps one worker alive and is the engine that the kernel sees. Its methods are safe
// for use by several goroutines at once.
type Supervisor struct {
	launcher Launcher
	recv     Receiver
	log      *slog.Logger

	mu     sync.Mutex // guards what follows
	worker *process   // nil: the next request starts one
	closed bool
	serial uint64 // of requests, over all workers
}

// New starts a worker in the background: requests wait for it.
func New(launcher Launcher, recv Receiver, log *slog.Logger) *Supervisor {
	s := &Supervisor{launcher: launcher, recv: recv, log: log}
	go func() {
		if _, err := s.acquire(context.Background()); err != nil && !errors.Is(err, ErrClosed) {
			log.Error("worker", "error", err)
		}
	}()
	return s
}

// acquire gives a worker that is ready, and starts one where there is none.
func (s *Supervisor) acquire(ctx context.Context) (*process, error) {
	p, err := s.start()
	if err != nil {
		return nil, err
	}
	select {
	case <-p.ready:
		return p, p.readyError()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Supervisor) start() (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if s.worker != nil {
		return s.worker, nil
	}
	l, err := s.launcher.launch()
	if err != nil {
		return nil, err
	}
	s.worker = newProcess(s, l)
	return s.worker, nil
}

// ended is called when p is over, whatever the reason. A worker that was ready for a while is
// replaced at once; one that was not might die again and again: the next request starts another.
func (s *Supervisor) ended(p *process, death *DeathError) {
	s.mu.Lock()
	if s.worker == p {
		s.worker = nil
	}
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return
	}
	s.log.Warn("worker died", "pid", death.PID, "state", death.State, "reason", death.Cause())
	s.recv.Died(death)
	if p.lived() >= shortLife {
		go func() {
			if _, err := s.acquire(context.Background()); err != nil && !errors.Is(err, ErrClosed) {
				s.log.Error("worker", "error", err)
			}
		}()
	}
}

// verdict is what requests that waited for a worker that ended are told.
func (s *Supervisor) verdict(death *DeathError) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	return death
}

func (s *Supervisor) nextID() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	return s.serial
}

// Execute runs one cell and returns when all its output has been delivered. It has an answer to
// everything: where the worker cannot start or dies, that is the cell's error. A cancelled context
// interrupts the cell.
func (s *Supervisor) Execute(ctx context.Context, tag any, req worker.ExecuteRequest) worker.ExecuteReply {
	p, err := s.acquire(ctx)
	if err != nil {
		return worker.ExecuteReply{Error: cellError(err)}
	}
	f, err := p.call(ctx, protocol.KindExecute, tag, req)
	if err != nil {
		return worker.ExecuteReply{Error: cellError(err)}
	}
	w, err := protocol.Decode[protocol.ExecuteReply](f)
	if err != nil {
		return worker.ExecuteReply{Error: cellError(err)}
	}
	reply := worker.ExecuteReply{Error: w.Error, UserExpressions: w.UserExpressions, Payload: w.Payload}
	if w.Result != nil {
		b := w.Result.Decode()
		reply.Result = &b
	}
	return reply
}

// cellError is what a cell shows when it could not run, or not to its end.
func cellError(err error) *worker.CellError {
	var death *DeathError
	if errors.As(err, &death) {
		return death.CellError()
	}
	name := "WorkerFailed"
	if errors.Is(err, context.Canceled) {
		name = "Interrupted"
	}
	return &worker.CellError{Name: name, Value: err.Error(),
		Traceback: []string{"\x1b[1m" + name + "\x1b[0m: " + err.Error()}}
}

// Complete asks for candidates. Errors: *DeathError, *StartError, *OpenError, that of ctx.
func (s *Supervisor) Complete(ctx context.Context, req worker.CompleteRequest) (worker.CompleteReply, error) {
	return ask[worker.CompleteReply](ctx, s, protocol.KindComplete, req)
}

// Inspect asks for documentation. Errors as Complete.
func (s *Supervisor) Inspect(ctx context.Context, req worker.InspectRequest) (worker.InspectReply, error) {
	w, err := ask[protocol.InspectReply](ctx, s, protocol.KindInspect, req)
	return worker.InspectReply{Found: w.Found, Bundle: w.Bundle.Decode()}, err
}

// IsComplete asks whether a cell is whole. Errors as Complete.
func (s *Supervisor) IsComplete(ctx context.Context, req worker.IsCompleteRequest) (worker.IsCompleteReply, error) {
	return ask[worker.IsCompleteReply](ctx, s, protocol.KindIsComplete, req)
}

// ask sends a question that may be asked while a cell runs.
func ask[A any](ctx context.Context, s *Supervisor, k protocol.Kind, req any) (A, error) {
	var none A
	p, err := s.acquire(ctx)
	if err != nil {
		return none, err
	}
	f, err := p.call(ctx, k, nil, req)
	if err != nil {
		return none, err
	}
	return protocol.Decode[A](f)
}

// Comm delivers an event of the front end and returns when the session has handled it.
func (s *Supervisor) Comm(ctx context.Context, tag any, e worker.CommEvent) error {
	p, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	_, err = p.callFrame(ctx, p.control, tag, func(id uint64) (protocol.Frame, error) {
		return protocol.CommFrame(e, protocol.KindComm, id)
	})
	return err
}

// Interrupt asks what runs to stop. Where it was asked before and has not, the worker is ended and
// replaced.
func (s *Supervisor) Interrupt() {
	s.mu.Lock()
	p := s.worker
	s.mu.Unlock()
	if p != nil {
		p.interrupt()
	}
}

// PID is the worker's process, 0 where there is none.
func (s *Supervisor) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.worker == nil {
		return 0
	}
	return s.worker.link.pid
}

// Close ends the worker: asked first, then killed. Requests that wait end with ErrClosed.
func (s *Supervisor) Close() error {
	s.mu.Lock()
	s.closed = true
	p := s.worker
	s.mu.Unlock()
	if p == nil {
		return nil
	}
	for _, way := range []*protocol.Channel{p.control, p.out} { // whoever reads one does not read the other
		go func() { _ = way.Send(protocol.Frame{Kind: protocol.KindShutdown}) }() // a full pipe must not hold up the kill
	}
	select {
	case <-p.over:
	case <-time.After(shutdownGrace):
		p.link.kill()
		<-p.over
	}
	return nil
}
