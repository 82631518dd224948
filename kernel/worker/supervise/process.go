package supervise

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// A process is one worker, from its start to its end.
type process struct {
	s    *Supervisor
	link *link
	out  *protocol.Channel // cells of the main shell
	// control has all else: what is to be read while a cell runs. It keeps its own order.
	control *protocol.Channel

	ready chan struct{} // closed when ready, failed or over
	over  chan struct{} // closed when all that it sent is delivered

	events eventQueue

	mu      sync.Mutex // guards what follows
	opened  bool
	since   time.Time // when it opened
	openErr error
	dead    error // set once; calls after it fail with it
	killed  string
	calls   map[uint64]*call
	recent  []tagged // of calls that are over: goroutines they left may still send
	asking  map[uint64]context.CancelFunc
	credit  int
	tail    []byte // the end of what was written to stderr
}

// A call is a request without its reply.
type call struct {
	kind        protocol.Kind
	tag         any
	reply       chan protocol.Frame // one frame; closed without one when the worker is over
	interrupted time.Time
}

type tagged struct {
	id  uint64
	tag any
}

const (
	// recentTags is how many finished requests are remembered for what goroutines send late.
	recentTags = 256
	// maxTail is how much of stderr is kept to quote.
	maxTail = 8 << 10
	// lastWords is how long frames of an ended process may take to arrive.
	lastWords = time.Second
)

func newProcess(s *Supervisor, l *link) *process {
	p := &process{
		s: s, link: l, out: protocol.NewChannel(l.in, nil), control: protocol.NewChannel(l.control, nil),
		ready: make(chan struct{}), over: make(chan struct{}),
		calls: map[uint64]*call{}, asking: map[uint64]context.CancelFunc{},
	}
	p.events.filled.L = &p.events.mu
	ended := make(chan ending, 1)
	go func() {
		e := l.wait()
		l.expire(time.Now().Add(lastWords))
		ended <- e
	}()
	go p.deliver()
	go p.run(ended)
	return p
}

// run reads what the worker sends until it is over, then tells everybody.
func (p *process) run(ended <-chan ending) {
	err := p.read()
	// Whatever ended the reading, the process is of no use any more.
	p.link.kill()
	e := <-ended
	p.link.close()
	p.leave(e)
	death := p.death(e, err)
	p.events.push(event{last: true})
	<-p.events.drained()
	p.fail(p.s.verdict(death))
	p.s.ended(p, death)
	close(p.over)
}

// read handles frames as they come. Replies to questions go at once to who asked; all else keeps
// its order in the queue.
func (p *process) read() error {
	if p.link.cookie != "" {
		if err := protocol.SendHello(p.link.in, p.link.cookie); err != nil {
			return err
		}
		if err := protocol.ReceiveHello(p.link.out, p.link.cookie); err != nil {
			return err
		}
	}
	out := bufio.NewReaderSize(p.link.out, protocol.ReadAhead)
	for {
		f, err := protocol.ReadFrame(out)
		if f.Kind == protocol.KindStderr {
			p.keepTail(f.Body)
		}
		if err != nil {
			if f.Kind == protocol.KindStdout || f.Kind == protocol.KindStderr {
				p.events.push(event{frame: f, left: true}) // the worker died while it sent this
			}
			return err
		}
		switch f.Kind {
		case protocol.KindReady:
			p.open(nil)
		case protocol.KindOpenFailed:
			o, err := protocol.Decode[protocol.OpenFailed](f)
			if err != nil {
				return err
			}
			p.open(&OpenError{Reason: o.Reason})
		case protocol.KindReply:
			p.resolve(f)
		default:
			p.events.push(event{frame: f})
		}
	}
}

func (p *process) open(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.opened && p.openErr == nil {
		p.opened, p.openErr, p.since = err == nil, err, time.Now()
		close(p.ready)
	}
}

// lived tells for how long the worker was ready.
func (p *process) lived() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.opened {
		return 0
	}
	return time.Since(p.since)
}

// readyError is nil when requests can be sent.
func (p *process) readyError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.openErr != nil {
		return p.openErr
	}
	return p.dead
}

// death describes the end.
func (p *process) death(e ending, err error) *DeathError {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := &DeathError{
		PID: p.link.pid, State: e.State, Reason: p.killed, Crash: e.Crash,
		// what was streamed before, and what was still in the pipe
		Stderr: string(p.tail) + string(e.Stderr), Opening: !p.opened,
	}
	if d.Reason == "" && d.Crash == "" && err != nil && !errors.Is(err, io.EOF) {
		d.Reason = err.Error() // the pipe said something that no worker says
	}
	return d
}

// leave queues what the worker wrote and did not send.
func (p *process) leave(e ending) {
	p.events.push(event{frame: protocol.Frame{Kind: protocol.KindStdout, Body: e.Stdout}, left: true})
	p.events.push(event{frame: protocol.Frame{Kind: protocol.KindStderr, Body: withoutCrash(e.Stderr, e.Crash)},
		left: true})
}

