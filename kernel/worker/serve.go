package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// An Opener makes the session that a worker serves. What it prints is captured, and an error of it
// is the answer to every request.
type Opener func(ctx context.Context) (Session, error)

// closeGrace is how long a session may take to close when the worker ends.
const closeGrace = 2 * time.Second

// A server answers the frames of two pipes with one session: cells come on one, all else on the other. Each has a reader that
// also does what the frames say, so that a request is answered by the thread that it woke.
type server struct {
	out      *channel
	in       io.Reader // cells
	asides   io.Reader // all else
	window   *window
	captures []*capture
	stdin    *stdinPipe // nil: nothing is at descriptor 0
	session  Session

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	comms  commQueue
	awake  monitor
	ended  chan error // why a reader read no more

	mu      sync.Mutex // guards what follows
	running map[uint64]context.CancelFunc
	current uint64 // the cell that runs, else the last one: whose output the streams are
	asked   map[uint64]chan inputAnswer
	serial  uint64
	watch   *watch // of the cell that runs
	last    uint64 // the last cell that came
	// stopping is the cell that was interrupted last.
	stopping uint64
	early    map[uint64]bool // cells that were interrupted before they came: the pipes have no order with each other
}

func newServer(in, asides io.Reader, out io.Writer) *server {
	s := &server{
		in: bufio.NewReaderSize(in, readAhead), asides: bufio.NewReaderSize(asides, readAhead),
		out: &channel{w: out}, window: newWindow(windowBytes),
		running: map[uint64]context.CancelFunc{}, asked: map[uint64]chan inputAnswer{}, early: map[uint64]bool{},
	}
	s.comms.ready = make(chan struct{}, 1)
	s.awake.waits, s.awake.lasts, s.awake.hush = s.waits(in, asides), s.lastsCell, s.hush
	s.ended = make(chan error, 2)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// serve opens the session and answers until the kernel says shutdown (nil), or is gone (io.EOF).
func (s *server) serve(open Opener) error {
	defer s.end()
	session, err := openSession(s.ctx, open)
	if err != nil {
		s.drain()
		if err := s.out.sendHead(kindOpenFailed, 0, openFailed{Reason: err.Error()}); err != nil {
			return err
		}
		return s.refuse()
	}
	s.session = session
	s.tasks.Go(s.serveComms)
	if err := s.out.send(frame{kind: kindReady}); err != nil {
		return err
	}
	s.tasks.Go(func() { s.read(s.asides) })
	s.tasks.Go(func() { s.read(s.in) })
	return <-s.ended
}

// waits tells whether there is something in a pipe whose reader could read it: that of cells may
// be busy with one.
func (s *server) waits(in, asides io.Reader) func() bool {
	ready := func(r io.Reader) bool {
		stream, ok := r.(*direct.Stream)
		return ok && stream.Ready()
	}
	return func() bool { return s.stops() || ready(asides) || !s.lastsCell() && ready(in) }
}

// stops tells whether a cell that was interrupted has not ended yet.
func (s *server) stops() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[s.stopping] != nil
}

// lastsCell tells whether a cell, or what a comm calls, runs.
func (s *server) lastsCell() bool {
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
		f, err := readFrame(from)
		if err == nil && f.kind == kindShutdown {
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
		if f, err := readFrame(s.in); err != nil || f.kind == kindShutdown {
			return err
		}
	}
}

