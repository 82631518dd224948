package term

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxDepth bounds the nesting of a text: deeper terms are made with Apply, which does not nest.
const MaxDepth = 100_000

// A Position is a place in a text: line and column count from 1, columns in bytes.
type Position struct {
	Offset, Line, Column int
}

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// A SyntaxError says where a text stopped being a term, a pattern or a rule, and why.
type SyntaxError struct {
	What   string // what was being read: "term", "pattern", "rule"
	Pos    Position
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("egraph: %s at %s: %s", e.What, e.Pos, e.Reason)
}

// An Expr is an S-expression, a token or a list, with the place it started.
type Expr struct {
	Token  string // "" for a list
	Quoted bool   // it stood in quotes: a name, and nothing else
	Colon  bool   // it stood in quotes and a colon came behind: a rule's name
	List   []Expr
	Pos    Position
}

// IsList reports whether it is a list.
func (s Expr) IsList() bool { return s.Token == "" }

// Is reports whether it is this word of the language, not a name.
func (s Expr) Is(word string) bool { return s.Token == word && !s.Quoted }

// IsVar reports whether it is a variable.
func (s Expr) IsVar() bool { return !s.Quoted && IsVarName(s.Token) }

// IsVarName reports whether a bare token is a variable: ?x.
func IsVarName(token string) bool { return len(token) > 1 && token[0] == '?' }

// A scanner walks over a text one token at a time. A ';' starts a comment that ends with its line.
type scanner struct {
	what string
	text string
	pos  Position
}

func newScanner(what, text string) *scanner {
	return &scanner{what: what, text: text, pos: Position{0, 1, 1}}
}

func (s *scanner) fail(pos Position, format string, args ...any) error {
	return &SyntaxError{What: s.what, Pos: pos, Reason: fmt.Sprintf(format, args...)}
}

func (s *scanner) advance(size int, r rune) {
	s.pos.Offset += size
	s.pos.Column += size
	if r == '\n' {
		s.pos.Line++
		s.pos.Column = 1
	}
}

func (s *scanner) skipSpace() {
	comment := false
	for s.pos.Offset < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos.Offset:])
		switch {
		case comment:
			comment = r != '\n'
		case r == ';':
			comment = true
		case !unicode.IsSpace(r):
			return
		}
		s.advance(size, r)
	}
}

// next gives the next token ("(" and ")" among them), or "" at the end of the text.
func (s *scanner) next() (Expr, error) {
	s.skipSpace()
	start := s.pos
	if s.here() == '"' {
		return s.quoted()
	}
	for s.pos.Offset < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos.Offset:])
		if r == utf8.RuneError && size == 1 {
			return Expr{}, s.fail(s.pos, "the text is not UTF-8")
		}
		if ends(r) {
			if s.pos == start && (r == '(' || r == ')') {
				s.advance(size, r)
			}
			break
		}
		if r == 0 {
			return Expr{}, s.fail(s.pos, "the character %U cannot stand in a name", r)
		}
		if !unicode.IsPrint(r) {
			return Expr{}, s.fail(s.pos, "the character %U cannot stand in a name without quotes", r)
		}
		s.advance(size, r)
	}
	return Expr{Token: s.text[start.Offset:s.pos.Offset], Pos: start}, nil
}

// here is the byte at which the scanner stands, 0 at the end.
func (s *scanner) here() byte {
	if s.pos.Offset == len(s.text) {
		return 0
	}
	return s.text[s.pos.Offset]
}

// quoted reads a name in quotes, and a colon that makes it a rule's.
func (s *scanner) quoted() (Expr, error) {
	out := Expr{Quoted: true, Pos: s.pos}
	rest := s.text[s.pos.Offset:]
	end := 1
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		return out, s.fail(out.Pos, "the text ends inside the quotes that opened here")
	}
	if !utf8.ValidString(rest[:end+1]) {
		return out, s.fail(out.Pos, "the text is not UTF-8")
	}
	var err error
	if out.Token, err = strconv.Unquote(rest[:end+1]); err != nil {
		return out, s.fail(out.Pos, "%s is no name in quotes: they are those of Go's strings", rest[:end+1])
	}
	if err := CheckName(out.Token); err != nil {
		return out, s.fail(out.Pos, "%s", strings.TrimPrefix(err.Error(), "egraph: "))
	}
	for _, r := range rest[:end+1] {
		s.advance(utf8.RuneLen(r), r)
	}
	if s.here() == ':' {
		out.Colon = true
		s.advance(1, ':')
	}
	if r, _ := utf8.DecodeRuneInString(s.text[s.pos.Offset:]); s.here() != 0 && r != ',' && !ends(r) {
		return out, s.fail(s.pos, "a name goes on behind its quotes")
	}
	return out, nil
}

// ReadAll reads every expression of a text, without recursion; what says in errors what the text is.
func ReadAll(what, text string) ([]Expr, error) { return newScanner(what, text).readAll() }

func (s *scanner) readAll() ([]Expr, error) {
	stack := []Expr{{}}
	for {
		next, err := s.next()
		if err != nil {
			return nil, err
		}
		top, pos := &stack[len(stack)-1], next.Pos
		switch {
		case next.Quoted:
			top.List = append(top.List, next)
		case next.Token == "":
			if len(stack) > 1 {
				return nil, s.fail(pos, "the text ends inside the list that opened at %s", top.Pos)
			}
			return top.List, nil
		case next.Token == "(":
			if len(stack) > MaxDepth {
				return nil, s.fail(pos, "lists nest deeper than %d", MaxDepth)
			}
			stack = append(stack, Expr{Pos: pos})
		case next.Token == ")":
			if len(stack) == 1 {
				return nil, s.fail(pos, "a ) without its (")
			}
			if len(top.List) == 0 {
				return nil, s.fail(top.Pos, "an empty list is no term")
			}
			done := *top
			stack = stack[:len(stack)-1]
			top = &stack[len(stack)-1]
			top.List = append(top.List, done)
		default:
			top.List = append(top.List, next)
		}
	}
}

// ReadOne reads a text that holds exactly one expression.
func ReadOne(what, text string) (Expr, error) {
	s := newScanner(what, text)
	all, err := s.readAll()
	if err != nil {
		return Expr{}, err
	}
	if len(all) == 0 {
		return Expr{}, s.fail(s.pos, "the text is empty")
	}
	if len(all) > 1 {
		return Expr{}, s.fail(all[1].Pos, "more text after the first expression")
	}
	return all[0], nil
}
