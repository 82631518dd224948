package protocol

import (
	"io"
	"os"
	"sync"
)

// A Channel writes frames to a pipe, each whole, from several goroutines.
type Channel struct {
	pipe *os.File // what w writes to, where that is a pipe of the system's; else nil

	mu  sync.Mutex // guards what follows
	w   io.Writer
	buf []byte
	err error // the first failure; the pipe is of no use after it
}

// NewChannel returns a channel that writes to w. Where that is a pipe of the system, pipe is its
// file; else nil.
func NewChannel(w io.Writer, pipe *os.File) *Channel { return &Channel{w: w, pipe: pipe} }

// keepBuffer is the largest write buffer kept between frames.
const keepBuffer = 256 << 10

// Send writes a frame.
func (c *Channel) Send(f Frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	b, err := appendFrame(c.buf[:0], f)
	if err != nil {
		return err
	}
	if _, err = c.w.Write(b); err != nil {
		c.err = err
	}
	if c.buf = b; cap(b) > keepBuffer {
		c.buf = nil
	}
	return err
}

// SendHead writes a frame whose head is v.
func (c *Channel) SendHead(k Kind, request uint64, v any) error {
	head, err := Encode(v)
	if err != nil {
		return err
	}
	return c.Send(Frame{Kind: k, Request: request, Head: head})
}
