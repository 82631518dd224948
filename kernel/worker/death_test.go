package worker

import (
	"strings"
	"testing"
)

func TestDeathQuotesTheReasonFromStderr(t *testing.T) {
	const fatal = "fatal error: concurrent map writes"
	for _, c := range []struct {
		name, crash, stderr string
	}{
		{"only on stderr", "goroutine 7 [running]:\n", "noise\n" + fatal + "\n"},
		{"in both", fatal + "\ngoroutine 7 [running]:\n", fatal + "\n"},
		{"only in the report", fatal + "\ngoroutine 7 [running]:\n", ""},
		{"no report", "", fatal + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &DeathError{State: "exit status 2", Crash: c.crash, Stderr: c.stderr}
			cell := e.CellError()
			text := strings.Join(cell.Traceback, "\n")
			if n := strings.Count(text, fatal); n != 1 {
				t.Errorf("the reason is quoted %d times, want once:\n%s", n, text)
			}
			if !strings.HasPrefix(cell.Value, fatal) {
				t.Errorf("value %q does not begin with the reason", cell.Value)
			}
		})
	}
}
