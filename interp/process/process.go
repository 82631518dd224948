package process

import (
	"io"
	"os"
	"os/exec"
	"sync"
)

// relays has the relay of each command that was started with one, until it is settled.
var relays sync.Map

// Start starts a command of a cell, as its method does. Where it is to write to both streams,
// os.Stdout and os.Stderr, what it writes arrives at stdout and stderr in the order in which it
// wrote it, on Linux; elsewhere it writes to the files themselves.
func Start(c *exec.Cmd, stdout, stderr io.Writer) error {
	r, err := newRelay(stdout, stderr)
	if err != nil {
		return c.Start()
	}
	out, errs := c.Stdout, c.Stderr
	c.Stdout, c.Stderr = r.out, r.err
	err = c.Start()
	c.Stdout, c.Stderr = out, errs
	r.closeTheirs()
	if err == nil {
		relays.Store(c, r)
	}
	return err
}

// Both reports whether a command is to write to the process's two streams.
func Both(c *exec.Cmd) bool {
	return c.Stdout == io.Writer(os.Stdout) && c.Stderr == io.Writer(os.Stderr)
}

// Settle returns when all was passed on that a command wrote, which has ended. What processes write
// that it has left is passed on later.
func Settle(c *exec.Cmd) {
	if r, ok := relays.LoadAndDelete(c); ok {
		r.(*Relay).settle()
	}
}
