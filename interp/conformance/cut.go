package conformance

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
)

// Cut turns a program into cells that do the same: imports, then all types, variables and
// functions, then each statement of main. It is nil for a program that means something else in
// pieces: one that is marked, has an init function, whose main defers, returns or has labels, or
// whose statements declare a name again.
func Cut(p Program) ([]string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", p.Source, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.ID(), err)
	}
	if p.Whole || !divisible(f) {
		return nil, nil
	}
	c := cutter{fset: fset}
	var body []ast.Stmt
	var others []ast.Decl
	for _, d := range f.Decls {
		switch {
		case isImport(d):
			c.cell(d)
		case isFunc(d, "main"):
			body = d.(*ast.FuncDecl).Body.List
		default:
			others = append(others, d)
		}
	}
	c.cell(others...)
	for _, s := range body {
		c.statement(s)
	}
	return c.cells, c.err
}

// CutDeclarations turns a program into cells of one declaration each, as somebody writes them one
// after the other, with main's statements as the last. A program is left whole that has init
// functions.
func CutDeclarations(source string) ([]string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", source, 0)
	if err != nil {
		return nil, err
	}
	text := func(n ast.Node) string { return source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset] }
	var cells []string
	var body *ast.BlockStmt
	for _, d := range f.Decls {
		switch {
		case isFunc(d, "init"):
			return []string{source}, nil
		case isFunc(d, "main"):
			body = d.(*ast.FuncDecl).Body
		default:
			cells = append(cells, text(d))
		}
	}
	if body != nil {
		cells = append(cells, "func() "+text(body)+"()")
	}
	return cells, nil
}

type cutter struct {
	fset  *token.FileSet
	cells []string
	err   error
}

func (c *cutter) cell(ds ...ast.Decl) {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(c.text(d) + "\n")
	}
	if b.Len() > 0 {
		c.cells = append(c.cells, b.String())
	}
}

func (c *cutter) statement(s ast.Stmt) { c.cells = append(c.cells, c.text(s)) }

func (c *cutter) text(n ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, c.fset, n); err != nil && c.err == nil {
		c.err = err
	}
	return b.String()
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

func isFunc(d ast.Decl, name string) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Recv == nil && f.Name.Name == name
}

// divisible looks for what ties the statements of main together.
func divisible(f *ast.File) bool {
	for _, d := range f.Decls {
		if isFunc(d, "init") {
			return false
		}
		if !isFunc(d, "main") {
			continue
		}
		names := topLevelNames(f)
		for _, s := range d.(*ast.FuncDecl).Body.List {
			if tied(s) || !declareOnce(s, names) {
				return false
			}
		}
	}
	return true
}

// tied reports whether a statement reaches beyond itself: a defer or return of main, a label or
// goto.
func tied(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt, *ast.ReturnStmt, *ast.LabeledStmt:
			found = true
		}
		return !found
	})
	return found
}

func topLevelNames(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				specNames(s, func(id *ast.Ident) { names[id.Name] = true })
			}
		}
	}
	return names
}

func specNames(s ast.Spec, yield func(*ast.Ident)) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		yield(s.Name)
	case *ast.ValueSpec:
		for _, n := range s.Names {
			yield(n)
		}
	}
}

// declareOnce reports whether all names that s declares are new; := with an old name assigns in a
// function but declares in a cell. Locals that hide a package's or a predeclared name would hide it
// from the cells after too, in both.
func declareOnce(s ast.Stmt, names map[string]bool) bool {
	ok := true
	add := func(id *ast.Ident) {
		if id.Name == "_" {
			return
		}
		ok = ok && !names[id.Name]
		names[id.Name] = true
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			for _, l := range s.Lhs {
				add(l.(*ast.Ident))
			}
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			specNames(spec, add)
		}
	}
	return ok
}
