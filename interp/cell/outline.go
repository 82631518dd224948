package cell

import (
	"fmt"
	"go/scanner"
	"go/token"
)

// A lexeme is a token with its place.
type lexeme struct {
	offset int
	end    int // for a token without text of its own (an automatic semicolon): offset
	tok    token.Token
	lit    string
	depth  int // open brackets around it
}

// A piece is a part of the text that stands at package level: an import or a function.
type piece struct {
	start, end int // end excludes the semicolon
	tok        token.Token
}

// An outline is what the scanner alone can tell of a text.
type outline struct {
	lexemes []lexeme
	pieces  []piece
	// open are the brackets that are not closed, outermost first.
	open   []lexeme
	errors SyntaxErrors
	quiet  bool
	// cut says that the text ends inside a raw string or a comment.
	cut bool
}

func makeOutline(name, src string) *outline {
	o := new(outline)
	o.scan(name, src)
	o.findPieces()
	o.findQuiet()
	return o
}

var closes = map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACE: token.LBRACE,
	token.RBRACK: token.LBRACK}

func (o *outline) scan(name, src string) {
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(pos token.Position, msg string) {
		if msg == "raw string literal not terminated" || msg == "comment not terminated" {
			o.cut = true
		}
		o.errors = append(o.errors, &SyntaxError{pos, msg})
	}, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		x := lexeme{offset: file.Offset(pos), tok: tok, lit: lit}
		x.end = x.offset + len(lit)
		if !tok.IsLiteral() && !tok.IsKeyword() && tok != token.SEMICOLON {
			x.end = x.offset + len(tok.String())
		}
		if tok == token.SEMICOLON && lit == "\n" {
			x.end = x.offset
		}
		o.nest(&x, file)
		o.lexemes = append(o.lexemes, x)
	}
}

// nest keeps the stack of open brackets.
func (o *outline) nest(x *lexeme, file *token.File) {
	opener, closing := closes[x.tok]
	if closing {
		n := len(o.open)
		if n == 0 || o.open[n-1].tok != opener {
			msg := fmt.Sprintf("syntax error: unexpected %s", x.tok)
			if n > 0 {
				at := file.Position(file.Pos(o.open[n-1].offset))
				msg += fmt.Sprintf(", the %s at %d:%d is not closed", o.open[n-1].tok, at.Line, at.Column)
			}
			o.errors = append(o.errors, &SyntaxError{file.Position(file.Pos(x.offset)), msg})
		} else {
			o.open = o.open[:n-1]
		}
	}
	x.depth = len(o.open)
	switch x.tok {
	case token.LPAREN, token.LBRACE, token.LBRACK:
		o.open = append(o.open, *x)
	}
}

// findPieces finds the imports and functions among the statements at depth 0. A statement starts
// after a semicolon; the header of a for, if or switch has semicolons too, but neither an import
// nor something that looks like a declared function can follow one there.
func (o *outline) findPieces() {
	atStart := true
	for i := 0; i < len(o.lexemes); i++ {
		x := o.lexemes[i]
		if atStart && x.depth == 0 && (x.tok == token.IMPORT || x.tok == token.FUNC && o.declares(i)) {
			end := o.statementEnd(i)
			o.pieces = append(o.pieces, piece{x.offset, o.lexemes[end-1].end, x.tok})
			i = end - 1
			continue
		}
		atStart = x.tok == token.SEMICOLON && x.depth == 0
	}
}

// statementEnd is the index after the last lexeme of the statement that starts at i: its
// semicolon's.
func (o *outline) statementEnd(i int) int {
	for i++; i < len(o.lexemes); i++ {
		if o.lexemes[i].tok == token.SEMICOLON && o.lexemes[i].depth == 0 {
			break
		}
	}
	return i
}

// LastStatement is the offset where the last statement of a text begins: 0 where there is none.
func LastStatement(src string) int {
	o := new(outline)
	o.scan("", src)
	return o.lastStatement()
}

// lastStatement is where the text's last statement begins.
func (o *outline) lastStatement() int {
	at, start := true, 0
	for _, x := range o.lexemes {
		if at && x.tok != token.SEMICOLON {
			start = x.offset
		}
		at = x.tok == token.SEMICOLON && x.depth == 0
	}
	return start
}

// declares tells the declaration of a function or method from a function literal or type: a name
// and an opening bracket follow func, or the receiver.
func (o *outline) declares(i int) bool {
	if i++; i < len(o.lexemes) && o.lexemes[i].tok == token.LPAREN {
		for i++; i < len(o.lexemes) && o.lexemes[i].depth > 0; i++ {
		}
		i++
	}
	if i+1 >= len(o.lexemes) || o.lexemes[i].tok != token.IDENT {
		return false
	}
	next := o.lexemes[i+1].tok
	return next == token.LPAREN || next == token.LBRACK
}

func (o *outline) findQuiet() {
	if n := len(o.lexemes); n > 0 {
		last := o.lexemes[n-1]
		o.quiet = last.tok == token.SEMICOLON && last.lit == ";"
	}
}

// program reports whether the text starts with a package clause.
func (o *outline) program() bool {
	return len(o.lexemes) > 0 && o.lexemes[0].tok == token.PACKAGE
}
