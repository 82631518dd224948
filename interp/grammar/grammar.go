package grammar

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/grammar/syntax"
)

// A Refusal is one place where a text departs from the grammar.
type Refusal struct {
	Offset int
	Msg    string // as the Go compiler words it
	End    bool   // the text ends where more is wanted
}

// Syntax reports whether the compiler goes no further than the grammar.
func (f Refusal) Syntax() bool { return strings.HasPrefix(f.Msg, "syntax error: ") }

// Refusals returns those of a text in order of place, none where the text is right. As the compiler
// does, it gives one of syntax per line.
func Refusals(src string) (list []Refusal) {
	t := newText(src)
	lastLine := uint(0)
	note := func(err syntax.Error, at syntax.Pos, lineEnd bool) {
		r := Refusal{Offset: t.offset(err.Pos), Msg: err.Msg}
		if r.Syntax() {
			if err.Pos.Line() == lastLine {
				return
			}
			lastLine = err.Pos.Line()
			r.End = lineEnd && r.Offset >= t.offset(at) && t.ends(t.offset(at))
			if r.End && strings.HasSuffix(r.Msg, "expected := or = or comma") {
				return // a cell may end in several values
			}
		}
		list = append(list, r)
	}
	later := syntax.ParseCell(strings.NewReader(src+"\n"), t.declares, note)
	if !slices.ContainsFunc(list, Refusal.Syntax) {
		for _, err := range later {
			list = append(list, Refusal{Offset: t.offset(err.Pos), Msg: err.Msg})
		}
	}
	slices.SortStableFunc(list, func(a, b Refusal) int { return a.Offset - b.Offset })
	return list
}

// A text finds offsets of the parser's places.
type text struct {
	src   string
	lines []int // where each begins
}

func newText(src string) *text {
	t := &text{src, []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

func (t *text) offset(p syntax.Pos) int {
	if int(p.Line()) > len(t.lines) {
		return len(t.src)
	}
	return min(t.lines[p.Line()-1]+int(p.Col())-1, len(t.src))
}

// tokens reads the text from an offset on, until yield returns false.
func (t *text) tokens(from int, yield func(token.Token) bool) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(t.src)-from), []byte(t.src[from:]), nil, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.SEMICOLON && lit == "\n" {
			tok = token.COMMENT // a line's end, which nothing here asks for
		}
		if tok != token.COMMENT && !yield(tok) || tok == token.EOF {
			return
		}
	}
}

// ends reports whether there is nothing but comments and line ends from an offset on.
func (t *text) ends(from int) (ends bool) {
	t.tokens(from, func(tok token.Token) bool { ends = tok == token.EOF; return false })
	return ends
}

// declares reports whether the func at a place begins a declaration: a name and a bracket follow,
// or a receiver, a name and a bracket.
func (t *text) declares(p syntax.Pos) (declares bool) {
	depth, received, named := 0, false, false
	t.tokens(t.offset(p)+len("func"), func(tok token.Token) bool {
		opens := tok == token.LPAREN || tok == token.LBRACK
		switch {
		case named:
			declares = opens || tok == token.EOF
			return false
		case tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE:
			depth--
			received = true
		case depth > 0 || tok == token.LPAREN && !received:
			if opens || tok == token.LBRACE {
				depth++
			}
		default:
			named = tok == token.IDENT
			return named
		}
		return depth >= 0
	})
	return declares
}
