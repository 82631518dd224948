package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// An Opener makes the session that a worker serves. What it prints is captured, and an error of it
// is the answer to every request.
type Opener func(ctx context.Context) (worker.Session, error)

// A server answers the frames of two pipes with one session: cells come on one, all else on the
// other. Each has a reader that also does what the frames say, so that a request is answered by the
// thread that it woke.
type server struct {
	out      *protocol.Channel
	in       io.Reader // cells
	control  io.Reader // all else
	window   *protocol.Window
	captures []*capture
	stdin    *stdinPipe // nil: nothing is at descriptor 0
	session  worker.Session

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	comms  commQueue
	awake  monitor
	ended  chan error // why a reader read no more

	mu      sync.Mutex // guards what follows
	running map[uint64]context.CancelFunc
	current uint64 // the cell whose output the streams are: it runs, or was the last one
	asked   map[uint64]chan protocol.InputAnswer
	serial  uint64
	watches []*watch // of the cells that run, the oldest first
	cells   []uint64 // that run, the oldest first
	last    uint64   // the last cell that came through its pipe
	busy    bool     // the reader of that pipe runs it
	// stopping is the cell that was interrupted last.
	stopping uint64
	early    map[uint64]bool // cells that were interrupted before they came: the pipes have no order with each other
}

func newServer(in, control io.Reader, out *protocol.Channel) *server {
	s := &server{
		in: bufio.NewReaderSize(in, protocol.ReadAhead), control: bufio.NewReaderSize(control, protocol.ReadAhead),
		out: out, window: protocol.NewWindow(protocol.WindowBytes),
		running: map[uint64]context.CancelFunc{}, asked: map[uint64]chan protocol.InputAnswer{}, early: map[uint64]bool{},
	}
	s.comms.ready = make(chan struct{}, 1)
	s.awake.waits, s.awake.runs, s.awake.hush = s.waits(in, control), s.runsCell, s.hush
	s.ended = make(chan error, 2)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Pipes returns what serves a session over pipes of any kind until the kernel says shutdown (nil)
// or is gone (io.EOF): for kernels that run cells in their own process. No descriptors are
// captured.
func Pipes(open Opener) func(in, control io.Reader, out io.Writer) error {
	return func(in, control io.Reader, out io.Writer) error {
		return newServer(in, control, protocol.NewChannel(out, nil)).serve(open)
	}
}

// serve opens the session and answers until the kernel says shutdown (nil), or is gone (io.EOF).
func (s *server) serve(open Opener) error {
	defer s.end()
	session, err := openSession(s.ctx, open)
	if err != nil {
		s.drain()
		if err := s.out.SendHead(protocol.KindOpenFailed, 0, protocol.OpenFailed{Reason: err.Error()}); err != nil {
			return err
		}
		return s.refuse()
	}
	s.session = session
	s.tasks.Go(s.serveComms)
	if err := s.out.Send(protocol.Frame{Kind: protocol.KindReady}); err != nil {
		return err
	}
	s.tasks.Go(func() { s.read(s.control) })
	s.tasks.Go(func() { s.read(s.in) })
	return <-s.ended
}

// waits reports whether there is something in a pipe whose reader could read it: that of cells may
// be busy with one.
func (s *server) waits(in, control io.Reader) func() bool {
	ready := func(r io.Reader) bool {
		stream, ok := r.(*direct.Stream)
		return ok && stream.Ready()
	}
	return func() bool { return s.stops() || ready(control) || !s.isBusy() && ready(in) }
}

// stops reports whether a cell that was interrupted has not ended yet.
func (s *server) stops() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[s.stopping] != nil
}

// isBusy reports whether the reader of the pipe of cells runs one.
func (s *server) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy
}

// runsCell reports whether a cell, or what a comm calls, runs.
func (s *server) runsCell() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.running) > 0
}

// A Hushing session can hold up what computes in goroutines of cells, so that others have a turn,
// until it is told to go on.
type Hushing interface{ Hush(on bool) }

func (s *server) hush(on bool) {
	if h, ok := s.session.(Hushing); ok {
		h.Hush(on)
	}
}

// read does what the frames of one pipe say, until its end.
func (s *server) read(from io.Reader) {
	for {
		f, err := protocol.ReadFrame(from)
		if err == nil && f.Kind == protocol.KindShutdown {
			s.fail(nil)
			return
		}
		if err == nil {
			err = s.handle(f)
		}
		if err != nil {
			s.fail(err)
			return
		}
	}
}

