package complete_test

import (
	"flag"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/complete"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// The corpus is completed at one place in step; at every place, as a release wants it, with
//
//	go test ./interp/complete -v -run TestEverywhere -timeout 30m -args -complete.step 1
//
// or in parts, each of which begins at another byte:
//
//	... -complete.step 16 -complete.first 3
var (
	step  = flag.Int("complete.step", 211, "bytes from one completed place of the corpus to the next")
	begin = flag.Int("complete.first", 0, "the first completed place of the corpus")
)

// longest is how long a completion may take at any place.
const longest = 50 * time.Millisecond

// TestEverywhere completes and inspects at places of every program of the corpus, as it stands and
// as it is while it is written up to there.
func TestEverywhere(t *testing.T) {
	programs, err := conformance.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	c := open(t)
	var took []time.Duration
	first := *begin
	for _, p := range programs {
		at := first
		for ; at <= len(p.Source); at += *step {
			took = append(took, everywhere(t, c, p.ID(), p.Source, at), everywhere(t, c, p.ID(), p.Source[:at], at))
		}
		first = at - len(p.Source) - 1
	}
	slices.Sort(took)
	t.Logf("%d programs, %d completions: median %v, p99 %v, longest %v",
		len(programs), len(took), took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
}

// everywhere completes at one place and gives the processor time that took. What took too long is
// tried again: the garbage of the places before may have been collected then.
func everywhere(t *testing.T, c *complete.Completer, name, src string, at int) time.Duration {
	var first time.Duration
	for try := range 3 {
		var start, end int
		took := spent(func() { start, end, _ = c.At(src, at) })
		if try == 0 {
			first = took
		}
		if start < 0 || start > end || end > len(src) || !utf8.RuneStart(append([]byte(src), 0)[start]) {
			t.Fatalf("%s at %d: replaces %d to %d of %d", name, at, start, end, len(src))
		}
		if took <= longest {
			break
		}
		if try == 2 {
			t.Errorf("%s at %d of %d: %v", name, at, len(src), took)
		}
	}
	c.Inspect(src, at)
	return first
}

func BenchmarkAt(b *testing.B) {
	c := open(b)
	for name, src := range map[string]string{
		"package": "strings.To", "member": "x := 1\nfmt.Println(point.", "scope": "tot",
		"local": "func work(names []string) {\n\tall := 0\n\tfor _, n := range names {\n\t\twords := " +
			"strings.Fields(n)\n\t\tall += len(words)\n\t\twor",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c.At(src, len(src))
			}
		})
	}
}

func FuzzAt(f *testing.F) {
	f.Add("point.", 6)
	f.Add("Point{X: 1, ", 12)
	f.Add("func f() { \"a` // \n", 7)
	f.Add("import (\"", 9)
	f.Add("x := \xff.", 7)
	c := open(f)
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		if start, end, _ := c.At(text, cursor); start < 0 || start > end || end > len(text) {
			t.Errorf("%q at %d: replaces %d to %d", text, cursor, start, end)
		}
		c.Inspect(text, cursor)
	})
}
