package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// declaredTypes collects the text of each type that the cell declares, with its methods.
func declaredTypes(c *cell.Cell) map[string]*typeDecl {
	decls := map[string]*typeDecl{}
	types, funcs := topLevel(c)
	for _, g := range types {
		for _, spec := range g.Specs {
			name := spec.(*ast.TypeSpec).Name.Name
			decls[name] = &typeDecl{spec: c.Fragment(name, spec)}
		}
	}
	for _, f := range funcs {
		if d := decls[receiver(f)]; d != nil {
			d.methods = append(d.methods, c.Fragment(f.Name.Name, f))
		}
	}
	return decls
}

// topLevel are the declarations of types and functions of a cell, or of the program that it is.
func topLevel(c *cell.Cell) (types []*ast.GenDecl, funcs []*ast.FuncDecl) {
	decls := []ast.Decl{}
	for _, s := range c.Body.List {
		if d, ok := s.(*ast.DeclStmt); ok {
			decls = append(decls, d.Decl)
		}
	}
	if c.Program != nil {
		decls = c.Program.Decls
	}
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.TYPE {
				types = append(types, d)
			}
		case *ast.FuncDecl:
			funcs = append(funcs, d)
		}
	}
	return types, append(funcs, c.Funcs...)
}

// adopt puts the declaration of an earlier cell's type into a cell that declares methods of it, and
// the methods of before that the cell does not declare itself.
func (c *Checker) adopt(split *cell.Cell, name string, d *typeDecl) error {
	old := c.env.decls[name]
	if err := split.AddType(old.spec); err != nil {
		return err
	}
	for _, m := range old.methods {
		if d.has(m.Name) {
			continue
		}
		if err := split.AddFunc(m); err != nil {
			return err
		}
		d.methods = append(d.methods, m)
	}
	return nil
}

// receiver is the name of the type that a method belongs to, nothing for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return identName(t)
		}
	}
}

// dropTypes takes declarations of types out of a cell.
func dropTypes(c *cell.Cell, drop map[string]bool) {
	for _, s := range c.Body.List {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.TYPE {
			g := d.Decl.(*ast.GenDecl)
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return drop[s.(*ast.TypeSpec).Name.Name] })
		}
	}
}

// stale says which names of earlier cells keep an earlier meaning of something that this cell
// declares differently: variables and functions whose types mention the old type, and functions
// that call a function by its old signature cannot be followed, so the change itself is told.
func (c *Checker) stale(p *pass) []string {
	var lines []string
	for _, name := range p.pkg.Scope().Names() {
		old, now := c.env.objects[name], p.pkg.Scope().Lookup(name)
		if old == nil || p.low.cell.Program != nil {
			continue
		}
		switch old := old.(type) {
		case *types.TypeName:
			if users := p.mention(old); len(users) > 0 {
				lines = append(lines, fmt.Sprintf("%s is a new type now: %s still %s the one declared before%s", name,
					strings.Join(users, ", "), plural(users, "has", "have"), p.env.in(old)))
			}
		case *types.Func:
			if f, ok := now.(*types.Func); !ok || !types.Identical(f.Type(), old.Type()) {
				if users := c.env.usersOf(old, p); len(users) > 0 {
					lines = append(lines, fmt.Sprintf("%s has another signature now: %s still %s the one declared before", name,
						strings.Join(users, ", "), plural(users, "calls", "call")))
				}
			}
		case *types.Var:
			if v, ok := now.(*types.Var); !ok || !types.Identical(v.Type(), old.Type()) {
				if users := c.env.usersOf(old, p); len(users) > 0 {
					lines = append(lines, fmt.Sprintf("%s has another type now: %s still %s the variable declared before", name,
						strings.Join(users, ", "), plural(users, "uses", "use")))
				}
			}
		}
	}
	return lines
}

func plural(list []string, one, many string) string {
	if len(list) == 1 {
		return one
	}
	return many
}

// mention lists the variables and functions of earlier cells, not replaced by this one, whose types
// name the type.
func (p *pass) mention(old *types.TypeName) []string {
	var users []string
	for name, o := range p.env.objects {
		if o == old || p.pkg.Scope().Lookup(name) != nil {
			continue
		}
		if mentions(o.Type(), func(t *types.TypeName) bool { return t == old }, map[types.Type]bool{}) {
			users = append(users, name)
		}
	}
	slices.Sort(users)
	return users
}

// mentions reports whether a type is made of one that is asked for.
func mentions(t types.Type, is func(*types.TypeName) bool, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	any := func(list ...types.Type) bool {
		return slices.ContainsFunc(list, func(t types.Type) bool { return mentions(t, is, seen) })
	}
	switch t := t.(type) {
	case *types.Named:
		if is(t.Origin().Obj()) {
			return true
		}
		for i := range t.TypeArgs().Len() {
			if any(t.TypeArgs().At(i)) {
				return true
			}
		}
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "main" && any(t.Underlying())
	case *types.Alias:
		return any(types.Unalias(t))
	case *types.Map:
		return any(t.Key(), t.Elem())
	case interface{ Elem() types.Type }:
		return any(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if any(t.Field(i).Type()) {
				return true
			}
		}
	case *types.Signature:
		for x := range t.TypeParams().TypeParams() {
			if any(x.Constraint()) {
				return true
			}
		}
		return any(t.Params(), t.Results())
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if any(m.Type()) {
				return true
			}
		}
		return slices.ContainsFunc(slices.Collect(t.EmbeddedTypes()), func(t types.Type) bool { return any(t) })
	case *types.Union:
		for x := range t.Terms() {
			if any(x.Type()) {
				return true
			}
		}
	case *types.Tuple:
		for i := range t.Len() {
			if any(t.At(i).Type()) {
				return true
			}
		}
	}
	return false
}
