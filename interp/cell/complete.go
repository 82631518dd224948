package cell

import (
	"errors"
	"strings"
)

// Complete reports whether a text is a whole cell: "complete", "invalid", or "incomplete", and then
// what the next line starts with.
func Complete(src string) (status, indent string) {
	o := makeOutline("", src)
	if o.cut {
		return "incomplete", lastIndent(src)
	}
	if len(o.errors) > 0 {
		return "invalid", ""
	}
	if len(o.open) > 0 {
		return "incomplete", deeper(src, o)
	}
	_, err := Split(0, src)
	var list SyntaxErrors
	switch {
	case err == nil:
		return "complete", ""
	case errors.As(err, &list) && atEnd(src, list):
		return "incomplete", lastIndent(src)
	}
	return "invalid", ""
}

// atEnd reports whether the first thing wrong is that the text ends.
func atEnd(src string, list SyntaxErrors) bool {
	line, _ := endPlace(src)
	return strings.Contains(list[0].Msg, "found the end of the cell") || list[0].Pos.Line > line
}

// deeper is one step more than the last line with text has, where that opened a bracket or begins a
// case.
func deeper(src string, o *outline) string {
	indent := lastIndent(src)
	text := strings.TrimRight(src, " \t\n")
	last := o.open[len(o.open)-1]
	if strings.Count(text[last.offset:], "\n") == 0 || isCase(text) {
		return indent + step(src)
	}
	return indent
}

// step is by how much lines are indented: as the text has it, else by spaces, since consoles show a
// tab as ^I.
func step(src string) string {
	if strings.Contains("\n"+src, "\n\t") {
		return "\t"
	}
	return "    "
}

// isCase reports whether the last line of a text begins a case of a switch or select.
func isCase(text string) bool {
	line := strings.TrimLeft(text[strings.LastIndexByte(text, '\n')+1:], " \t")
	word, _, _ := strings.Cut(strings.TrimSuffix(line, ":"), " ")
	return strings.HasSuffix(line, ":") && (word == "case" || word == "default")
}

// lastIndent is the white space in front of the last line with text.
func lastIndent(src string) string {
	text := strings.TrimRight(src, " \t\n")
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
