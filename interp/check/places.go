package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// literalWords is what an error says with function literals as the compiler writes them: func()
// {…}, not (func() literal).
func (p *pass) literalWords(e types.Error) string {
	msg := e.Msg
	if !strings.Contains(msg, " literal)") {
		return msg
	}
	var there, before []*ast.FuncLit
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && f.Pos() >= e.Pos {
			there = append(there, f)
		} else if ok {
			before = append(before, f)
		}
		return true
	})
	for _, f := range append(there, before...) {
		body := " {…}"
		if len(f.Body.List) == 0 {
			body = " {}"
		}
		msg = strings.ReplaceAll(msg, types.ExprString(f), types.ExprString(f.Type)+body)
	}
	return msg
}

// copies tells of a place whether it is in a statement that is checked twice.
func (p *pass) copies(at token.Position) copied {
	for _, s := range p.low.cell.Body.List {
		if !definesAny([]ast.Stmt{s}) {
			continue
		}
		from, to := p.low.cell.Fset.Position(s.Pos()), p.low.cell.Fset.Position(s.End())
		if at.Line < from.Line || at.Line > to.Line || at.Line == from.Line && at.Column < from.Column ||
			at.Line == to.Line && at.Column >= to.Column {
			continue
		}
		if _, ok := unlabel(s).(*ast.AssignStmt); ok {
			return byDefinition
		}
		return byVar
	}
	return once
}

// ofCopy reports whether an error is of the assignment that a declaration by var also is: a
// variable that is declared twice has another type there.
func (p *pass) ofCopy(e types.Error) bool {
	if !strings.HasSuffix(e.Msg, " value in assignment") {
		return false
	}
	for _, s := range p.low.cell.Body.List {
		d, ok := unlabel(s).(*ast.DeclStmt)
		if !ok {
			continue
		}
		for _, spec := range d.Decl.(*ast.GenDecl).Specs {
			v, ok := spec.(*ast.ValueSpec)
			if ok && (v.Type != nil && v.Type.Pos() == e.Pos ||
				slices.ContainsFunc(v.Values, func(x ast.Expr) bool { return x.Pos() == e.Pos })) {
				return true
			}
		}
	}
	return false
}
