package conformance

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/build/constraint"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// A Verdict is what became of one program of the Go distribution's test directory.
type Verdict string

const (
	Passed       Verdict = "passed"
	RefusedToRun Verdict = "refused" // said so before it ran
	Wrong        Verdict = "wrong"   // ended well with other output than the .out file, or said that something failed
	Crashed      Verdict = "crashed" // ended badly, or not at all
)

// A Result is the verdict on one file, named relative to the test directory.
type Result struct {
	File    string
	Verdict Verdict
	Detail  string // the first line that says why
}

// TestDir returns the test directory of the Go distribution that the go command belongs to.
func TestDir(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "test"), nil
}

// RunFiles lists the programs below dir that consist of one file with a "// run" line, without arguments, and that build constraints
// admit on this platform.
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

// A Judge runs single files: command is a program that executes the Go file named by its last argument as this package's
// ExecuteFile does.
type Judge struct {
	Dir     string   // the test directory
	Command []string // without the file
	Limit   time.Duration
	Workers int
	// WorkDirs are the directories that programs start in, where that is not Dir.
	WorkDirs map[string]string
	Env      []string // nil: this process's
}

// All judges the files, several at a time, and returns the results in their order.
func (j Judge) All(ctx context.Context, files []string) []Result {
	results := make([]Result, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(j.Workers, 1) {
		wg.Go(func() {
			for i := range next {
				results[i] = j.one(ctx, files[i])
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// RefusedStatus is the exit status of a command that refused a program.
const RefusedStatus = 125

func (j Judge) one(ctx context.Context, file string) Result {
	ctx, cancel := context.WithTimeout(ctx, j.Limit)
	defer cancel()
	var stdout, both lockedBuffer
	cmd := exec.CommandContext(ctx, j.Command[0], append(slices.Clone(j.Command[1:]), filepath.Join(j.Dir, file))...)
	cmd.Dir, cmd.Env = cmp.Or(j.WorkDirs[file], j.Dir), j.Env // Dir is where the go command's own test runner starts them
	cmd.WaitDelay = time.Second
	cmd.Stdout, cmd.Stderr = io.Writer(tee{&stdout, &both}), io.Writer(&both)
	if _, err := os.Stat(j.beside(file, ".out")); err == nil {
		cmd.Stdout = cmd.Stderr // one pipe, so that both streams come in the order of their writing
	}
	err := cmd.Run()
	out := both.String()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Result{file, Crashed, fmt.Sprintf("not over after %s", j.Limit)}
	case errors.As(err, &exit) && exit.ExitCode() == RefusedStatus:
		return Result{file, RefusedToRun, reason(out)}
	case err != nil:
		return Result{file, Crashed, reason(out)}
	}
	return j.output(file, stdout.String(), out)
}

// comparisons are how the file beside a program, by its extension, says what the program must print.
var comparisons = map[string]func(stdout, both, want string) bool{
	".out":       func(stdout, both, want string) bool { return stdout == want || both == want },
	".example":   func(stdout, _, want string) bool { return asProgram(stdout) == asProgram(want) },
	".unordered": func(stdout, _, want string) bool { return sortedLines(stdout) == sortedLines(want) },
}

// beside is the file with the program's name and another extension.
func (j Judge) beside(file, ext string) string {
	return strings.TrimSuffix(filepath.Join(j.Dir, file), ".go") + ext
}

// testPackage is how types of a package's examples are named: as a program, they belong to main.
var testPackage = regexp.MustCompile(`\b\w+_test\.`)

func asProgram(s string) string { return testPackage.ReplaceAllString(strings.TrimSpace(s), "main.") }

func sortedLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// output compares with the file beside the program, and where there is none looks for the words that these programs print when they
// find a fault.
func (j Judge) output(file, stdout, both string) Result {
	for ext, same := range comparisons {
		want, err := os.ReadFile(j.beside(file, ext))
		if err != nil {
			continue
		}
		if !same(stdout, both, string(want)) {
			return Result{file, Wrong, "output differs from the " + ext + " file"}
		}
		return Result{file, Passed, ""}
	}
	for l := range strings.Lines(both) {
		if strings.Contains(l, "BUG") || strings.Contains(l, "FAIL") {
			return Result{file, Wrong, strings.TrimSpace(l)}
		}
	}
	return Result{file, Passed, ""}
}

// reason is the first line that says something.
func reason(out string) string {
	for l := range strings.Lines(out) {
		if l = strings.TrimSpace(l); l != "" {
			if len(l) > 160 {
				l = l[:160]
			}
			return l
		}
	}
	return "no output"
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

type tee struct{ a, b *lockedBuffer }

func (t tee) Write(p []byte) (int, error) {
	if n, err := t.a.Write(p); err != nil {
		return n, err
	}
	return t.b.Write(p)
}

// Known reads a list of programs that are known not to pass: a line each, file, verdict and the reason why. Text after # is comment.
func Known(text string) (map[string]Result, error) {
	known := map[string]Result{}
	sc := bufio.NewScanner(strings.NewReader(text))
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		f := strings.Fields(line)
		if len(f) < 3 || !slices.Contains([]Verdict{RefusedToRun, Wrong, Crashed}, Verdict(f[1])) {
			return nil, fmt.Errorf("line %d: want \"file verdict reason\", found %q", n, sc.Text())
		}
		known[f[0]] = Result{f[0], Verdict(f[1]), strings.Join(f[2:], " ")}
	}
	return known, sc.Err()
}

// Compare tells what is new against the list: a program that does not pass and is not named, or not as it is, and a named one
// that passes, whose line must go.
func Compare(results []Result, known map[string]Result) (faults []string) {
	for _, r := range results {
		k, named := known[r.File]
		switch {
		case r.Verdict == Passed && named:
			faults = append(faults, fmt.Sprintf("%s passes: take its line out of the list", r.File))
		case r.Verdict != Passed && !named:
			faults = append(faults, fmt.Sprintf("%s %s: %s", r.File, r.Verdict, r.Detail))
		case named && r.Verdict != k.Verdict:
			faults = append(faults, fmt.Sprintf("%s %s, the list says %s: %s", r.File, r.Verdict, k.Verdict, r.Detail))
		}
	}
	return faults
}

// Count sums up verdicts of the files below a folder ("" for all).
func Count(results []Result, folder string) map[Verdict]int {
	n := map[Verdict]int{}
	for _, r := range results {
		if strings.HasPrefix(r.File, folder) {
			n[r.Verdict]++
		}
	}
	return n
}
