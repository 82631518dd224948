package ptx

import (
	"fmt"
	"strconv"
)

// Parse reads one PTX text. name is what errors call it: a file or a cell. The
// error is a *SyntaxError.
func Parse(name, src string) (m *Module, err error) {
	p := &parser{
		scanner: scanner{src: src, line: 1},
		module: &Module{Name: name, text: src, Files: map[int]string{}, symbols: map[string]*Symbol{},
			lacking: map[string][]*requirement{}},
	}
	defer func() {
		if r := recover(); r != nil {
			bail, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			m, err = nil, bail
		}
	}()
	p.advance()
	p.parseModule()
	return p.module, nil
}

// parser holds one token of look-ahead. Errors leave by panicking with a
// *SyntaxError, which Parse alone recovers.
type parser struct {
	scanner
	tok    token
	module *Module

	fn     *Function
	scopes []*scope
	// scopeNumber counts the scopes of the body, lists are its .branchtargets and .calltargets in order.
	scopeNumber int
	lists       [][]string
	source      sourcePlaces
	depth       int
	constBytes  int
	opcode      string // of the instruction that is read
	calling     bool   // an operand in parentheses is a list, not a constant
	mods        stock[string]
	operands    stock[Operand]
}

// A stock hands out short lists that were grown elsewhere, cut from few large arrays.
type stock[T any] struct{ free, growing []T }

// take returns what has grown as a list of its own, nil where that is nothing.
func (s *stock[T]) take() []T {
	n := len(s.growing)
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.free = make([]T, max(n, 256))
	}
	list := s.free[:n:n]
	s.free = s.free[n:]
	copy(list, s.growing)
	s.growing = s.growing[:0]
	return list
}

// maxDepth bounds nested operands, constants and initialisers.
const maxDepth = 200

// nest counts a level of nesting in; what it returns counts it out.
func (p *parser) nest() func() {
	p.depth++
	if p.depth > maxDepth {
		p.fail("at most %d levels of nesting", maxDepth)
	}
	return func() { p.depth-- }
}

func (p *parser) advance() { p.tok = p.next() }

func (p *parser) fail(want string, args ...any) {
	p.failAt(p.tok, want, args...)
}

func (p *parser) failAt(t token, want string, args ...any) {
	text := p.src[t.pos:t.end]
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	panic(&SyntaxError{Module: p.module.Name, Pos: Pos{t.line, t.col}, Token: text, Want: fmt.Sprintf(want, args...)})
}

func (p *parser) pos() Pos { return Pos{p.tok.line, p.tok.col} }

func (p *parser) isPunct(s string) bool { return p.tok.kind == tokPunct && p.tok.text == s }

func (p *parser) accept(s string) bool {
	if p.isPunct(s) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail("%q", s)
	}
}

func (p *parser) isDot(s string) bool { return p.tok.kind == tokDot && p.tok.text == s }

func (p *parser) acceptDot(s string) bool {
	if p.isDot(s) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) ident(what string) string {
	if p.tok.kind != tokIdent || p.tok.text == "WARP_SZ" {
		p.fail("%s", what)
	}
	t := p.tok.text
	p.advance()
	return t
}

// int reads a plain integer constant, such as an alignment.
func (p *parser) int(what string) int {
	if p.tok.kind != tokNumber {
		p.fail("%s", what)
	}
	v, ok := parseUint(p.tok.text)
	if !ok || v > 1<<40 {
		p.fail("%s", what)
	}
	p.advance()
	return int(v)
}

// moduleDirectives maps each directive of module scope to its reader.
var moduleDirectives map[string]func(*parser)

func init() {
	moduleDirectives = map[string]func(*parser){
		"file": (*parser).parseFile, "section": (*parser).skipSection, "pragma": (*parser).parsePragma,
		"alias": (*parser).parseAlias,
	}
}

func (p *parser) parseModule() {
	p.parseHeader()
	for p.tok.kind != tokEOF {
		if p.tok.kind != tokDot {
			p.fail("a module directive such as .entry, .func or .global")
		}
		if read := moduleDirectives[p.tok.text]; read != nil {
			p.advance()
			read(p)
			continue
		}
		p.parseDeclaration()
	}
	p.resolveAliases()
}

func (p *parser) parseFile() {
	n := p.int("a file number")
	if p.tok.kind != tokString {
		p.fail("a file name in quotes")
	}
	if _, dup := p.module.Files[n]; dup {
		p.fail("a file number not given before")
	}
	p.module.Files[n] = p.tok.text
	p.advance()
	for p.accept(",") {
		p.int("a time stamp or file size")
	}
}

// skipSection passes .section NAME { ... }: debug information.
func (p *parser) skipSection() {
	for !p.isPunct("{") {
		if p.tok.kind == tokEOF {
			p.fail("{ and the section's contents")
		}
		p.advance()
	}
	depth := 0
	for {
		switch {
		case p.tok.kind == tokEOF:
			p.fail("} at the section's end")
		case p.isPunct("{"):
			depth++
		case p.isPunct("}"):
			depth--
		}
		p.advance()
		if depth == 0 {
			return
		}
	}
}

// parsePragma passes .pragma "text", ... ; which only tells the optimiser something.
func (p *parser) parsePragma() {
	for {
		if p.tok.kind != tokString {
			p.fail("a text in quotes")
		}
		p.advance()
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

func (p *parser) parseAlias() {
	pos := p.tok
	name := p.ident("the alias' name")
	p.expect(",")
	target := p.ident("the name of a function")
	p.expect(";")
	s := p.module.symbols[name]
	for _, r := range p.module.missing(".alias") {
		p.failAt(pos, "%s", r.want(p.module, ".alias"))
	}
	if s == nil || s.Func == nil {
		p.failAt(pos, "a function declared before, to be an alias")
	}
	s.Func.AliasOf = target
}

func (p *parser) resolveAliases() {
	for _, f := range p.module.Functions {
		if f.AliasOf == "" {
			if !f.Defined && f.Linkage != Extern {
				p.refuse(f.Pos, f.Name, "a function that this text defines, or that is extern")
			}
			continue
		}
		t := p.module.symbols[f.AliasOf]
		if t == nil || t.Func == nil || !t.Func.Defined {
			panic(&SyntaxError{Module: p.module.Name, Pos: f.Pos, Token: f.AliasOf, Want: "a defined function for .alias " + f.Name})
		}
	}
}

// Alias follows .alias to the function that has the body.
func (m *Module) Alias(f *Function) *Function {
	if f.AliasOf == "" {
		return f
	}
	if s := m.symbols[f.AliasOf]; s != nil && s.Func != nil {
		return s.Func
	}
	return f
}

// parseUint reads an integer constant of section 4.5.1: decimal, 0x, 0b, octal,
// with an optional U.
func parseUint(t string) (uint64, bool) {
	if n := len(t); n > 1 && t[n-1] == 'U' {
		t = t[:n-1]
	}
	if len(t) == 1 {
		if c := t[0]; c >= '0' && c <= '9' {
			return uint64(c - '0'), true
		}
		return 0, false
	}
	base := 10
	switch {
	case len(t) > 2 && (t[:2] == "0x" || t[:2] == "0X"):
		t, base = t[2:], 16
	case len(t) > 2 && (t[:2] == "0b" || t[:2] == "0B"):
		t, base = t[2:], 2
	case t != "" && t[0] == '0':
		base = 8
	}
	v, err := strconv.ParseUint(t, base, 64)
	return v, err == nil
}
