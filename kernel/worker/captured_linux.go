package worker

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// captured moves some of a pipe into the pipe to the kernel, behind the head of its frame. The bytes
// are never in this process's memory: when it dies, at whatever moment (the Go runtime stops all
// goroutines first), what a cell printed is in the one pipe or in the other, and the kernel reads both.
func (s *server) captured(k kind, fd int) (int, error) {
	if s.out.file == nil {
		return s.copyCaptured(k, fd)
	}
	n, err := direct.Waiting(fd)
	if err != nil || n == 0 {
		return 0, err
	}
	n = min(n, captureChunk)
	s.window.acquire(costOf(frameHeader + n))
	return n, s.out.splice(frame{kind: k, request: s.currentCell()}, fd, n)
}

// splice sends a frame whose body is the next n bytes of the pipe fd.
func (c *channel) splice(f frame, fd, n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if _, err := c.w.Write(appendHeader(c.buf[:0], f, n)); err != nil {
		c.err = err
		return err
	}
	raw, err := c.file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Write(func(to uintptr) bool {
		for n > 0 {
			moved, err := unix.Splice(fd, nil, int(to), nil, n, unix.SPLICE_F_NONBLOCK)
			switch {
			case errors.Is(err, unix.EINTR):
			case errors.Is(err, unix.EAGAIN):
				return false // until there is room
			case err != nil:
				failed = err
				return true
			default:
				n -= int(moved)
			}
		}
		return true
	})
	c.err = errors.Join(err, failed)
	return c.err
}
