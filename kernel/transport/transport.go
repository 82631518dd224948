package transport

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/transport"
)

// scheme is the name under which zmq4 knows this transport; its addresses are tickets.
const scheme = "vyre"

// A Config says where and how a socket listens.
type Config struct {
	// Network is "tcp" or "unix", Address as package net has it; port 0 is any free one.
	Network, Address string
	Kind             Kind
	// Curve, where not nil, demands encryption with these keys.
	Curve  *CurveKeys
	Limits Limits
	Log    *slog.Logger
	// Welcome, on a socket that publishes, gives the message that a peer gets, before any other, when
	// it subscribes to topic; nil for none.
	Welcome func(topic []byte) [][]byte
}

// tickets hands the configuration of a socket through zmq4, which passes a string.
var tickets struct {
	once sync.Once
	err  error

	mu      sync.Mutex
	next    int
	configs map[string]*Config
	opened  map[string]*Listener
}

// bind makes a zmq4 socket listen. The listener is closed by the socket's Close; Wait then tells when
// all is flushed. Errors: *ListenError.
func bind(socket zmq4.Socket, c Config) (*Listener, error) {
	tickets.once.Do(func() {
		tickets.configs, tickets.opened = map[string]*Config{}, map[string]*Listener{}
		tickets.err = zmq4.RegisterTransport(scheme, registered{})
	})
	if tickets.err != nil {
		return nil, tickets.err
	}
	tickets.mu.Lock()
	tickets.next++
	ticket := strconv.Itoa(tickets.next)
	tickets.configs[ticket] = &c
	tickets.mu.Unlock()
	err := socket.Listen(scheme + "://" + ticket)
	tickets.mu.Lock()
	l := tickets.opened[ticket]
	delete(tickets.opened, ticket)
	delete(tickets.configs, ticket)
	tickets.mu.Unlock()
	if err != nil {
		return nil, &ListenError{Network: c.Network, Address: c.Address, Err: err}
	}
	return l, nil
}

// registered is the transport as zmq4 sees it.
type registered struct{}

var _ transport.Transport = registered{}

func (registered) Addr(ep string) (string, error) { return ep, nil }

// Dial is refused: clients use the transports that zmq4 has.
func (registered) Dial(_ context.Context, _ transport.Dialer, addr string) (net.Conn, error) {
	return nil, fmt.Errorf("transport: %s://%s cannot be dialled: dial tcp or ipc", scheme, addr)
}

func (registered) Listen(ctx context.Context, ticket string) (net.Listener, error) {
	tickets.mu.Lock()
	c := tickets.configs[ticket]
	tickets.mu.Unlock()
	if c == nil {
		return nil, fmt.Errorf("transport: no configuration for %s://%s: use transport.Open", scheme, ticket)
	}
	l, err := listen(ctx, *c)
	if err != nil {
		return nil, err
	}
	tickets.mu.Lock()
	tickets.opened[ticket] = l
	tickets.mu.Unlock()
	return l, nil
}
