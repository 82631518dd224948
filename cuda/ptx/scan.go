package ptx

import "strings"

// tokenKind is the class of a token.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokIdent            // add, %r1, $L__BB0_1, _ZN3foo
	tokDot              // .global, .shared::cta, .b32: text without the dot
	tokNumber           // 12, 0x1F, 0f3F800000, 1.5e-3, 7U
	tokString           // "...", text without the quotes
	tokPunct            // one character, or "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"
	tokBad
)

type token struct {
	kind      tokenKind
	text      string
	pos, end  int
	line, col int
	// newline says that a line break stands between the previous token and this
	// one: .loc and .file end with their line.
	newline bool
}

// scanner cuts a text into tokens (section 4.1 to 4.4).
type scanner struct {
	src       string
	off       int
	line      int
	lineStart int
}

const (
	chSpace uint8 = 1 << iota
	chIdent       // may continue an identifier
	chStart       // may begin one
	chDigit
)

var charClass = func() (t [256]uint8) {
	for c := range 256 {
		switch ch := byte(c); {
		case ch == ' ' || ch == '\t' || ch == '\r' || ch == '\f':
			t[c] = chSpace
		case ch >= '0' && ch <= '9':
			t[c] = chIdent | chDigit
		case ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch == '_' || ch == '$':
			t[c] = chIdent | chStart
		case ch == '%':
			t[c] = chStart | chIdent
		}
	}
	return t
}()

// next gives the next token, comments and white space left out.
func (s *scanner) next() token {
	newline := s.skipBlank()
	t := token{pos: s.off, line: s.line, col: s.off - s.lineStart + 1, newline: newline}
	if s.off >= len(s.src) {
		t.end = s.off
		return t
	}
	c := s.src[s.off]
	switch cl := charClass[c]; {
	case cl&chDigit != 0:
		t.kind = tokNumber
		s.number()
	case cl&chStart != 0:
		t.kind = tokIdent
		s.ident()
	case c == '.' && (s.peek(1)&chStart != 0 || s.off > 0 && charClass[s.src[s.off-1]]&chIdent != 0 &&
		s.peek(1)&chDigit != 0):
		// A digit may follow the dot of a modifier: tex.2d.
		t.kind = tokDot
		s.off++
		s.dotted()
		t.end = s.off
		t.text = s.src[t.pos+1 : s.off]
		return t
	case c == '.' && s.peek(1)&chDigit != 0:
		t.kind = tokNumber
		s.number()
	case c == '"':
		return s.str(t)
	default:
		t.kind = tokPunct
		s.punct(c)
	}
	t.end = s.off
	t.text = s.src[t.pos:s.off]
	return t
}

func (s *scanner) peek(n int) uint8 {
	if s.off+n < len(s.src) {
		return charClass[s.src[s.off+n]]
	}
	return 0
}

// skipBlank passes white space and comments and reports whether a line ended.
func (s *scanner) skipBlank() bool {
	newline := s.off == 0
	for s.off < len(s.src) {
		c := s.src[s.off]
		switch {
		case c == '\n':
			s.off++
			s.line++
			s.lineStart = s.off
			newline = true
		case charClass[c]&chSpace != 0:
			s.off++
		case c == '/' && s.off+1 < len(s.src) && s.src[s.off+1] == '/':
			for s.off < len(s.src) && s.src[s.off] != '\n' {
				s.off++
			}
		case c == '/' && s.off+1 < len(s.src) && s.src[s.off+1] == '*':
			if !strings.Contains(s.src[s.off+2:], "*/") {
				return newline // punctuation that belongs nowhere
			}
			newline = s.blockComment() || newline
		default:
			return newline
		}
	}
	return newline
}

func (s *scanner) blockComment() bool {
	newline := false
	s.off += 2
	for s.off < len(s.src) {
		if s.src[s.off] == '*' && s.off+1 < len(s.src) && s.src[s.off+1] == '/' {
			s.off += 2
			return newline
		}
		if s.src[s.off] == '\n' {
			s.line++
			s.lineStart = s.off + 1
			newline = true
		}
		s.off++
	}
	return newline
}

func (s *scanner) ident() {
	s.off++
	for s.off < len(s.src) && charClass[s.src[s.off]]&chIdent != 0 {
		s.off++
	}
}

// dotted passes a directive or modifier; "::" joins its parts (shared::cta).
func (s *scanner) dotted() {
	for {
		for s.off < len(s.src) && charClass[s.src[s.off]]&chIdent != 0 {
			s.off++
		}
		if s.off+2 < len(s.src) && s.src[s.off] == ':' && s.src[s.off+1] == ':' && s.peek(2)&chIdent != 0 {
			s.off += 2
			continue
		}
		return
	}
}

// number passes a constant; its spelling is judged when its value is taken.
func (s *scanner) number() {
	start := s.off
	for s.off < len(s.src) {
		c := s.src[s.off]
		switch {
		case charClass[c]&chIdent != 0 && c < 0x80 && c != '%' && c != '$':
			s.off++
		case c == '.' && s.fraction():
			s.off++
		case (c == '+' || c == '-') && s.off > start && (s.src[s.off-1] == 'e' || s.src[s.off-1] == 'E') &&
			!isHexSpelling(s.src[start:s.off]):
			s.off++
		default:
			return
		}
	}
}

// fraction reports whether a dot behind digits belongs to a number: 1.5, 1., 1.e5.
func (s *scanner) fraction() bool {
	next := s.peek(1)
	exponent := s.off+1 < len(s.src) && (s.src[s.off+1] == 'e' || s.src[s.off+1] == 'E')
	return next&chStart == 0 || exponent && s.peek(2)&chStart == 0
}

func isHexSpelling(t string) bool {
	if len(t) < 2 || t[0] != '0' {
		return false
	}
	switch t[1] {
	case 'x', 'X', 'f', 'F', 'd', 'D':
		return true
	}
	return false
}

func (s *scanner) str(t token) token {
	s.off++
	for s.off < len(s.src) && s.src[s.off] != '"' && s.src[s.off] != '\n' {
		if s.src[s.off] == '\\' && s.off+1 < len(s.src) {
			s.off++
		}
		s.off++
	}
	if s.off >= len(s.src) || s.src[s.off] != '"' {
		s.off = min(s.off, len(s.src))
		t.kind, t.text, t.end = tokBad, s.src[t.pos:s.off], s.off
		return t
	}
	t.kind, t.text = tokString, s.src[t.pos+1:s.off]
	s.off++
	t.end = s.off
	return t
}

func (s *scanner) punct(c byte) {
	s.off++
	if s.off >= len(s.src) {
		return
	}
	switch n := s.src[s.off]; {
	case c == n && (c == '<' || c == '>' || c == '&' || c == '=' || c == '|'),
		n == '=' && (c == '<' || c == '>' || c == '!'):
		s.off++
	}
}
