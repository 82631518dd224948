package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"sync/atomic"
)

const mode = parser.ParseComments | parser.SkipObjectResolution | parser.AllErrors

// Split parses the text of cell n. Its errors are SyntaxErrors.
func Split(n int, src string) (*Cell, error) {
	src = strings.ReplaceAll(src, "\r\n", "\n")
	c := &Cell{Number: n, Source: src, Fset: newFileSet(len(src)), Body: new(ast.BlockStmt)}
	o := makeOutline(Name(n), src)
	err := c.split(o)
	if list := asList(err); len(list) > 0 {
		return c, c.compilerWords(list)
	}
	return c, err
}

func (c *Cell) split(o *outline) error {
	if len(o.errors) > 0 {
		return o.errors
	}
	if refused := directives(Name(c.Number), c.Source); len(refused) > 0 {
		return refused
	}
	if o.program() {
		return c.parseProgram()
	}
	c.Quiet = o.quiet
	return c.unclosed(o, c.parsePieces(o))
}

// taken are the positions that cells have.
var taken atomic.Int64

// newFileSet makes one whose positions no other cell has, nor a package: go/ssa looks at positions
// to tell what is declared inside of a function, and a function of one cell may name what another
// declares.
func newFileSet(size int) *token.FileSet {
	const packages = 1 << 40
	room := int64(size)*64 + 1<<24 // of what is parsed several times, and of declarations of earlier cells
	fset := token.NewFileSet()
	fset.AddFile("", int(packages+taken.Add(room)-room), 0)
	return fset
}

// unclosed words what the parser says where a bracket is open at the end of the text.
func (c *Cell) unclosed(o *outline, err error) error {
	for _, e := range asList(err) {
		if n := len(o.open); n > 0 && strings.HasSuffix(e.Msg, "found 'EOF'") {
			opened := o.open[n-1]
			line, column := place(c.Source, opened.offset)
			e.Msg = fmt.Sprintf("syntax error: expected '%s', found the end of the cell: the %s at %d:%d is not closed",
				closing[opened.tok], opened.tok, line, column)
		}
	}
	return err
}

var closing = map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACE: token.RBRACE,
	token.LBRACK: token.RBRACK}

func (c *Cell) parseProgram() error {
	file, err := c.parse("", lineDirective(c.Number, 1, 1)+c.Source)
	c.Program = file
	return err
}

func (c *Cell) parsePieces(o *outline) error {
	var errs SyntaxErrors
	for _, p := range o.pieces {
		errs = append(errs, c.parsePiece(p)...)
	}
	c.blanked = blank(c.Source, o.pieces)
	body, err := c.parseBody()
	if err != nil && strings.Contains(err.Error(), "expected 1 expression") {
		if values := c.parseValues(o.lastStatement()); values != nil {
			body, err = values, nil
		}
	}
	if body != nil {
		c.Body = body
	}
	errs = append(errs, asList(err)...)
	if len(errs) == 0 {
		return nil
	}
	slices.SortStableFunc(errs, func(a, b *SyntaxError) int { return a.Pos.Offset - b.Pos.Offset })
	return errs
}

func (c *Cell) parsePiece(p piece) SyntaxErrors {
	line, column := place(c.Source, p.start)
	file, err := c.parse("package main;", lineDirective(c.Number, line, column)+c.Source[p.start:p.end])
	if err != nil {
		return asList(err)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.Funcs = append(c.Funcs, d)
		case *ast.GenDecl:
			c.Imports = append(c.Imports, d)
		}
	}
	return nil
}

// Again parses the statements a second time, so that a statement can stand in two places of a
// program: same positions, other nodes.
func (c *Cell) Again() []ast.Stmt {
	body, err := c.parseBody()
	if err != nil {
		return nil // Split has reported it
	}
	return append(c.noTwins(), body.List...)
}

// parseValues parses the statements where the last is a list of expressions, which Go knows behind
// return alone. It gives nothing if that is not what stands there.
func (c *Cell) parseValues(at int) *ast.BlockStmt {
	c.Values, c.listAt = 1, at
	if body, err := c.parseBody(); err == nil && c.Values > 1 {
		return body
	}
	c.Values = 0
	return nil
}

