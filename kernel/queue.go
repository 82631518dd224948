package kernel

import (
	"fmt"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// maxQueued bounds the requests that wait in a lane.
const maxQueued = 10_000

// A lane runs the requests of one shell, one after the other.
type lane struct {
	k  *Kernel
	mu sync.Mutex // guards what follows

	filled  sync.Cond
	waiting []*request
	closed  bool
	// failed is when a cell last failed that stops those sent before.
	failed time.Time
}

func newLane(k *Kernel) *lane {
	l := &lane{k: k}
	l.filled.L = &l.mu
	return l
}

// sentBefore is how long after a failure requests may arrive that were sent before it: a front end
// that runs all cells sends them at once, and a cell can fail before the last has come.
const sentBefore = 100 * time.Millisecond

// push queues a request; false when there are too many.
func (l *lane) push(r *request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.waiting) >= maxQueued {
		return false
	}
	if r.Header.MsgType == "execute_request" && time.Since(l.failed) < sentBefore {
		sent, err := time.Parse(time.RFC3339Nano, r.Header.Date)
		r.aborted = err == nil && sent.Before(l.failed)
	}
	l.waiting = append(l.waiting, r)
	l.filled.Signal()
	return true
}

// abort marks the cells that wait: they are answered and not run.
func (l *lane) abort() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = time.Now()
	for _, r := range l.waiting {
		if r.Header.MsgType == "execute_request" {
			r.aborted = true
		}
	}
}

// run dispatches until the lane is closed.
func (l *lane) run() {
	for {
		l.mu.Lock()
		for len(l.waiting) == 0 && !l.closed {
			l.filled.Wait()
		}
		if l.closed {
			l.mu.Unlock()
			return
		}
		r := l.waiting[0]
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
		l.mu.Unlock()
		l.k.dispatch(r)
	}
}

func (l *lane) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.filled.Broadcast()
}

func newRequest(m *wire.Message, c connection.Channel) *request {
	return &request{Message: m, channel: c, header: m.RawHeader, arrived: time.Now()}
}

// takeShell gives a message of the shell channel to its lane, or answers it at once.
func (k *Kernel) takeShell(m *wire.Message) {
	r := newRequest(m, connection.Shell)
	h := handlers[m.Header.MsgType]
	if h.run != nil && h.ordering == concurrent {
		if !k.side.push(r) {
			k.refuse(r, queueFull())
		}
		return
	}
	l := k.shells.lane(m.Header.SubshellID)
	if l == nil {
		k.refuse(r, &RequestError{Name: "SubshellNotFound",
			Value: fmt.Sprintf("there is no subshell %q: create_subshell_request makes one", *m.Header.SubshellID)})
		return
	}
	if !l.push(r) {
		k.refuse(r, queueFull())
	}
}

func queueFull() error {
	return &RequestError{Name: "QueueFull",
		Value: fmt.Sprintf("%d requests wait already: let some finish, or interrupt the cell that runs", maxQueued)}
}

// takeControl answers control messages in order, whatever runs.
func (k *Kernel) takeControl(m *wire.Message) { k.dispatch(newRequest(m, connection.Control)) }

// refuse answers a request that reaches no handler.
func (k *Kernel) refuse(r *request, err error) {
	k.busy(r)
	defer k.idle(r)
	content := k.errorReply(r, err)
	if replyType, ok := replyType(r.Header.MsgType); ok {
		k.reply(r, replyType, content, time.Now())
	}
}
