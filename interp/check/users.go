package check

import (
	"go/ast"
	"go/types"
	"slices"
)

// note remembers which objects of cells each function of a committed cell uses.
func (e *env) note(k *Checked) {
	e.follow(k)
	for _, d := range k.low.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f == k.low.entry {
			continue
		}
		used := map[types.Object]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := k.Unit.Info.Uses[id]; o != nil && o.Pkg() != nil && o.Pkg().Path() == "main" &&
					o.Parent() == o.Pkg().Scope() {
					used[o] = true
				}
			}
			return true
		})
		e.uses[nameOf(f)] = used
	}
}

// follow lets earlier functions use the new object where it takes the place of the old one.
func (e *env) follow(k *Checked) {
	for now, old := range k.Unit.Replaces {
		if !sameKind(old, now) {
			continue
		}
		e.generic.follow(old, now)
		for _, used := range e.uses {
			if used[old] {
				delete(used, old)
				used[now] = true
			}
		}
	}
}

// sameKind reports whether code that refers to old sees now instead.
func sameKind(old, now types.Object) bool {
	switch old.(type) {
	case *types.Var:
		_, ok := now.(*types.Var)
		return ok && types.Identical(old.Type(), now.Type())
	case *types.Func:
		_, ok := now.(*types.Func)
		return ok && types.Identical(old.Type(), now.Type())
	}
	return false
}

// usersOf lists the functions of earlier cells that use the object and are not replaced by this
// one.
func (e *env) usersOf(old types.Object, p *pass) []string {
	var users []string
	for name, used := range e.uses {
		if used[old] && p.pkg.Scope().Lookup(name) == nil && e.objects[baseName(name)] != nil {
			users = append(users, name)
		}
	}
	slices.Sort(users)
	return users
}

// baseName is the function, or the type of the method.
func baseName(name string) string {
	for i := range name {
		if name[i] == '.' {
			return name[:i]
		}
	}
	return name
}
