package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The compiler looks at labels and jumps when it has parsed, and has other words for what is wrong
// with them than go/types.

var labelWords = map[Code]func(p *pass, e types.Error, name string) string{
	codeBadTypeKeyword:  func(_ *pass, e types.Error, _ string) string { return "invalid syntax tree: " + e.Msg },
	codeUndeclaredLabel: func(_ *pass, _ types.Error, name string) string { return "label " + name + " not defined" },
	codeUnusedLabel:     (*pass).notUsed,
	codeDuplicateLabel:  (*pass).definedBefore,
	codeMisplacedBreak: func(*pass, types.Error, string) string {
		return "break is not in a loop, switch, or select"
	},
	codeMisplacedContinue: func(*pass, types.Error, string) string { return "continue is not in a loop" },
	codeMisplacedLabel:    (*pass).noLoop,
	codeJumpIntoBlock:     (*pass).intoBlock,
	codeJumpOverDecl:      (*pass).overVariable,
}

// aboutLabels is an error in the compiler's words, without any if it says nothing there.
func (p *pass) aboutLabels(e types.Error) types.Error {
	if word := labelWords[code(e)]; word != nil {
		e.Msg = word(p, e, p.nameAt(e.Pos))
	}
	return e
}

// notUsed says nothing of a label to which a break or continue below it wants to go: that this
// cannot be is said there.
func (p *pass) notUsed(e types.Error, name string) (says string) {
	says = "label " + name + " defined and not used"
	ast.Inspect(p.body(e.Pos), func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Label != nil && b.Label.Name == name && b.Pos() > e.Pos {
			says = ""
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return says
}

func (p *pass) definedBefore(e types.Error, name string) string {
	for _, l := range p.labels(e.Pos) {
		if l.Label.Name == name && l.Pos() < e.Pos {
			return "label " + name + " already defined at " + e.Fset.Position(l.Pos()).String()
		}
	}
	return e.Msg
}

func (p *pass) noLoop(e types.Error, name string) string {
	for _, l := range p.labels(e.Pos) {
		if l.Label.Name == name && name != "_" && l.Pos() < e.Pos {
			return e.Msg // of another statement
		}
	}
	return strings.Fields(e.Msg)[1] + " label not defined: " + name
}

func (p *pass) intoBlock(e types.Error, name string) string {
	label := p.label(e.Pos, name)
	if label == nil {
		return e.Msg
	}
	return e.Msg + " starting at " + e.Fset.Position(innermost(p.body(e.Pos), label.Pos()).Pos()).String()
}

// overVariable names the last variable that is declared between the jump and its label, in the
// label's block.
func (p *pass) overVariable(e types.Error, name string) string {
	label := p.label(e.Pos, name)
	if label == nil {
		return e.Msg
	}
	variable, at := "", token.NoPos
	for _, s := range statements(innermost(p.body(e.Pos), label.Pos())) {
		if s.Pos() < e.Pos || s.Pos() >= label.Pos() {
			continue
		}
		switch s := unlabel(s).(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				variable, at = expressions(s.Lhs), s.TokPos
			}
		case *ast.DeclStmt:
			if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR && len(d.Specs) > 0 {
				first := d.Specs[0].(*ast.ValueSpec).Names[0]
				variable, at = first.Name, first.Pos()
			}
		}
	}
	if variable == "" {
		return e.Msg
	}
	return "goto " + name + " jumps over declaration of " + variable + " at " + e.Fset.Position(at).String()
}

func expressions(list []ast.Expr) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = types.ExprString(x)
	}
	return strings.Join(texts, ", ")
}

// body is that of the function around a place, nil if there is none.
func (p *pass) body(at token.Pos) (body *ast.BlockStmt) {
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		var b *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			b = n.Body
		case *ast.FuncLit:
			b = n.Body
		}
		if b != nil && b.Pos() <= at && at < b.End() {
			body = b
		}
		return true
	})
	return body
}

// labels are those of the function around a place.
func (p *pass) labels(at token.Pos) (list []*ast.LabeledStmt) {
	body := p.body(at)
	if body == nil {
		return nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			list = append(list, l)
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return list
}

func (p *pass) label(at token.Pos, name string) *ast.LabeledStmt {
	for _, l := range p.labels(at) {
		if l.Label.Name == name {
			return l
		}
	}
	return nil
}

// innermost is the block or clause around a place.
func innermost(body *ast.BlockStmt, at token.Pos) (block ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || at >= n.End() {
			return false
		}
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			block = n
		}
		return true
	})
	return block
}

func statements(block ast.Node) []ast.Stmt {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}
