package conformance

import (
	"testing"
	"time"
)

func TestExamples(t *testing.T) {
	dir := t.TempDir()
	files, err := WriteExamples(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 700 {
		t.Errorf("%d examples", len(files))
	}
	// The go command itself must pass one.
	j := Judge{Dir: dir, Command: []string{"go", "run"}, Limit: time.Minute, Workers: 1}
	if r := j.All(t.Context(), []string{"strings.example.Fields.go"}); r[0].Verdict != Passed {
		t.Error(r[0])
	}
	t.Logf("%d examples", len(files))
}
