package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A log has what was written to two streams, in order, as "o:" and "e:" before each write.
type log struct {
	mu  sync.Mutex
	all bytes.Buffer
}

type end struct {
	log  *log
	name string
}

func (e end) Write(p []byte) (int, error) {
	e.log.mu.Lock()
	defer e.log.mu.Unlock()
	for _, line := range strings.SplitAfter(string(p), "\n") {
		if line != "" {
			fmt.Fprintf(&e.log.all, "%s:%s", e.name, line)
		}
	}
	return len(p), nil
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// run runs a script to its end.
func run(t *testing.T, script string) string {
	t.Helper()
	l := new(log)
	c := exec.Command("sh", "-c", script)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if !Both(c) {
		t.Fatal("it is to write to both streams")
	}
	if err := Start(c, end{l, "o"}, end{l, "e"}); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	Settle(c)
	if err != nil {
		t.Fatal(err)
	}
	return l.String()
}

func linux(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes write to the files themselves")
	}
}

func TestOrder(t *testing.T) {
	linux(t)
	for range 200 {
		got := run(t, "echo a; echo b; echo c >&2; echo d; printf e >&2; (echo f; echo g >&2); sh -c 'echo h >&2; echo "+
			"i'; echo j > /dev/stderr")
		if want := "o:a\no:b\ne:c\no:d\ne:eo:f\ne:g\ne:h\no:i\ne:j\n"; got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestWholeLines is that a buffer that was full cuts no line, where the other stream is written to
// meanwhile.
func TestWholeLines(t *testing.T) {
	linux(t)
	got := run(t, `line=$(printf '%0100d' 7); all=; for i in 1 2 3 4 5 6 7 8 9 10; do all="$all$line
$line
$line
$line
$line
"; done
for i in 1 2 3; do echo fault >&2; printf %s "$all"; done`)
	whole := "o:" + strings.Repeat("0", 99) + "7\n"
	for line := range strings.Lines(got) {
		if line != whole && line != "e:fault\n" {
			t.Fatalf("a line was cut: %q", line)
		}
	}
	if n := strings.Count(got, whole); n != 150 {
		t.Errorf("%d lines of 150", n)
	}
}

// TestMuch is that nothing is lost of what comes as fast as it can, without lines, on both streams.
func TestMuch(t *testing.T) {
	linux(t)
	var out, errs counter
	c := exec.Command("sh", "-c", "head -c 20000000 /dev/zero & head -c 20000000 /dev/zero >&2; wait")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := Start(c, &out, &errs); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	Settle(c)
	if out != 20_000_000 || errs != 20_000_000 {
		t.Errorf("%d and %d bytes of 20,000,000", out, errs)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// TestPromptAndLeft is that half a line is seen at once, and that a process which is left behind
// holds nobody up and is heard later.
func TestPromptAndLeft(t *testing.T) {
	linux(t)
	l := new(log)
	c := exec.Command("sh", "-c", "printf 'name: '; (sleep 0.3; echo later) & sleep 0.1")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := Start(c, end{l, "o"}, end{l, "e"}); err != nil {
		t.Fatal(err)
	}
	soon(t, func() bool { return l.String() == "o:name: " })
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	Settle(c)
	if got := l.String(); got != "o:name: " {
		t.Errorf("at the end there is %q", got)
	}
	soon(t, func() bool { return l.String() == "o:name: o:later\n" })
}

func soon(t *testing.T, what func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !what(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come")
		}
	}
}

// TestInterrupt is that those whom a process waits for are interrupted with it, and killed with it
// where they do not end.
func TestInterrupt(t *testing.T) {
	for _, script := range []string{"sleep 98; echo no", "(sleep 98; echo no) | cat", "trap '' INT; sleep 98; sleep 98"} {
		var out bytes.Buffer
		c := exec.Command("sh", "-c", script)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stdout = w
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		soon(t, func() bool { return len(tree(c.Process.Pid)) > 1 })
		time.Sleep(50 * time.Millisecond) // the traps are set
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = c.Wait()
		}()
		start := time.Now()
		Interrupt(c.Process, done, 200*time.Millisecond)
		_, _ = out.ReadFrom(r) // to the end: nobody is left that could write
		<-done
		if d := time.Since(start); d > 20*time.Second || out.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", script, d, out.String())
		}
		_ = r.Close()
	}
}

func TestLines(t *testing.T) {
	for _, x := range []struct {
		parts []string // cut where they end in |
		want  []string
	}{
		{[]string{"a", "b\n"}, []string{"a", "b\n"}},
		{[]string{"a\nb|", "c\nd"}, []string{"a\n", "bc\nd"}},
		{[]string{"a|", "b|", "c\nd|"}, []string{"abc\n"}},
		{[]string{"a\n|", "b"}, []string{"a\n", "b"}},
		{[]string{strings.Repeat("x", maxHeld) + "|", "y|"}, []string{strings.Repeat("x", maxHeld) + "y"}},
	} {
		var got writes
		l := lines{to: &got}
		for _, p := range x.parts {
			whole := strings.TrimSuffix(p, "|")
			l.add([]byte(whole), whole != p)
		}
		if fmt.Sprint(got) != fmt.Sprint(writes(x.want)) {
			t.Errorf("%.40q: got %.80q, want %.80q", x.parts, got, x.want)
		}
	}
}

type writes []string

func (w *writes) Write(p []byte) (int, error) { *w = append(*w, string(p)); return len(p), nil }
