package vm

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Compiled code that waits for a process cannot be stopped, but the process can: an interrupt of the cell is one of the process it waits for.

// grace is how long an interrupted process may take to end by itself.
const grace = time.Second

// waitProcess is (*exec.Cmd).Wait.
func waitProcess(c *exec.Cmd) error {
	g := current()
	if g == nil || c == nil || c.Process == nil || c.ProcessState != nil {
		return c.Wait() // it fails at once
	}
	done := make(chan error, 1)
	p := c.Process
	go func() { done <- c.Wait() }()
	end := g.waiting("process", awaited{})
	defer end()
	select {
	case err := <-done:
		return err
	case <-g.run.done:
		_ = p.Signal(os.Interrupt)
		go func() {
			select {
			case <-done:
			case <-time.After(grace):
				_ = p.Kill()
			}
		}()
		g.stopNow()
		return <-done
	}
}

// runProcess is (*exec.Cmd).Run.
func runProcess(c *exec.Cmd) error {
	if err := c.Start(); err != nil {
		return err
	}
	return waitProcess(c)
}

// combinedOutput is (*exec.Cmd).CombinedOutput.
func combinedOutput(c *exec.Cmd) ([]byte, error) {
	switch {
	case c.Stdout != nil:
		return nil, errors.New("exec: Stdout already set")
	case c.Stderr != nil:
		return nil, errors.New("exec: Stderr already set")
	}
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err := runProcess(c)
	return b.Bytes(), err
}

// output is (*exec.Cmd).Output.
func output(c *exec.Cmd) ([]byte, error) {
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
	err := runProcess(c)
	var failed *exec.ExitError
	if own && errors.As(err, &failed) {
		failed.Stderr = ends.bytes()
	}
	return b.Bytes(), err
}

// endsKept is how much of its beginning, and of its end, an ExitError has of what the process wrote to its standard error.
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
