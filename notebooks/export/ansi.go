package export

import (
	"html"
	"strconv"
	"strings"
)

// ansiHTML turns text with SGR escape sequences (ECMA-48) into escaped HTML with classes: ansi-bold,
// ansi-fg-0 to 15, and nothing for what a page has no use for. Other escapes are dropped, and carriage
// returns do what a terminal does: what follows overwrites the line.
func ansiHTML(text string) string {
	var b strings.Builder
	style, open := ansiStyle{fg: -1}, false
	for text != "" {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			b.WriteString(html.EscapeString(text))
			break
		}
		b.WriteString(html.EscapeString(text[:i]))
		text = text[i+2:]
		end := strings.IndexFunc(text, func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			break
		}
		if text[end] == 'm' {
			style.apply(text[:end])
			if open {
				b.WriteString("</span>")
			}
			if open = style != (ansiStyle{fg: -1}); open {
				b.WriteString(`<span class="` + style.classes() + `">`)
			}
		}
		text = text[end+1:]
	}
	if open {
		b.WriteString("</span>")
	}
	return b.String()
}

type ansiStyle struct {
	fg                int
	bold, italic, dim bool
}

func (s *ansiStyle) apply(codes string) {
	fields := strings.Split(codes, ";")
	for i := 0; i < len(fields); i++ {
		n, err := strconv.Atoi(fields[i])
		switch {
		case fields[i] == "" || err == nil && n == 0:
			*s = ansiStyle{fg: -1}
		case err != nil:
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n >= 30 && n <= 37:
			s.fg = n - 30
		case n >= 90 && n <= 97:
			s.fg = n - 90 + 8
		case n == 39:
			s.fg = -1
		case n == 38 || n == 48: // an indexed or direct colour: its arguments are not codes
			i += map[bool]int{true: 2, false: 4}[i+1 < len(fields) && fields[i+1] == "5"]
		}
	}
}

func (s ansiStyle) classes() string {
	var names []string
	if s.fg >= 0 {
		names = append(names, "ansi-fg-"+strconv.Itoa(s.fg))
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{s.bold, "ansi-bold"}, {s.italic, "ansi-italic"}, {s.dim, "ansi-dim"}} {
		if f.on {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, " ")
}

// overwrite applies carriage returns and backspaces, as a terminal shows a progress bar.
func overwrite(text string) string {
	if !strings.ContainsAny(text, "\r\b") {
		return text
	}
	out := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range out {
		if strings.ContainsAny(line, "\r\b") {
			out[i] = overwriteLine(line)
		}
	}
	return strings.Join(out, "\n")
}

func overwriteLine(line string) string {
	var cells []rune
	at := 0
	for _, r := range line {
		switch r {
		case '\r':
			at = 0
		case '\b':
			at = max(0, at-1)
		default:
			if at < len(cells) {
				cells[at] = r
			} else {
				cells = append(cells, r)
			}
			at++
		}
	}
	return string(cells)
}
