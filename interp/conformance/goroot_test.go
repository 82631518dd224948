package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRunFiles(t *testing.T) {
	dir, err := TestDir(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files, err := RunFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 1000 || !slices.Contains(files, "closure.go") || !slices.Contains(files, "typeparam/nested.go") ||
		slices.Contains(files, "args.go") {
		t.Errorf("%d files", len(files))
	}
	t.Logf("%d files", len(files))
}

func TestIsRunFile(t *testing.T) {
	for text, want := range map[string]bool{
		"// run\n\npackage main": true, "// run\n\n//go:build !linux && !darwin\n\npackage main": false,
		"// errorcheck\n\npackage main":           false,
		"//go:build go1.21\n// run\npackage main": true, "package main\n// run\n": false, "// run -race\npackage main": false,
		"": false,
	} {
		if got := isRunFile([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The judge itself is tested with a command that takes a shell script for a program.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	scripts := map[string]string{
		"pass.go": "echo fine", "bug.go": "echo BUG: x", "crash.go": "echo 'panic: y' >&2; exit 2",
		"refuse.go": "echo no >&2; exit 125",
		"slow.go":   "sleep 5", "out.go": "echo right", "wrong.go": "echo left", "both.go": "echo err >&2",
	}
	for name, s := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]string{"out.out": "right\n", "wrong.out": "right\n", "both.out": "err\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{"pass.go", "bug.go", "crash.go", "refuse.go", "slow.go", "out.go", "wrong.go", "both.go"}
	j := Judge{Dir: dir, Command: []string{"sh"}, Limit: time.Second, Workers: 4}
	var got []string
	results := j.All(t.Context(), files)
	for _, r := range results {
		got = append(got, string(r.Verdict))
	}
	if s := strings.Join(got, " "); s != "passed wrong crashed refused unfinished passed wrong passed" {
		t.Errorf("%v", results)
	}
	if n := Count(results, ""); n[Passed] != 3 || n[Wrong] != 2 || n[Crashed] != 1 || n[RefusedToRun] != 1 ||
		n[Unfinished] != 1 {
		t.Error(n)
	}
}

// What is not over beside others has another try alone, three that never end are enough.
func TestJudgeTriesAgainAlone(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{
		"second.go": "test -e started && exit; touch started; sleep 5", "a.go": "sleep 5", "b.go": "sleep 5",
		"c.go": "sleep 5", "d.go": "sleep 5",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j := Judge{Dir: dir, Command: []string{"sh"}, Limit: 500 * time.Millisecond, Patience: 600 * time.Millisecond,
		Workers: 4}
	var got []string
	for _, r := range j.All(t.Context(), []string{"second.go", "a.go", "b.go", "c.go", "d.go"}) {
		got = append(got, fmt.Sprint(r.Verdict, " ", r.Alone, " ", r.Detail))
	}
	want := []string{"passed true ", "unfinished true not over after 600ms", "unfinished true not over after 600ms",
		"unfinished true not over after 600ms", "unfinished false not over after 500ms"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExpected(t *testing.T) {
	e, err := ParseExpected("bug.go wrong prints BUG # always\n\nwrong.go crashed other\npass.go wrong old\nlong.go " +
		"slow a minute\nshort.go slow a minute\n" +
		"at least 4 passed\nat most 0 wrong\nat most 3 refused\ngone.go refused why")
	if err != nil {
		t.Fatal(err)
	}
	results := []Result{
		{File: "pass.go", Verdict: Passed}, {File: "bug.go", Verdict: Wrong},
		{File: "crash.go", Verdict: Crashed, Detail: "panic: y"},
		{File: "refuse.go", Verdict: RefusedToRun, Detail: "no"},
		{File: "slow.go", Verdict: Unfinished, Detail: "not over after 1s"},
		{File: "wrong.go", Verdict: Wrong, Detail: "differs"}, {File: "long.go", Verdict: Passed, Processor: SlowFrom},
		{File: "short.go", Verdict: Passed, Processor: time.Second},
	}
	want := []string{
		"pass.go passes: take its line out of the list", "crash.go crashed: panic: y", "refuse.go refused: no",
		"slow.go unfinished: not over after 1s", "wrong.go wrong, the list says crashed: differs",
		"short.go takes 1.0 s: take its line out of the list",
	}
	if faults := e.Faults(results); !slices.Equal(faults, want) {
		t.Errorf("%q, want %q", faults, want)
	}
	var files []string
	for _, r := range results {
		files = append(files, r.File)
	}
	want = []string{"2 wrong, at most 0 may be", "3 passed, at least 4 must be",
		"gone.go is no program of this distribution: take its line out of the list"}
	if faults := e.CountFaults(results, files); !slices.Equal(faults, want) {
		t.Errorf("%q, want %q", faults, want)
	}
	if !e.Slow("long.go") || e.Slow("bug.go") || e.Slow("other.go") {
		t.Error("slow files are those that the list calls so")
	}
	for _, text := range []string{"x.go passed yes", "x.go wrong", "at least many passed", "at some 3 passed",
		"at least 3 right"} {
		if _, err := ParseExpected(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
