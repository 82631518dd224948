package check

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"
)

// standIn marks the name under which an earlier meaning is checked, until it is restored. It is all
// letters: go/types is silent about identifiers that are none.
const standIn = "ˣearlierˣ"

// early finds the names that a statement uses before the cell declares them, which to go/types are
// the cell's own, because it sees package variables. They have to mean what earlier cells declared,
// or nothing: each is renamed to a stand-in, which earlier maps to its meaning.
//
//	s := strings.Fields(s)    the second s is an earlier cell's
//
// In a cell of declarations only, the order is that of a package: only a variable's own initializer
// is before it.
func (p *pass) early() (earlier map[types.Object]types.Object, extra []types.Object) {
	earlier = map[types.Object]types.Object{}
	made := map[string]bool{}
	for i := range p.low.stmts {
		for _, n := range append(p.low.stmts[i], p.low.twins[i]...) {
			p.uses(n, func(id *ast.Ident, o types.Object) {
				at, ok := p.low.defined[id.Name]
				if !ok || o.Parent() != p.pkg.Scope() || i > at || i < at && p.low.declOnly {
					return
				}
				name := id.Name
				id.Name += standIn
				if !made[name] {
					made[name] = true
					p.standFor(name, earlier, &extra)
				}
			})
		}
	}
	if len(made) == 0 {
		return nil, nil
	}
	earlier[nil] = nil // a name without earlier meaning needs the second run too
	return earlier, extra
}

// uses calls f for each identifier that is used, not defined, in a statement or declaration.
func (p *pass) uses(n ast.Node, f func(*ast.Ident, types.Object)) {
	targets := map[*ast.Ident]bool{}
	if s, ok := unlabelNode(n).(*ast.AssignStmt); ok {
		for _, x := range s.Lhs {
			if id, ok := x.(*ast.Ident); ok {
				targets[id] = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !targets[id] {
			if o := p.info.Uses[id]; o != nil {
				f(id, o)
			}
		}
		return true
	})
}

func unlabelNode(n ast.Node) ast.Node {
	if s, ok := n.(ast.Stmt); ok {
		return unlabel(s)
	}
	return n
}

// standFor makes the stand-in of a name where an earlier cell, or Go, declared it.
func (p *pass) standFor(name string, earlier map[types.Object]types.Object, extra *[]types.Object) {
	alias := name + standIn
	if path := p.env.imports[name]; path != "" {
		addImport(p.low.file, alias, path)
		return
	}
	was := p.env.objects[name]
	if was == nil {
		was = types.Universe.Lookup(name)
	}
	var o types.Object
	switch old := was.(type) {
	case *types.Builtin:
		o = renamed(old, alias)
	case *types.Var:
		o = types.NewVar(old.Pos(), old.Pkg(), alias, old.Type())
	case *types.Const:
		o = types.NewConst(old.Pos(), old.Pkg(), alias, old.Type(), old.Val())
	case *types.Func:
		o = types.NewFunc(old.Pos(), old.Pkg(), alias, old.Signature())
	case *types.TypeName:
		o = types.NewTypeName(old.Pos(), old.Pkg(), alias, old.Type())
	default:
		return
	}
	earlier[o] = was
	*extra = append(*extra, o)
}

// renamed is a builtin function under another name, which go/types has no way to make.
func renamed(b *types.Builtin, name string) types.Object {
	c := *b
	*(*string)(reflect.ValueOf(&c).Elem().FieldByName("object").FieldByName("name").Addr().UnsafePointer()) = name
	return &c
}

// restore puts the real names and objects in the place of the stand-ins.
func (p *pass) restore() {
	for id, o := range p.info.Uses {
		if real := p.earlier[o]; real != nil {
			p.info.Uses[id] = real
		}
	}
	for i := range p.errs {
		p.errs[i].Msg = strings.ReplaceAll(p.errs[i].Msg, standIn, "")
	}
}

// order puts the variables of a cell that only declares into the order of their dependencies, as a
// package does.
func (p *pass) order() {
	if p.low.entry == nil || !p.low.declOnly {
		p.info.InitOrder = keep(p)
		return
	}
	by := map[types.Object]ast.Stmt{}
	var zeroed, ordered []ast.Stmt
	for _, s := range p.low.entry.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok {
			continue // an init function's body: after the variables
		}
		if call, ok := a.Rhs[0].(*ast.CallExpr); ok && isZero(call) {
			zeroed = append(zeroed, s)
			continue
		}
		by[p.target(a)] = s
	}
	for _, init := range p.info.InitOrder {
		for _, v := range init.Lhs {
			if s := by[v]; s != nil {
				ordered = append(ordered, s)
				delete(by, v)
			}
		}
	}
	for _, s := range p.low.entry.Body.List { // blank ones and init functions, in their order
		if !contains(zeroed, s) && !contains(ordered, s) {
			ordered = append(ordered, s)
		}
	}
	p.low.entry.Body.List = append(zeroed, ordered...)
	p.info.InitOrder = nil
}

// keep is the initialization order that the package initializer follows: a whole program's own, and
// nothing in a cell, whose statements do it.
func keep(p *pass) []*types.Initializer {
	if p.low.cell.Program != nil {
		return p.info.InitOrder
	}
	return nil
}

// target is the first variable that the assignment sets and that is not blank.
func (p *pass) target(a *ast.AssignStmt) types.Object {
	for _, x := range a.Lhs {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
			return p.info.Uses[id]
		}
	}
	return nil
}

func isZero(call *ast.CallExpr) bool {
	lit, ok := call.Fun.(*ast.FuncLit)
	return ok && lit.Body.Lbrace == lit.Body.Rbrace
}

func contains(list []ast.Stmt, s ast.Stmt) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
