package interp

import (
	"regexp"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// frames are named by letters; a number after one says how many are left out below it.
func frames(text string) []engine.Frame {
	var all []engine.Frame
	for _, word := range strings.Fields(text) {
		f := engine.Frame{Function: word[:1]}
		for _, digit := range word[1:] {
			f.Skipped = f.Skipped*10 + int(digit-'0')
		}
		all = append(all, f)
	}
	return all
}

func TestRecursionsAreCounted(t *testing.T) {
	for _, c := range []struct{ name, stack, want string }{
		{"none", "a b c", "a; b; c"},
		{"twice is shown", "a a a z", "a; a; a; z"},
		{"one function", "a a a a a a z", "a; ... the same call 5 times more ...; z"},
		{"two in turn", "a b a b a b a b z", "a; b; ... the same 2 calls 3 times more ...; z"},
		{"ends in the middle of a turn", "a b a b a b a b a z", "a; b; ... the same 2 calls 3 times more ...; a; z"},
		{"after something else", "p a b c a b c a b c a b c z", "p; a; b; c; ... the same 3 calls 3 times more ...; z"},
		{"frames left out in it", "a a a1000 a a z", "a; ... the same call 1004 times more ...; z"},
		{"whole turns left out", "a b a b a b1000 a b z", "a; b; ... the same 2 calls 503 times more ...; z"},
		{"no whole turns left out", "a b a b a b a b999 b a b a b a b a z",
			"a; b; ... the same 2 calls 3 times more ...; b; a; ... the same 2 calls 3 times more ...; z"},
		{"left out elsewhere", "a b7 c", "a; b; ... 7 more ...; c"},
	} {
		lines := new(Session).stack(frames(c.stack))
		got := strings.Join(lines, "; ")
		got = regexp.MustCompile("\x1b\\[\\d*m|^ +| +$").ReplaceAllString(got, "")
		if got = strings.ReplaceAll(got, ";   ", "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