// oneByOne makes statements of the expressions that the last statement returns.
func (c *Cell) oneByOne(body *ast.BlockStmt) {
	c.Values = 0
	last := len(body.List) - 1
	r, ok := body.List[last].(*ast.ReturnStmt)
	if !ok {
		return
	}
	c.Values = len(r.Results)
	body.List = body.List[:last]
	for _, x := range r.Results {
		body.List = append(body.List, &ast.ExprStmt{X: x})
	}
}

func (c *Cell) parseBody() (*ast.BlockStmt, error) {
	text := c.blanked
	if c.Values > 0 {
		line, column := place(text, c.listAt)
		text = text[:c.listAt] + "return " + lineDirective(c.Number, line, column) + text[c.listAt:]
	}
	file, err := c.parse("package main;func _(){", lineDirective(c.Number, 1, 1)+text+"\n}")
	if err != nil {
		return nil, err
	}
	// Brackets match, so what was opened here was closed here.
	if f, ok := file.Decls[0].(*ast.FuncDecl); ok && len(file.Decls) == 1 {
		if c.Values > 0 {
			c.oneByOne(f.Body)
		}
		return f.Body, nil
	}
	return nil, SyntaxErrors{{token.Position{Filename: Name(c.Number), Line: 1, Column: 1},
		"syntax error: not a list of statements"}}
}

// parse parses one text, whose positions start after prefix with its line directive.
func (c *Cell) parse(prefix, text string) (*ast.File, error) {
	file, err := parser.ParseFile(c.Fset, "", prefix+text, mode)
	if err != nil {
		return nil, c.locate(err)
	}
	return file, nil
}

// locate turns the parser's errors into the cell's: worded as the compiler does, with offsets in
// the cell's text and none after its end.
func (c *Cell) locate(err error) error {
	var found scanner.ErrorList
	if !errors.As(err, &found) {
		return SyntaxErrors{{token.Position{Filename: Name(c.Number), Line: 1, Column: 1}, err.Error()}}
	}
	var list SyntaxErrors
	for _, e := range found {
		pos := e.Pos
		lines := strings.Count(c.Source, "\n") + 1
		msg := "syntax error: " + e.Msg
		if pos.Line > lines { // the bracket that we closed
			pos.Line, pos.Column = endPlace(c.Source)
			msg = "syntax error: " + strings.ReplaceAll(e.Msg, "found '}'", "found the end of the cell")
		}
		pos.Offset = offsetOf(c.Source, pos.Line, pos.Column)
		if pos.Offset >= len(strings.TrimRight(c.Source, " \t\n")) {
			msg = strings.ReplaceAll(msg, "found newline", "found the end of the cell")
		}
		if len(list) > 0 && list[len(list)-1].Pos.Line == pos.Line {
			continue // one error a line, as the compiler does
		}
		list = append(list, &SyntaxError{pos, msg})
	}
	return list
}

func asList(err error) SyntaxErrors {
	var list SyntaxErrors
	errors.As(err, &list)
	return list
}

func lineDirective(n, line, column int) string {
	return fmt.Sprintf("/*line %s:%d:%d*/", Name(n), line, column)
}

// blank replaces the pieces by spaces, and keeps lines and columns.
func blank(src string, pieces []piece) string {
	b := []byte(src)
	for _, p := range pieces {
		for i := p.start; i < p.end; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// place is the line and column, both from 1 and the column in bytes, of an offset.
func place(src string, offset int) (line, column int) {
	before := src[:offset]
	return strings.Count(before, "\n") + 1, offset - strings.LastIndexByte(before, '\n')
}

// endPlace is just after the last character that is not space.
func endPlace(src string) (line, column int) {
	return place(src, len(strings.TrimRight(src, " \t\r\n")))
}

func offsetOf(src string, line, column int) int {
	offset := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(src[offset:], '\n')
		if i < 0 {
			return len(src)
		}
		offset += i + 1
	}
	return min(offset+column-1, len(src))
}
