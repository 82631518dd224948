package transport

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
)

// A Kind is what a socket does, by the name that peers see.
type Kind string

// The two kinds that a Jupyter kernel listens with. A ROUTER also answers heartbeats: its peers may
// be REQ.
const (
	Router    Kind = "ROUTER"
	Publisher Kind = "XPUB"
)

// compatible lists which peers may connect.
var compatible = map[Kind][]string{
	Router:    {"DEALER", "REQ", "ROUTER"},
	Publisher: {"SUB", "XSUB"},
}

// A Config says where and how a socket listens.
type Config struct {
	// Network is "tcp" or "unix", Address as package net has it; port 0 is any free one.
	Network, Address string
	// Listening, where not nil, is a socket that listens there already. It is closed.
	Listening *os.File
	Kind      Kind
	// Curve, where not nil, demands encryption with these keys.
	Curve  *CurveKeys
	Limits Limits
	Log    *slog.Logger
	// Welcome, on a socket that publishes, gives the message that a peer gets, before any other,
	// when it subscribes to topic; nil for none.
	Welcome func(topic []byte) [][]byte
}

// A Socket is one that listens.
type Socket struct{ listener *Listener }

// Open makes a socket and listens. Errors: *ListenError.
func Open(c Config) (*Socket, error) {
	if compatible[c.Kind] == nil {
		return nil, &ListenError{Network: c.Network, Address: c.Address,
			Err: errors.New("kind of socket " + string(c.Kind) + " is not known")}
	}
	l, err := listen(context.Background(), c)
	if err != nil {
		return nil, &ListenError{Network: c.Network, Address: c.Address, Err: err}
	}
	return &Socket{listener: l}, nil
}

// Addr is where the socket listens.
func (s *Socket) Addr() net.Addr { return s.listener.Addr() }

// Recv waits for a message on a Router: the peer's identity, then its frames. io.EOF after Close.
func (s *Socket) Recv() ([][]byte, error) {
	select {
	case m := <-s.listener.received:
		return m, nil
	case <-s.listener.done:
		return nil, io.EOF
	}
}

// Send queues messages and returns: on a Router for the peer that the first frame of each names, on
// a Publisher for all that subscribed to a beginning of its first frame. A peer that is not there,
// or no more, gets nothing, as in ZeroMQ. Messages that are sent together are written together.
func (s *Socket) Send(messages ...[][]byte) {
	if s.listener.config.Kind == Router {
		for _, m := range messages {
			if p := s.listener.peer(m[0]); p != nil {
				p.push(appendMessage(nil, m[1:]), false)
			}
		}
		return
	}
	var all []byte // what peers that want everything get is made once
	s.listener.each(func(p *peer) {
		wanted, every := p.topics.wanted(messages)
		if every && all != nil {
			p.push(all, false)
			return
		}
		var b []byte
		for _, m := range wanted {
			b = appendMessage(b, m)
		}
		if every {
			all = b
		}
		if len(b) > 0 {
			p.push(b, false)
		}
	})
}

// AwaitPeer waits until the peer with this identity is connected to a Router, so that what is sent
// to it arrives: for a peer that speaks on another socket first. False when ctx is done.
func (s *Socket) AwaitPeer(ctx context.Context, identity []byte) bool {
	return s.listener.awaitPeer(ctx, string(identity))
}

// WaitForRoom is the back-pressure of a publisher: see Listener.WaitForRoom.
func (s *Socket) WaitForRoom(ctx context.Context) { s.listener.WaitForRoom(ctx) }

// Peers tells how many connections there are.
func (s *Socket) Peers() int { return s.listener.Peers() }

// Close flushes what is queued, for the time of Limits.Linger, and closes.
func (s *Socket) Close() error { return s.listener.close() }
