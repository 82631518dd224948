package protocol

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Splices reports whether Splice may be called: the channel writes to a pipe of the system.
func (c *Channel) Splices() bool { return c.pipe != nil }

// Splice sends a frame whose body is the next n bytes of the pipe fd.
func (c *Channel) Splice(f Frame, fd, n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	if _, err := c.w.Write(appendHeader(c.buf[:0], f, n)); err != nil {
		c.err = err
		return err
	}
	raw, err := c.pipe.SyscallConn()
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
