package client

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A Client is one front end of a kernel. Its methods are safe for use by several goroutines at
// once.
type Client struct {
	session string
	signer  *wire.Signer
	sockets *sockets
	pending exchanges
	cancel  context.CancelCauseFunc
	life    context.Context
	sending sync.Mutex // a zmq4 socket takes one message at a time
}

// Connect dials a kernel and waits until it answers and its publications arrive.
func Connect(ctx context.Context, file *connection.File) (*Client, error) {
	signer, err := wire.NewSigner(file.SignatureScheme, []byte(file.Key))
	if err != nil {
		return nil, err
	}
	c := &Client{session: uuid.NewString(), signer: signer}
	c.life, c.cancel = context.WithCancelCause(context.Background())
	if c.sockets, err = dial(ctx, c.life, file, c.session); err != nil {
		c.cancel(ErrClosed)
		return nil, err
	}
	go c.receive(c.sockets.shell, c.reply)
	go c.receive(c.sockets.control, c.reply)
	go c.receive(c.sockets.stdin, c.question)
	go c.receive(c.sockets.iopub, c.publication)
	if err := c.ready(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// ready asks until the answer's publications arrive too: a subscription takes effect some time
// after the connection is made.
func (c *Client) ready(ctx context.Context) error {
	for {
		asking, stop := context.WithTimeout(ctx, 100*time.Millisecond)
		_, err := c.request(asking, "kernel_info_request", struct{}{}, newExchange(nil, nil))
		stop()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.life.Err() != nil {
			return context.Cause(c.life)
		}
	}
}

// Close ends the client; the kernel goes on.
func (c *Client) Close() {
	c.cancel(ErrClosed)
	c.sockets.close()
}

// Info is what the kernel says of itself: the content of kernel_info_reply.
func (c *Client) Info(ctx context.Context) (map[string]any, error) {
	m, err := c.request(ctx, "kernel_info_request", struct{}{}, newExchange(nil, nil))
	if err != nil {
		return nil, err
	}
	var info map[string]any
	return info, m.Decode(&info)
}

// Interrupt stops the running cell.
func (c *Client) Interrupt(ctx context.Context) error {
	return c.control(ctx, "interrupt_request", struct{}{})
}

// Shutdown ends the kernel, with restart for another life.
func (c *Client) Shutdown(ctx context.Context, restart bool) error {
	return c.control(ctx, "shutdown_request", map[string]bool{"restart": restart})
}

func (c *Client) control(ctx context.Context, kind string, content any) error {
	x := newExchange(nil, nil)
	id, err := c.send(c.sockets.control, kind, content, nil, x)
	if err != nil {
		return err
	}
	defer c.pending.remove(id)
	_, err = c.await(ctx, x)
	return err
}

// request sends on shell and waits for the reply and the idle status.
func (c *Client) request(ctx context.Context, kind string, content any, x *exchange) (*wire.Message, error) {
	id, err := c.send(c.sockets.shell, kind, content, nil, x)
	if err != nil {
		return nil, err
	}
	defer c.pending.remove(id)
	m, err := c.await(ctx, x)
	if err != nil {
		return nil, err
	}
	select {
	case <-x.idle:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-c.life.Done():
		return nil, context.Cause(c.life)
	}
}

func (c *Client) await(ctx context.Context, x *exchange) (*wire.Message, error) {
	select {
	case m := <-x.reply:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-c.life.Done():
		return nil, context.Cause(c.life)
	}
}

// send sends one message; where x is not nil, it waits for what answers it.
func (c *Client) send(socket zmq4.Socket, kind string, content any, parent json.RawMessage, x *exchange) (string,
	error) {
	body, err := wire.Encode(content)
	if err != nil {
		return "", err
	}
	m := &wire.Message{Header: wire.NewHeader(c.session, "vyre", kind), Parent: parent, Content: body}
	frames, err := c.signer.Frames(m)
	if err != nil {
		return "", err
	}
	if x != nil {
		c.pending.add(m.Header.MsgID, x)
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	if err := socket.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.pending.remove(m.Header.MsgID)
		return "", err
	}
	return m.Header.MsgID, nil
}

// receive reads one socket to the client's end. A message that cannot be read is nobody's answer.
func (c *Client) receive(socket zmq4.Socket, take func(*wire.Message)) {
	for c.life.Err() == nil {
		raw, err := socket.Recv()
		if err != nil {
			return
		}
		if m, err := c.signer.Parse(raw.Frames, nil); err == nil {
			take(m)
		}
	}
}

func (c *Client) reply(m *wire.Message) {
	if x := c.pending.of(m); x != nil {
		x.replied(m)
	}
}

func (c *Client) publication(m *wire.Message) {
	if x := c.pending.of(m); x != nil {
		x.published(m)
	}
}

// question answers on a goroutine of its own: a person takes their time.
func (c *Client) question(m *wire.Message) {
	if x := c.pending.of(m); x != nil && x.input != nil {
		go x.input(m)
	}
}
