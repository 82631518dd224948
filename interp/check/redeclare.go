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
	for _, s := range c.Body.List {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.TYPE {
			for _, spec := range d.Decl.(*ast.GenDecl).Specs {
				name := spec.(*ast.TypeSpec).Name.Name
				decls[name] = &typeDecl{spec: c.Fragment(name, spec)}
			}
		}
	}
	for _, f := range c.Funcs {
		if d := decls[receiver(f)]; d != nil {
			d.methods = append(d.methods, c.Fragment(f.Name.Name, f))
		}
	}
	return decls
}

// adopt lets a cell declare methods of an earlier cell's type: it becomes a declaration of the whole
// type, with the methods of before that the cell does not declare itself. Methods that are declared
// as they were change nothing and are dropped.
func (c *Checker) adopt(split *cell.Cell) (map[string]*typeDecl, error) {
	own := declaredTypes(split)
	more := map[string]*typeDecl{}
	for _, f := range split.Funcs {
		name := receiver(f)
		old := c.env.decls[name]
		if own[name] != nil || old == nil || c.env.objects[name] == nil {
			continue
		}
		if more[name] == nil {
			more[name] = &typeDecl{spec: old.spec}
		}
		more[name].methods = append(more[name].methods, split.Fragment(f.Name.Name, f))
	}
	for name, d := range more {
		old := c.env.decls[name]
		if d.within(old) {
			dropDecls(split, map[string]bool{name: true})
			continue
		}
		if err := split.AddType(old.spec); err != nil {
			return nil, err
		}
		for _, m := range old.methods {
			if !d.has(m.Name) {
				if err := split.AddMethod(m); err != nil {
					return nil, err
				}
				d.methods = append(d.methods, m)
			}
		}
		own[name] = d
	}
	return own, nil
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

// unchanged finds the types that are declared as an earlier cell declared them, where all names in
// the declaration still mean the same. They stay the types that they are.
func (c *Checker) unchanged(split *cell.Cell, decls map[string]*typeDecl) map[string]bool {
	same := map[string]bool{}
	for name, d := range decls {
		old := c.env.decls[name]
		same[name] = old != nil && old.spec.Text == d.spec.Text && len(old.methods) == len(d.methods) && d.within(old) && c.env.objects[name] != nil
	}
	fresh := funcNames(split)
	for again := true; again; {
		again = false
		for name := range same {
			if same[name] && !c.meansSame(c.env.decls[name], same, decls, fresh) {
				same[name], again = false, true
			}
		}
	}
	return same
}

// meansSame tells whether the names that an old declaration uses mean what they meant.
func (c *Checker) meansSame(old *typeDecl, same map[string]bool, decls map[string]*typeDecl, fresh map[string]bool) bool {
	for name, o := range old.uses {
		if _, isType := o.(*types.TypeName); !isType {
			continue // variables and functions are looked up when code runs
		}
		if decls[name] != nil && !same[name] || fresh[name] || c.env.objects[name] != o {
			return false
		}
	}
	return true
}

func funcNames(c *cell.Cell) map[string]bool {
	names := map[string]bool{}
	for _, f := range c.Funcs {
		if f.Recv == nil {
			names[f.Name.Name] = true
		}
	}
	return names
}

// dropDecls takes declarations of types out of a cell, with their methods.
func dropDecls(c *cell.Cell, drop map[string]bool) {
	c.Funcs = slices.DeleteFunc(c.Funcs, func(f *ast.FuncDecl) bool { return drop[receiver(f)] })
	for _, s := range c.Body.List {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.TYPE {
			g := d.Decl.(*ast.GenDecl)
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return drop[s.(*ast.TypeSpec).Name.Name] })
		}
	}
}

// recordUses notes what the names in each type declaration meant.
func (k *Checked) recordUses(p *pass) {
	note := func(name string, n ast.Node) {
		d := k.decls[name]
		if d == nil {
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := p.info.Uses[id]; o != nil && o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && o.Pkg().Path() == "main" {
					if d.uses == nil {
						d.uses = map[string]types.Object{}
					}
					d.uses[id.Name] = o
				}
			}
			return true
		})
	}
	for _, d := range k.low.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			note(receiver(d), d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					note(t.Name.Name, t)
				}
			}
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
			if users := c.mention(old, p); len(users) > 0 {
				lines = append(lines, fmt.Sprintf("%s is a new type now: %s still %s the one declared before", name, strings.Join(users, ", "), plural(users, "has", "have")))
			}
		case *types.Func:
			if f, ok := now.(*types.Func); !ok || !types.Identical(f.Type(), old.Type()) {
				if users := c.env.usersOf(old, p); len(users) > 0 {
					lines = append(lines, fmt.Sprintf("%s has another signature now: %s still %s the one declared before", name, strings.Join(users, ", "), plural(users, "calls", "call")))
				}
			}
		case *types.Var:
			if v, ok := now.(*types.Var); !ok || !types.Identical(v.Type(), old.Type()) {
				if users := c.env.usersOf(old, p); len(users) > 0 {
					lines = append(lines, fmt.Sprintf("%s has another type now: %s still %s the variable declared before", name, strings.Join(users, ", "), plural(users, "uses", "use")))
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
func (c *Checker) mention(old *types.TypeName, p *pass) []string {
	var users []string
	for name, o := range c.env.objects {
		if o == old || p.pkg.Scope().Lookup(name) != nil {
			continue
		}
		if mentions(o.Type(), old, map[types.Type]bool{}) {
			users = append(users, name)
		}
	}
	slices.Sort(users)
	return users
}

// mentions tells whether a type is made of the named one.
func mentions(t types.Type, name *types.TypeName, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	any := func(list ...types.Type) bool {
		return slices.ContainsFunc(list, func(t types.Type) bool { return mentions(t, name, seen) })
	}
	switch t := t.(type) {
	case *types.Named:
		if t.Obj() == name || t.Origin().Obj() == name {
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
		return any(t.Params(), t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if any(t.At(i).Type()) {
				return true
			}
		}
	}
	return false
}
