package kernel

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A question waits for an input_reply.
type question struct {
	id      string // msg_id of the input_request
	cell    string // msg_id of the request that asks
	session string // of the client that is asked
	answer  chan string
}

// questions are those that wait, oldest first.
type questions struct {
	mu      sync.Mutex
	waiting []*question
}

func (q *questions) add(x *question) {
	q.mu.Lock()
	q.waiting = append(q.waiting, x)
	q.mu.Unlock()
}

func (q *questions) remove(x *question) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(w *question) bool { return w == x })
}

// take gives the question that a reply answers, which then waits no more: goroutines of a cell may
// ask at the same time, and each answer is for one. Some clients name the question as the parent,
// others the cell, others none: then it is the oldest one that they were asked.
func (q *questions) take(parent, session string) *question {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, means := range []func(*question) bool{
		func(w *question) bool { return parent == w.id },
		func(w *question) bool { return parent == w.cell },
		func(w *question) bool { return parent == "" && session == w.session },
	} {
		if i := slices.IndexFunc(q.waiting, means); i >= 0 {
			w := q.waiting[i]
			q.waiting = slices.Delete(q.waiting, i, i+1)
			return w
		}
	}
	return nil
}

type inputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// ask asks the client that sent r for a line.
func (k *Kernel) ask(ctx context.Context, r *request, prompt string, password bool) (string, error) {
	content, err := wire.Encode(inputRequest{prompt, password})
	if err != nil {
		return "", err
	}
	h := wire.NewHeader(k.session, username, "input_request")
	h.SubshellID = r.Header.SubshellID
	x := &question{id: h.MsgID, cell: r.Header.MsgID, session: r.Header.Session, answer: make(chan string, 1)}
	k.asks.add(x)
	defer k.asks.remove(x)
	k.iopub.flush()
	if err := k.awaitStdin(ctx, r); err != nil {
		return "", err
	}
	k.send(connection.Stdin, &wire.Message{Identities: r.Identities, Header: h, Parent: r.header, Content: content})
	select {
	case line := <-x.answer:
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-k.stopping.Done():
		return "", k.stopping.Err()
	}
}

// stdinTime is how long a client may take to open its stdin channel beside the one it asks on.
const stdinTime = 5 * time.Second

// awaitStdin waits for the stdin channel of the client that sent r.
func (k *Kernel) awaitStdin(ctx context.Context, r *request) error {
	if len(r.Identities) == 0 {
		return &RequestError{Name: "NoStdin", Value: "the request carries no identity to ask"}
	}
	waiting, cancel := context.WithTimeout(ctx, stdinTime)
	defer cancel()
	if k.sockets[connection.Stdin].AwaitPeer(waiting, r.Identities[0]) {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &RequestError{Name: "NoStdin",
		Value: "the client allows input but has no stdin channel with the identity of its shell channel: connect one, " +
			"or send allow_stdin false"}
}

// takeStdin gives an answer to the question it answers. One that nobody waits for any more is late.
func (k *Kernel) takeStdin(m *wire.Message) {
	var c struct {
		Value string `json:"value"`
	}
	parent, err := m.ParentHeader()
	if err == nil {
		err = m.Decode(&c)
	}
	if m.Header.MsgType != "input_reply" || err != nil {
		k.log.Warn("message dropped", "channel", connection.Stdin, "type", m.Header.MsgType, "error", err)
		return
	}
	x := k.asks.take(parent.MsgID, m.Header.Session)
	if x == nil {
		k.log.Info("an input_reply came that nobody waits for")
		return
	}
	x.answer <- c.Value
}
