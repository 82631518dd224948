package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/execute"
	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
	"github.com/vyre-kernel/vyre-kernel/kernel/client"
)

type runOptions struct {
	notebook, output, html string
	timeout                time.Duration
	allowErrors            bool
	stdin                  io.Reader
	stdout                 io.Writer
}

func newRunCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run NOTEBOOK [-o OUT.ipynb] [--html OUT.html]",
		Short: "Execute a notebook over the wire, no Python needed",
		Args:  exactly(1, "run takes one notebook"),
		RunE: func(c *cobra.Command, arguments []string) error {
			o.notebook, o.stdin, o.stdout = arguments[0], c.InOrStdin(), c.OutOrStdout()
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			defer stop()
			return runNotebook(ctx, o)
		},
	}
	c.Flags().StringVarP(&o.output, "output", "o", "", "write the executed notebook to `FILE`")
	c.Flags().StringVar(&o.html, "html", "", "write one self-contained page to `FILE`")
	c.Flags().DurationVar(&o.timeout, "timeout", 0, "interrupt a cell after this long (0: never)")
	c.Flags().BoolVar(&o.allowErrors, "allow-errors", false,
		"go on after a cell that fails; the exit status tells that one did")
	return c
}

// runNotebook executes a notebook on a kernel of its own. What was executed is written also when a
// cell
// failed: the failure is then in it.
func runNotebook(ctx context.Context, o runOptions) error {
	nb, err := readNotebook(o.notebook)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	kernel, err := client.Start(ctx, client.Options{Command: []string{self, "kernel", "-f", "{connection_file}"},
		Dir: filepath.Dir(o.notebook)})
	if err != nil {
		return err
	}
	begin := time.Now()
	err = execute.Notebook(ctx, kernel, nb, execute.Options{
		Timeout: o.timeout, AllowErrors: o.allowErrors, Input: asker(o.stdin, o.stdout), Progress: &progress{w: o.stdout},
	})
	err = errors.Join(err, kernel.Close(), o.write(nb))
	if err == nil {
		_, err = fmt.Fprintf(o.stdout, "executed %s in %v\n", o.notebook, time.Since(begin).Round(time.Millisecond))
	}
	return err
}

func readNotebook(name string) (*export.Notebook, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	nb, err := export.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nb, nil
}

func (o *runOptions) write(nb *export.Notebook) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{o.output, func(w io.Writer) error { return export.Write(w, nb) }},
		{o.html, func(w io.Writer) error {
			return export.HTML(w, nb,
				export.Options{Note: fmt.Sprintf("Executed by vyre-kernel %s on %s.", versionText(),
					time.Now().UTC().Format("2006-01-02 15:04 MST"))})
		}},
	} {
		if file.name == "" {
			continue
		}
		if err := writeFile(file.name, file.write); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(o.stdout, "wrote", file.name); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes aside and renames, so that a notebook may be its own output.
func writeFile(name string, write func(io.Writer) error) error {
	aside, err := os.CreateTemp(filepath.Dir(name), ".vyre-*")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(aside)
	err = errors.Join(write(w), w.Flush(), aside.Chmod(0o644), aside.Close())
	if err == nil {
		err = os.Rename(aside.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(aside.Name()))
	}
	return nil
}

// asker answers a cell's questions from a terminal; anything else has nobody to ask.
func asker(stdin io.Reader, stdout io.Writer) func(string, bool) (string, error) {
	f, ok := stdin.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	lines := bufio.NewScanner(f)
	return func(prompt string, _ bool) (string, error) {
		if _, err := fmt.Fprint(stdout, prompt); err != nil {
			return "", err
		}
		if !lines.Scan() {
			return "", errors.Join(lines.Err(), io.EOF)
		}
		return lines.Text(), nil
	}
}
