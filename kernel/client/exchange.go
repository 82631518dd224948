package client

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// An exchange is one request and what came back with it as parent.
type exchange struct {
	output func(*wire.Message)
	input  func(*wire.Message)
	reply  chan *wire.Message // one element
	idle   chan struct{}      // closed at the idle status
	once   sync.Once
}

func newExchange(output, input func(*wire.Message)) *exchange {
	return &exchange{output: output, input: input, reply: make(chan *wire.Message, 1), idle: make(chan struct{})}
}

// published takes one message of iopub.
func (x *exchange) published(m *wire.Message) {
	if m.Header.MsgType == "status" {
		var status struct {
			State string `json:"execution_state"`
		}
		if m.Decode(&status) == nil && status.State == "idle" {
			x.once.Do(func() { close(x.idle) })
		}
		return
	}
	if x.output != nil {
		x.output(m)
	}
}

// replied takes the reply; a second one is not of this protocol and is dropped.
func (x *exchange) replied(m *wire.Message) {
	select {
	case x.reply <- m:
	default:
	}
}

// exchanges are those under way, by the id of their request.
type exchanges struct {
	mu   sync.Mutex
	byID map[string]*exchange
}

func (e *exchanges) add(id string, x *exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID = map[string]*exchange{}
	}
	e.byID[id] = x
}

func (e *exchanges) remove(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.byID, id)
}

// of finds the exchange that a message belongs to; nil: another client's, or one given up.
func (e *exchanges) of(m *wire.Message) *exchange {
	parent, err := m.ParentHeader()
	if err != nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.byID[parent.MsgID]
}
