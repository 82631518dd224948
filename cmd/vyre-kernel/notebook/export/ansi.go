package export

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// ansiHTML turns text with SGR escape sequences (ECMA-48, 8.3.117) into escaped HTML: classes for
// the 16 named colours, which the page's style sheet has for light and dark, and styles for colours
// by number. Other escape sequences are for a terminal and are dropped.
func ansiHTML(text string) string {
	var b strings.Builder
	style, open := plainStyle, false
	for text != "" {
		i := strings.IndexByte(text, 0x1b)
		if i < 0 {
			i = len(text)
		}
		b.WriteString(html.EscapeString(text[:i]))
		codes, isSGR, rest := escape(text[i:])
		text = rest
		if !isSGR {
			continue
		}
		style.apply(codes)
		if open {
			b.WriteString("</span>")
		}
		if open = style != plainStyle; open {
			b.WriteString("<span" + style.attributes() + ">")
		}
	}
	if open {
		b.WriteString("</span>")
	}
	return b.String()
}

// escape cuts one escape sequence off text, which begins with one or is empty, and gives the codes
// of an SGR.
func escape(text string) (codes string, isSGR bool, rest string) {
	switch {
	case len(text) < 2:
		return "", false, ""
	case text[1] == '[': // a control sequence ends with a byte from @ to ~
		end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			return "", false, ""
		}
		return text[2 : 2+end], text[2+end] == 'm', text[3+end:]
	case text[1] == ']': // an operating system command ends with BEL or ST
		if end := strings.IndexByte(text, 7); end >= 0 {
			return "", false, text[end+1:]
		}
		if end := strings.Index(text, "\x1b\\"); end >= 0 {
			return "", false, text[end+2:]
		}
		return "", false, ""
	}
	// Others have intermediate bytes and one final byte.
	rest = strings.TrimLeft(text[1:], " !\"#$%&'()*+,-./")
	return "", false, rest[min(1, len(rest)):]
}

// An ansiColor is -1 for none, 0 to 15 for a named one, or 16 + its RGB value.
type ansiColor int

const noColor ansiColor = -1

type ansiStyle struct {
	fg, bg                             ansiColor
	bold, italic, dim, underline, swap bool
}

var plainStyle = ansiStyle{fg: noColor, bg: noColor}

// switches maps codes that turn something on or off.
var switches = map[int]func(*ansiStyle){
	0: func(s *ansiStyle) { *s = plainStyle }, 1: func(s *ansiStyle) { s.bold = true }, 2: func(s *ansiStyle) {
		s.dim = true
	},
	3: func(s *ansiStyle) { s.italic = true }, 4: func(s *ansiStyle) { s.underline = true }, 7: func(s *ansiStyle) {
		s.swap = true
	},
	22: func(s *ansiStyle) { s.bold, s.dim = false, false }, 23: func(s *ansiStyle) { s.italic = false },
	24: func(s *ansiStyle) { s.underline = false }, 27: func(s *ansiStyle) { s.swap = false },
	39: func(s *ansiStyle) { s.fg = noColor }, 49: func(s *ansiStyle) { s.bg = noColor },
}

func (s *ansiStyle) apply(text string) {
	codes := parseCodes(text)
	for i := 0; i < len(codes); i++ {
		switch n := codes[i]; {
		case switches[n] != nil:
			switches[n](s)
		case n >= 30 && n <= 37:
			s.fg = ansiColor(n - 30)
		case n >= 90 && n <= 97:
			s.fg = ansiColor(n - 90 + 8)
		case n >= 40 && n <= 47:
			s.bg = ansiColor(n - 40)
		case n >= 100 && n <= 107:
			s.bg = ansiColor(n - 100 + 8)
		case n == 38 || n == 48:
			color, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				s.fg = color
			} else {
				s.bg = color
			}
		}
	}
}

// parseCodes reads numbers between semicolons or colons; an empty one is 0, what is none is
// skipped.
func parseCodes(text string) []int {
	var codes []int
	for field := range strings.SplitSeq(strings.ReplaceAll(text, ":", ";"), ";") {
		n, err := strconv.Atoi(field)
		if field == "" || err == nil {
			codes = append(codes, n)
		}
	}
	return codes
}

// extended reads the rest of 38 or 48: 5 and a number of the palette of 256, or 2 and red, green,
// blue.
func extended(codes []int) (color ansiColor, used int) {
	switch {
	case len(codes) >= 2 && codes[0] == 5:
		return paletteColor(codes[1] & 255), 2
	case len(codes) >= 4 && codes[0] == 2:
		return rgb(codes[1], codes[2], codes[3]), 4
	}
	return noColor, len(codes)
}

func rgb(r, g, b int) ansiColor { return ansiColor(16 + (r&255)<<16 + (g&255)<<8 + b&255) }

// paletteColor is xterm's palette: 16 named colours, a cube of six levels, 24 greys.
func paletteColor(n int) ansiColor {
	switch {
	case n < 16:
		return ansiColor(n)
	case n >= 232:
		grey := 8 + 10*(n-232)
		return rgb(grey, grey, grey)
	}
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	n -= 16
	return rgb(level(n/36), level(n/6%6), level(n%6))
}

// attributes are the class and style of a span.
func (s ansiStyle) attributes() string {
	var names, styles []string
	fg, bg := s.fg, s.bg
	if s.swap {
		fg, bg = bg, fg
		names = append(names, "ansi-swap")
	}
	for _, c := range []struct {
		color          ansiColor
		class, element string
	}{{fg, "ansi-fg-", "color"}, {bg, "ansi-bg-", "background-color"}} {
		switch {
		case c.color >= 16:
			styles = append(styles, fmt.Sprintf("%s:#%06x", c.element, int(c.color)-16))
		case c.color >= 0:
			names = append(names, c.class+strconv.Itoa(int(c.color)))
		}
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{s.bold, "ansi-bold"}, {s.italic, "ansi-italic"}, {s.dim, "ansi-dim"}, {s.underline, "ansi-underline"}} {
		if f.on {
			names = append(names, f.name)
		}
	}
	out := ""
	if len(names) > 0 {
		out += ` class="` + strings.Join(names, " ") + `"`
	}
	if len(styles) > 0 {
		out += ` style="` + strings.Join(styles, ";") + `"`
	}
	return out
}
