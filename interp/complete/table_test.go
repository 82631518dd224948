package complete_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/complete"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// open makes a checker that has seen the cells of setup.
func open(t testing.TB) *complete.Completer {
	t.Helper()
	c, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, source := range setup {
		k, err := c.Check(i+1, source)
		if err != nil {
			t.Fatal(err)
		}
		c.Commit(k)
	}
	return complete.New(c)
}

// A row is one line of a table: a text with a cursor, and what is wanted of it.
type row struct {
	line   int
	text   string
	cursor int // byte offset
	wants  []string
}

const cursorMark = "‸"

// readTable reads the rows of a file.
func readTable(t testing.TB, name string) (rows []row) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "# ") {
			rows = append(rows, parseRow(t, n, line))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func parseRow(t testing.TB, n int, line string) row {
	t.Helper()
	text, wants, ok := strings.Cut(line, " =>")
	before, after, marked := strings.Cut(strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text), cursorMark)
	if !ok || !marked {
		t.Fatalf("line %d: no cursor or no =>", n)
	}
	r := row{line: n, text: before + after, cursor: len(before)}
	for _, w := range strings.Split(wants, "; ") {
		if w = strings.TrimSpace(w); w != "" && w != ";" {
			r.wants = append(r.wants, strings.TrimSuffix(w, " -"))
		}
	}
	return r
}

// TestTable: the candidates, their kinds and signatures, and what they replace.
func TestTable(t *testing.T) {
	rows := readTable(t, "testdata/completions.txt")
	if len(rows) < 200 {
		t.Fatalf("%d rows", len(rows))
	}
	c := open(t)
	for _, r := range rows {
		start, end, list := c.At(r.text, r.cursor)
		if start < 0 || start > end || end > len(r.text) || !utf8.ValidString(r.text[start:end]) {
			t.Fatalf("line %d: replaces %d to %d of %q", r.line, start, end, r.text)
		}
		if err := r.judge(start, end, list); err != nil {
			t.Errorf("line %d: %q: %v", r.line, r.text[:r.cursor]+cursorMark+r.text[r.cursor:], err)
		}
	}
}

// judge compares what was offered with what is wanted.
func (r row) judge(start, end int, list []worker.Completion) error {
	offered := map[string]worker.Completion{}
	for _, x := range list {
		if x.Kind == "" {
			return fmt.Errorf("%s has no kind", x.Text)
		}
		if _, twice := offered[x.Text]; twice {
			return fmt.Errorf("%s is offered twice", x.Text)
		}
		offered[x.Text] = x
	}
	names := 0
	for _, w := range r.wants {
		if strings.HasPrefix(w, "[") {
			if got := fmt.Sprintf("[%d:%d]", utf8.RuneCountInString(r.text[:start]),
				utf8.RuneCountInString(r.text[:end])); got != w {
				return fmt.Errorf("replaces %s, want %s", got, w)
			}
			continue
		}
		names++
		if err := judgeName(offered, w); err != nil {
			return err
		}
	}
	if names == 0 && len(list) > 0 {
		return fmt.Errorf("offers %v", texts(list))
	}
	return nil
}

func judgeName(offered map[string]worker.Completion, want string) error {
	if not, ok := strings.CutPrefix(want, "-"); ok {
		if _, is := offered[not]; is {
			return fmt.Errorf("offers %s", not)
		}
		return nil
	}
	parts := strings.SplitN(want, " ", 3)
	got, ok := offered[parts[0]]
	if !ok {
		return fmt.Errorf("does not offer %s but %d others", parts[0], len(offered))
	}
	if len(parts) > 1 && got.Kind != parts[1] {
		return fmt.Errorf("%s is a %s, want %s", got.Text, got.Kind, parts[1])
	}
	if len(parts) > 2 && got.Signature != parts[2] {
		return fmt.Errorf("%s is %q, want %q", got.Text, got.Signature, parts[2])
	}
	return nil
}

func texts(list []worker.Completion) (names []string) {
	for _, x := range list {
		names = append(names, x.Text)
	}
	slices.Sort(names)
	return names[:min(len(names), 10)]
}
