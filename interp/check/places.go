package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The compiler's checker is another one than go/types, on syntax of its own: some errors that both
// have stand at other places.

// A displacement says where the compiler puts an error whose words have a beginning or an end: at a
// place of a node that is around the place of go/types.
type displacement struct {
	begins, has string
	places      []place // the first that finds one
}

// A place of a node, none where the node is not what the error is about.
type place func(n ast.Node, e types.Error) token.Pos

var displacements = []displacement{
	{"invalid operation: cannot send to ", "", []place{sendStart}},
	{"in call to ", "cannot infer ", []place{callParen}},
	{"in call to ", " does not match ", nil}, // an argument's, as in go/types
	{"", " does not satisfy ", []place{callParen, instanceBracket}},
	{"cannot index ", "", []place{indexBracket}},
	{"invalid operation: cannot index ", "", []place{indexBracket}},
	{"not enough arguments in call to ", "", []place{lastArgument}},
	{"invalid operation: not enough arguments for ", "", []place{callStart}},
	{"invalid operation: too many arguments for ", "", []place{callStart}},
	{"missing argument in conversion to ", "", []place{callStart}},
	{"invalid operation: invalid use of ... with built-in ", "", []place{callStart}},
	{"cannot use ... ", "", []place{callStart}},
	{"invalid use of [...] array", "", []place{arrayBracket}},
	{"select case must be send or receive", "", []place{expressionPlace}},
	{"\tprevious case", "", []place{casePlace}},
	{"invalid use of ", " in selector expression", []place{selectorDot}},
	{"method has ", " receiver", []place{methodName}},
}

// displaced is an error where the compiler has it.
func (p *pass) displaced(e types.Error) types.Error {
	for _, d := range displacements {
		if !strings.HasPrefix(e.Msg, d.begins) || !strings.Contains(e.Msg, d.has) {
			continue
		}
		for _, at := range d.places {
			if p.move(&e, at) {
				break
			}
		}
		return e
	}
	p.move(&e, bracketStart)
	return e
}

// move puts an error at the place that the innermost node has for it.
func (p *pass) move(e *types.Error, place place) bool {
	to := token.NoPos
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if at := place(n, *e); at.IsValid() {
			to = at
		}
		return true
	})
	if to.IsValid() {
		e.Pos = to
	}
	return to.IsValid()
}

func sendStart(n ast.Node, e types.Error) token.Pos {
	if s, ok := n.(*ast.SendStmt); ok && s.Arrow == e.Pos {
		return s.Chan.Pos()
	}
	return token.NoPos
}

// callParen is the bracket of a call whose type arguments are inferred.
func callParen(n ast.Node, e types.Error) token.Pos {
	if c, ok := n.(*ast.CallExpr); ok && c.Pos() == e.Pos {
		return c.Lparen
	}
	return token.NoPos
}

// instanceBracket is that of type arguments of what is not called.
func instanceBracket(n ast.Node, e types.Error) token.Pos {
	if x, ok := n.(*ast.IndexExpr); ok && x.Pos() == e.Pos && !strings.HasPrefix(e.Msg, types.ExprString(x)+" ") {
		return x.Lbrack
	}
	return token.NoPos
}

func indexBracket(n ast.Node, e types.Error) token.Pos {
	switch n := n.(type) {
	case *ast.IndexExpr:
		return bracketOf(n, n.X, n.Lbrack, e)
	case *ast.IndexListExpr:
		return bracketOf(n, n.X, n.Lbrack, e)
	}
	return token.NoPos
}

func bracketOf(n ast.Node, x ast.Expr, at token.Pos, e types.Error) token.Pos {
	if n.Pos() == e.Pos && strings.Contains(e.Msg, "cannot index "+types.ExprString(x)+" (") {
		return at
	}
	return token.NoPos
}

// lastArgument is the start of the last argument, or of the call where there is none.
func lastArgument(n ast.Node, e types.Error) token.Pos {
	c, ok := n.(*ast.CallExpr)
	if !ok || c.Rparen != e.Pos {
		return token.NoPos
	}
	if len(c.Args) == 0 {
		return c.Pos()
	}
	return c.Args[len(c.Args)-1].Pos()
}

func callStart(n ast.Node, e types.Error) token.Pos {
	if c, ok := n.(*ast.CallExpr); ok && (c.Rparen == e.Pos || c.Ellipsis == e.Pos) {
		return c.Pos()
	}
	return token.NoPos
}

func selectorDot(n ast.Node, e types.Error) token.Pos {
	if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Pos() == e.Pos {
		return s.X.End()
	}
	return token.NoPos
}

func arrayBracket(n ast.Node, e types.Error) token.Pos {
	if a, ok := n.(*ast.ArrayType); ok && a.Len != nil && a.Len.Pos() == e.Pos {
		return a.Lbrack
	}
	return token.NoPos
}

func expressionPlace(n ast.Node, e types.Error) token.Pos {
	if s, ok := n.(*ast.ExprStmt); ok && s.Pos() == e.Pos {
		return placeOf(s.X)
	}
	return token.NoPos
}

// casePlace is that of another case of a switch; of types, their beginning is meant.
func casePlace(n ast.Node, e types.Error) token.Pos {
	var clauses []ast.Stmt
	switch n := n.(type) {
	case *ast.SwitchStmt:
		clauses = n.Body.List
	case *ast.FuncType:
		if n.Func.IsValid() && n.Pos() == e.Pos {
			return n.Params.Opening
		}
	}
	for _, c := range clauses {
		for _, x := range c.(*ast.CaseClause).List {
			if x.Pos() == e.Pos {
				return placeOf(x)
			}
		}
	}
	return token.NoPos
}

// placeOf is the one that the compiler's syntax has for an expression: that of its operator, dot or
// bracket.
func placeOf(x ast.Expr) token.Pos {
	switch x := x.(type) {
	case *ast.CallExpr:
		return x.Lparen
	case *ast.BinaryExpr:
		return x.OpPos
	case *ast.SelectorExpr:
		return x.X.End()
	case *ast.TypeAssertExpr:
		return x.X.End()
	case *ast.IndexExpr:
		return x.Lbrack
	case *ast.SliceExpr:
		return x.Lbrack
	case *ast.CompositeLit:
		return x.Lbrace
	case *ast.FuncType:
		return x.Params.Opening
	}
	return x.Pos()
}

func methodName(n ast.Node, e types.Error) token.Pos {
	if f, ok := n.(*ast.FuncDecl); ok && f.Recv != nil && f.Recv.Pos() <= e.Pos && e.Pos < f.Recv.End() {
		return f.Name.Pos()
	}
	return token.NoPos
}

// bracketStart is where an expression begins for the compiler that begins with a slice of another
// or is the type of a function: at the bracket.
func bracketStart(n ast.Node, e types.Error) token.Pos {
	switch n := n.(type) {
	case *ast.SliceExpr:
		if n.Pos() == e.Pos && strings.Contains(e.Msg, types.ExprString(n)) {
			return n.Lbrack
		}
	case *ast.FuncType:
		if text := types.ExprString(n); n.Func.IsValid() && n.Pos() == e.Pos && strings.Contains(e.Msg, text) &&
			!strings.Contains(e.Msg, "("+text+" literal)") {
			return n.Params.Opening
		}
	}
	return token.NoPos
}

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
