package display

import (
	"strings"
	"unicode"
)

//go:generate go run gen_width.go

// Width is how many columns of a terminal a line of text takes: none for combining marks and
// controls, two for what Unicode's UAX #11 calls wide or fullwidth and for emoji.
func Width(s string) int {
	w, joined, flag := 0, false, false
	for _, r := range s {
		switch {
		case r == 0x200D: // zero width joiner: the next emoji melts into this one
			joined = true
			continue
		case r == 0xFE0F || unicode.Is(unicode.Variation_Selector, r):
			continue
		case r >= 0x1F3FB && r <= 0x1F3FF && w > 0: // skin tones change the emoji before
			continue
		case r >= 0x1F1E6 && r <= 0x1F1FF: // two regional indicators are one flag
			flag = !flag
			if flag {
				w += 2
			}
			continue
		}
		if !joined {
			w += runeWidth(r)
		}
		joined, flag = false, false
	}
	return w
}

func runeWidth(r rune) int {
	switch {
	case r < 0x20 || r == 0x7F:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// clean replaces the control characters of one line by what can be seen: they would break a table.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == '\n':
			return r
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7F:
			return '␡'
		}
		return r
	}, s)
}
