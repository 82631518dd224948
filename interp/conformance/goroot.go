package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build/constraint"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// A Verdict is what became of one program of the Go distribution's test directory.
type Verdict string

const (
	Passed       Verdict = "passed"
	RefusedToRun Verdict = "refused" // said so before it ran
	Wrong        Verdict = "wrong"   // ended well with other output than the .out file, or said that something failed
	Crashed      Verdict = "crashed" // ended badly
	Unfinished   Verdict = "unfinished"
)

// A Result is the verdict on one file, named relative to the test directory.
type Result struct {
	File      string
	Verdict   Verdict
	Detail    string        // the first line that says why
	Processor time.Duration // what its process took
	Alone     bool          // it was not over in time beside others, and had another try
}

// TestDir returns the test directory of the Go distribution that the go command belongs to. A
// toolchain that the go command downloaded has none: then it is that of the next go command in
// PATH.
func TestDir(ctx context.Context) (string, error) {
	for _, bin := range filepath.SplitList(os.Getenv("PATH")) {
		cmd := exec.CommandContext(ctx, filepath.Join(bin, "go"), "env", "GOROOT")
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOROOT=") // go test sets it
		cmd.Dir = os.TempDir()                                         // no module's go line is to ask for another
		out, err := cmd.Output()
		if err != nil {
			continue
		}
		dir := filepath.Join(strings.TrimSpace(string(out)), "test")
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("no go command in PATH has a test directory beside it: install a distribution of Go")
}

// RunFiles lists the programs below dir that consist of one file with a "// run" line, without
// arguments, and that build constraints admit on this platform.
func RunFiles(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasSuffix(path, ".dir") {
			return filepath.SkipDir // packages of a test in several files
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if isRunFile(text) {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	sort.Strings(files)
	return files, err
}

// isRunFile reads the comments in front of the package clause.
func isRunFile(text []byte) bool {
	run := false
	for line := range bytes.Lines(text) {
		l := strings.TrimSpace(string(line))
		switch {
		case l == "// run":
			run = true
		case constraint.IsGoBuild(l):
			x, err := constraint.Parse(l)
			if err != nil || !x.Eval(cell.Holds) {
				return false
			}
		case strings.HasPrefix(l, "package "):
			return run
		}
	}
	return false
}

// StandardImports writes where the export data of the standard library's packages lie, as compiler
// and linker read it. Programs that run these find the file by the environment that it returns.
func StandardImports(ctx context.Context, file string) (env []string, err error) {
	format := "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}"
	out, err := exec.CommandContext(ctx, "go", "list", "-export", "-f", format, "std").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export std: %w", err)
	}
	return append(os.Environ(), "STDLIB_IMPORTCFG="+file), os.WriteFile(file, out, 0o644)
}
