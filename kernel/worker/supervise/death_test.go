package supervise

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
			head, rest, _ := strings.Cut(text, "\n")
			if !strings.Contains(head, fatal) || !strings.HasPrefix(rest, "The state of this session is lost") {
				t.Errorf("the reason does not come first, then what is lost:\n%s", text)
			}
			if n := strings.Count(rest, fatal); n != 1 {
				t.Errorf("the reason is quoted %d times, want once:\n%s", n, text)
			}
			if !strings.HasPrefix(cell.Value, fatal) {
				t.Errorf("value %q does not begin with the reason", cell.Value)
			}
		})
	}
}

func TestWithoutCrash(t *testing.T) {
	for _, c := range []struct{ stderr, crash, want string }{
		{"said\n", "", "said\n"},
		{"said\npanic: x\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n",
			"said\n"},
		{"said\nfatal error: runtime: out of memory\n\nruntime stack:\nruntime.throw\n", "\nruntime stack:\nruntime.throw\n",
			"said\n"},
		{"fatal error: concurrent map writes\n\ngoroutine 7 [running]:\n", "\ngoroutine 7 [running]:\n", ""},
		{"the words runtime stack: are mine\n", "\nruntime stack:\n", "the words runtime stack: are mine\n"},
		{"no end of line", "\nruntime stack:\n", "no end of line"},
	} {
		if got := string(withoutCrash([]byte(c.stderr), c.crash)); got != c.want {
			t.Errorf("%q without %q: %q, want %q", c.stderr, c.crash, got, c.want)
		}
	}
}
