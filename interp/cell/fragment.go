package cell

import (
	"go/ast"
	"go/token"
)

// A Fragment is the text of a declaration in some cell, to be parsed again into a later one.
type Fragment struct {
	Cell, Line, Column int
	Text               string
	// Name is the type's, the function's or the method's.
	Name string
}

// Fragment cuts a node out of the cell. Of a function from another cell it is what that one wrote.
func (c *Cell) Fragment(name string, n ast.Node) Fragment {
	if f, ok := c.adopted[n]; ok {
		return f
	}
	pos := c.Fset.Position(n.Pos())
	return Fragment{c.Number, pos.Line, pos.Column, c.Text(n), name}
}

// AddType puts the declaration of a type, as another cell wrote it, in front of the statements.
func (c *Cell) AddType(f Fragment) error {
	file, err := c.parse("package main;type ", lineDirective(f.Cell, f.Line, f.Column)+f.Text)
	if err != nil {
		return err
	}
	d := file.Decls[0].(*ast.GenDecl)
	c.Body.List = append([]ast.Stmt{&ast.DeclStmt{Decl: d}}, c.Body.List...)
	c.added++
	return nil
}

// AddFunc adds a function or method as another cell wrote it.
func (c *Cell) AddFunc(f Fragment) error {
	file, err := c.parse("package main;", lineDirective(f.Cell, f.Line, f.Column)+f.Text)
	if err != nil {
		return err
	}
	fn := file.Decls[0].(*ast.FuncDecl)
	c.Funcs = append(c.Funcs, fn)
	if c.adopted == nil {
		c.adopted = map[ast.Node]Fragment{}
	}
	c.adopted[fn] = f
	return nil
}

// noTwins are the places that declarations from other cells take in the second copy of the
// statements.
func (c *Cell) noTwins() []ast.Stmt {
	none := make([]ast.Stmt, c.added)
	for i := range none {
		none[i] = &ast.EmptyStmt{Semicolon: token.NoPos, Implicit: true}
	}
	return none
}
