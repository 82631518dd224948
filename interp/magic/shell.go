package magic

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

func init() {
	Register("!", "run the line with sh", func(ctx context.Context, c *Call) (any, error) { return nil, shell(ctx, "sh", c.Args) })
	Register("%%bash", "run the cell with bash, and with its options: %%bash -e", func(ctx context.Context, c *Call) (any, error) {
		return nil, shell(ctx, "bash", c.Body, strings.Fields(c.Args)...)
	})
}

// A ShellError is a command that ended with another status than 0.
type ShellError struct {
	Shell  string
	Status int
}

func (e *ShellError) Error() string { return fmt.Sprintf("%s: exit status %d", e.Shell, e.Status) }

// shell runs a script with the process's own output and no input. A cancelled context interrupts it.
func shell(ctx context.Context, name, script string, options ...string) error {
	cmd := exec.CommandContext(ctx, name, append(options, "-s")...)
	cmd.Stdin = strings.NewReader(script + "\n")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return &ShellError{name, exit.ExitCode()}
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s is not installed: %w", name, err)
	}
	return err
}