// refuse waits for the end: the kernel answers requests with the reason it was told.
func (s *server) refuse() error {
	for {
		if f, err := protocol.ReadFrame(s.in); err != nil || f.Kind == protocol.KindShutdown {
			return err
		}
	}
}

func openSession(ctx context.Context, open Opener) (session worker.Session, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	session, err = open(ctx)
	if err == nil && session == nil {
		err = errors.New("there is none")
	}
	return session, err
}

// serverTable says what each frame from the kernel does.
var serverTable = map[protocol.Kind]func(*server, protocol.Frame) error{
	protocol.KindExecute: (*server).execute,
	protocol.KindComplete: answer(func(ctx context.Context, s *server, r worker.CompleteRequest) any {
		return s.session.Complete(ctx, r)
	}),
	protocol.KindInspect: inBackground(answer(func(ctx context.Context, s *server, r worker.InspectRequest) any {
		reply := s.session.Inspect(ctx, r)
		w, errs := protocol.EncodeBundle(reply.Bundle)
		(&host{s: s}).report(errs)
		return protocol.InspectReply{Found: reply.Found, Bundle: w}
	})),
	protocol.KindIsComplete: answer(func(ctx context.Context, s *server, r worker.IsCompleteRequest) any {
		return s.session.IsComplete(ctx, r)
	}),
	protocol.KindComm:        (*server).comm,
	protocol.KindInterrupt:   (*server).interrupt,
	protocol.KindInputReply:  (*server).inputReply,
	protocol.KindCredit:      (*server).credit,
	protocol.KindLongRunning: (*server).longRunning,
}

// brief are the kinds that run nothing of the cells, so that nothing has to be heard meanwhile.
var brief = [protocol.KindEnd]bool{protocol.KindComplete: true, protocol.KindIsComplete: true,
	protocol.KindInterrupt: true, protocol.KindLongRunning: true}

func (s *server) handle(f protocol.Frame) error {
	h, ok := serverTable[f.Kind]
	if !ok {
		return fmt.Errorf("worker: frame of kind %d does not go to a worker", f.Kind)
	}
	if !brief[f.Kind] {
		s.awake.work()
	}
	return h(s, f)
}

// answer returns a handler that replies before the next frame is read: for questions whose answers
// take milliseconds at most.
func answer[Q any](do func(context.Context, *server, Q) any) func(*server, protocol.Frame) error {
	return func(s *server, f protocol.Frame) error {
		q, err := protocol.Decode[Q](f)
		if err != nil {
			return err
		}
		var reply any
		if cell := s.guard(func() { reply = do(s.ctx, s, q) }); cell != nil {
			reply = protocol.FailedReply{Failure: strings.Join(append([]string{cell.Value}, cell.Traceback...), "\n")}
		}
		s.reply(protocol.KindReply, f.Request, reply)
		return nil
	}
}

// inBackground returns a handler that holds up nothing: values that are inspected may have methods
// of the cells' own.
func inBackground(do func(*server, protocol.Frame) error) func(*server, protocol.Frame) error {
	return func(s *server, f protocol.Frame) error {
		s.tasks.Go(func() {
			if err := do(s, f); err != nil {
				s.fail(err)
			}
		})
		return nil
	}
}

// fail ends the worker: asked to (nil), or what the kernel sent cannot be read.
func (s *server) fail(err error) {
	select {
	case s.ended <- err:
	default: // it ends already
	}
}

func (s *server) reply(k protocol.Kind, request uint64, v any) {
	if err := s.out.SendHead(k, request, v); err != nil {
		// Either the pipe is broken, which the reader sees too, or the reply cannot be encoded.
		_ = s.out.SendHead(k, request, protocol.FailedReply{Failure: err.Error()})
	}
}

// guard turns a panic of the session into an error.
func (s *server) guard(do func()) (cell *worker.CellError) {
	defer func() {
		if p := recover(); p != nil {
			cell = &worker.CellError{
				Name: "InternalError", Value: fmt.Sprintf("the session panicked: %v", p),
				Traceback: strings.Split(strings.TrimSpace(string(debug.Stack())), "\n"),
			}
		}
	}()
	do()
	return nil
}

