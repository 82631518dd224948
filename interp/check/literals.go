package check

import (
	"go/ast"
	"go/types"
)

// keyLiterals writes the field names into literals of structs that earlier cells declared: of P{1,
// 2} where P has unexported fields, go/types wants the very same package, and not the same path. It
// reports whether there were any.
func (p *pass) keyLiterals() bool {
	found := false
	for _, e := range p.errs {
		found = found || code(e) == codeUnexportedLitField
	}
	if !found {
		return false
	}
	changed := false
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			changed = p.keyLiteral(lit) || changed
		}
		return true
	})
	return changed
}

func (p *pass) keyLiteral(lit *ast.CompositeLit) bool {
	t := p.info.Types[lit].Type
	if t == nil || len(lit.Elts) == 0 {
		return false
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem() // &P left out in a list of *P
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() != len(lit.Elts) {
		return false
	}
	for i, x := range lit.Elts {
		f := s.Field(i)
		if _, keyed := x.(*ast.KeyValueExpr); keyed || f.Name() == "_" || !f.Exported() && f.Pkg().Path() != "main" {
			return false
		}
	}
	for i, x := range lit.Elts {
		key := &ast.Ident{Name: s.Field(i).Name(), NamePos: x.Pos()}
		lit.Elts[i] = &ast.KeyValueExpr{Key: key, Colon: x.Pos(), Value: x}
	}
	return true
}
