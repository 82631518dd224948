package cell

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
)

// A Cell is the syntax of one cell. Either Program is set, or the other parts are.
type Cell struct {
	Number int
	Source string
	Fset   *token.FileSet

	// Program is the file where the cell is a whole program, with a package clause.
	Program *ast.File

	Imports []*ast.GenDecl
	Funcs   []*ast.FuncDecl
	// Body holds the statements in order; declarations of types, constants and variables are in it
	// as *ast.DeclStmt.
	Body *ast.BlockStmt
	// Quiet says that the cell ends in a semicolon: the value of the last expression is not shown.
	Quiet bool

	// Values is how many expressions, side by side, the cell ends in: x, y. They are the last
	// statements of Body. It is 0 where Go has a statement for the end of the cell.
	Values int

	blanked string                // the source without imports and functions
	listAt  int                   // where the first of the Values begins
	added   int                   // declarations in front of Body that are not the source's
	adopted map[ast.Node]Fragment // declarations that another cell wrote
}

// Name is the file name in the positions of cell n.
func Name(n int) string { return "In[" + strconv.Itoa(n) + "]" }

// A SyntaxError is one place where the text is not Go. Position.Filename is the cell's.
type SyntaxError struct {
	Pos token.Position
	Msg string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Msg) }

// SyntaxErrors are all that were found, in the order of the text; never empty as an error.
type SyntaxErrors []*SyntaxError

func (list SyntaxErrors) Error() string {
	if len(list) == 1 {
		return list[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", list[0], len(list)-1)
}

// Text is the source of a node of the cell, or nothing where the node is not the cell's.
func (c *Cell) Text(n ast.Node) string {
	from, to := c.Fset.Position(n.Pos()), c.Fset.Position(n.End())
	start, end := offsetOf(c.Source, from.Line, from.Column), offsetOf(c.Source, to.Line, to.Column)
	if start > end {
		return ""
	}
	return c.Source[start:end]
}
