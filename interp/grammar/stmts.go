package grammar

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"
)

// A simple is what a header asks of a simple statement.
type simple struct {
	form       form
	x, y       *expr // operands
	at         int   // the operator
	start, end int
}

type form int

const (
	expressed form = iota
	assigned
	defined
	updated // x += y and x++
	sent
	ranged
)

// simple reads a simple statement, whose left side may be read already; keyword is that of the header which it is in.
func (r *reader) simple(left *expr, keyword token.Token) (s simple) {
	start := r.at
	if keyword == token.FOR && r.tok == token.RANGE {
		r.step()
		r.expression()
		return simple{form: ranged, start: start, end: r.before}
	}
	if left == nil {
		left = r.expressions()
	}
	s = simple{x: left, at: r.at, start: left.start}
	defer func() { s.end = r.before }()
	switch {
	case r.tok == token.ASSIGN || r.tok == token.DEFINE:
		r.assignment(&s, keyword)
	case left.kind == list:
		r.severalValues(left)
	case updates(r.tok):
		s.form = updated
		once := r.tok == token.INC || r.tok == token.DEC
		if r.step(); !once {
			s.y = r.expression()
		}
	case r.tok == token.ARROW:
		s.form = sent
		r.step()
		s.y = r.expression()
	default:
		s.at = left.at
	}
	return s
}

// guarded tells whether a statement is x.(type) or y := x.(type).
func (s *simple) guarded() bool {
	return s != nil && s.form == expressed && (s.x.kind == guard || s.y != nil && s.y.kind == guard)
}

func updates(tok token.Token) bool {
	return token.ADD_ASSIGN <= tok && tok <= token.AND_NOT_ASSIGN || tok == token.INC || tok == token.DEC
}

func (r *reader) assignment(s *simple, keyword token.Token) {
	s.form = assigned
	if r.tok == token.DEFINE {
		s.form = defined
	}
	r.step()
	if keyword == token.FOR && r.got(token.RANGE) {
		s.form = ranged
		r.expression()
		if s.x.kind == list && s.x.n > 2 {
			r.later(s.x.y.start, "range clause permits at most two iteration variables")
		}
		return
	}
	s.y = r.expressions()
	if s.y.kind == guard && keyword == token.SWITCH && s.form == defined && s.x.kind == name {
		s.form = expressed
	}
}

// severalValues refuses expressions side by side, but for those that a cell ends in.
func (r *reader) severalValues(left *expr) {
	if r.bodies == 1 && r.controls == 0 && r.atEnd() {
		return
	}
	r.refuse("expected := or = or comma")
	r.skip(token.SEMICOLON, token.RBRACE)
}

// block reads one with its braces; context says what it belongs to.
func (r *reader) block(context string) {
	if !r.got(token.LBRACE) {
		r.refuse("expected { after " + context)
		r.skip(token.IDENT, token.RBRACE)
		if r.got(token.RBRACE) {
			return
		}
	}
	r.statements()
	r.want(token.RBRACE)
}

func (r *reader) statements() {
	for r.tok != token.EOF && r.tok != token.RBRACE && r.tok != token.CASE && r.tok != token.DEFAULT {
		if !r.statement() {
			return
		}
		if !r.got(token.SEMICOLON) && r.tok != token.RBRACE {
			r.refuse("at end of statement")
			r.skip(token.SEMICOLON, token.RBRACE, token.CASE, token.DEFAULT)
			r.got(token.SEMICOLON)
		}
	}
}

// statement reads one, without the semicolon behind it, and gives false where none begins.
func (r *reader) statement() bool {
	defer r.enter()()
	switch r.tok {
	case token.IDENT:
		return r.simpleOrLabeled()
	case token.VAR, token.CONST, token.TYPE:
		spec := specs[r.tok]
		r.step()
		r.group(spec)
	case token.LBRACE:
		r.block("")
	case token.ADD, token.SUB, token.MUL, token.AND, token.XOR, token.NOT,
		token.STRING, token.FUNC, token.LPAREN, token.LBRACK, token.STRUCT, token.MAP, token.CHAN, token.INTERFACE, token.ARROW:
		r.simple(nil, 0)
	case token.FOR:
		r.header(token.FOR)
		r.block("for clause")
	case token.SWITCH:
		r.header(token.SWITCH)
		r.clauses("switch", func() { r.expressions() })
	case token.SELECT:
		r.step()
		r.clauses("select", r.communication)
	case token.IF:
		r.ifStatement()
	case token.FALLTHROUGH:
		r.step()
	case token.BREAK, token.CONTINUE:
		r.step()
		r.got(token.IDENT)
	case token.GO, token.DEFER:
		r.called()
	case token.GOTO:
		r.step()
		r.identifier()
	case token.RETURN:
		r.step()
		if r.tok != token.SEMICOLON && r.tok != token.RBRACE {
			r.expressions()
		}
	case token.SEMICOLON:
	default:
		return false
	}
	return true
}

func (r *reader) simpleOrLabeled() bool {
	left := r.expressions()
	if left.kind != name || r.tok != token.COLON {
		r.simple(left, 0)
		return true
	}
	at := r.at
	r.step()
	if r.tok == token.RBRACE || r.statement() {
		return true
	}
	r.refuseAt(at, "missing statement after label")
	return false
}

