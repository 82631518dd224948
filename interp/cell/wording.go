package cell

import (
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// The compiler has a parser of its own, with words of its own: those of go/parser are put into its.

// A wording is a pattern of go/parser's, and what the compiler says in its place: $1 is the pattern's group, $found the lexeme at the place, and
// $end where a statement or declaration should have ended.
type wording struct {
	says *regexp.Regexp
	word string
}

var wordings = []wording{
	{regexp.MustCompile(`^syntax error: expected '(?:;|==)', found .*$`), "syntax error: unexpected $found $end"},
	{regexp.MustCompile(`^syntax error: expected statement, found .*$`), "syntax error: unexpected $found, expected }"},
	{regexp.MustCompile(`^syntax error: expected operand, found .*$`), "syntax error: unexpected $found, expected expression"},
	{regexp.MustCompile(`^syntax error: expected 'IDENT', found .*$`), "syntax error: unexpected $found, expected name"},
	{regexp.MustCompile(`^syntax error: expected declaration, found .*$`), "syntax error: non-declaration statement outside function body"},
	{regexp.MustCompile(`^syntax error: expected '?(.+?)'?, found .*$`), "syntax error: unexpected $found, expected $1"},
	{regexp.MustCompile(`^syntax error: missing ',' (?:before newline )?in (composite literal)$`), "syntax error: unexpected $found in $1; possibly missing comma or }"},
	{regexp.MustCompile(`^syntax error: missing ',' (?:before newline )?in (.*)$`), "syntax error: unexpected $found in $1; possibly missing comma or )"},
	{regexp.MustCompile(`^syntax error: unexpected comma; expecting (.*)$`), "syntax error: unexpected comma; expected $1"},
	{regexp.MustCompile(`^syntax error: (expression in (?:defer|go) must be function call|can only use \.\.\. with final parameter.*)$`), "$1"},
	{regexp.MustCompile(`^illegal character (.*)$`), "invalid character $1"},
	{regexp.MustCompile(`^illegal rune literal$`), "more than one character in rune literal"},
	{regexp.MustCompile(`^string literal not terminated$`), "newline in string"},
	{regexp.MustCompile(`^rune literal not terminated$`), "newline in rune literal"},
	{regexp.MustCompile(`^raw string literal not terminated$`), "string not terminated"},
}

// compilerWords words an error as the compiler does. What a text that ends too early lacks has the words of this package.
func (o *outline) compilerWords(e *SyntaxError) {
	if strings.Contains(e.Msg, "the end of the cell") {
		e.Msg = strings.ReplaceAll(e.Msg, "'IDENT'", "name")
		return
	}
	for _, w := range wordings {
		at := w.says.FindStringSubmatchIndex(e.Msg)
		if at == nil {
			continue
		}
		word := w.word
		if strings.Contains(word, "$found") {
			i := slices.IndexFunc(o.lexemes, func(x lexeme) bool { return x.offset == e.Pos.Offset })
			if i < 0 {
				return
			}
			end := o.where(i)
			word = strings.NewReplacer("$found $end", named(o.lexemes[i])+end, "$found", named(o.lexemes[i])).Replace(word)
		}
		e.Msg = string(w.says.ExpandString(nil, word, e.Msg, at))
		return
	}
}

// named is how the compiler names a lexeme. A $ in a literal stays one.
func named(x lexeme) string {
	switch {
	case x.tok == token.IDENT:
		return "name " + x.lit
	case x.tok == token.SEMICOLON && x.lit == "\n":
		return "newline"
	case x.tok == token.SEMICOLON:
		return "semicolon"
	case x.tok == token.COMMA:
		return "comma"
	case x.tok.IsKeyword():
		return "keyword " + x.tok.String()
	case x.tok.IsLiteral():
		return "literal " + strings.ReplaceAll(x.lit, "$", "$$")
	}
	return x.tok.String()
}

// where says what lexeme i cannot follow: the header of a statement or of a variable, a declaration, a statement.
func (o *outline) where(i int) string {
	first := i
	for first > 0 && !(o.lexemes[first-1].tok == token.SEMICOLON || o.lexemes[first-1].tok == token.LBRACE || o.lexemes[first-1].tok == token.RBRACE) {
		first--
	}
	switch tok := o.lexemes[first].tok; {
	case first == i:
	case o.lexemes[i].tok == token.DEFINE && (tok == token.VAR || tok == token.CONST):
		return ", expected ="
	case slices.Contains([]token.Token{token.IF, token.SWITCH, token.SELECT, token.FOR, token.ELSE}, tok):
		return ", expected {"
	case o.lexemes[i].depth == 0 && slices.ContainsFunc(o.pieces, func(p piece) bool { return p.start == o.lexemes[first].offset }):
		return " after top level declaration"
	}
	return " at end of statement"
}
