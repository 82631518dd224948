//go:build unix

package serve

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// capturePause is how long the reader of a stream that keeps coming lets it gather. Whoever
// needs the bytes sooner (a display, the reply) drains the pipe without waiting for it.
const capturePause = 2 * time.Millisecond

// A capture reads what arrives at one real file descriptor of this process, through the read end of
// its pipe. Reading happens under a lock, by the reader goroutine or by whoever calls drain: after
// drain everything written before it has been passed on.
type capture struct {
	kind protocol.Kind
	file *os.File
	raw  syscall.RawConn
	gate gate
	pass passer
	// first are drained before this one is read: what a program says on standard output mostly
	// stands before what it says on standard error at the same time.
	first []*capture

	mu sync.Mutex // guards reading and the order of what is passed on

	stop chan struct{}
	done chan struct{}
}

// A passer passes on some of what a pipe holds, and tells how many bytes; 0 where it is empty.
type passer func(k protocol.Kind, fd int) (int, error)

// newCapture takes over the read end f.
func newCapture(k protocol.Kind, f *os.File, pass passer, first []*capture) (*capture, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	gate, err := newGate(f, raw)
	if err != nil {
		return nil, err
	}
	c := &capture{
		kind: k, file: f, raw: raw, gate: gate, pass: pass, first: slices.Clone(first),
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
		err := c.gate.wait(func() bool {
			// Where the runtime is about to end the process nobody goes on from here: why, which it
			// writes meanwhile, is the kernel's to read.
			runtime.Gosched()
			for _, other := range c.first {
				other.drain()
			}
			got, end = c.drain()
			return got > 0 || end
		})
		if err != nil || end {
			return
		}
		if got >= protocol.PipeBytes/4 {
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

// drain passes on all that was written before the call, and tells how much that was and whether it
// was the end.
func (c *capture) drain() (got int, end bool) {
	if c.raw.Control(func(fd uintptr) { got, end = c.take(int(fd)) }) != nil {
		return 0, true // it is closed
	}
	return got, end
}

// take reads until the pipe is empty, but no more than a pipe holds, so that a writer that never
// pauses cannot keep it.
func (c *capture) take(fd int) (got int, end bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for got < protocol.PipeBytes {
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
	c.gate.close()
	_ = c.file.Close()
	<-c.done
}
