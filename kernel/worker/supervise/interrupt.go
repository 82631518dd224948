package supervise

import (
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// interrupt stops what runs: cells, and functions that comms call.
func (p *process) interrupt() {
	p.mu.Lock()
	running := map[uint64]*call{}
	for id, c := range p.calls {
		if c.kind == protocol.KindExecute || c.kind == protocol.KindComm {
			running[id] = c
		}
	}
	p.mu.Unlock()
	for id, c := range running {
		p.interruptCall(id, c, true)
	}
}

// interruptCall asks a cell to stop; where that was asked before, longer than secondInterruptAfter
// ago, it ends the worker. A context is done once, and its goroutine may be late to see it: that is
// no second wish.
func (p *process) interruptCall(id uint64, c *call, wish bool) {
	p.mu.Lock()
	first := c.interrupted.IsZero()
	again := wish && !first && time.Since(c.interrupted) > secondInterruptAfter
	if first {
		c.interrupted = time.Now()
	}
	if again {
		p.killed = "The cell did not stop when it was interrupted; the second interrupt ended its process."
	}
	p.mu.Unlock()
	switch {
	case first:
		// a pipe that is full must not hold up the second one
		go func() { _ = p.control.Send(protocol.Frame{Kind: protocol.KindInterrupt, Request: id}) }()
		time.AfterFunc(interruptHintAfter, func() { p.hintInterrupt(id) })
	case again:
		p.link.kill()
	}
}

// hintInterrupt tells the person what can be done about a cell that does not stop.
func (p *process) hintInterrupt(id uint64) {
	p.mu.Lock()
	_, running := p.calls[id]
	p.mu.Unlock()
	if running {
		text := "The cell has not stopped yet: native code runs to its end. Interrupt once more to end its process; the " +
			"state of the session would be lost.\n"
		p.events.push(event{frame: protocol.Frame{Kind: protocol.KindStderr, Request: id, Body: []byte(text)}, left: true})
	}
}
