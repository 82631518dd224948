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
	// defined says which step declares a variable first.
	defined  map[string]int
	steps    []*step         // what entry executes, but for init functions, in the order of the text
	inits    []ast.Stmt      // the calls of init functions
	early    map[string]bool // names that are used before the step that declares them, and mean what they meant
	runs     int
	keep     *keeping // nil: nothing is kept
	bodiless bool     // function bodies are not looked at
	// dotted are the names that the file may mean of packages which earlier cells imported with a
	// dot.
	dotted []types.Object
	errs   cell.SyntaxErrors
}

// A step is one statement of entry, or the initialization of one variable, or of several from one
// call.
type step struct {
	stmts []ast.Stmt
	// twins are the second copies, whose initializers give package variables their types. They are
	// checked, never executed.
	twins []ast.Node
	// run is the same for variables declared by var with no statement between them. They are
	// initialized as those of a package are. 0: a statement.
	run   int
	zero  bool // of a variable without initializer
	names []*ast.Ident
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
	l := &lowered{cell: c, file: &ast.File{Name: ast.NewIdent("main")}, defined: map[string]int{}, runs: 1}
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
	for i, s := range c.Body.List {
		var twin ast.Stmt
		if i < len(twins) {
			twin = twins[i]
		}
		l.stmt(s, twin)
	}
	for _, f := range c.Funcs {
		if isInit(f) {
			l.inits = append(l.inits, initially(f))
		} else {
			l.file.Decls = append(l.file.Decls, f)
		}
	}
	l.addEntry(&ast.BlockStmt{List: l.sequence(l.steps)})
	return l
}

// sequence are the statements of steps, with the init functions behind the last variable that is
// declared by var.
func (l *lowered) sequence(steps []*step) (list []ast.Stmt) {
	declared := 0
	for _, s := range steps {
		list = append(list, s.stmts...)
		if s.run > 0 {
			declared = len(list)
		}
	}
	return slices.Insert(list, declared, l.inits...)
}

// isInit reports whether f is an init function; go/types says what is wrong with one that has
// parameters.
func isInit(f *ast.FuncDecl) bool {
	t := f.Type
	return f.Recv == nil && f.Name.Name == "init" && f.Body != nil && t.TypeParams == nil && t.Params.NumFields() == 0 &&
		t.Results == nil
}

// initially is the call of an init function's body. It comes where all variables that the cell
// declares by var are there, as in a package. That the literal stands for one is seen by its list
// of results, which has no place (package callers).
func initially(f *ast.FuncDecl) ast.Stmt {
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: f.Pos(), Params: f.Type.Params, Results: &ast.FieldList{}}, Body: f.Body}
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: lit, Lparen: f.Name.Pos(), Rparen: f.Name.Pos()}}
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

// definesAny reports whether a statement defines variables with initializers.
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

// stmt lowers one statement to the steps that entry executes.
func (l *lowered) stmt(s, twin ast.Stmt) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		l.labeled(s, twin)
		return
	case *ast.DeclStmt:
		l.decl(s.Decl.(*ast.GenDecl), twin)
		return
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			l.define(s, twin.(*ast.AssignStmt))
			return
		}
	case *ast.EmptyStmt:
		return
	}
	l.execute(s)
}

// execute adds a step that is a statement.
func (l *lowered) execute(s ast.Stmt, twins ...ast.Node) {
	l.steps = append(l.steps, &step{stmts: []ast.Stmt{s}, twins: twins})
	l.runs++
}

// labeled lowers a statement with a label, which stands alone in front of a declaration.
func (l *lowered) labeled(s *ast.LabeledStmt, twin ast.Stmt) {
	var inner ast.Stmt
	if t, ok := twin.(*ast.LabeledStmt); ok {
		inner = t.Stmt
	}
	before := len(l.steps)
	if _, ok := s.Stmt.(*ast.DeclStmt); ok {
		l.execute(&ast.EmptyStmt{Semicolon: s.Colon, Implicit: true})
	}
	l.stmt(s.Stmt, inner)
	if len(l.steps) == before {
		l.execute(&ast.EmptyStmt{Semicolon: s.Colon, Implicit: true})
	}
	first := l.steps[before]
	first.stmts[0] = &ast.LabeledStmt{Label: s.Label, Colon: s.Colon, Stmt: first.stmts[0]}
}

func (l *lowered) decl(d *ast.GenDecl, twin ast.Stmt) {
	if d.Tok != token.VAR {
		if len(d.Specs) > 0 {
			l.file.Decls = append(l.file.Decls, d)
		}
		return
	}
	second := twin.(*ast.DeclStmt).Decl.(*ast.GenDecl)
	l.file.Decls = append(l.file.Decls, second)
	for i, spec := range d.Specs {
		l.variables(spec.(*ast.ValueSpec), second.Specs[i].(*ast.ValueSpec))
	}
}

// variables lowers a specification of variables. Those that have an initializer each are
// initialized one by one, as a package's are.
func (l *lowered) variables(s, twin *ast.ValueSpec) {
	var lhs []ast.Expr
	for _, n := range s.Names {
		lhs = append(lhs, n)
	}
	if len(s.Values) == 1 || len(s.Values) > 0 && len(s.Values) != len(lhs) {
		l.initialize(s, lhs, s.Values, twin)
		return
	}
	for i := range lhs {
		if len(s.Values) == 0 {
			l.initialize(s, lhs[i:i+1], []ast.Expr{zero(s.Type)}, nil)
			l.steps[len(l.steps)-1].zero = true
			continue
		}
		l.initialize(s, lhs[i:i+1], s.Values[i:i+1], twin.Values[i])
	}
}

func (l *lowered) initialize(s *ast.ValueSpec, lhs, rhs []ast.Expr, twin ast.Node) {
	a := &ast.AssignStmt{Lhs: lhs, TokPos: s.Pos(), Tok: token.ASSIGN, Rhs: rhs}
	made := &step{stmts: []ast.Stmt{a}, run: l.runs}
	if twin != nil {
		made.twins = []ast.Node{twin}
	}
	for _, x := range lhs {
		made.names = append(made.names, x.(*ast.Ident))
		l.note(x.(*ast.Ident), len(l.steps))
	}
	l.steps = append(l.steps, made)
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
func (l *lowered) define(s, twin *ast.AssignStmt) {
	spec := &ast.ValueSpec{Values: twin.Rhs}
	i, fresh := len(l.steps), false
	for k, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			l.fail(x.Pos(), "non-name "+types.ExprString(x)+" on left side of :=")
			return
		}
		name := twin.Lhs[k].(*ast.Ident)
		if id.Name != "_" && slices.ContainsFunc(s.Lhs[:k], func(x ast.Expr) bool { return x.(*ast.Ident).Name == id.Name }) {
			l.fail(id.Pos(), id.Name+" repeated on left side of :=")
			return
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
		return
	}
	d := &ast.GenDecl{TokPos: s.TokPos, Tok: token.VAR, Specs: []ast.Spec{spec}}
	l.file.Decls = append(l.file.Decls, d)
	l.execute(&ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: s.Rhs}, d)
}

func (l *lowered) fail(at token.Pos, msg string) {
	l.errs = append(l.errs, &cell.SyntaxError{Pos: l.cell.Fset.Position(at), Msg: msg})
}

// ends reports whether one of the expressions that the cell ends in begins at a place.
func (l *lowered) ends(at token.Pos) bool {
	for _, s := range l.values {
		if s.X.Pos() == at {
			return true
		}
	}
	return l.final != nil && l.final.X.Pos() == at
}
