package transport

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A Kind is what a socket does, by the name that peers see.
type Kind string

// The two kinds that a Jupyter kernel listens with. A ROUTER also answers heartbeats: its peers may be
// REQ.
const (
	Router    Kind = "ROUTER"
	Publisher Kind = "XPUB"
)

// compatible lists which peers may connect.
var compatible = map[Kind][]string{
	Router:    {"DEALER", "REQ", "ROUTER"},
	Publisher: {"SUB", "XSUB"},
}

// peerOf is the type of peer that zmq4 is told of.
func (k Kind) peerOf(socketType string) string {
	if k == Publisher {
		return string(zmq4.Pair)
	}
	return socketType
}

// sendTimeout bounds zmq4's wait for a first connection; queues make all else immediate.
const sendTimeout = time.Second

// A Socket is a zmq4 socket that listens through this package.
type Socket struct {
	kind     Kind
	zmq      zmq4.Socket
	listener *Listener
	cancel   context.CancelFunc
	idle     chan struct{} // closed when nothing reads a publisher any more
}

// Open makes a socket and listens. Errors: *ListenError.
//
// A Publisher is a PAIR to zmq4: that one writes each message to all its connections and returns when
// they have it, which here is at once. zmq4's own PUB and XPUB put messages into a queue that has no
// bound and that Close drops.
func Open(c Config) (*Socket, error) {
	ctx, cancel := context.WithCancel(context.Background())
	opts := []zmq4.Option{zmq4.WithTimeout(sendTimeout), zmq4.WithLogger(log.New(io.Discard, "", 0))}
	s := &Socket{kind: c.Kind, cancel: cancel, idle: make(chan struct{})}
	switch c.Kind {
	case Router:
		s.zmq = zmq4.NewRouter(ctx, opts...)
		close(s.idle)
	case Publisher:
		s.zmq = zmq4.NewPair(ctx, opts...)
	default:
		cancel()
		return nil, &ListenError{Network: c.Network, Address: c.Address, Err: errors.New("kind of socket " + string(c.Kind) + " is not known")}
	}
	l, err := bind(s.zmq, c)
	if err != nil {
		cancel()
		return nil, err
	}
	s.listener = l
	if c.Kind == Publisher {
		go s.discard(ctx)
	}
	return s, nil
}

// discard takes what zmq4 tells the reader of a publisher: that connections have ended.
func (s *Socket) discard(ctx context.Context) {
	defer close(s.idle)
	for ctx.Err() == nil {
		_, _ = s.zmq.Recv()
	}
}

// Addr is where the socket listens.
func (s *Socket) Addr() net.Addr { return s.listener.Addr() }

// Recv waits for a message on a Router: the peer's identity, then its frames. io.EOF after Close.
func (s *Socket) Recv() ([][]byte, error) {
	m, err := s.zmq.Recv()
	if err != nil {
		return nil, io.EOF
	}
	return m.Frames, nil
}

// Send queues a message and returns: on a Router for the peer that the first frame names, on a
// Publisher for all that subscribed to a beginning of the first frame. A peer that is not there, or
// no more, gets nothing, as in ZeroMQ.
func (s *Socket) Send(frames [][]byte) {
	if s.listener.Peers() == 0 {
		return
	}
	// The error is that a connection has ended.
	_ = s.zmq.SendMulti(zmq4.NewMsgFrom(frames...))
}

// AwaitPeer waits until the peer with this identity is connected to a Router, so that what is sent to
// it arrives: for a peer that speaks on another socket first. False when ctx is done.
func (s *Socket) AwaitPeer(ctx context.Context, identity []byte) bool {
	return s.listener.awaitPeer(ctx, string(identity))
}

// WaitForRoom is the back-pressure of a publisher: see Listener.WaitForRoom.
func (s *Socket) WaitForRoom(ctx context.Context) { s.listener.WaitForRoom(ctx) }

// Peers tells how many connections there are.
func (s *Socket) Peers() int { return s.listener.Peers() }

// Close flushes what is queued, for the time of Limits.Linger, and closes.
func (s *Socket) Close() error {
	err := s.zmq.Close()
	s.cancel()
	s.listener.Wait()
	<-s.idle
	return err
}
