package conformance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// A Judge runs single files: command is a program that executes the Go file named by its last
// argument as this package's ExecuteFile does.
type Judge struct {
	Dir     string        // the test directory
	Command []string      // without the file
	Limit   time.Duration // of one of several
	Workers int
	// Patience is the limit of a second try, alone, of what was not over beside others: 0 for none.
	// After three of these that are not over there are no more.
	Patience time.Duration
	// WorkDirs are the directories that programs start in, where that is not Dir.
	WorkDirs map[string]string
	Env      []string // nil: this process's
}

// All judges the files, several at a time, and returns the results in their order.
func (j Judge) All(ctx context.Context, files []string) []Result {
	results := j.together(ctx, files)
	alone, endless := j, 0
	alone.Limit = j.Patience
	for i, r := range results {
		if r.Verdict != Unfinished || j.Patience <= 0 || endless == 3 {
			continue
		}
		results[i] = alone.one(ctx, r.File)
		results[i].Alone = true
		if results[i].Verdict == Unfinished {
			endless++
		}
	}
	return results
}

func (j Judge) together(ctx context.Context, files []string) []Result {
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
	r := Result{File: file}
	if p := cmd.ProcessState; p != nil {
		r.Processor = p.UserTime() + p.SystemTime()
	}
	r.Verdict, r.Detail = j.verdict(ctx, file, err, stdout.String(), both.String())
	return r
}

func (j Judge) verdict(ctx context.Context, file string, err error, stdout, both string) (Verdict, string) {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Unfinished, fmt.Sprintf("not over after %s", j.Limit)
	case errors.As(err, &exit) && exit.ExitCode() == RefusedStatus:
		return RefusedToRun, reason(both)
	case err != nil:
		return Crashed, reason(both)
	}
	return j.output(file, stdout, both)
}

// comparisons are how the file beside a program, by its extension, says what the program must
// print.
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

// output compares with the file beside the program, and where there is none looks for the words
// that these programs print when they find a fault.
func (j Judge) output(file, stdout, both string) (Verdict, string) {
	for ext, same := range comparisons {
		want, err := os.ReadFile(j.beside(file, ext))
		if err != nil {
			continue
		}
		if !same(stdout, both, string(want)) {
			return Wrong, "output differs from the " + ext + " file"
		}
		return Passed, ""
	}
	for l := range strings.Lines(both) {
		if strings.Contains(l, "BUG") || strings.Contains(l, "FAIL") {
			return Wrong, strings.TrimSpace(l)
		}
	}
	return Passed, ""
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
