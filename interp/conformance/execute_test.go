package conformance

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

func TestPositioned(t *testing.T) {
	got := positioned("/x/a.go", "// run\n\npackage main\n\nimport \"fmt\"\n")
	if want := "// run\n\npackage main\n//line /x/a.go:4\n\nimport \"fmt\"\n"; got != want {
		t.Errorf("%q", got)
	}
	if got := positioned("a.go", "package main"); got != "package main" {
		t.Errorf("%q", got)
	}
}

// scripted is a session that ends as it is told.
type scripted struct{ err error }

func (s scripted) Cell(context.Context, string) error { return s.err }
func (s scripted) Close() error                       { return nil }

func TestExecuteFile(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("package main\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err    error
		status int
		text   string
	}{
		{nil, 0, ""},
		{&engine.Exit{Code: 7}, 7, ""},
		{&engine.Panic{Value: "x", Chain: []any{1}, Stack: []engine.Frame{{Function: "main.main"}}}, 2,
			"panic: 1\n\tpanic: x\n\ngoroutine 1 [running]:\nmain.main(...)"},
		{&engine.Refusal{What: "it"}, RefusedStatus, "refused: "},
	} {
		var text bytes.Buffer
		status := ExecuteFile(func() (Session, error) { return scripted{c.err}, nil }, file, &text)
		if status != c.status || !strings.HasPrefix(text.String(), c.text) {
			t.Errorf("%v: status %d, %q", c.err, status, &text)
		}
	}
	if status := ExecuteFile(nil, file+"x", &bytes.Buffer{}); status != RefusedStatus {
		t.Error("a file that is not there:", status)
	}
}
