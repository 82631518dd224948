package check

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
)

// maxLiteral is the longest text that Literal looks at: longer ones are no sums that somebody types.
const maxLiteral = 256

// Literal is the value of a cell that is one expression of literals and operators, 6*7: a constant, which go/types
// evaluates, so that there is nothing to execute. Cells that are anything else, and those that are wrong, are Check's.
func Literal(src string) (value any, ok bool) {
	if len(src) > maxLiteral || !literals(src) {
		return nil, false
	}
	x, err := parser.ParseExpr(src)
	if err != nil {
		return nil, false
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(token.NewFileSet(), nil, token.NoPos, x, info); err != nil {
		return nil, false
	}
	tv := info.Types[x]
	t, ok := tv.Type.(*types.Basic)
	if !ok || tv.Value == nil || !representable(tv.Value, t.Kind()) {
		return nil, false
	}
	return constantValue(tv.Value, t.Kind())
}

// literals tells whether a text has no words: then it means the same whatever earlier cells declared.
func literals(src string) bool {
	if strings.HasPrefix(src, byteOrderMark) {
		return false // Go allows it at the beginning of a file alone, and this is the beginning of a cell
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), nil, 0)
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return s.ErrorCount == 0
		case tok == token.SEMICOLON && text == "\n": // the end of the line
		case tok.IsLiteral() && tok != token.IDENT, operators[tok]:
		default:
			return false
		}
	}
}

const byteOrderMark = "\ufeff"

// operators are those of constant expressions.
var operators = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.MUL: true, token.QUO: true, token.REM: true,
	token.AND: true, token.OR: true, token.XOR: true, token.AND_NOT: true, token.SHL: true, token.SHR: true,
	token.LAND: true, token.LOR: true, token.NOT: true,
	token.EQL: true, token.NEQ: true, token.LSS: true, token.LEQ: true, token.GTR: true, token.GEQ: true,
	token.LPAREN: true, token.RPAREN: true,
}

// constantValue is an untyped constant as a value of the type that it has by default.
func constantValue(v constant.Value, untyped types.BasicKind) (any, bool) {
	switch untyped {
	case types.UntypedBool:
		return constant.BoolVal(v), true
	case types.UntypedString:
		return constant.StringVal(v), true
	case types.UntypedInt:
		n, exact := constant.Int64Val(constant.ToInt(v))
		return int(n), exact
	case types.UntypedRune:
		n, exact := constant.Int64Val(constant.ToInt(v))
		return rune(n), exact
	case types.UntypedFloat:
		f, _ := constant.Float64Val(v)
		return f, true
	case types.UntypedComplex:
		re, _ := constant.Float64Val(constant.Real(v))
		im, _ := constant.Float64Val(constant.Imag(v))
		return complex(re, im), true
	}
	return nil, false
}
