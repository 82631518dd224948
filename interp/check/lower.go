package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// A lowered cell is one file: declarations at package level, and one function with the statements.
type lowered struct {
	cell  *cell.Cell
	file  *ast.File
	entry *ast.FuncDecl // nil in a whole program
	// final is the last statement of entry where that is an expression, and last the same where its
	// value is shown.
	final, last *ast.ExprStmt
	// values are the last statements of entry, where the cell ends in a list of expressions.
	values []*ast.ExprStmt
	// defined says which statement of the cell declares a variable first.
	defined map[string]int
	// stmts are the cell's statements, lowered, and twins their second copies, whose initializers
	// give package variables their types. Twins are checked, never executed.
	stmts, twins [][]ast.Node
	declOnly     bool
	keep         *keeping // nil: nothing is kept
	bodiless     bool     // function bodies are not looked at
	// dotted are the names that the file may mean of packages which earlier cells imported with a dot.
	dotted []types.Object
	errs   cell.SyntaxErrors
}

// lower makes the file. Variables that a statement defines at the top level of the cell become
// package variables, and the definition an assignment in entry, in the order of the cell:
//
//	x, err := f()    var x, err = f()    in entry: x, err = f()
//	var y T          var y T             in entry: y = func() (_ T) { return }()
//
// The initializer at package level lets go/types infer, whatever the order of functions; it is
// parsed twice, so that each place has its own syntax.
func lower(c *cell.Cell) *lowered {
	l := &lowered{cell: c, file: &ast.File{Name: ast.NewIdent("main")}, defined: map[string]int{}, declOnly: true}
	if c.Program != nil {
		l.file = c.Program
		return l
	}
	for _, d := range c.Imports {
		l.file.Decls = append(l.file.Decls, d)
		for _, s := range d.Specs {
			l.file.Imports = append(l.file.Imports, s.(*ast.ImportSpec))
		}
	}
	var twins []ast.Stmt
	if definesAny(c.Body.List) {
		twins = c.Again()
	}
	body := new(ast.BlockStmt)
	declared := 0 // statements up to the last declaration of variables
	for i, s := range c.Body.List {
		var twin ast.Stmt
		if i < len(twins) {
			twin = twins[i]
		}
		before := len(l.file.Decls)
		out := l.stmt(i, s, twin)
		l.stmts, l.twins = append(l.stmts, nodes(out)), append(l.twins, nodes(l.file.Decls[before:]))
		body.List = append(body.List, out...)
		if declares(s) {
			declared = len(body.List)
		}
	}
	var inits []ast.Stmt
	for _, f := range c.Funcs {
		if isInit(f) {
			inits = append(inits, initially(f))
		} else {
			l.file.Decls = append(l.file.Decls, f)
		}
	}
	body.List = slices.Insert(body.List, declared, inits...)
	l.addEntry(body)
	return l
}

// declares tells whether a statement declares variables.
func declares(s ast.Stmt) bool {
	d, ok := s.(*ast.DeclStmt)
	return ok && d.Decl.(*ast.GenDecl).Tok == token.VAR
}

// isInit tells whether f is an init function; go/types says what is wrong with one that has parameters.
func isInit(f *ast.FuncDecl) bool {
	t := f.Type
	return f.Recv == nil && f.Name.Name == "init" && f.Body != nil && t.TypeParams == nil && t.Params.NumFields() == 0 && t.Results == nil
}

// initially is the call of an init function's body. It comes where all variables that the cell declares by var are there, as in a package. That
// the literal stands for one is seen by its list of results, which has no place (package callers).
func initially(f *ast.FuncDecl) ast.Stmt {
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: f.Pos(), Params: f.Type.Params, Results: &ast.FieldList{}}, Body: f.Body}
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: lit, Lparen: f.Name.Pos(), Rparen: f.Name.Pos()}}
}

func nodes[N ast.Node](list []N) []ast.Node {
	var all []ast.Node
	for _, n := range list {
		all = append(all, n)
	}
	return all
}

func (l *lowered) addEntry(body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	at := l.cell.Body.Lbrace                                          // in front of the cell's text
	body.Lbrace, body.Rbrace = body.List[0].Pos(), l.cell.Body.Rbrace // callers.Start
	l.entry = &ast.FuncDecl{
		Name: &ast.Ident{Name: cell.Name(l.cell.Number), NamePos: at},
		Type: &ast.FuncType{Func: at, Params: &ast.FieldList{Opening: at, Closing: at}},
		Body: body,
	}
	l.final, _ = body.List[len(body.List)-1].(*ast.ExprStmt)
	for _, s := range body.List[len(body.List)-l.cell.Values:] {
		l.values = append(l.values, s.(*ast.ExprStmt))
	}
	if !l.cell.Quiet {
		l.last = l.final
	}
	l.file.Decls = append(l.file.Decls, l.entry)
}

// definesAny tells whether a statement defines variables with initializers.
func definesAny(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := unlabel(s).(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				return true
			}
		case *ast.DeclStmt:
			if s.Decl.(*ast.GenDecl).Tok == token.VAR {
				return true
			}
		}
	}
	return false
}

