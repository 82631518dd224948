package check

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// generic reports whether the object has type parameters.
func generic(o types.Object) bool {
	switch t := o.Type().(type) {
	case *types.Signature:
		return t.TypeParams().Len() > 0 || t.RecvTypeParams().Len() > 0
	case *types.Named:
		return t.TypeParams().Len() > 0
	case *types.Alias:
		return t.TypeParams().Len() > 0
	}
	return false
}

// hasInstances reports whether the object, or a method of it, has type parameters.
func hasInstances(o types.Object) bool {
	if generic(o) {
		return true
	}
	_, isType := o.(*types.TypeName)
	n, ok := o.Type().(*types.Named)
	if !isType || !ok {
		return false
	}
	for m := range n.Methods() {
		if m.Signature().TypeParams().Len() > 0 {
			return true
		}
	}
	return false
}

// genericCode is what is kept of cells that declare something generic: bodies are built again in
// every program that has instances of them. What the bodies name means what it means now: a
// variable or function that takes the place of one takes it here too.
type genericCode struct {
	syntax map[*types.Package]*sourced
	// bodies are those of methods of generic types that later cells declared: by the method, or the
	// one that it was declared again for.
	bodies map[*types.Func]*sourced
}

func newGenericCode() *genericCode {
	return &genericCode{map[*types.Package]*sourced{}, map[*types.Func]*sourced{}}
}

// add keeps what a committed cell declares.
func (g *genericCode) add(k *Checked) {
	kept := func() {
		k.syntax.files = []*ast.File{withoutEntry(k.low)}
		k.syntax.findUsers()
	}
	if slices.ContainsFunc(k.objects(), hasInstances) {
		kept()
		g.syntax[k.syntax.pkg] = k.syntax
	}
	later := func(m, as *types.Func) {
		if generic(m) {
			kept()
			g.bodies[as] = k.syntax
		}
	}
	for m, was := range k.Unit.Redeclared {
		later(m, was)
	}
	for _, m := range k.Unit.Gained {
		later(m, m)
	}
}

// findUsers lists the identifiers that mean objects of cells, where they are declared: what has run
// names nothing any more.
func (s *sourced) findUsers() {
	if s.users != nil {
		return
	}
	s.users = map[types.Object][]*ast.Ident{}
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := s.info.Uses[id]; o != nil && o.Pkg() != nil && o.Pkg().Path() == "main" && o.Parent() == o.Pkg().Scope() {
					s.users[o] = append(s.users[o], id)
				}
			}
			return true
		})
	}
}

func (g *genericCode) each(f func(*sourced)) {
	for _, s := range g.syntax {
		f(s)
	}
	for _, s := range g.bodies {
		f(s)
	}
}

// names reports whether a body names an object, other than its own.
func (g *genericCode) names(o types.Object) (found bool) {
	g.each(func(s *sourced) {
		own := s.declares(o)
		found = found || slices.ContainsFunc(s.users[o], func(id *ast.Ident) bool {
			return own == nil || id.Pos() < own.Pos() || id.Pos() >= own.End()
		})
	})
	return found
}

// declares is the function's declaration that makes an object, nil if it is not here.
func (s *sourced) declares(o types.Object) *ast.FuncDecl {
	for _, f := range s.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && s.info.Defs[fn.Name] == o {
				return fn
			}
		}
	}
	return nil
}

// follow lets bodies name the object that takes the place of another.
func (g *genericCode) follow(old, now types.Object) {
	g.each(func(s *sourced) {
		for _, id := range s.users[old] {
			s.info.Uses[id] = now
			s.users[now] = append(s.users[now], id)
		}
		delete(s.users, old)
	})
}

// retain drops the syntax of cells of which no generic name is left, neither to cells nor to bodies
// that are kept.
func (g *genericCode) retain(objects map[string]types.Object) {
	if len(g.syntax) == 0 {
		return
	}
	used := map[*types.Package]bool{}
	var use func(o types.Object)
	use = func(o types.Object) {
		s := g.syntax[o.Pkg()]
		if s == nil || used[o.Pkg()] || !hasInstances(o) {
			return
		}
		used[o.Pkg()] = true
		for named := range s.users {
			use(named)
		}
	}
	for _, o := range objects {
		use(o)
	}
	for n := -1; n != len(used); { // what bodies name may have bodies of its own
		n = len(used)
		for m, s := range g.bodies {
			for named := range s.users {
				if used[typeOf(m).Pkg()] {
					use(named)
				}
			}
		}
	}
	maps.DeleteFunc(g.bodies, func(m *types.Func, _ *sourced) bool { return !used[typeOf(m).Pkg()] })
	for pkg := range g.syntax {
		if !used[pkg] {
			delete(g.syntax, pkg)
		}
	}
}

// typeOf is the type that a method belongs to.
func typeOf(m *types.Func) *types.TypeName { return engine.ReceiverOf(m).Obj() }
