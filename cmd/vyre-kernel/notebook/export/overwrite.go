package export

import (
	"strings"
	"unicode/utf8"
)

// overwrite applies carriage returns, backspaces and "erase line", as a terminal shows a progress
// bar.
func overwrite(text string) string {
	if !strings.ContainsAny(text, "\r\b") {
		return text
	}
	out := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	sgr := ""
	for i, line := range out {
		out[i], sgr = overwriteLine(line, sgr)
	}
	return strings.Join(out, "\n")
}

// A shown is one cell of a terminal's line: its character and the SGR sequences it was written
// under.
type shown struct{ char, sgr string }

// overwriteLine writes a line cell by cell, the first under the sequences that stand from lines
// before.
func overwriteLine(line, sgr string) (out, after string) {
	var cells []shown
	at, before := 0, sgr
	for line != "" {
		if line[0] == 0x1b {
			codes, isSGR, rest := escape(line)
			sequence := line[:len(line)-len(rest)]
			line = rest
			switch {
			case isSGR && (codes == "" || codes == "0"):
				sgr = ""
			case isSGR:
				sgr += sequence
			case strings.HasSuffix(sequence, "K") && (codes == "" || codes == "0"):
				cells = cells[:min(at, len(cells))]
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		switch r {
		case '\r':
			at = 0
		case '\b':
			at = max(0, at-1)
		default:
			for len(cells) <= at {
				cells = append(cells, shown{char: " "})
			}
			cells[at] = shown{line[:size], sgr}
			at++
		}
		line = line[size:]
	}
	return joinCells(cells, before, sgr), sgr
}

// joinCells writes cells with the sequences where they change, from those before the line to those
// after.
func joinCells(cells []shown, now, after string) string {
	var b strings.Builder
	change := func(to string) {
		if to == now {
			return
		}
		if !strings.HasPrefix(to, now) {
			b.WriteString("\x1b[0m" + to)
		} else {
			b.WriteString(to[len(now):])
		}
		now = to
	}
	for _, c := range cells {
		change(c.sgr)
		b.WriteString(c.char)
	}
	change(after)
	return b.String()
}