// execute runs a cell, unless it was interrupted before. Those of subshells come through the pipe
// of all else, whose reader waits for none.
func (s *server) execute(f protocol.Frame) error {
	req, err := protocol.Decode[worker.ExecuteRequest](f)
	if err != nil {
		return err
	}
	ctx, cancel := s.begin(f.Request)
	if req.Subshell != "" {
		s.tasks.Go(func() {
			defer cancel()
			s.cell(ctx, f.Request, req)
		})
		return nil
	}
	defer cancel()
	s.mu.Lock()
	s.last, s.busy = f.Request, true
	if s.early[f.Request] {
		cancel()
	}
	clear(s.early)
	s.mu.Unlock()
	s.cell(ctx, f.Request, req)
	s.mu.Lock()
	s.busy = false
	s.mu.Unlock()
	return nil
}

// cell runs one cell and answers.
func (s *server) cell(ctx context.Context, request uint64, req worker.ExecuteRequest) {
	s.drain() // what goroutines of earlier cells wrote is theirs
	s.enter(request)
	h := &host{s: s, request: request, allowStdin: req.AllowStdin}
	end := func() {}
	if s.stdin != nil {
		end = s.watchStdin(ctx, h)
	}
	var reply worker.ExecuteReply
	if cell := s.guard(func() { reply = s.session.Execute(ctx, req, h) }); cell != nil {
		reply = worker.ExecuteReply{Error: cell}
	}
	end()
	w := h.wire(reply)
	s.drain()
	s.leave(request)
	s.reply(protocol.KindExecuteReply, request, w)
}

// enter notes that a cell begins. Where others run, the streams are theirs until the session says
// otherwise (host.Claim).
func (s *server) enter(request uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cells = append(s.cells, request); len(s.cells) == 1 {
		s.current = request
	}
}

// leave notes that a cell has ended, whose output was passed on. What is written to the streams now
// is of one that runs.
func (s *server) leave(request uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, request)
	s.cells = slices.DeleteFunc(s.cells, func(r uint64) bool { return r == request })
	if n := len(s.cells); n > 0 && s.current == request {
		s.current = s.cells[n-1]
	}
}

// begin makes the context of a request that can be interrupted, until forgetRunning.
func (s *server) begin(request uint64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[request] = cancel
	return ctx, cancel
}

func (s *server) forgetRunning(request uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, request)
}

func (s *server) interrupt(f protocol.Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[f.Request]; cancel != nil {
		s.stopping = f.Request
		cancel()
	} else if f.Request > s.last { // a cell that is still in its pipe; others are over
		s.early[f.Request] = true
	}
	return nil
}

func (s *server) credit(f protocol.Frame) error {
	c, err := protocol.Decode[protocol.Credit](f)
	if err == nil {
		s.window.Release(c.Bytes)
	}
	return err
}

func (s *server) inputReply(f protocol.Frame) error {
	a, err := protocol.Decode[protocol.InputAnswer](f)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.asked[a.Serial]; c != nil {
		c <- a
		delete(s.asked, a.Serial)
	}
	return nil
}

func (s *server) ask() (uint64, <-chan protocol.InputAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	c := make(chan protocol.InputAnswer, 1)
	s.asked[s.serial] = c
	return s.serial, c
}

func (s *server) forget(serial uint64) {
	s.mu.Lock()
	delete(s.asked, serial)
	s.mu.Unlock()
}

// drain passes on what stdout and stderr hold.
func (s *server) drain() {
	for _, c := range s.captures {
		c.drain()
	}
}

func (s *server) emit(k protocol.Kind, request uint64, p []byte) {
	// A broken pipe ends the worker through its reader.
	_ = s.output(protocol.Frame{Kind: k, Request: request, Body: p})
}

// output sends a frame that counts against the window.
func (s *server) output(f protocol.Frame) error {
	s.window.Acquire(f.Cost())
	return s.out.Send(f)
}

// end stops what runs and closes the session, within the grace.
func (s *server) end() {
	s.cancel()
	s.window.Close()
	s.awake.close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.tasks.Wait()
		if s.session != nil {
			_ = s.guard(func() { _ = s.session.Close() })
		}
	}()
	select {
	case <-done:
	case <-time.After(protocol.CloseGrace):
	}
	s.drain()
	for _, c := range s.captures {
		c.close()
	}
}
