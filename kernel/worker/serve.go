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
)

// An Opener makes the session that a worker serves. What it prints is captured, and an error of it
// is the answer to every request.
type Opener func(ctx context.Context) (Session, error)

// closeGrace is how long a session may take to close when the worker ends.
const closeGrace = 2 * time.Second

// A server answers the frames of one pipe with one session.
type server struct {
	out      *channel
	in       io.Reader
	window   *window
	captures []*capture
	stdin    *stdinPipe // nil: nothing is at descriptor 0
	session  Session

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	comms  commQueue
	lead   chan struct{} // has one element where nobody reads and somebody is to
	ended  chan error    // why nobody reads any more

	mu      sync.Mutex // guards what follows
	running map[uint64]context.CancelFunc
	current uint64 // the cell that runs, else the last one: whose output the streams are
	asked   map[uint64]chan inputAnswer
	serial  uint64
	waiting int    // goroutines that wait to become the reader
	watch   *watch // of the cell that runs
}

func newServer(in io.Reader, out io.Writer) *server {
	s := &server{
		in: bufio.NewReaderSize(in, readAhead), out: &channel{w: out}, window: newWindow(windowBytes),
		running: map[uint64]context.CancelFunc{}, asked: map[uint64]chan inputAnswer{},
	}
	s.comms.ready = make(chan struct{}, 1)
	s.lead = make(chan struct{}, 1)
	s.ended = make(chan error, 1)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// serve opens the session and answers until the kernel says shutdown (nil), or is gone (io.EOF).
func (s *server) serve(open Opener) error {
	defer s.end()
	session, err := openSession(s.ctx, open)
	if err != nil {
		s.drain()
		if err := s.out.sendJSON(kindOpenFailed, 0, openFailed{Reason: err.Error()}); err != nil {
			return err
		}
		return s.refuse()
	}
	s.session = session
	s.tasks.Go(s.serveComms)
	if err := s.out.send(frame{kind: kindReady}); err != nil {
		return err
	}
	s.promote()
	return <-s.ended
}

// promote makes somebody the reader: one that waits, or a new goroutine.
//
// Whoever reads a request that takes time answers it itself, and another becomes the reader: the request
// stays on its processor, and on a stack that has grown to what cells need.
func (s *server) promote() {
	s.mu.Lock()
	waits := s.waiting > 0
	if waits {
		s.waiting--
	}
	s.mu.Unlock()
	s.lead <- struct{}{}
	if !waits {
		s.tasks.Go(s.follow)
	}
}

// maxWaiting is how many goroutines wait to become the reader: one while a cell runs, and one for the
// questions beside it.
const maxWaiting = 2

// follow waits to be the reader, reads, answers, and waits again.
func (s *server) follow() {
	for {
		select {
		case <-s.lead:
		case <-s.ctx.Done():
			return
		}
		work, err := s.read()
		if work == nil {
			s.ended <- err
			return
		}
		s.promote()
		work()
		s.mu.Lock()
		enough := s.waiting >= maxWaiting
		if !enough {
			s.waiting++
		}
		s.mu.Unlock()
		if enough {
			return
		}
	}
}

// read handles frames until one takes time: it gives what to do then. Nil is the end.
func (s *server) read() (work func(), err error) {
	for work == nil {
		f, err := readFrame(s.in)
		if err != nil || f.kind == kindShutdown {
			return nil, err
		}
		if work, err = s.handle(f); err != nil {
			return nil, err
		}
	}
	return work, nil
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

// serverTable says what each frame from the kernel does, and what remains to be done then.
var serverTable = map[kind]func(*server, frame) (work func(), err error){
	kindExecute: (*server).execute,
	kindComplete: answer(func(ctx context.Context, s *server, r CompleteRequest) any {
		return s.session.Complete(ctx, r)
	}),
	kindInspect: answer(func(ctx context.Context, s *server, r InspectRequest) any {
		reply := s.session.Inspect(ctx, r)
		w, errs := encodeBundle(reply.Bundle)
		(&host{s: s}).report(errs)
		return inspectReplyWire{Found: reply.Found, Bundle: w}
	}),
	kindIsComplete: answer(func(ctx context.Context, s *server, r IsCompleteRequest) any {
		return s.session.IsComplete(ctx, r)
	}),
	kindComm:       quick((*server).comm),
	kindInterrupt:  quick((*server).interrupt),
	kindInputReply: quick((*server).inputReply),
	kindCredit:     quick((*server).credit),
	kindLasts:      quick((*server).lasts),
}

// quick makes a handler of what takes no time.
func quick(do func(*server, frame) error) func(*server, frame) (func(), error) {
	return func(s *server, f frame) (func(), error) { return nil, do(s, f) }
}

func (s *server) handle(f frame) (work func(), err error) {
	h, ok := serverTable[f.kind]
	if !ok {
		return nil, fmt.Errorf("worker: frame of kind %d does not go to a worker", f.kind)
	}
	return h(s, f)
}

// answer makes a handler that decodes a request, and then answers it.
func answer[Q any](do func(context.Context, *server, Q) any) func(*server, frame) (func(), error) {
	return func(s *server, f frame) (func(), error) {
		q, err := decode[Q](f)
		return func() {
			var reply any
			if cell := s.guard(func() { reply = do(s.ctx, s, q) }); cell != nil {
				reply = failedReply{Failure: strings.Join(append([]string{cell.Value}, cell.Traceback...), "\n")}
			}
			s.reply(kindReply, f.request, reply)
		}, err
	}
}

// failedReply is what comes instead of a reply when the session panicked.
type failedReply struct{ Failure string }

func (s *server) reply(k kind, request uint64, v any) {
	if err := s.out.sendJSON(k, request, v); err != nil {
		// Either the pipe is broken, which the reader sees too, or the reply cannot be encoded.
		_ = s.out.sendJSON(k, request, failedReply{Failure: err.Error()})
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

func (s *server) execute(f frame) (func(), error) {
	req, err := decode[ExecuteRequest](f)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.running[f.request] = cancel
	s.mu.Unlock()
	return func() {
		defer cancel()
		s.cell(ctx, f.request, req)
	}, nil
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
}

// watchStdin notes the cell that may be watched; the result ends it.
func (s *server) watchStdin(ctx context.Context, h *host) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
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
		cancel()
		if w.done != nil {
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
		s.tasks.Go(func() {
			defer close(w.done)
			s.stdin.serve(w.ctx, w.host, w.over)
		})
	}
	return nil
}

func (s *server) interrupt(f frame) error {
	s.mu.Lock()
	cancel := s.running[f.request]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
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