// called reads go and defer.
func (r *reader) called() {
	keyword := r.tok
	r.step()
	x := r.primary(nil, r.tok == token.LPAREN)
	if x.kind == paren {
		r.note(x.start, "expression in "+keyword.String()+" must not be parenthesized")
		x = x.bare()
	}
	if x.kind != call && x.kind != bad {
		r.later(x.start, "expression in "+keyword.String()+" must be function call")
	}
}

func (r *reader) ifStatement() {
	defer r.enter()()
	r.header(token.IF)
	r.block("if clause")
	if !r.got(token.ELSE) {
		return
	}
	switch r.tok {
	case token.IF:
		r.ifStatement()
	case token.LBRACE:
		r.block("")
	default:
		r.refuse("else must be followed by if or statement block")
		r.skip(token.IDENT, token.RBRACE)
	}
}

// header reads what stands between a keyword and its block.
func (r *reader) header(keyword token.Token) {
	r.step()
	if r.tok == token.LBRACE {
		if keyword == token.IF {
			r.refuse("missing condition in if statement")
		}
		return
	}
	outer := r.controls
	r.controls = -1
	defer func() { r.controls = outer }()
	var condition *simple
	if r.tok != token.SEMICOLON {
		if r.got(token.VAR) {
			r.refuse("var declaration not allowed in " + keyword.String() + " initializer")
		}
		s := r.simple(nil, keyword)
		if s.form == ranged {
			return
		}
		condition = &s
	}
	semicolon := lexeme{at: -1}
	if r.tok != token.LBRACE {
		if condition = nil; r.tok == token.SEMICOLON {
			semicolon = r.lexeme
			r.step()
		} else {
			r.want(token.LBRACE)
			if r.tok != token.LBRACE {
				r.skip(token.LBRACE, token.RBRACE)
			}
		}
		condition = r.condition(keyword)
	}
	if keyword == token.SWITCH && condition.guarded() {
		r.guards = r.guards[:len(r.guards)-1]
	}
	r.used(keyword, condition, semicolon)
}

// condition reads what follows the first semicolon of a header.
func (r *reader) condition(keyword token.Token) (condition *simple) {
	if keyword != token.FOR {
		if r.tok == token.LBRACE {
			return nil
		}
		s := r.simple(nil, keyword)
		return &s
	}
	if r.tok != token.SEMICOLON {
		if r.tok == token.LBRACE {
			r.refuse("expected for loop condition")
			return nil
		}
		s := r.simple(nil, 0)
		condition = &s
	}
	r.want(token.SEMICOLON)
	if r.tok != token.LBRACE {
		if post := r.simple(nil, 0); post.form == defined {
			r.refuseAt(post.at, "cannot declare in post statement of for loop")
		}
	}
	return condition
}

// used refuses a condition that is no expression.
func (r *reader) used(keyword token.Token, s *simple, semicolon lexeme) {
	switch {
	case s == nil && keyword == token.IF && semicolon.at >= 0 && semicolon.text != "semicolon":
		r.refuseAt(semicolon.at, "unexpected "+semicolon.text+", expected { after if clause")
	case s == nil && keyword == token.IF && semicolon.at >= 0:
		r.refuseAt(semicolon.at, "missing condition in if statement")
	case s == nil || s.form == expressed:
	case s.form == assigned:
		r.refuseAt(s.at, "cannot use assignment "+r.operandText(s.x)+" = "+r.operandText(s.y)+" as value")
	default:
		r.refuseAt(s.at, "cannot use "+short(r.src[s.start:s.end])+" as value")
	}
}

// operandText puts parentheses around an operation of two operands.
func (r *reader) operandText(x *expr) string {
	if x.kind == operation && x.y != nil {
		return "(" + r.textOf(x) + ")"
	}
	return r.textOf(x)
}

func (r *reader) textOf(x *expr) string { return short(r.src[x.start:max(x.end, x.start)]) }

var (
	inBraces = regexp.MustCompile(`\{[^{}]+\}`)
	spaces   = regexp.MustCompile(`\s+`)
)

// elided stands for braces and what is in them.
const elided = "\x00"

// short is a text on one line, without what stands in braces.
func short(text string) string {
	for outer := true; outer; {
		shorter := inBraces.ReplaceAllStringFunc(text, func(string) string { return elided })
		outer, text = shorter != text, shorter
	}
	text = strings.ReplaceAll(text, elided, "{…}")
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

// clauses reads those of a switch or select, with their braces.
func (r *reader) clauses(of string, guard func()) {
	if !r.got(token.LBRACE) {
		r.refuse("missing { after " + of + " clause")
		r.skip(token.CASE, token.DEFAULT, token.RBRACE)
	}
	for r.tok != token.EOF && r.tok != token.RBRACE {
		switch r.tok {
		case token.CASE:
			r.step()
			guard()
		case token.DEFAULT:
			r.step()
		default:
			r.refuse("expected case or default or }")
			r.skip(token.COLON, token.CASE, token.DEFAULT, token.RBRACE)
		}
		r.want(token.COLON)
		r.statements()
	}
	r.want(token.RBRACE)
}

// communication reads what a select waits for.
func (r *reader) communication() {
	s := r.simple(nil, 0)
	if (s.form == assigned || s.form == defined) && s.x.kind == list && s.x.n > 2 && s.y.kind == operation && s.y.op == token.ARROW {
		r.later(s.y.start, fmt.Sprintf("assignment mismatch: %d variables but 1 value", s.x.n))
	}
}
