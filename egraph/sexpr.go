package egraph

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a text: deeper terms are made with AddNode, which does not nest.
const maxDepth = 100_000

// An sexpr is a token or a list, with the place it started.
type sexpr struct {
	token string // "" for a list
	list  []sexpr
	pos   Position
}

func (s *sexpr) isList() bool { return s.token == "" }

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
func (s *scanner) next() (string, Position, error) {
	s.skipSpace()
	start := s.pos
	for s.pos.Offset < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos.Offset:])
		if r == utf8.RuneError && size == 1 {
			return "", start, s.fail(s.pos, "the text is not UTF-8")
		}
		if r == '(' || r == ')' {
			if s.pos == start {
				s.advance(size, r)
			}
			break
		}
		if unicode.IsSpace(r) || r == ';' {
			break
		}
		if !unicode.IsPrint(r) {
			return "", start, s.fail(s.pos, "the character %U cannot stand in a name", r)
		}
		s.advance(size, r)
	}
	return s.text[start.Offset:s.pos.Offset], start, nil
}

// readAll reads every expression of the text, without recursion.
func (s *scanner) readAll() ([]sexpr, error) {
	stack := []sexpr{{}}
	for {
		token, pos, err := s.next()
		if err != nil {
			return nil, err
		}
		top := &stack[len(stack)-1]
		switch token {
		case "":
			if len(stack) > 1 {
				return nil, s.fail(pos, "the text ends inside the list that opened at %s", top.pos)
			}
			return top.list, nil
		case "(":
			if len(stack) > maxDepth {
				return nil, s.fail(pos, "lists nest deeper than %d", maxDepth)
			}
			stack = append(stack, sexpr{pos: pos})
		case ")":
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
			top.list = append(top.list, sexpr{token: token, pos: pos})
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