// withoutCrash cuts the crash report, which the error quotes, off what was written to stderr, and
// the reason that the runtime writes before it starts some reports.
func withoutCrash(stderr []byte, crash string) []byte {
	first, _, _ := strings.Cut(strings.TrimLeft(crash, "\n"), "\n")
	at := bytes.Index(append([]byte{'\n'}, stderr...), []byte("\n"+first+"\n"))
	if first == "" || at < 0 {
		return stderr
	}
	before := stderr[:at]
	for {
		rest := bytes.TrimRight(before, "\n")
		last := rest[bytes.LastIndexByte(rest, '\n')+1:]
		if !isCrashLine(string(last)) {
			return before
		}
		before = rest[:len(rest)-len(last)]
	}
}

// fail ends all calls.
func (p *process) fail(death error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = death
	for id, c := range p.calls {
		close(c.reply)
		delete(p.calls, id)
	}
	for _, cancel := range p.asking {
		cancel()
	}
	if !p.opened && p.openErr == nil {
		close(p.ready)
		p.openErr = death
	}
}

// call sends a request and waits for its reply.
func (p *process) call(ctx context.Context, k protocol.Kind, tag, req any) (protocol.Frame, error) {
	return p.callFrame(ctx, p.way(req), tag, func(id uint64) (protocol.Frame, error) {
		head, err := protocol.Encode(req)
		return protocol.Frame{Kind: k, Request: id, Head: head}, err
	})
}

func (p *process) callFrame(ctx context.Context, way *protocol.Channel, tag any,
	build func(id uint64) (protocol.Frame, error)) (protocol.Frame, error) {
	id := p.s.nextID()
	f, err := build(id)
	if err != nil {
		return protocol.Frame{}, err
	}
	c := &call{kind: f.Kind, tag: tag, reply: make(chan protocol.Frame, 1)}
	if err := p.register(id, c); err != nil {
		return protocol.Frame{}, err
	}
	if err := way.Send(f); err != nil {
		var bound *protocol.FrameError
		if errors.As(err, &bound) {
			p.forget(id)
			return protocol.Frame{}, err
		}
		// A broken pipe: the worker is about to be found dead, which says more.
	}
	if f.Kind == protocol.KindExecute {
		p.s.recv.Sent(tag)
	}
	return p.wait(ctx, id, c)
}

// way is the pipe that a request goes through: whoever reads that of cells runs them one after the
// other.
func (p *process) way(req any) *protocol.Channel {
	if r, ok := req.(worker.ExecuteRequest); ok && r.Subshell == "" {
		return p.out
	}
	return p.control
}

func (p *process) wait(ctx context.Context, id uint64, c *call) (protocol.Frame, error) {
	done := ctx.Done()
	var longRunning <-chan time.Time
	if c.kind == protocol.KindExecute {
		t := time.NewTimer(protocol.LongRunningAfter)
		defer t.Stop()
		longRunning = t.C
	}
	for {
		select {
		case <-longRunning:
			// A broken pipe is found by the reader; a full one must not hold up an interrupt.
			go func() { _ = p.control.Send(protocol.Frame{Kind: protocol.KindLongRunning, Request: id}) }()
		case f, ok := <-c.reply:
			if !ok {
				return protocol.Frame{}, p.readyErrorOr(ErrClosed)
			}
			return f, failure(f)
		case <-done:
			if c.kind != protocol.KindExecute {
				p.forget(id)
				return protocol.Frame{}, ctx.Err()
			}
			p.interruptCall(id, c, false)
			done = nil // a cell ends by itself, or with its worker
		}
	}
}

func (p *process) readyErrorOr(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead != nil {
		return p.dead
	}
	return err
}

// failure is the error that came instead of a reply.
func failure(f protocol.Frame) error {
	if !bytes.HasPrefix(f.Head, []byte(`{"Failure":`)) {
		return nil
	}
	var r protocol.FailedReply
	if err := json.Unmarshal(f.Head, &r); err != nil {
		return err
	}
	return fmt.Errorf("worker: %s", r.Failure)
}

func (p *process) register(id uint64, c *call) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead != nil {
		return p.dead
	}
	p.calls[id] = c
	return nil
}

func (p *process) forget(id uint64) {
	p.mu.Lock()
	delete(p.calls, id)
	p.mu.Unlock()
}

// resolve hands a reply to who waits for it.
func (p *process) resolve(f protocol.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[f.Request]
	if c == nil {
		return // it gave up waiting
	}
	delete(p.calls, f.Request)
	if c.tag != nil {
		p.recent = append(p.recent, tagged{f.Request, c.tag})
		if len(p.recent) > recentTags {
			p.recent = p.recent[len(p.recent)-recentTags:]
		}
	}
	c.reply <- f
}

// tag finds what a request came with. Output of no request belongs to the cell that runs.
func (p *process) tag(id uint64) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.calls[id]; c != nil {
		return c.tag
	}
	for i := len(p.recent) - 1; i >= 0; i-- {
		if p.recent[i].id == id {
			return p.recent[i].tag
		}
	}
	for _, c := range p.calls {
		if c.kind == protocol.KindExecute {
			return c.tag
		}
	}
	return nil
}
