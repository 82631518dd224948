package check

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// maxErrors is how many are shown, as the compiler does.
const maxErrors = 10

// A Diagnostic is one thing that is wrong with a cell.
type Diagnostic struct {
	Pos   token.Position // Filename is In[n]
	Msg   string         // as the Go compiler words it
	Hint  string         // "did you mean ...?", or nothing
	Notes []string       // further lines: the other declaration, the types had and wanted
	Line  string         // the source line
}

// An Error is what is wrong with a cell, in the order of its text; never empty.
type Error struct{ Diagnostics []Diagnostic }

func (e *Error) Error() string {
	d := e.Diagnostics[0]
	text := fmt.Sprintf("%s: %s", d.Pos, d.Msg)
	if d.Hint != "" {
		text += " (" + d.Hint + ")"
	}
	if n := len(e.Diagnostics) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

// Caret is the line that points at the place, as wide as the source line in front of it.
func (d Diagnostic) Caret() string {
	before := d.Line[:min(max(d.Pos.Column-1, 0), len(d.Line))]
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before) + "^"
}

// Lines is the text shown: place and message, source line, caret, notes.
func (d Diagnostic) Lines() []string {
	head := fmt.Sprintf("%s: %s", d.Pos, d.Msg)
	if d.Hint != "" {
		head += " (" + d.Hint + ")"
	}
	lines := []string{head}
	for _, n := range d.Notes {
		lines = append(lines, "\t"+n)
	}
	if strings.TrimSpace(d.Line) != "" {
		lines = append(lines, d.Line, d.Caret())
	}
	return lines
}

// syntaxError makes an Error of what package cell found.
func syntaxError(src string, list cell.SyntaxErrors) *Error {
	e := new(Error)
	for _, x := range list {
		e.Diagnostics = append(e.Diagnostics, Diagnostic{Pos: x.Pos, Msg: x.Msg, Line: sourceLine(src, x.Pos.Line), Hint: commandHint(sourceLine(src, x.Pos.Line))})
	}
	return e.finish()
}

// commandHint tells where commands stand, where a line that is no Go looks like one.
func commandHint(line string) string {
	if line = strings.TrimLeft(line, " \t"); strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
		return "commands, lines with % or !, stand above the Go text of a cell"
	}
	return ""
}

// finish sorts, drops what repeats, and bounds the list.
func (e *Error) finish() *Error {
	slices.SortStableFunc(e.Diagnostics, func(a, b Diagnostic) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	e.Diagnostics = slices.CompactFunc(e.Diagnostics, func(a, b Diagnostic) bool {
		return a.Pos.Line == b.Pos.Line && (a.Pos.Column == b.Pos.Column || a.Msg == b.Msg)
	})
	if len(e.Diagnostics) > maxErrors {
		e.Diagnostics = append(e.Diagnostics[:maxErrors], Diagnostic{
			Pos: e.Diagnostics[maxErrors].Pos, Msg: "too many errors",
		})
	}
	return e
}

func sourceLine(src string, line int) string {
	lines := strings.Split(src, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[line-1], "\r")
}

// forgiven are complaints that do not hold in a cell: imports and variables outlive it.
func forgiven(e types.Error) bool {
	return strings.HasSuffix(e.Msg, "imported and not used") || strings.Contains(e.Msg, "imported as") && strings.HasSuffix(e.Msg, "and not used")
}
