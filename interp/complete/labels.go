package complete

import (
	"go/ast"
	"go/token"
)

// labels are those that a goto, break or continue may name, which is the last of the nodes around
// the place: of statements around it; for goto any of the function.
func (s *search) labels(jump token.Token, around []ast.Node) {
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.LabeledStmt:
			if jump != token.GOTO && leaves(jump, n.Stmt) {
				s.add(n.Label.Name, "label", "")
			}
		case *ast.FuncDecl:
			s.allLabels(jump, n.Body)
			return
		case *ast.FuncLit:
			s.allLabels(jump, n.Body)
			return
		}
	}
}

// leaves reports whether a jump may name the label of a statement that it is in.
func leaves(jump token.Token, labelled ast.Stmt) bool {
	switch labelled.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return jump == token.BREAK
	}
	return false
}

func (s *search) allLabels(jump token.Token, body *ast.BlockStmt) {
	if jump != token.GOTO {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			s.add(l.Label.Name, "label", "")
		}
		_, other := n.(*ast.FuncLit)
		return !other
	})
}
