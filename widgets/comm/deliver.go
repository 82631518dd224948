package comm

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// A comms table knows what is open and who waits for targets.
type comms struct {
	mu      sync.Mutex
	open    map[string]*Comm
	targets map[string]func(*Comm, Message)
}

var table = comms{open: map[string]*Comm{}, targets: map[string]func(*Comm, Message){}}

func (t *comms) add(c *Comm) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[c.id] = c
}

func (t *comms) remove(c *Comm) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[c.id] == c {
		delete(t.open, c.id)
	}
}

func (t *comms) find(id string) *Comm {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[id]
}

// Register says what happens when the front end opens a comm to target: f is called with it, and
// with the message that opened it. A later f replaces an earlier one; nil takes the target away.
func Register(target string, f func(c *Comm, opened Message)) {
	table.mu.Lock()
	defer table.mu.Unlock()
	if f == nil {
		delete(table.targets, target)
		return
	}
	table.targets[target] = f
}

// IDs lists the comms that are open to a target.
func IDs(target string) []string {
	table.mu.Lock()
	defer table.mu.Unlock()
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(table.open)) {
		if table.open[id].target == target {
			ids = append(ids, id)
		}
	}
	return ids
}

// Deliver hands over an event of the front end and returns when the functions that it concerns
// have. A comm to a target that nobody registered is closed again, as the protocol asks. What the
// functions send on the event's comm meanwhile goes to answers, for which it has the event as its
// parent: widgets in a page tell by it the echo of their own change from those of others. nil: to
// who is connected. Error: *EventError.
func Deliver(e Event, answers Link) error {
	m := Message{e.Data, e.Metadata, e.Buffers}
	if e.Kind == "open" {
		return opened(e, m, answers)
	}
	c := table.find(e.ID)
	if c == nil {
		return &EventError{e.Kind, e.ID, e.Target, "no comm of this id is open"}
	}
	c.answer(answers)
	defer c.answer(nil)
	switch e.Kind {
	case "msg":
		for _, f := range c.callees(&c.onMessage) {
			f(m)
		}
	case "close":
		c.end()
		for _, f := range c.callees(&c.onClose) {
			f(m)
		}
	default:
		return &EventError{e.Kind, e.ID, e.Target, "comms know open, msg and close"}
	}
	return nil
}

func opened(e Event, m Message, answers Link) error {
	table.mu.Lock()
	f := table.targets[e.Target]
	table.mu.Unlock()
	if f == nil {
		if answers == nil {
			answers = Connected()
		}
		if answers != nil {
			answers.Send(Event{Kind: "close", ID: e.ID, Data: json.RawMessage("{}")})
		}
		return &EventError{e.Kind, e.ID, e.Target, "nobody registered this target (comm.Register does)"}
	}
	c := &Comm{id: e.ID, target: e.Target, answers: answers}
	defer c.answer(nil)
	table.add(c)
	f(c, m)
	return nil
}
