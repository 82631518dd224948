package grammar

import (
	"go/token"
	"slices"
	"strings"
)

// A Refusal is one place where a text departs from the grammar.
type Refusal struct {
	Offset int
	Msg    string // as the Go compiler words it
	End    bool   // the text ends where more is wanted
	Later  bool   // the compiler says it when it checks types, and go/parser before
}

// Syntax tells whether the compiler goes no further than the grammar.
func (f Refusal) Syntax() bool { return strings.HasPrefix(f.Msg, "syntax error: ") }

// Refusals are those of a text, in its order; none where the text is right. One of syntax a line, as the compiler gives them.
func Refusals(src string) []Refusal {
	r := &reader{src: src, lastLine: -1}
	r.scan()
	r.load()
	if r.tok == token.PACKAGE {
		r.file()
	} else {
		r.cell()
	}
	for _, at := range r.guards {
		r.later(at, "invalid syntax tree: use of .(type) outside type switch")
	}
	if slices.ContainsFunc(r.refused, Refusal.Syntax) {
		r.refused = slices.DeleteFunc(r.refused, func(f Refusal) bool { return f.Later })
	}
	slices.SortStableFunc(r.refused, func(a, b Refusal) int { return a.Offset - b.Offset })
	return r.refused
}

// A reader holds the place in a text.
type reader struct {
	src     string
	lexemes []lexeme
	next    int
	lexeme      // the one at the place
	before  int // where the one in front of it ends

	refused  []Refusal
	lastLine int // of the last refusal that is one of syntax

	depth  int   // of productions in each other
	guards []int // where x.(type) stands and no switch is

	// controls is below 0 in the header of an if, for or switch, where a { begins the block, and rises in brackets.
	controls int
	// bodies is how many functions are around the place: in one, what follows a mistake is looked for at the keywords of statements.
	bodies int
}

func (r *reader) load() { r.lexeme = r.lexemes[r.next] }

// deepest is how far productions may stand in each other.
const deepest = 1e4

// enter counts a production that can hold itself; where there are too many, the text ends. The function given leaves it.
func (r *reader) enter() (leave func()) {
	if r.depth++; r.depth > deepest {
		r.note(r.at, "syntax error: exceeded max nesting depth")
		r.next = len(r.lexemes) - 1
		r.load()
	}
	return func() { r.depth-- }
}

// step goes to the next lexeme.
func (r *reader) step() {
	r.before = r.end
	if r.next+1 < len(r.lexemes) {
		r.next++
	}
	r.load()
}

func (r *reader) got(tok token.Token) bool {
	if r.tok == tok {
		r.step()
		return true
	}
	return false
}

func (r *reader) want(tok token.Token) {
	if !r.got(tok) {
		r.refuse("expected " + wanted(tok))
		r.skip()
	}
}

// gotAssign takes = and, with a refusal, :=.
func (r *reader) gotAssign() bool {
	if r.tok == token.DEFINE {
		r.refuse("expected =")
		r.step()
		return true
	}
	return r.got(token.ASSIGN)
}

// note keeps a refusal.
func (r *reader) note(at int, msg string) {
	if strings.HasPrefix(msg, "syntax error: ") {
		line := strings.Count(r.src[:min(at, len(r.src))], "\n")
		if line == r.lastLine {
			return
		}
		r.lastLine = line
	}
	r.refused = append(r.refused, Refusal{Offset: at, Msg: msg, End: at >= r.at && r.atEnd()})
}

// later notes what the compiler's parser lets pass.
func (r *reader) later(at int, msg string) {
	r.refused = append(r.refused, Refusal{Offset: at, Msg: msg, Later: true})
}

// atEnd tells whether nothing is left but the end of a line. While the lexemes are made, nothing is known of that.
func (r *reader) atEnd() bool {
	return r.tok == token.EOF || r.tok == token.SEMICOLON && r.text != "semicolon" && r.lexemes[r.next+1].tok == token.EOF
}

// refuse notes that the lexeme at the place is not what is wanted.
func (r *reader) refuse(why string) { r.refuseAt(r.at, why) }

// refuseAt completes what begins with "in", "at", "after" or "expected" by the lexeme at the place; other words are whole.
func (r *reader) refuseAt(at int, why string) {
	if r.tok == token.EOF && len(r.refused) > 0 {
		return // a mistake in front of it is why
	}
	first, _, _ := strings.Cut(why, " ")
	switch first {
	case "in", "at", "after":
		why = "unexpected " + r.found() + " " + why
	case "expected":
		why = "unexpected " + r.found() + ", " + why
	}
	r.note(at, "syntax error: "+why)
}

// found names the lexeme at the place.
func (r *reader) found() string {
	switch r.tok {
	case token.IDENT:
		return "name " + r.text
	case token.SEMICOLON:
		return r.text
	case token.STRING:
		return "literal " + r.text
	case token.EOF:
		return "EOF"
	}
	return wanted(r.tok)
}

// wanted names a token.
func wanted(tok token.Token) string {
	switch {
	case tok == token.COMMA:
		return "comma"
	case tok == token.SEMICOLON:
		return "semicolon or newline"
	case tok == token.IDENT:
		return "name"
	case tok.IsKeyword():
		return "keyword " + tok.String()
	}
	return tok.String()
}

var statementKeywords = []token.Token{
	token.BREAK, token.CONST, token.CONTINUE, token.DEFER, token.FALLTHROUGH, token.FOR, token.GO, token.GOTO,
	token.IF, token.RETURN, token.SELECT, token.SWITCH, token.TYPE, token.VAR,
}

// skip goes on to one of the tokens that can follow, in a function also to a statement's keyword; without any it goes one on.
func (r *reader) skip(to ...token.Token) {
	if len(to) == 0 {
		r.step()
		return
	}
	for r.tok != token.EOF && !slices.Contains(to, r.tok) && !(r.bodies > 0 && slices.Contains(statementKeywords, r.tok)) {
		r.step()
	}
}

// list reads elements up to the closing bracket: each says whether it is the last.
func (r *reader) list(of string, separator, closing token.Token, element func() (last bool)) (end int) {
	for last := false; r.tok != token.EOF && r.tok != closing && !last; {
		last = element()
		if !r.got(separator) && r.tok != closing {
			r.refuse("in " + of + "; possibly missing " + wanted(separator) + " or " + wanted(closing))
			r.skip(token.RPAREN, token.RBRACK, token.RBRACE)
			if r.tok != closing {
				return r.at
			}
		}
	}
	end = r.at
	r.want(closing)
	return end
}
