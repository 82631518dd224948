package kernel

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var globs = []struct {
	pattern, text string
	want          bool
}{
	{"*", "", true}, {"", "", true}, {"", "a", false}, {"?", "", false}, {"?", "é", true}, {"??", "é", false},
	{"a*", "abc", true}, {"*c", "abc", true}, {"*b*", "abc", true},
	{"a*c", "ac", true}, {"ab*bc", "abc", false}, {"*a?c*", "xxabcxx", true}, {"*a?", "aab", true},
	{"a?*?c", "abc", false}, {"a*b*c", "a\nb\nc", true},
	{"*ab*ab", "abab", true}, {"*ab*ab", "ab", false}, {"***", "x", true}, {"?*?", "ab", true}, {"?*?", "a", false},
	{"f.t", "fmt", false}, {"[a]", "a", false}, {"*.*", "a.b", true},
}

func TestGlobs(t *testing.T) {
	for _, g := range globs {
		if got := globMatcher(g.pattern)(g.text); got != g.want {
			t.Errorf("%q matches %q: %v", g.pattern, g.text, got)
		}
	}
}

// TestGlobsOfLongTexts is that no pattern takes long.
func TestGlobsOfLongTexts(t *testing.T) {
	text := strings.Repeat("x", 10<<20) + "y"
	for _, pattern := range []string{strings.Repeat("*", 5000) + "z", strings.Repeat("*x", 5000) + "z",
		strings.Repeat("*?", 5000) + "z", "*" + strings.Repeat("x", 5000) + "z*"} {
		if start := time.Now(); globMatcher(pattern)(text) || time.Since(start) > 5*time.Second {
			t.Errorf("%.10s... took %v", pattern, time.Since(start))
		}
	}
}

// FuzzGlobs compares with a regular expression.
func FuzzGlobs(f *testing.F) {
	for _, g := range globs {
		f.Add(g.pattern, g.text)
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 50 || !utf8.ValidString(pattern) || !utf8.ValidString(text) {
			return
		}
		quoted := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(pattern))
		if want := regexp.MustCompile(`(?s)\A` + quoted + `\z`).MatchString(text); globMatcher(pattern)(text) != want {
			t.Errorf("%q matches %q: not %v", pattern, text, want)
		}
	})
}
