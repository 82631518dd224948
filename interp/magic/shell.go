package magic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/process"
)

// order says how the two streams of a shell arrive.
const order = "What it writes arrives in order (on macOS each of its two streams by itself: 2>&1 makes them one)"

func init() {
	Register("!", "run the line with sh, and the next where it ends with \\; it asks for what it reads. "+order, line)
	Register("%%bash", "run the cell with bash, its options (%%bash -e) and arguments (%%bash -s one two); it asks "+
		"for what it reads. "+order, bash)
}

// line is a line of a cell for sh.
func line(ctx context.Context, c *Call) (any, error) {
	if c.Args == "" {
		return nil, &NothingError{c.Name}
	}
	err := shell(ctx, c, "sh", c.Args, nil)
	var failed *ShellError
	if errors.As(err, &failed) {
		failed.Go = meantAsGo(c.Args)
	}
	return nil, err
}

// bash is a cell for bash. What stands behind -s are its arguments, as on bash's own command line.
func bash(ctx context.Context, c *Call) (any, error) {
	options, arguments := strings.Fields(c.Args), []string(nil)
	if i := slices.Index(options, "-s"); i >= 0 {
		options, arguments = options[:i], options[i+1:]
	}
	return nil, shell(ctx, c, "bash", c.Body, options, arguments...)
}

// A ShellError is a command that ended with another status than 0, or by a signal.
type ShellError struct {
	Shell  string
	Status int            // -1 where a signal ended it
	Signal syscall.Signal // that ended it, or 0
	Go     bool           // the line reads like Go's not
}

func (e *ShellError) Error() string {
	text := fmt.Sprintf("%s: exit status %d", e.Shell, e.Status)
	if e.Signal != 0 {
		text = fmt.Sprintf("%s: ended by signal %d (%v)", e.Shell, int(e.Signal), e.Signal)
	}
	if e.Go {
		text += ": a line that starts with ! is a command for the shell (for Go's not, put it in parentheses: (!ok))"
	}
	return text
}

const (
	// longScript is how long a script may be that a shell is given as an argument; a longer one it
	// reads as its input, and commands in it have none.
	longScript = 100 << 10
	// grace is how long an interrupted shell may take to end by itself.
	grace = time.Second
)

// shell runs a script, whose processes read and write what the cell does. A cancelled context
// interrupts all of them.
func shell(ctx context.Context, c *Call, name, script string, options []string, arguments ...string) error {
	cmd := exec.Command(name, slices.Concat(options, []string{"-c", script, name}, arguments)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if len(script) > longScript || strings.ContainsRune(script, 0) {
		cmd.Args = slices.Concat([]string{name}, options, []string{"-s", "--"}, arguments)
		cmd.Stdin = strings.NewReader(script + "\n")
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := process.Start(cmd, orElse(c.Stdout, os.Stdout), orElse(c.Stderr, os.Stderr)); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s is not installed: %w", name, err)
		}
		return err
	}
	ended, err := make(chan struct{}), error(nil)
	go func() {
		defer close(ended)
		err = cmd.Wait()
		process.Settle(cmd)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		process.Interrupt(cmd.Process, ended, grace)
		<-ended
		return ctx.Err()
	}
	return status(name, err)
}

func orElse(w io.Writer, file *os.File) io.Writer {
	if w == nil {
		return file
	}
	return w
}

// status makes an error of how a shell ended.
func status(name string, err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	failed := &ShellError{Shell: name, Status: exit.ExitCode()}
	if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		failed.Signal = s.Signal()
	}
	return failed
}
