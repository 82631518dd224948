package check

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// maxErrors is how many are shown, as the compiler does.
const maxErrors = 10

// A Diagnostic is one thing that is wrong with a cell.
type Diagnostic struct {
	Pos   token.Position // Filename is In[n]
	Msg   string         // as the Go compiler words it
	Code  Code           // what it is about; see Explanations
	Hint  string         // "did you mean ...?", or nothing
	Notes []string       // further lines: the other declaration, the types had and wanted
	Line  string         // the source line
	read  bool           // found by reading, which copies have no part in
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

// What an excerpt shows of a long line: lines that pages break leave the caret alone.
const (
	excerptBefore = 70
	excerptAfter  = 30
)

// Excerpt is the source line, of a long one what is near the place, and the line under it that
// points at the place.
func (d Diagnostic) Excerpt() [2]string {
	at := min(max(d.Pos.Column-1, 0), len(d.Line))
	before, after := d.Line[:at], d.Line[at:]
	if display.Width(before)+display.Width(after) > excerptBefore+excerptAfter {
		before, after = ending(before, excerptBefore), beginningOf(after, excerptAfter)
	}
	return [2]string{before + after, beneath(before) + "^"}
}

// ending is the last characters of a text, with a sign that there are more.
func ending(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n:])
}

func beginningOf(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// beneath is space as wide as a text.
func beneath(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(s, "\t") {
		if i > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(strings.Repeat(" ", display.Width(part)))
	}
	return b.String()
}

// Lines is the text shown: place and message, notes, source line, caret, and what can be done where
// no nearer hint stands behind the message.
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
		excerpt := d.Excerpt()
		lines = append(lines, excerpt[:]...)
	}
	if x, ok := Explanations[d.Code]; ok && d.Hint == "" {
		lines = append(lines, "hint: "+x.Hint)
	}
	return lines
}

// syntaxError makes an Error of what package cell found.
func syntaxError(src string, list cell.SyntaxErrors) *Error {
	e := new(Error)
	for _, x := range list {
		e.Diagnostics = append(e.Diagnostics, Diagnostic{Pos: x.Pos, Msg: x.Msg, Line: sourceLine(src, x.Pos.Line),
			Hint: commandHint(sourceLine(src, x.Pos.Line))})
	}
	return e.finish(anywhere)
}

// commandHint tells where commands stand, where a line that is no Go looks like one, and which one
// other kernels have as `name?`.
func commandHint(line string) string {
	if line = strings.TrimLeft(line, " \t"); strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
		return "commands, lines with % or !, stand above the Go text of a cell"
	}
	if name := strings.TrimRight(line, "? \t"); name != strings.TrimSpace(line) && isSelector(name) {
		return "%help " + name + " shows its documentation"
	}
	return ""
}

// isSelector reports whether a text is a name, or names with points between them.
func isSelector(text string) bool {
	for name := range strings.SplitSeq(text, ".") {
		if !token.IsIdentifier(name) {
			return false
		}
	}
	return true
}

// finish drops what repeats, bounds the list and sorts it, as the compiler does: of errors of a
// line that follow each other in the order of their finding and say the same, one is shown, and
// none after the tenth. go/types finds what is wrong with a receiver twice. copies tells what is
// checked twice.
func (e *Error) finish(copies func(token.Position) copied) *Error {
	var kept []Diagnostic
	for _, d := range e.Diagnostics {
		said := func(o Diagnostic) bool { return o.Pos.Line == d.Pos.Line && o.Msg == d.Msg }
		if n := len(kept); n > 0 && said(kept[n-1]) || d.Code == codeInvalidRecv && slices.ContainsFunc(kept, said) {
			continue
		}
		of := copies(d.Pos)
		if i := slices.IndexFunc(kept, func(o Diagnostic) bool { return of.repeats(o, d) }); i >= 0 {
			if of == byDefinition {
				kept[i] = d
			}
			continue
		}
		if kept = append(kept, d); len(kept) == maxErrors {
			break
		}
	}
	full, last := len(kept) == maxErrors, kept[len(kept)-1].Pos
	slices.SortStableFunc(kept, func(a, b Diagnostic) int {
		return cmp.Or(a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column)
	})
	if full {
		kept = append(kept, Diagnostic{Pos: last, Msg: "too many errors"})
	}
	e.Diagnostics = kept
	return e
}

// copied reports whether a place is in a statement of the cell that is checked twice: as the
// declaration of variables, and as the assignment that is executed. What is said of a declaration
// by var is right the first time, of one by := the second time.
type copied int

const (
	once copied = iota
	byVar
	byDefinition
)

func anywhere(token.Position) copied { return once }

// repeats reports whether d says what is said: of copies, at one place, or that the numbers of
// variables and values differ.
func (c copied) repeats(said, d Diagnostic) bool {
	switch {
	case said.Pos.Line != d.Pos.Line:
		return false
	case said.Pos.Column == d.Pos.Column && (c != once && !said.read || said.Msg == d.Msg):
		return true
	}
	return c != once && d.Code == codeWrongAssignCount && said.Code == codeWrongAssignCount
}

func sourceLine(src string, line int) string {
	lines := strings.Split(src, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[line-1], "\r")
}

// forgiven are complaints that do not hold in a cell: imports outlive it.
func forgiven(e types.Error) bool { return code(e) == codeUnusedImport }
