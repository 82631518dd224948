package complete

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// marker stands in the text for the word that is being written. It is all letters.
const marker = "ˣcursorˣ"

// word gives the identifier that ends at the cursor, and where it starts.
func word(src string, cursor int) (start int, text string) {
	start = cursor
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(src[:start])
		if !isLetter(r) {
			break
		}
		start -= size
	}
	return start, src[start:cursor]
}

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// patched checks the text with insert in the place from start to end. Where the whole does not
// parse, as is usual while it is written, less of it is tried: without the rest of the line,
// without anything after, closed by the brackets that are open.
func patched(c *check.Checker, src string, start, end int, insert string) *check.Partial {
	before, after := src[:start]+insert, src[end:]
	line := after
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		line = after[i:]
	} else {
		line = ""
	}
	closers := closing(before)
	elem := strings.Replace(closers, "]", "]int", 1) // of a map, whose key is being written
	for _, text := range []string{
		before + after, before + " {}" + after, before + line, before + " {}" + line, before + ":" + line,
		before + closers, before + " {}" + closers, before + ":" + closers, before + "()" + closers,
		before + "; {}" + closers, before + "; true {}" + closers, before + closers + "()", before + elem, before + elem +
			" {}",
		src[strings.LastIndexByte(src[:start], '\n')+1:start] + insert,
	} {
		if p, err := c.Partial(text); err == nil {
			return p
		}
	}
	return nil
}

// closing are the brackets that close those open at the end of a text. Strings and comments are
// left out; a text that ends inside one has nothing to complete.
func closing(text string) string {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			open = append(open, ')')
		case '{':
			open = append(open, '}')
		case '[':
			open = append(open, ']')
		case ')', '}', ']':
			if n := len(open); n > 0 && open[n-1] == text[i] {
				open = open[:n-1]
			}
		default:
			i = skip(text, i)
		}
	}
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		b.WriteByte(open[i])
	}
	return b.String()
}

// skip is the index of the last byte of the string or comment that starts at i, or i.
func skip(text string, i int) int {
	end := func(from int, mark string) int {
		if n := strings.Index(text[min(from, len(text)):], mark); n >= 0 {
			return from + n + len(mark) - 1
		}
		return len(text)
	}
	switch {
	case strings.HasPrefix(text[i:], "//"):
		return end(i+2, "\n")
	case strings.HasPrefix(text[i:], "/*"):
		return end(i+2, "*/")
	case text[i] == '`':
		return end(i+1, "`")
	case text[i] == '"' || text[i] == '\'':
		for j := i + 1; j < len(text); j++ {
			if text[j] == '\\' {
				j++
			} else if text[j] == text[i] || text[j] == '\n' {
				return j
			}
		}
		return len(text)
	}
	return i
}

// inText reports whether the cursor stands in a string or comment, and where that starts.
func inText(src string, cursor int) (start int, in bool) {
	for i := 0; i < cursor; i++ {
		if last := skip(src, i); last > i {
			if last >= cursor || last == len(src) {
				return i, true
			}
			i = last
		}
	}
	return 0, false
}
