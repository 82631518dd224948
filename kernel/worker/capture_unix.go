//go:build unix

package worker

import (
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	// captureChunk is the most that one output frame carries.
	captureChunk = 64 << 10
	// capturePause is how long the reader of a stream that keeps coming lets it gather. Whoever
	// needs the bytes sooner (a display, the reply) drains the pipe without waiting for it.
	capturePause = 2 * time.Millisecond
	// capturePipe is the pipe size asked for, so that a cell does not wait during the pause.
	capturePipe = 1 << 20
)

// A capture reads what arrives at one real file descriptor of this process, through the read end of
// its pipe. Reading happens under a lock, by the reader goroutine or by whoever calls drain: after
// drain everything written before it has been passed on.
type capture struct {
	kind kind
	file *os.File
	raw  syscall.RawConn
	pass passer
	// first are drained before this one is read: what a program says on standard output mostly stands before what
	// it says on standard error at the same time.
	first []*capture

	mu sync.Mutex // guards reading and the order of what is passed on

	stop chan struct{}
	done chan struct{}
}

// A passer passes on some of what a pipe holds, and tells how many bytes; 0 where it is empty.
type passer func(k kind, fd int) (int, error)

// newCapture takes over the read end f.
func newCapture(k kind, f *os.File, pass passer, first []*capture) (*capture, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	c := &capture{
		kind: k, file: f, raw: raw, pass: pass, first: slices.Clone(first),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	go c.read()
	return c, nil
}

// read passes on what comes until close.
func (c *capture) read() {
	defer close(c.done)
	pause := time.NewTimer(time.Hour)
	defer pause.Stop()
	for {
		var got int
		var end bool
		err := c.raw.Read(func(fd uintptr) bool {
			for _, other := range c.first {
				other.drain()
			}
			got, end = c.take(int(fd))
			return got > 0 || end
		})
		if err != nil || end {
			return
		}
		if got >= capturePipe/4 {
			continue // it fills faster than the pause lasts
		}
		pause.Reset(capturePause)
		select {
		case <-pause.C:
		case <-c.stop:
			return
		}
	}
}

// drain passes on all that was written before the call.
func (c *capture) drain() {
	// The error is that the file is closed: then there is nothing left to read.
	_ = c.raw.Control(func(fd uintptr) { c.take(int(fd)) })
}

// take reads until the pipe is empty, but no more than a pipe holds, so that a writer that never
// pauses cannot keep it.
func (c *capture) take(fd int) (got int, end bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for got < capturePipe {
		n, err := c.pass(c.kind, fd)
		if err != nil || n == 0 {
			return got, err != nil
		}
		got += n
	}
	return got, false
}

// close stops the reader.
func (c *capture) close() {
	close(c.stop)
	_ = c.file.Close()
	<-c.done
}
