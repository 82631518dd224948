package comm

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// A Message is what came: Data and Metadata are JSON objects, Buffers the frames after it.
type Message struct {
	Data, Metadata json.RawMessage
	Buffers        [][]byte
}

// A Comm is one open channel. Its methods may be called by several goroutines at once.
type Comm struct {
	id, target string

	mu        sync.Mutex
	closed    bool
	onMessage []func(Message)
	onClose   []func(Message)
	answers   Link // while an event that came is delivered
}

// ID is the comm's id on the wire.
func (c *Comm) ID() string { return c.id }

// Target is the name that the other side registered.
func (c *Comm) Target() string { return c.target }

// NewID makes an id that no other comm has.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Open opens a comm to a target that the front end knows. Errors: *NotConnectedError, and those of
// json.Marshal.
func Open(target string, data any, buffers ...[]byte) (*Comm, error) {
	return OpenWith(NewID(), target, data, nil, buffers...)
}

// OpenWith is Open with an id and metadata (nil: none) of the caller's.
func OpenWith(id, target string, data, metadata any, buffers ...[]byte) (*Comm, error) {
	l := Connected()
	if l == nil {
		return nil, &NotConnectedError{target}
	}
	e, err := event("open", id, target, data, metadata, buffers)
	if err != nil {
		return nil, err
	}
	c := &Comm{id: id, target: target}
	table.add(c)
	l.Send(e)
	return c, nil
}

func event(kind, id, target string, data, metadata any, buffers [][]byte) (e Event, err error) {
	e = Event{Kind: kind, ID: id, Target: target, Buffers: buffers}
	if e.Data, err = object(data); err == nil {
		e.Metadata, err = object(metadata)
	}
	if err != nil {
		return Event{}, fmt.Errorf("comm %q: %w", target, err)
	}
	return e, nil
}

// object encodes what the protocol wants as a JSON object; nil is an empty one.
func object(v any) (json.RawMessage, error) {
	if v == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(v)
}

// Send sends data, a value that encodes as a JSON object, and buffers. Errors: *ClosedError,
// *NotConnectedError, and those of json.Marshal.
func (c *Comm) Send(data any, buffers ...[]byte) error { return c.SendWith(data, nil, buffers...) }

// SendWith is Send with metadata.
func (c *Comm) SendWith(data, metadata any, buffers ...[]byte) error {
	e, err := event("msg", c.id, "", data, metadata, buffers)
	if err != nil {
		return err
	}
	return c.send(e)
}

func (c *Comm) send(e Event) error {
	l := c.link()
	if l == nil {
		return &NotConnectedError{c.target}
	}
	if c.Closed() {
		return &ClosedError{c.target, c.id}
	}
	l.Send(e)
	return nil
}

// link is what carries what is sent now.
func (c *Comm) link() Link {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers != nil {
		return c.answers
	}
	return Connected()
}

// answer says what carries what the comm's functions send while an event is delivered; nil: none
// is.
func (c *Comm) answer(l Link) {
	c.mu.Lock()
	c.answers = l
	c.mu.Unlock()
}

// Closed reports whether either side closed the comm.
func (c *Comm) Closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Close closes the comm and tells the front end. A second time it does nothing.
func (c *Comm) Close() error {
	if !c.end() {
		return nil
	}
	l := c.link()
	if l == nil {
		return &NotConnectedError{c.target}
	}
	l.Send(Event{Kind: "close", ID: c.id, Data: json.RawMessage("{}")})
	return nil
}

// end marks the comm closed; false where it was.
func (c *Comm) end() bool {
	c.mu.Lock()
	was := c.closed
	c.closed = true
	c.mu.Unlock()
	table.remove(c)
	return !was
}

// OnMessage adds a function that is called with each message of the front end.
func (c *Comm) OnMessage(f func(Message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onMessage = append(c.onMessage, f)
}

// OnClose adds a function that is called when the front end closes the comm.
func (c *Comm) OnClose(f func(Message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onClose = append(c.onClose, f)
}

// callees are copied: a function may add another.
func (c *Comm) callees(list *[]func(Message)) []func(Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(*list)
}