func unlabel(s ast.Stmt) ast.Stmt {
	for {
		label, ok := s.(*ast.LabeledStmt)
		if !ok {
			return s
		}
		s = label.Stmt
	}
}

// stmt lowers one statement to those that entry executes.
func (l *lowered) stmt(i int, s, twin ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return l.labeled(i, s, twin)
	case *ast.DeclStmt:
		return l.decl(i, s.Decl.(*ast.GenDecl), twin)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			l.declOnly = false
			return l.define(i, s, twin.(*ast.AssignStmt))
		}
	case *ast.EmptyStmt:
		return nil
	}
	l.declOnly = false
	return []ast.Stmt{s}
}

func (l *lowered) labeled(i int, s *ast.LabeledStmt, twin ast.Stmt) []ast.Stmt {
	var inner ast.Stmt
	if t, ok := twin.(*ast.LabeledStmt); ok {
		inner = t.Stmt
	}
	list := l.stmt(i, s.Stmt, inner)
	l.declOnly = false
	if len(list) == 0 {
		list = []ast.Stmt{&ast.EmptyStmt{Semicolon: s.Colon, Implicit: true}}
	}
	return append([]ast.Stmt{&ast.LabeledStmt{Label: s.Label, Colon: s.Colon, Stmt: list[0]}}, list[1:]...)
}

func (l *lowered) decl(i int, d *ast.GenDecl, twin ast.Stmt) []ast.Stmt {
	if d.Tok != token.VAR {
		if len(d.Specs) > 0 {
			l.file.Decls = append(l.file.Decls, d)
		}
		return nil
	}
	l.file.Decls = append(l.file.Decls, twin.(*ast.DeclStmt).Decl)
	var out []ast.Stmt
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		var lhs []ast.Expr
		for _, n := range s.Names {
			l.note(n, i)
			lhs = append(lhs, n)
		}
		if len(s.Values) > 0 {
			out = append(out, &ast.AssignStmt{Lhs: lhs, TokPos: s.Pos(), Tok: token.ASSIGN, Rhs: s.Values})
			continue
		}
		for _, n := range lhs {
			out = append(out, &ast.AssignStmt{Lhs: []ast.Expr{n}, TokPos: s.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{zero(s.Type)}})
		}
	}
	return out
}

// note remembers where a name is first defined.
func (l *lowered) note(n *ast.Ident, i int) {
	if _, ok := l.defined[n.Name]; !ok && n.Name != "_" {
		l.defined[n.Name] = i
	}
}

// zero is the zero value of a type, in words that no declaration can change.
func zero(t ast.Expr) ast.Expr {
	at := t.Pos()
	none := &ast.Ident{Name: "_", NamePos: at}
	return &ast.CallExpr{
		Fun: &ast.FuncLit{
			Type: &ast.FuncType{
				Func:    at,
				Params:  &ast.FieldList{Opening: at, Closing: at},
				Results: &ast.FieldList{Opening: at, List: []*ast.Field{{Names: []*ast.Ident{none}, Type: t}}, Closing: at},
			},
			Body: &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{&ast.ReturnStmt{Return: at}}, Rbrace: at},
		},
		Lparen: at, Rparen: at,
	}
}

// define lowers a short variable declaration: new names become package variables.
func (l *lowered) define(i int, s, twin *ast.AssignStmt) []ast.Stmt {
	spec := &ast.ValueSpec{Values: twin.Rhs}
	fresh := false
	for k, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			l.fail(x.Pos(), "non-name "+types.ExprString(x)+" on left side of :=")
			return nil
		}
		name := twin.Lhs[k].(*ast.Ident)
		if id.Name != "_" && slices.ContainsFunc(s.Lhs[:k], func(x ast.Expr) bool { return x.(*ast.Ident).Name == id.Name }) {
			l.fail(id.Pos(), id.Name+" repeated on left side of :=")
			return nil
		}
		if first, old := l.defined[id.Name]; id.Name == "_" || old && first < i {
			name = &ast.Ident{Name: "_", NamePos: name.NamePos}
		} else {
			fresh = true
			l.note(id, i)
		}
		spec.Names = append(spec.Names, name)
	}
	if !fresh {
		l.fail(s.TokPos, "no new variables on left side of :=")
		return nil
	}
	l.file.Decls = append(l.file.Decls, &ast.GenDecl{TokPos: s.TokPos, Tok: token.VAR, Specs: []ast.Spec{spec}})
	return []ast.Stmt{&ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: s.Rhs}}
}

func (l *lowered) fail(at token.Pos, msg string) {
	l.errs = append(l.errs, &cell.SyntaxError{Pos: l.cell.Fset.Position(at), Msg: msg})
}

// ends says whether one of the expressions that the cell ends in begins at a place.
func (l *lowered) ends(at token.Pos) bool {
	for _, s := range l.values {
		if s.X.Pos() == at {
			return true
		}
	}
	return l.final != nil && l.final.X.Pos() == at
}
