package conformance

import (
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
	if len(files) < 1000 || !slices.Contains(files, "closure.go") || !slices.Contains(files, "typeparam/nested.go") || slices.Contains(files, "args.go") {
		t.Errorf("%d files", len(files))
	}
	t.Logf("%d files", len(files))
}

func TestIsRunFile(t *testing.T) {
	for text, want := range map[string]bool{
		"// run\n\npackage main": true, "// run\n\n//go:build !linux && !darwin\n\npackage main": false, "// errorcheck\n\npackage main": false,
		"//go:build go1.21\n// run\npackage main": true, "package main\n// run\n": false, "// run -race\npackage main": false, "": false,
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
		"pass.go": "echo fine", "bug.go": "echo BUG: x", "crash.go": "echo 'panic: y' >&2; exit 2", "refuse.go": "echo no >&2; exit 125",
		"slow.go": "sleep 5", "out.go": "echo right", "wrong.go": "echo left", "both.go": "echo err >&2",
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
	if s := strings.Join(got, " "); s != "passed wrong crashed refused crashed passed wrong passed" {
		t.Errorf("%v", results)
	}
	known, err := Known("bug.go wrong prints BUG # always\n\nwrong.go crashed other\npass.go wrong old\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"pass.go passes: take its line out of the list", "crash.go crashed: panic: y", "refuse.go refused: no",
		"slow.go crashed: not over after 1s", "wrong.go wrong, the list says crashed: output differs from the .out file",
	}
	if faults := Compare(results, known); !slices.Equal(faults, want) {
		t.Errorf("%q", faults)
	}
	if _, err := Known("x.go passed yes"); err == nil {
		t.Error("a list may not name what passes")
	}
	if n := Count(results, ""); n[Passed] != 3 || n[Wrong] != 2 || n[Crashed] != 2 || n[RefusedToRun] != 1 {
		t.Error(n)
	}
}
