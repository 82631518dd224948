package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Regenerate builds every program of a theme's file with the go command, runs it, and writes the
// outcomes into the file.
func Regenerate(ctx context.Context, file, scratch string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ps, err := parseTheme(strings.TrimSuffix(filepath.Base(file), ".txtar"), text)
	if err != nil {
		return err
	}
	if err := buildAll(ctx, ps, scratch); err != nil {
		return err
	}
	for i := range ps {
		if ps[i].Want, err = RunProcess(ctx, 20*time.Second, filepath.Join(scratch, "bin", ps[i].Name)); err != nil {
			return fmt.Errorf("%s: %w", ps[i].ID(), err)
		}
	}
	return os.WriteFile(file, formatTheme(txtar.Parse(text).Comment, ps), 0o644)
}

// buildAll writes the programs as commands of one module and builds them in one go.
func buildAll(ctx context.Context, ps []Program, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	module := []byte("module corpus\n\n" + gorelease.Directive + "\n")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), module, 0o644); err != nil {
		return err
	}
	for _, p := range ps {
		if err := os.MkdirAll(filepath.Join(dir, p.Name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, p.Name, "main.go"), []byte(p.Source), 0o644); err != nil {
			return err
		}
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", "bin/", "./...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// RunProcess runs a command to its end and returns what it did, as the kept outcomes say it. After
// status 2, a panic, and RefusedStatus, Panic is what stood on stderr. The error is that of
// starting it, or that of ctx or limit.
func RunProcess(ctx context.Context, limit time.Duration, binary string, args ...string) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return Outcome{}, fmt.Errorf("%w (%w)", err, ctx.Err())
	}
	o := Outcome{Stdout: stdout.String(), Exit: cmd.ProcessState.ExitCode()}
	if o.Exit == 2 || o.Exit == RefusedStatus {
		o.Panic = panicText(stderr.String())
	}
	return o, nil
}

// panicText cuts off the goroutines, and the note about the signal, which holds an address.
func panicText(stderr string) string {
	text, _, _ := strings.Cut(stderr, "\n\ngoroutine ")
	var lines []string
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "[signal ") {
			lines = append(lines, strings.TrimSuffix(l, "\n"))
		}
	}
	return strings.Join(lines, "\n")
}
