package comm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// wire keeps what is sent.
type wire struct{ sent []string }

func (w *wire) Send(e Event) {
	w.sent = append(w.sent, fmt.Sprintf("%s %s %s %d", e.Kind, e.Target, e.Data, len(e.Buffers)))
}
func (w *wire) Parent() string { return "parent" }

func connect(t *testing.T) *wire {
	w := &wire{}
	before := Connect(w)
	t.Cleanup(func() { Connect(before) })
	return w
}

func TestBothWays(t *testing.T) {
	w := connect(t)
	c, err := Open("t", map[string]int{"a": 1}, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(IDs("t"), c.ID()) {
		t.Error("an open comm is not listed")
	}
	var got []string
	c.OnMessage(func(m Message) { got = append(got, string(m.Data)) })
	c.OnClose(func(Message) { got = append(got, "closed") })
	for _, e := range []Event{{Kind: "msg", ID: c.ID(), Data: json.RawMessage(`{"b":2}`)}, {Kind: "close", ID: c.ID()}} {
		if err := Deliver(e, nil); err != nil {
			t.Error(err)
		}
	}
	if want := []string{`{"b":2}`, "closed"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := []string{`open t {"a":1} 1`}; !slices.Equal(w.sent, want) {
		t.Errorf("sent %q, want %q", w.sent, want)
	}
	var closed *ClosedError
	if err := c.Send(nil); !errors.As(err, &closed) || closed.ID != c.ID() {
		t.Errorf("sending on a closed comm: %v", err)
	}
	if err := c.Close(); err != nil || len(w.sent) != 1 {
		t.Errorf("closed twice: %v, %q", err, w.sent)
	}
}

func TestTargets(t *testing.T) {
	w := connect(t)
	Register("here", func(c *Comm, m Message) {
		c.OnMessage(func(Message) { _ = c.Send(map[string]string{"pong": string(m.Data)}) })
	})
	defer Register("here", nil)
	for _, c := range []struct {
		event Event
		fails bool
	}{
		{Event{Kind: "open", ID: "1", Target: "here", Data: json.RawMessage(`{}`)}, false},
		{Event{Kind: "msg", ID: "1"}, false},
		{Event{Kind: "shout", ID: "1"}, true},
		{Event{Kind: "close", ID: "1"}, false},
		{Event{Kind: "msg", ID: "1"}, true},
		{Event{Kind: "open", ID: "2", Target: "nowhere"}, true},
	} {
		err := Deliver(c.event, nil)
		var known *EventError
		if errors.As(err, &known) != c.fails {
			t.Errorf("%v: %v", c.event, err)
		}
	}
	if want := []string{`msg  {"pong":"{}"} 0`, "close  {} 0"}; !slices.Equal(w.sent, want) {
		t.Errorf("sent %q, want %q", w.sent, want)
	}
}

// TestAnswers: what a comm's functions send goes to the link that the event came with, and only
// meanwhile.
func TestAnswers(t *testing.T) {
	w, answers := connect(t), &wire{}
	Register("asked", func(c *Comm, m Message) {
		tell := func(word string) func(Message) {
			return func(Message) { _ = c.Send(map[string]string{"said": word}) }
		}
		c.OnMessage(tell("msg"))
		tell("open")(m)
	})
	defer Register("asked", nil)
	for _, e := range []Event{{Kind: "open", ID: "a", Target: "asked"}, {Kind: "msg", ID: "a"}} {
		if err := Deliver(e, answers); err != nil {
			t.Fatal(err)
		}
	}
	if err := Deliver(Event{Kind: "open", ID: "b", Target: "nowhere"}, answers); err == nil {
		t.Error("a target that nobody registered")
	}
	if err := table.find("a").Send(map[string]string{"said": "later"}); err != nil {
		t.Error(err)
	}
	if want := []string{`msg  {"said":"open"} 0`, `msg  {"said":"msg"} 0`, "close  {} 0"}; !slices.Equal(answers.sent,
		want) {
		t.Errorf("answers %q, want %q", answers.sent, want)
	}
	if want := []string{`msg  {"said":"later"} 0`}; !slices.Equal(w.sent, want) {
		t.Errorf("sent %q, want %q", w.sent, want)
	}
}

func TestWithoutAFrontEnd(t *testing.T) {
	before := Connect(nil)
	defer Connect(before)
	var none *NotConnectedError
	if _, err := Open("t", nil); !errors.As(err, &none) || none.Target != "t" {
		t.Errorf("got %v", err)
	}
	connect(t)
	if _, err := Open("t", func() {}); err == nil {
		t.Error("a func was encoded")
	}
}

func FuzzDeliver(f *testing.F) {
	f.Add("open", "a", "here", []byte("{}"))
	f.Add("msg", "a", "", []byte("{"))
	f.Add("close", "b", "", []byte(nil))
	Register("here", func(c *Comm, _ Message) { c.OnMessage(func(m Message) { _ = c.SendWith(m.Data, m.Metadata) }) })
	f.Fuzz(func(t *testing.T, kind, id, target string, data []byte) {
		_ = Deliver(Event{Kind: kind, ID: id, Target: target, Data: data}, nil)
	})
}
