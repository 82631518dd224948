package cell

import (
	"go/token"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/grammar"
)

// compilerWords are the errors as the compiler gives them, where it sees one in front of the end of
// the text. What a text that ends too early lacks has the words of this package.
func (c *Cell) compilerWords(list SyntaxErrors) SyntaxErrors {
	refused := grammar.Refusals(c.Source)
	if len(refused) > 0 && refused[0].End {
		return endWords(refused[0], list)
	}
	if found := c.located(refused); len(found) > 0 {
		return found
	}
	return named(list)
}

// Refusals are what the compiler refuses when it reads the text, which need not be an error of
// Split: nothing for text that is right.
func (c *Cell) Refusals() SyntaxErrors { return c.located(grammar.Refusals(c.Source)) }

// located are those in front of the end of the text.
func (c *Cell) located(refused []grammar.Refusal) (found SyntaxErrors) {
	for _, r := range refused {
		if !r.End {
			line, column := place(c.Source, r.Offset)
			found = append(found, &SyntaxError{token.Position{Filename: Name(c.Number), Offset: r.Offset, Line: line,
				Column: column}, r.Msg})
		}
	}
	return found
}

// endWords are those for a text that ends too early: of go/parser where it saw that too.
func endWords(r grammar.Refusal, list SyntaxErrors) SyntaxErrors {
	first := list[0]
	if strings.Contains(first.Msg, "the end of the cell") {
		return named(list)
	}
	if first.Msg = r.Msg; strings.Contains(r.Msg, ", expected ") {
		_, wanted, _ := strings.Cut(r.Msg, ", expected ")
		first.Msg = "syntax error: expected " + wanted + ", found the end of the cell"
	}
	first.Pos.Column += r.Offset - first.Pos.Offset
	first.Pos.Offset = r.Offset
	return list[:1]
}

// named calls a name so.
func named(list SyntaxErrors) SyntaxErrors {
	for _, e := range list {
		e.Msg = strings.ReplaceAll(e.Msg, "'IDENT'", "name")
	}
	return list
}