func openSession(ctx context.Context, open Opener) (session Session, err error) {
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
var serverTable = map[kind]func(*server, frame) error{
	kindExecute: (*server).execute,
	kindComplete: answer(func(ctx context.Context, s *server, r CompleteRequest) any {
		return s.session.Complete(ctx, r)
	}),
	kindInspect: beside(answer(func(ctx context.Context, s *server, r InspectRequest) any {
		reply := s.session.Inspect(ctx, r)
		w, errs := encodeBundle(reply.Bundle)
		(&host{s: s}).report(errs)
		return inspectReplyWire{Found: reply.Found, Bundle: w}
	})),
	kindIsComplete: answer(func(ctx context.Context, s *server, r IsCompleteRequest) any {
		return s.session.IsComplete(ctx, r)
	}),
	kindComm:       (*server).comm,
	kindInterrupt:  (*server).interrupt,
	kindInputReply: (*server).inputReply,
	kindCredit:     (*server).credit,
	kindLasts:      (*server).lasts,
}

// brief are the kinds that run nothing of the cells, so that nothing has to be heard meanwhile.
var brief = [kindEnd]bool{kindComplete: true, kindIsComplete: true, kindInterrupt: true, kindLasts: true}

func (s *server) handle(f frame) error {
	h, ok := serverTable[f.kind]
	if !ok {
		return fmt.Errorf("worker: frame of kind %d does not go to a worker", f.kind)
	}
	if !brief[f.kind] {
		s.awake.work()
	}
	return h(s, f)
}

// answer makes a handler that decodes a request, answers it, and holds up what comes behind: for questions whose
// answers take milliseconds at most.
func answer[Q any](do func(context.Context, *server, Q) any) func(*server, frame) error {
	return func(s *server, f frame) error {
		q, err := decode[Q](f)
		if err != nil {
			return err
		}
		var reply any
		if cell := s.guard(func() { reply = do(s.ctx, s, q) }); cell != nil {
			reply = failedReply{Failure: strings.Join(append([]string{cell.Value}, cell.Traceback...), "\n")}
		}
		s.reply(kindReply, f.request, reply)
		return nil
	}
}

// beside makes a handler that holds up nothing: values that are inspected may have methods of the cells' own.
func beside(do func(*server, frame) error) func(*server, frame) error {
	return func(s *server, f frame) error {
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

// failedReply is what comes instead of a reply when the session panicked.
type failedReply struct{ Failure string }

func (s *server) reply(k kind, request uint64, v any) {
	if err := s.out.sendHead(k, request, v); err != nil {
		// Either the pipe is broken, which the reader sees too, or the reply cannot be encoded.
		_ = s.out.sendHead(k, request, failedReply{Failure: err.Error()})
	}
}

// guard turns a panic of the session into an error.
func (s *server) guard(do func()) (cell *CellError) {
	defer func() {
		if p := recover(); p != nil {
			cell = &CellError{
				Name: "InternalError", Value: fmt.Sprintf("the session panicked: %v", p),
				Traceback: strings.Split(strings.TrimSpace(string(debug.Stack())), "\n"),
			}
		}
	}()
	do()
	return nil
}

// execute runs a cell, unless it was interrupted before.
func (s *server) execute(f frame) error {
	req, err := decode[ExecuteRequest](f)
	if err != nil {
		return err
	}
	ctx, cancel := s.begin(f.request)
	defer cancel()
	s.mu.Lock()
	s.last = f.request
	if s.early[f.request] {
		cancel()
	}
	clear(s.early)
	s.mu.Unlock()
	s.cell(ctx, f.request, req)
	return nil
}

// cell runs one cell and answers.
func (s *server) cell(ctx context.Context, request uint64, req ExecuteRequest) {
	s.drain() // what goroutines of earlier cells wrote is theirs
	s.mu.Lock()
	s.current = request
	s.mu.Unlock()
	h := &host{s: s, request: request, allowStdin: req.AllowStdin}
	end := func() {}
	if s.stdin != nil {
		end = s.watchStdin(ctx, h)
	}
	var reply ExecuteReply
	if cell := s.guard(func() { reply = s.session.Execute(ctx, req, h) }); cell != nil {
		reply = ExecuteReply{Error: cell}
	}
	end()
	w := h.wire(reply)
	s.mu.Lock()
	delete(s.running, request)
	s.mu.Unlock()
	s.drain()
	s.reply(kindExecuteReply, request, w)
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
	s.watch = w
	s.mu.Unlock()
	s.stdin.forget()
	return func() {
		s.mu.Lock()
		s.watch = nil
		s.mu.Unlock()
		close(w.over)
		if w.done != nil {
			w.cancel()
			<-w.done
		}
	}
}

// lasts begins the watch of a cell of which the kernel says that it has run for a while: most are over before, and a
// timer here would wake a thread for each of them.
func (s *server) lasts(f frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.watch; w != nil && w.request == f.request && w.done == nil {
		w.done = make(chan struct{})
		var ctx context.Context
		ctx, w.cancel = context.WithCancel(w.ctx)
		s.tasks.Go(func() {
			defer close(w.done)
			s.stdin.serve(ctx, w.host, w.over)
		})
	}
	return nil
}

func (s *server) interrupt(f frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[f.request]; cancel != nil {
		s.stopping = f.request
		cancel()
	} else if f.request > s.last { // a cell that is still in its pipe; others are over
		s.early[f.request] = true
	}
	return nil
}

func (s *server) credit(f frame) error {
	c, err := decode[credit](f)
	if err == nil {
		s.window.release(c.Bytes)
	}
	return err
}

func (s *server) inputReply(f frame) error {
	a, err := decode[inputAnswer](f)
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

func (s *server) ask() (uint64, <-chan inputAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	c := make(chan inputAnswer, 1)
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

func (s *server) emit(k kind, request uint64, p []byte) {
	// A broken pipe ends the worker through its reader.
	_ = s.output(frame{kind: k, request: request, body: p})
}

// output sends a frame that counts against the window.
func (s *server) output(f frame) error {
	s.window.acquire(f.cost())
	return s.out.send(f)
}

// end stops what runs and closes the session, within the grace.
func (s *server) end() {
	s.cancel()
	s.window.close()
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
	case <-time.After(closeGrace):
	}
	s.drain()
	for _, c := range s.captures {
		c.close()
	}
}
