package egraph

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a text: deeper terms are made with AddNode, which does not nest.
const maxDepth = 100_000

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

// An sexpr is a token or a list, with the place it started.
type sexpr struct {
	token  string // "" for a list
	quoted bool   // it stood in quotes: a name, and nothing else
	colon  bool   // it stood in quotes and a colon came behind: a rule's name
	list   []sexpr
	pos    Position
}

func (s *sexpr) isList() bool { return s.token == "" }

// is says whether it is this word of the language, not a name.
func (s *sexpr) is(word string) bool { return s.token == word && !s.quoted }

// isVar says whether it is a variable.
func (s *sexpr) isVar() bool { return !s.quoted && isVarName(s.token) }

func isVarName(token string) bool { return len(token) > 1 && token[0] == '?' }

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
func (s *scanner) next() (sexpr, error) {
	s.skipSpace()
	start := s.pos
	if s.here() == '"' {
		return s.quoted()
	}
	for s.pos.Offset < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos.Offset:])
		if r == utf8.RuneError && size == 1 {
			return sexpr{}, s.fail(s.pos, "the text is not UTF-8")
		}
		if ends(r) {
			if s.pos == start && (r == '(' || r == ')') {
				s.advance(size, r)
			}
			break
		}
		if r == 0 {
			return sexpr{}, s.fail(s.pos, "the character %U cannot stand in a name", r)
		}
		if !unicode.IsPrint(r) {
			return sexpr{}, s.fail(s.pos, "the character %U cannot stand in a name without quotes", r)
		}
		s.advance(size, r)
	}
	return sexpr{token: s.text[start.Offset:s.pos.Offset], pos: start}, nil
}

// here is the byte at which the scanner stands, 0 at the end.
func (s *scanner) here() byte {
	if s.pos.Offset == len(s.text) {
		return 0
	}
	return s.text[s.pos.Offset]
}

// quoted reads a name in quotes, and a colon that makes it a rule's.
func (s *scanner) quoted() (sexpr, error) {
	out := sexpr{quoted: true, pos: s.pos}
	rest := s.text[s.pos.Offset:]
	end := 1
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		return out, s.fail(out.pos, "the text ends inside the quotes that opened here")
	}
	if !utf8.ValidString(rest[:end+1]) {
		return out, s.fail(out.pos, "the text is not UTF-8")
	}
	var err error
	if out.token, err = strconv.Unquote(rest[:end+1]); err != nil {
		return out, s.fail(out.pos, "%s is no name in quotes: they are those of Go's strings", rest[:end+1])
	}
	if err := checkName(out.token); err != nil {
		return out, s.fail(out.pos, "%s", strings.TrimPrefix(err.Error(), "egraph: "))
	}
	for _, r := range rest[:end+1] {
		s.advance(utf8.RuneLen(r), r)
	}
	if s.here() == ':' {
		out.colon = true
		s.advance(1, ':')
	}
	if r, _ := utf8.DecodeRuneInString(s.text[s.pos.Offset:]); s.here() != 0 && r != ',' && !ends(r) {
		return out, s.fail(s.pos, "a name goes on behind its quotes")
	}
	return out, nil
}

// readAll reads every expression of a text, without recursion; what says in errors what the text is.
func readAll(what, text string) ([]sexpr, error) { return newScanner(what, text).readAll() }

func (s *scanner) readAll() ([]sexpr, error) {
	stack := []sexpr{{}}
	for {
		next, err := s.next()
		if err != nil {
			return nil, err
		}
		top, pos := &stack[len(stack)-1], next.pos
		switch {
		case next.quoted:
			top.list = append(top.list, next)
		case next.token == "":
			if len(stack) > 1 {
				return nil, s.fail(pos, "the text ends inside the list that opened at %s", top.pos)
			}
			return top.list, nil
		case next.token == "(":
			if len(stack) > maxDepth {
				return nil, s.fail(pos, "lists nest deeper than %d", maxDepth)
			}
			stack = append(stack, sexpr{pos: pos})
		case next.token == ")":
			if len(stack) == 1 {
				return nil, s.fail(pos, "a ) without its (")
			}
			if len(top.list) == 0 {
				return nil, s.fail(top.pos, "an empty list is no term")
			}
			done := *top
			stack = stack[:len(stack)-1]
			top = &stack[len(stack)-1]
			top.list = append(top.list, done)
		default:
			top.list = append(top.list, next)
		}
	}
}

// readOne reads a text that holds exactly one expression.
func readOne(what, text string) (sexpr, error) {
	s := newScanner(what, text)
	all, err := s.readAll()
	if err != nil {
		return sexpr{}, err
	}
	if len(all) == 0 {
		return sexpr{}, s.fail(s.pos, "the text is empty")
	}
	if len(all) > 1 {
		return sexpr{}, s.fail(all[1].pos, "more text after the first expression")
	}
	return all[0], nil
}
