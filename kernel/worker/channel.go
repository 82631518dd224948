package worker

import (
	"io"
	"os"
	"sync"
)

// A channel writes frames to a pipe, each whole, from several goroutines.
type channel struct {
	file *os.File // what w writes to, where that is a pipe of the system's; else nil

	mu  sync.Mutex // guards what follows
	w   io.Writer
	buf []byte
	err error // the first failure; the pipe is of no use after it
}

// keepBuffer is the largest write buffer kept between frames.
const keepBuffer = 256 << 10

// send writes a frame.
func (c *channel) send(f frame) error {
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

// sendHead writes a frame whose head is v.
func (c *channel) sendHead(k kind, request uint64, v any) error {
	head, err := encode(v)
	if err != nil {
		return err
	}
	return c.send(frame{kind: k, request: request, head: head})
}
