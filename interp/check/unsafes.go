package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// sizesOf rewrites what unsafe.Sizeof, Alignof and Offsetof are asked where the answer depends on
// type arguments. Go does not evaluate it, go/ssa would, and of the field of Offsetof it would keep
// no trace: in its place comes a zero value of the type, to which Offsetof has the numbers of the
// fields that lead from it to the one that is meant:
//
//	unsafe.Sizeof(*p)      unsafe.Sizeof(zero of T)
//	unsafe.Offsetof(x.f)   unsafe.Offsetof(zero of x's struct, 1, 0)    where f is field 0 of what field 1 embeds
func sizesOf(files []*ast.File, info *types.Info) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || info.Types[call].Value != nil {
				return true
			}
			switch builtin(call.Fun, info) {
			case "Sizeof", "Alignof":
				call.Args[0] = zeroOf(call.Args[0].Pos(), info.Types[call.Args[0]].Type, info)
			case "Offsetof":
				offsetOf(call, info)
			}
			return true
		})
	}
}

// builtin is the name of a builtin function, nothing for another expression.
func builtin(fun ast.Expr, info *types.Info) string {
	var id *ast.Ident
	switch x := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

func offsetOf(call *ast.CallExpr, info *types.Info) {
	x, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
	sel := info.Selections[x]
	if !ok || sel == nil {
		return // it did not check
	}
	s := sel.Recv()
	if p, ok := s.Underlying().(*types.Pointer); ok {
		s = p.Elem()
	}
	call.Args = []ast.Expr{zeroOf(x.Pos(), s, info)}
	for _, i := range sel.Index() {
		n := &ast.BasicLit{ValuePos: x.Sel.Pos(), Kind: token.INT}
		info.Types[n] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(int64(i))}
		call.Args = append(call.Args, n)
	}
	// go/ssa converts the arguments that the signature has.
	param, result := types.NewParam(token.NoPos, nil, "", s),
		types.NewParam(token.NoPos, nil, "", types.Typ[types.Uintptr])
	for fun := call.Fun; ; {
		tv := info.Types[fun]
		tv.Type = types.NewSignatureType(nil, nil, nil, types.NewTuple(param), types.NewTuple(result), false)
		info.Types[fun] = tv
		paren, ok := fun.(*ast.ParenExpr)
		if !ok {
			return
		}
		fun = paren.X
	}
}

// zeroOf is a zero value: to go/ssa nil is one of whatever type it has.
func zeroOf(at token.Pos, t types.Type, info *types.Info) ast.Expr {
	id := &ast.Ident{NamePos: at, Name: "nil"}
	info.Uses[id] = types.Universe.Lookup("nil")
	info.Types[id] = types.TypeAndValue{Type: t}
	return id
}
