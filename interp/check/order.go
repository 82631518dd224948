package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
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
// Variables declared by var with no statement between them may name each other as those of a
// package do, and a variable's own initializer only what was declared before.
func (p *pass) early() (earlier map[types.Object]types.Object, extra []types.Object) {
	earlier = map[types.Object]types.Object{}
	made := map[string]bool{}
	for i, s := range p.low.steps {
		for _, n := range s.nodes() {
			p.uses(n, func(id *ast.Ident, o types.Object) {
				at, ok := p.low.defined[id.Name]
				if !ok || o.Parent() != p.pkg.Scope() || i > at || i < at && s.run > 0 && s.run == p.low.steps[at].run {
					return
				}
				if i == at && s.run > 0 && p.before(id.Name) == nil && p.env.imports[id.Name] == "" {
					return // it refers to itself
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
	p.low.early = made
	earlier[nil] = nil // a name without earlier meaning needs the second run too
	return earlier, extra
}

// nodes are what names of a step are looked for in.
func (s *step) nodes() []ast.Node {
	nodes := slices.Clone(s.twins)
	for _, s := range s.stmts {
		nodes = append(nodes, s)
	}
	return nodes
}

// before is what a name means that the cell does not declare, where it is not a package's.
func (p *pass) before(name string) types.Object {
	if o := p.env.objects[name]; o != nil {
		return o
	}
	return types.Universe.Lookup(name)
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
	was := p.before(name)
	var o types.Object
	switch old := was.(type) {
	case *types.Builtin:
		if o = gorelease.RenamedBuiltin(old, alias); o == nil {
			return
		}
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
