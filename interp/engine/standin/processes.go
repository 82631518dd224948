package standin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/process"
)

// Compiled code that waits for a process cannot be stopped, but the process can: an interrupt of
// the cell is one of the process it waits for, and of those that it started.

// Grace is how long interrupted processes may take to end by themselves.
const Grace = time.Second

// Processes are the methods of *exec.Cmd, for an engine that says what cells write to in the place
// of a file, and how one of its goroutines waits: until done has a value, or, where the cell is
// over first, until process.Interrupt was called, in which case it does not return.
type Processes struct {
	Writer func(*os.File) io.Writer
	Wait   func(p *os.Process, done <-chan error) error
}

// Start is (*exec.Cmd).Start.
func (e Processes) Start(c *exec.Cmd) error {
	if c == nil || !process.Both(c) {
		return c.Start()
	}
	out, err := e.Writer(os.Stdout), e.Writer(os.Stderr)
	if out == io.Writer(os.Stdout) || err == io.Writer(os.Stderr) { // files of the cell's own, not its streams
		return c.Start()
	}
	return process.Start(c, out, err)
}

// WaitFor is (*exec.Cmd).Wait.
func (e Processes) WaitFor(c *exec.Cmd) error {
	if c == nil || c.Process == nil || c.ProcessState != nil {
		return c.Wait() // it fails at once
	}
	done := make(chan error, 1)
	go func() {
		err := c.Wait()
		process.Settle(c)
		done <- err
	}()
	return e.Wait(c.Process, done)
}

// Run is (*exec.Cmd).Run.
func (e Processes) Run(c *exec.Cmd) error {
	if err := e.Start(c); err != nil {
		return err
	}
	return e.WaitFor(c)
}

// CombinedOutput is (*exec.Cmd).CombinedOutput.
func (e Processes) CombinedOutput(c *exec.Cmd) ([]byte, error) {
	switch {
	case c.Stdout != nil:
		return nil, errors.New("exec: Stdout already set")
	case c.Stderr != nil:
		return nil, errors.New("exec: Stderr already set")
	}
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err := e.Run(c)
	return b.Bytes(), err
}

// Output is (*exec.Cmd).Output.
func (e Processes) Output(c *exec.Cmd) ([]byte, error) {
	if c.Stdout != nil {
		return nil, errors.New("exec: Stdout already set")
	}
	var b bytes.Buffer
	var ends endsWriter
	c.Stdout = &b
	own := c.Stderr == nil
	if own {
		c.Stderr = &ends
	}
	err := e.Run(c)
	var failed *exec.ExitError
	if own && errors.As(err, &failed) {
		failed.Stderr = ends.bytes()
	}
	return b.Bytes(), err
}

// endsKept is how much of its beginning, and of its end, an ExitError has of what the process wrote
// to its standard error.
const endsKept = 32 << 10

// An endsWriter keeps both ends of what is written to it.
type endsWriter struct {
	first, last []byte
	skipped     int
}

func (w *endsWriter) Write(p []byte) (int, error) {
	n := min(len(p), endsKept-len(w.first))
	w.first = append(w.first, p[:n]...)
	w.last = append(w.last, p[n:]...)
	if over := len(w.last) - endsKept; over > 0 {
		w.skipped += over
		w.last = append(w.last[:0], w.last[over:]...)
	}
	return len(p), nil
}

func (w *endsWriter) bytes() []byte {
	if w.skipped == 0 {
		return append(w.first, w.last...)
	}
	return append(fmt.Appendf(w.first, "\n... omitting %d bytes ...\n", w.skipped), w.last...)
}
