package supervise

import (
	"context"
	"errors"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// An event is a frame on its way to the receiver.
type event struct {
	frame protocol.Frame
	left  bool // made on this side: it took nothing from the window
	last  bool // the end of the queue
}

// An eventQueue keeps order between the reader, which never waits, and the receiver, which may. The
// window bounds it.
type eventQueue struct {
	mu     sync.Mutex
	filled sync.Cond
	queue  []event
	done   chan struct{}
	ended  bool
}

func (q *eventQueue) push(e event) {
	q.mu.Lock()
	if !q.ended {
		q.queue = append(q.queue, e)
		q.ended = e.last
	}
	q.mu.Unlock()
	q.filled.Signal()
}

func (q *eventQueue) takeAll(spare []event) []event {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 {
		q.filled.Wait()
	}
	all := q.queue
	q.queue = spare[:0]
	return all
}

// drained is closed when the last event was delivered.
func (q *eventQueue) drained() chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.done == nil {
		q.done = make(chan struct{})
	}
	return q.done
}

// deliver hands events to the receiver, in order, until the last.
func (p *process) deliver() {
	var batch []event
	for {
		batch = p.events.takeAll(batch)
		for i, e := range batch {
			if e.last {
				close(p.events.drained())
				return
			}
			p.deliverOne(e)
			batch[i] = event{}
		}
	}
}

// deliveries says what each frame from the worker does.
var deliveries = map[protocol.Kind]func(*process, protocol.Frame) error{
	protocol.KindStdout:       (*process).stream,
	protocol.KindStderr:       (*process).stream,
	protocol.KindDisplay:      (*process).display,
	protocol.KindClearOutput:  (*process).clear,
	protocol.KindCommOut:      (*process).comm,
	protocol.KindInput:        (*process).input,
	protocol.KindInputCancel:  (*process).inputCancel,
	protocol.KindExecuteReply: (*process).orderedReply,
	protocol.KindCommDone:     (*process).orderedReply,
}

func (p *process) deliverOne(e event) {
	do, ok := deliveries[e.frame.Kind]
	if !ok {
		p.s.log.Error("worker sent a frame that does not go to a kernel", "kind", e.frame.Kind)
		return
	}
	if err := do(p, e.frame); err != nil {
		p.s.log.Error("worker sent what cannot be read", "kind", e.frame.Kind, "error", err)
	}
	if !e.left && windowed(e.frame.Kind) {
		p.giveCredit(e.frame.Cost())
	}
}

// windowed tells which frames take from the window: those of server.output.
func windowed(k protocol.Kind) bool {
	switch k {
	case protocol.KindStdout, protocol.KindStderr, protocol.KindDisplay, protocol.KindClearOutput, protocol.KindCommOut:
		return true
	}
	return false
}

func (p *process) giveCredit(n int) {
	p.credit += n // used by this goroutine only
	if p.credit >= protocol.CreditStep {
		// A broken pipe is found by the reader.
		_ = p.control.SendHead(protocol.KindCredit, 0, protocol.Credit{Bytes: p.credit})
		p.credit = 0
	}
}

func (p *process) stream(f protocol.Frame) error {
	if len(f.Body) == 0 {
		return nil
	}
	p.s.recv.Stream(p.tag(f.Request), f.Kind == protocol.KindStderr, f.Body)
	return nil
}

// keepTail keeps the end of what comes of stderr, as it comes: when the worker has died, some may
// still wait to be delivered.
func (p *process) keepTail(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tail = append(p.tail, b[max(0, len(b)-maxTail):]...)
	if over := len(p.tail) - maxTail; over > 0 {
		p.tail = append(p.tail[:0], p.tail[over:]...)
	}
}

func (p *process) display(f protocol.Frame) error {
	w, err := protocol.Decode[protocol.Display](f)
	if err == nil {
		p.s.recv.Display(p.tag(f.Request), worker.Display{Bundle: w.Bundle.Decode(), ID: w.ID, Update: w.Update})
	}
	return err
}

func (p *process) clear(f protocol.Frame) error {
	c, err := protocol.Decode[protocol.ClearOutput](f)
	if err == nil {
		p.s.recv.ClearOutput(p.tag(f.Request), c.Wait)
	}
	return err
}

func (p *process) comm(f protocol.Frame) error {
	e, err := protocol.DecodeComm(f)
	if err == nil {
		p.s.recv.Comm(p.tag(f.Request), e)
	}
	return err
}

// orderedReply is a reply that comes after all output before it.
func (p *process) orderedReply(f protocol.Frame) error {
	p.resolve(f)
	return nil
}

// input asks the person, beside what follows.
func (p *process) input(f protocol.Frame) error {
	q, err := protocol.Decode[protocol.InputQuestion](f)
	if err != nil {
		return err
	}
	tag := p.tag(f.Request)
	ctx, cancel := context.WithCancel(context.Background())
	p.mu.Lock()
	p.asking[q.Serial] = cancel
	p.mu.Unlock()
	go func() {
		line, err := p.s.recv.Input(ctx, tag, q.Prompt, q.Password)
		p.stopAsking(q.Serial)
		a := protocol.InputAnswer{Serial: q.Serial, Line: line}
		if err != nil {
			a.Refused, a.NotAllowed = err.Error(), errors.Is(err, worker.ErrStdinNotAllowed)
		}
		// A broken pipe is found by the reader.
		_ = p.control.SendHead(protocol.KindInputReply, f.Request, a)
	}()
	return nil
}

func (p *process) inputCancel(f protocol.Frame) error {
	q, err := protocol.Decode[protocol.InputQuestion](f)
	if err == nil {
		p.stopAsking(q.Serial)
	}
	return err
}

func (p *process) stopAsking(serial uint64) {
	p.mu.Lock()
	cancel := p.asking[serial]
	delete(p.asking, serial)
	p.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
