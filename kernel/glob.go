package kernel

import (
	"strings"
	"unicode/utf8"
)

// globMatcher matches whole texts, line ends included, against * (any text) and ? (any character).
// What stands between stars is looked for once each, from left to right: a cell of megabytes does
// not hold up the requests behind it, whatever the pattern.
func globMatcher(pattern string) func(text string) bool {
	parts := strings.Split(pattern, "*")
	first, rest := parts[0], parts[1:]
	return func(text string) bool {
		n, ok := globPrefix(text, first)
		if !ok || len(rest) == 0 {
			return ok && n == len(text)
		}
		text = text[n:]
		last := len(rest) - 1
		for _, part := range rest[:last] {
			if text, ok = globAfter(text, part); !ok {
				return false
			}
		}
		return globSuffix(text, rest[last])
	}
}

// globPrefix reports whether a text begins with what a part without stars matches, and how many
// bytes that are.
func globPrefix(text, part string) (n int, ok bool) {
	for len(part) > 0 {
		c, size := utf8.DecodeRuneInString(part)
		switch {
		case c == '?':
			_, width := utf8.DecodeRuneInString(text[n:])
			if width == 0 {
				return 0, false
			}
			n += width
		case strings.HasPrefix(text[n:], part[:size]):
			n += size
		default:
			return 0, false
		}
		part = part[size:]
	}
	return n, true
}

// globAfter is what follows the first place that a part matches.
func globAfter(text, part string) (string, bool) {
	if !strings.Contains(part, "?") {
		_, after, found := strings.Cut(text, part)
		return after, found
	}
	for {
		if n, ok := globPrefix(text, part); ok {
			return text[n:], true
		}
		_, width := utf8.DecodeRuneInString(text)
		if width == 0 {
			return "", false
		}
		text = text[width:]
	}
}

// globSuffix reports whether a text ends with what a part matches.
func globSuffix(text, part string) bool {
	start := len(text)
	for range utf8.RuneCountInString(part) {
		_, width := utf8.DecodeLastRuneInString(text[:start])
		start -= width
	}
	n, ok := globPrefix(text[start:], part)
	return ok && start+n == len(text)
}
