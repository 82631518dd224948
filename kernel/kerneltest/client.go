package kerneltest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// patience is how long a message may take before a test fails.
const patience = 20 * time.Second

// A Client speaks to a kernel as a front end does and checks every message it gets.
type Client struct {
	t       testing.TB
	file    connection.File
	Signer  *wire.Signer
	Session string
	sockets map[connection.Channel]zmq4.Socket
	from    map[connection.Channel]chan *wire.Message
}

// Connect connects, and waits for the welcome, which must be the first message.
func Connect(t testing.TB, file connection.File) *Client {
	t.Helper()
	signer, err := wire.NewSigner(file.SignatureScheme, []byte(file.Key))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{
		t: t, file: file, Signer: signer, Session: uuid.NewString(),
		sockets: map[connection.Channel]zmq4.Socket{}, from: map[connection.Channel]chan *wire.Message{},
	}
	for _, channel := range []connection.Channel{connection.IOPub, connection.Shell, connection.Control,
		connection.Stdin} {
		opts := []zmq4.Option{zmq4.WithID(zmq4.SocketIdentity(c.Session)), zmq4.WithDialerRetry(2 * time.Millisecond),
			zmq4.WithDialerMaxRetries(5000)}
		s := zmq4.NewDealer(ctx, opts...)
		if channel == connection.IOPub {
			s = zmq4.NewSub(ctx, opts...)
		}
		if err := s.Dial(file.Endpoint(channel)); err != nil {
			t.Fatal(err)
		}
		c.sockets[channel], c.from[channel] = s, make(chan *wire.Message, 1<<16)
		go c.read(channel, s)
	}
	t.Cleanup(func() {
		for _, s := range c.sockets {
			_ = s.Close()
		}
		cancel()
	})
	if err := c.sockets[connection.IOPub].SetOption(zmq4.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	if m := c.Next(connection.IOPub); m.Header.MsgType != "iopub_welcome" {
		t.Fatalf("the first message is %s", m.Header.MsgType)
	}
	return c
}

// For is the client as a part of its test uses it, which failures then belong to.
func (c *Client) For(t testing.TB) *Client {
	part := *c
	part.t = t
	return &part
}

func (c *Client) read(channel connection.Channel, s zmq4.Socket) {
	for {
		z, err := s.Recv()
		if err != nil {
			close(c.from[channel])
			return
		}
		m, err := c.Signer.Parse(z.Frames, nil)
		if err != nil {
			c.t.Errorf("%s: %v", channel, err)
			continue
		}
		for _, err := range Check(m) {
			c.t.Errorf("%s: %v", channel, err)
		}
		c.from[channel] <- m
	}
}

// Next waits for the next message on a channel.
func (c *Client) Next(channel connection.Channel) *wire.Message {
	c.t.Helper()
	select {
	case m, ok := <-c.from[channel]:
		if !ok {
			c.t.Fatalf("the %s socket closed", channel)
		}
		return m
	case <-time.After(patience):
		c.t.Fatalf("nothing came on %s", channel)
		return nil
	}
}

// Send sends a request and returns its id.
func (c *Client) Send(channel connection.Channel, msgType string, content any, change ...func(*wire.Message)) string {
	c.t.Helper()
	raw, err := wire.Encode(content)
	if err != nil {
		c.t.Fatal(err)
	}
	m := &wire.Message{Header: wire.NewHeader(c.Session, "test", msgType), Content: raw}
	for _, f := range change {
		f(m)
	}
	frames, err := c.Signer.Frames(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.SendFrames(channel, frames)
	return m.Header.MsgID
}

// SendFrames sends anything.
func (c *Client) SendFrames(channel connection.Channel, frames [][]byte) {
	c.t.Helper()
	if err := c.sockets[channel].SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
}

// Answer is all that came for one request: what was published between busy and idle, and the reply.
type Answer struct {
	Published []*wire.Message // without status
	Reply     *wire.Message   // nil for messages without one
}

// parentOf is the id of the request that m answers.
func parentOf(m *wire.Message) string {
	h, err := m.ParentHeader()
	if err != nil {
		return ""
	}
	return h.MsgID
}

func state(m *wire.Message) string {
	var s struct {
		State string `json:"execution_state"`
	}
	if m.Header.MsgType != "status" || m.Decode(&s) != nil {
		return ""
	}
	return s.State
}

// Collect waits for busy, idle and, where replies says so, the reply of a request on a channel.
// Messages of other requests are skipped.
func (c *Client) Collect(channel connection.Channel, id string, replies bool) Answer {
	c.t.Helper()
	var a Answer
	busy := false
	for {
		m := c.Next(connection.IOPub)
		if parentOf(m) != id {
			continue
		}
		switch state(m) {
		case "busy":
			busy = true
		case "idle":
			if !busy {
				c.t.Error("idle without busy")
			}
			for replies && a.Reply == nil {
				if m := c.Next(channel); parentOf(m) == id {
					a.Reply = m
				}
			}
			return a
		default:
			if !busy {
				c.t.Errorf("%s before busy", m.Header.MsgType)
			}
			a.Published = append(a.Published, m)
		}
	}
}

// Ask sends a request and collects its answer.
func (c *Client) Ask(channel connection.Channel, msgType string, content any, change ...func(*wire.Message)) Answer {
	c.t.Helper()
	return c.Collect(channel, c.Send(channel, msgType, content, change...), strings.HasSuffix(msgType, "_request"))
}

// Execute runs a cell as front ends do.
func (c *Client) Execute(code string) Answer {
	c.t.Helper()
	return c.Ask(connection.Shell, "execute_request", Cell(code))
}

// Cell is the content of an execute_request.
func Cell(code string) map[string]any {
	return map[string]any{
		"code": code, "silent": false, "store_history": true, "user_expressions": map[string]string{},
		"allow_stdin": true, "stop_on_error": true,
	}
}

// Text is all text of a stream.
func (a Answer) Text(name string) string {
	var b strings.Builder
	for _, m := range a.Published {
		var s struct{ Name, Text string }
		if m.Header.MsgType == "stream" && m.Decode(&s) == nil && s.Name == name {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Types lists what was published, streams of one name after another once.
func (a Answer) Types() string {
	var types []string
	for _, m := range a.Published {
		if t := m.Header.MsgType; t != "stream" || len(types) == 0 || types[len(types)-1] != t {
			types = append(types, t)
		}
	}
	return strings.Join(types, " ")
}

// Content decodes the reply's content.
func (a Answer) Content() map[string]any {
	var content map[string]any
	if a.Reply != nil {
		_ = a.Reply.Decode(&content) // checked when it came
	}
	return content
}

// Find gives the content of the first published message of a type; nil where there is none.
func (a Answer) Find(msgType string) map[string]any {
	for _, m := range a.Published {
		if m.Header.MsgType == msgType {
			var content map[string]any
			_ = json.Unmarshal(m.Content, &content) // checked when it came
			return content
		}
	}
	return nil
}

// Beat sends a heartbeat and waits for it to come back.
func (c *Client) Beat() {
	c.t.Helper()
	s := zmq4.NewReq(context.Background())
	defer s.Close()
	if err := s.Dial(c.file.Endpoint(connection.HB)); err != nil {
		c.t.Fatal(err)
	}
	if err := s.Send(zmq4.NewMsgString("ping")); err != nil {
		c.t.Fatal(err)
	}
	m, err := s.Recv()
	if err != nil || string(m.Bytes()) != "ping" {
		c.t.Fatalf("heartbeat: %q %v", m.Bytes(), err)
	}
}
