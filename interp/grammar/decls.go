package grammar

import (
	"go/token"
	"slices"
)

var declarations = []token.Token{token.IMPORT, token.CONST, token.TYPE, token.VAR, token.FUNC}

// file reads a whole program.
func (r *reader) file() {
	r.step()
	r.identifier()
	r.want(token.SEMICOLON)
	if slices.ContainsFunc(r.refused, func(f Refusal) bool { return f.Offset < r.at }) {
		return
	}
	last, bodiless := token.IMPORT, false
	for r.tok != token.EOF {
		if r.tok == token.IMPORT && last != token.IMPORT {
			r.refuse("imports must appear before other declarations")
		}
		switch last = r.tok; {
		case r.declares():
			bodiless = r.declaration()
		default:
			if r.tok == token.LBRACE && bodiless {
				r.refuse("unexpected semicolon or newline before {")
			} else {
				r.refuse("non-declaration statement outside function body")
			}
			r.skip(declarations...)
		}
	}
}

// cell reads statements, and among them the declarations of a package's level.
func (r *reader) cell() {
	for r.tok != token.EOF {
		if r.declares() && (r.tok != token.FUNC || r.declaresFunction()) {
			r.declaration()
			continue
		}
		r.bodies++
		r.topStatement()
		r.bodies--
	}
}

// topStatement reads one of a cell.
func (r *reader) topStatement() {
	if !r.statement() {
		r.refuse("expected statement")
		r.step()
		r.skip(token.SEMICOLON)
	} else if r.tok != token.SEMICOLON && r.tok != token.EOF {
		r.refuse("at end of statement")
		r.skip(token.SEMICOLON, token.RBRACE, token.CASE, token.DEFAULT)
		switch r.tok {
		case token.RBRACE, token.CASE, token.DEFAULT:
			r.step()
		}
	}
	r.got(token.SEMICOLON)
}

func (r *reader) declares() bool {
	switch r.tok {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR, token.FUNC:
		return true
	}
	return false
}

// declaresFunction tells a declaration from a literal or a type: a name and a bracket follow, or a receiver, a name and a bracket.
func (r *reader) declaresFunction() bool {
	i := r.next + 1
	if r.lexemes[i].tok == token.LPAREN {
		depth := 0
		for ; i < len(r.lexemes)-1; i++ {
			switch r.lexemes[i].tok {
			case token.LPAREN, token.LBRACK, token.LBRACE:
				depth++
			case token.RPAREN, token.RBRACK, token.RBRACE:
				depth--
			}
			if depth == 0 {
				break
			}
		}
		i = min(i+1, len(r.lexemes)-1)
	}
	return r.lexemes[i].tok == token.IDENT
}

// declaration reads one of a package's level with what ends it, and tells whether it is a function without a body.
func (r *reader) declaration() (bodiless bool) {
	switch tok := r.tok; tok {
	case token.FUNC:
		r.step()
		bodiless = r.functionDeclaration()
	default:
		r.step()
		r.group(specs[tok])
	}
	if r.tok != token.EOF && !r.got(token.SEMICOLON) {
		r.refuse("after top level declaration")
		r.skip(declarations...)
	}
	return bodiless
}

// specs read what follows a declaration's keyword.
var specs map[token.Token]func(*reader)

func init() {
	specs = map[token.Token]func(*reader){
		token.IMPORT: (*reader).imported, token.CONST: (*reader).constants, token.TYPE: (*reader).typeDeclaration, token.VAR: (*reader).variables,
	}
}

// group reads one specification, or several in parentheses.
func (r *reader) group(spec func(*reader)) {
	if !r.got(token.LPAREN) {
		spec(r)
		return
	}
	r.list("grouped declaration", token.SEMICOLON, token.RPAREN, func() bool {
		spec(r)
		return false
	})
}

func (r *reader) imported() {
	switch r.tok {
	case token.IDENT, token.PERIOD:
		r.step()
	}
	at, kind := r.at, r.kind
	if !r.got(token.STRING) {
		r.refuse("missing import path")
		r.skip(token.SEMICOLON, token.RPAREN)
		return
	}
	if kind != token.STRING {
		r.refuseAt(at, "import path must be a string")
	}
}

// names reads those that follow the first, and tells whether there are any.
func (r *reader) names() (several bool) {
	for r.got(token.COMMA) {
		r.identifier()
		several = true
	}
	return several
}

func (r *reader) constants() {
	r.identifier()
	r.names()
	if r.tok == token.EOF || r.tok == token.SEMICOLON || r.tok == token.RPAREN {
		return
	}
	r.maybeType()
	if r.gotAssign() {
		r.expressions()
	}
}

func (r *reader) variables() {
	r.identifier()
	r.names()
	if r.gotAssign() {
		r.expressions()
		return
	}
	r.typ()
	if r.gotAssign() {
		r.expressions()
	}
}

func (r *reader) typeDeclaration() {
	r.identifier()
	found := true
	if at := r.at; r.got(token.LBRACK) {
		found = r.parametersOrArray(at)
	} else {
		r.gotAssign()
		found = r.maybeType() != nil
	}
	if !found {
		r.refuse("in type declaration")
		r.skip(token.SEMICOLON, token.RPAREN)
	}
}

// parametersOrArray reads what follows type T [, and tells whether there is a type.
func (r *reader) parametersOrArray(at int) bool {
	switch r.tok {
	case token.IDENT:
		x := r.identifier()
		if r.tok != token.LBRACK {
			r.controls++
			x = r.binary(r.primary(x, false), token.LowestPrec)
			r.controls--
		}
		if id, constraint := x.parameter(r.tok == token.COMMA); id != nil && (constraint != nil || r.tok != token.RBRACK) {
			r.parameters(id, constraint, token.RBRACK, true, false)
			r.gotAssign()
			return r.maybeType() != nil
		}
		r.array(x)
	case token.RBRACK:
		r.step()
		r.typ()
	default:
		r.array(nil)
	}
	return true
}

// functionDeclaration reads what follows func, and tells whether there is no body.
func (r *reader) functionDeclaration() (bodiless bool) {
	context := ""
	if r.got(token.LPAREN) {
		context = "method"
		switch receivers := r.parameters(nil, nil, token.RPAREN, false, false); len(receivers) {
		case 0:
			r.note(r.at, "method has no receiver")
		case 1:
		default:
			r.note(r.at, "method has multiple receivers")
		}
	}
	if r.got(token.IDENT) {
		r.signature(context)
	} else {
		r.refuse("expected name" + choose(context == "", " or (", ""))
		r.skip(token.LBRACE, token.SEMICOLON)
	}
	if r.tok != token.LBRACE {
		return true
	}
	r.body()
	return false
}

// body reads a function's.
func (r *reader) body() {
	r.bodies++
	r.block("")
	r.bodies--
}
