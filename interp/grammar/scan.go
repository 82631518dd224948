package grammar

import (
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A lexeme is a token with its place. Literals of all kinds have the token STRING, and their own as kind.
type lexeme struct {
	tok, kind token.Token
	text      string // of a name or literal; what a semicolon stands for
	at, end   int    // offsets
}

// scan makes the lexemes of a text, the last of them EOF, and notes what is wrong with them.
func (r *reader) scan() {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(r.src))
	var wrong []lexical
	var s scanner.Scanner
	s.Init(file, []byte(r.src), func(pos token.Position, msg string) { wrong = append(wrong, lexical{pos.Offset, msg}) }, 0)
	for {
		pos, tok, text := s.Scan()
		x := lexeme{tok: tok, kind: tok, text: text, at: file.Offset(pos)}
		x.end = x.at + len(text)
		switch {
		case tok.IsLiteral() && tok != token.IDENT:
			x.tok = token.STRING
		case tok == token.SEMICOLON:
			x.semicolon(r.src, r.lastEnd())
		case tok.IsOperator():
			x.end = x.at + len(tok.String())
		}
		r.lexical(wrong, x)
		wrong = nil
		if !r.letters(x) && tok != token.ILLEGAL {
			r.lexemes = append(r.lexemes, x)
		}
		if tok == token.EOF {
			return
		}
	}
}

// semicolon tells one that is written from one that the end of a line stands for. A comment that goes over the end of the line is where that is.
func (x *lexeme) semicolon(src string, from int) {
	if x.text == ";" {
		x.text, x.end = "semicolon", x.at+1
		return
	}
	x.text = "newline"
	if x.at >= len(src) {
		x.text = "EOF"
	}
	for from < x.at {
		from += len(src[from:]) - len(strings.TrimLeft(src[from:], " \t\r"))
		rest := src[from:]
		if !strings.HasPrefix(rest, "/*") {
			break
		}
		comment, _, _ := strings.Cut(rest[2:], "*/")
		if strings.Contains(comment, "\n") {
			x.at = min(x.at, from)
			break
		}
		from += len("/*") + len(comment) + len("*/")
	}
	x.end = x.at
}

// lastEnd is where the last lexeme ends.
func (r *reader) lastEnd() int {
	if n := len(r.lexemes); n > 0 {
		return r.lexemes[n-1].end
	}
	return 0
}

// letters makes a name, or a part of the one in front of it, of a character that is no letter of any: what the compiler goes on with.
func (r *reader) letters(x lexeme) bool {
	c, size := utf8.DecodeRuneInString(r.src[x.at:])
	joins := len(r.lexemes) > 0 && r.lexemes[len(r.lexemes)-1].tok == token.IDENT && r.lastEnd() == x.at
	switch {
	case x.tok == token.ILLEGAL && c >= utf8.RuneSelf && c != utf8.RuneError && c != '\uFEFF':
		x.tok, x.text, x.end = token.IDENT, string(c), x.at+size
	case x.tok != token.IDENT || !joins:
		return false
	}
	if !joins {
		r.lexemes = append(r.lexemes, x)
		return true
	}
	last := &r.lexemes[len(r.lexemes)-1]
	last.text, last.end = last.text+x.text, x.end
	return true
}

// A lexical error is one of package scanner.
type lexical struct {
	at  int
	msg string
}

var illegal = regexp.MustCompile(`^illegal character (U\+[0-9A-F]{4,}(?: '.*')?)( in escape sequence)?$`)

// lexical notes what is wrong with lexeme x.
func (r *reader) lexical(wrong []lexical, x lexeme) {
	for _, w := range wrong {
		r.note(r.lexicalWords(w, x))
	}
}

func (r *reader) lexicalWords(w lexical, x lexeme) (at int, msg string) {
	switch w.msg {
	case "string literal not terminated":
		return r.lineEnd(w.at), "newline in string"
	case "rune literal not terminated":
		return r.lineEnd(w.at), "newline in rune literal"
	case "raw string literal not terminated":
		return w.at, "string not terminated"
	case "unknown escape sequence":
		return w.at, "unknown escape"
	case "illegal rune literal":
		if x.text == "''" {
			return w.at + 1, "empty rune literal or unescaped '"
		}
		return w.at, "more than one character in rune literal"
	case "escape sequence is invalid Unicode code point":
		return r.codePoint(w.at, x)
	case "illegal byte order mark":
		return w.at, "invalid BOM in the middle of the file"
	case "illegal character NUL":
		return w.at, "invalid NUL character"
	case "illegal UTF-8 encoding":
		return w.at, "invalid UTF-8 encoding"
	}
	if strings.HasPrefix(w.msg, "curly quotation mark ") {
		c, _ := utf8.DecodeRuneInString(r.src[w.at:])
		return w.at, r.illegalWords(w.at, fmt.Sprintf("%#U", c))
	}
	if m := illegal.FindStringSubmatch(w.msg); m != nil {
		if m[2] == "" {
			return w.at, r.illegalWords(w.at, m[1])
		}
		c, _ := utf8.DecodeRuneInString(r.src[w.at:])
		return w.at, fmt.Sprintf("invalid character %q in %s escape", c, escapeBase(r.src[x.at:w.at]))
	}
	return w.at, w.msg
}

// illegalWords tells a character that stands as if it were a letter from others.
func (r *reader) illegalWords(at int, character string) string {
	c, _ := utf8.DecodeRuneInString(r.src[at:])
	switch {
	case c < utf8.RuneSelf:
		return "invalid character " + character
	case unicode.IsDigit(c):
		return "identifier cannot begin with digit " + character
	}
	return "invalid character " + character + " in identifier"
}

// codePoint is the end of an escape whose number no code point or byte has.
func (r *reader) codePoint(at int, x lexeme) (int, string) {
	start := strings.LastIndexByte(r.src[:at+1], '\\')
	if start < x.at || start+1 >= len(r.src) {
		return at, "escape is invalid Unicode code point"
	}
	from, digits, base := start+2, map[byte]int{'x': 2, 'u': 4, 'U': 8}[r.src[start+1]], 16
	if digits == 0 {
		from, digits, base = start+1, 3, 8
	}
	to := min(from+digits, len(r.src))
	n, _ := strconv.ParseUint(r.src[from:to], base, 32) // digits, else something else were wrong
	if base == 8 {
		return to, fmt.Sprintf("octal escape value %d > 255", n)
	}
	return to, fmt.Sprintf("escape is invalid Unicode code point %#U", uint32(n))
}

// lineEnd is where the line ends that a literal goes beyond: that of the text is one.
func (r *reader) lineEnd(at int) int {
	if i := strings.IndexByte(r.src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(r.src)
}

// escapeBase is the kind of the escape in which a literal's beginning ends.
func escapeBase(text string) string {
	i := strings.LastIndexByte(text, '\\')
	if i+1 < len(text) && strings.IndexByte("xuU", text[i+1]) >= 0 {
		return "hexadecimal"
	}
	return "octal"
}
