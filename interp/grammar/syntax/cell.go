package syntax

import (
	"io"
	"strings"
)

// ParseCell reads the text of a cell: statements, and among them the declarations that Go has at
// package level. A text with a package clause is read as a file. declares reports whether the
// keyword func at a position begins a declaration, not a literal or a type.
//
// Errors go to errh with the place that the parser stands at, and whether nothing of that line is
// left: what it reads is the line's end, or the text's. What is returned is what the compiler
// refuses only when it checks types, and package go/parser before; nothing where there are syntax
// errors.
func ParseCell(src io.Reader, declares func(Pos) bool, errh func(err Error, at Pos, lineEnd bool)) (later []Error) {
	p := new(parser)
	wellFormed := true
	p.init(NewFileBase(""), src, func(err error) {
		wellFormed = wellFormed && !strings.HasPrefix(err.(Error).Msg, "syntax error: ")
		errh(err.(Error), p.pos(), p.tok == _EOF || p.tok == _Semi && p.lit != "semicolon")
	}, nil, 0)
	p.next()
	tree := p.bounded(func() Node { return p.cell(declares) })
	if !wellFormed {
		return nil
	}
	return misplaced(tree)
}

func (p *parser) cell(declares func(Pos) bool) Node {
	if p.tok == _Package {
		return p.fileOrNil()
	}
	p.top = false
	body := new(BlockStmt)
	for p.tok != _EOF {
		if s := p.cellElement(declares); s != nil {
			body.List = append(body.List, s)
		}
	}
	return body
}

var declarations = map[token]func(*parser, *Group) Decl{
	_Import: (*parser).importDecl, _Const: (*parser).constDecl, _Type: (*parser).typeDecl, _Var: (*parser).varDecl,
}

func (p *parser) cellElement(declares func(Pos) bool) Stmt {
	group := new(DeclStmt)
	if declare := declarations[p.tok]; declare != nil {
		p.next()
		group.DeclList = p.appendGroup(nil, func(g *Group) Decl { return declare(p, g) })
	} else if p.tok == _Func && declares(p.pos()) {
		p.next()
		if d := p.funcDeclOrNil(); d != nil {
			group.DeclList = []Decl{d}
		}
	} else {
		return p.cellStatement()
	}
	if p.tok != _EOF && !p.got(_Semi) {
		p.syntaxError("after top level declaration")
		p.advance(_Import, _Const, _Type, _Var, _Func)
	}
	return group
}

func (p *parser) cellStatement() Stmt {
	p.fnest++
	defer func() { p.fnest-- }()
	s := p.stmtOrNil()
	if s == nil {
		p.syntaxError("expected statement")
		p.next()
		p.advance(_Semi)
	} else if p.tok != _Semi && p.tok != _EOF {
		p.syntaxError("at end of statement")
		if p.advance(_Semi, _Rbrace, _Case, _Default); p.tok != _Semi && p.tok != _EOF {
			p.next()
		}
	}
	p.got(_Semi)
	return s
}

// maxDepth is how far productions may stand in each other: what go/parser allows.
const maxDepth = 1e5

type tooDeep struct{}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		panic(tooDeep{})
	}
}

func (p *parser) leave() { p.depth-- }

// bounded ends read where productions stand too deep in each other.
func (p *parser) bounded(read func() Node) (tree Node) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case tooDeep:
			p.syntaxError("exceeded max nesting depth")
		default:
			panic(e)
		}
	}()
	return read()
}
