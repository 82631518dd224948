package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A builder adds to a program the packages that its source names. Those made from source, and cells
// that declare something generic, come with syntax, from which instances are built when needed.
// They are not built whole, which takes 20 ms for package slices: what is not generic in them is
// compiled (package symbols), or an earlier unit's. Of compiled packages the program gets the
// functions and variables that are named: all that there are in net/http take ten times what the
// cell takes. Of those made from source it gets the declarations that are named and what these name
// (parts.go).
type builder struct {
	c    *Checker
	prog *ssa.Program
	// whole are the packages that the program has all members of, members are those of the others.
	whole   map[*types.Package]bool
	members map[*types.Package]map[types.Object]bool
	// parts are what the program has of packages made from source, stubs the functions of which it
	// has no body.
	parts map[*sourced]map[*part]bool
	stubs map[*sourced]map[*part]bool
}

func (b *builder) usedBy(info *types.Info) { b.usedBeside(info, nil) }

// usedBeside adds what is named, but for the bodies of functions that an engine has compiled.
func (b *builder) usedBeside(info *types.Info, compiled map[*types.Func]bool) {
	named := map[*types.Package][]types.Object{}
	for _, o := range info.Uses {
		if f, ok := o.(*types.Func); ok && compiled[f] {
			b.stub(b.c.im.source(f.Pkg()), f)
		} else if pkg := o.Pkg(); pkg != nil && !b.whole[pkg] {
			named[pkg] = append(named[pkg], o)
		}
	}
	for _, s := range info.Selections {
		if pkg := s.Obj().Pkg(); pkg != nil && !b.whole[pkg] {
			named[pkg] = append(named[pkg], s.Obj())
		}
	}
	for pkg, objects := range named {
		b.add(pkg, objects)
	}
}

// add adds a package of which objects are named.
func (b *builder) add(pkg *types.Package, objects []types.Object) {
	if b.whole[pkg] {
		return
	}
	if s := b.c.im.source(pkg); s != nil {
		b.addSourced(s, objects)
		return
	}
	s := b.c.env.generic.syntax[pkg]
	switch {
	case s != nil:
		b.whole[pkg] = true
		b.usedBy(s.info)
		b.prog.CreatePackage(pkg, s.files, s.info, false)
	case pkg.Path() == "main": // an earlier cell's: all that it declares can be asked for
		b.whole[pkg] = true
		b.prog.CreatePackage(pkg, nil, nil, false)
	default:
		b.addMembers(pkg, objects)
	}
}

// addMembers adds a compiled package with some of its members. Where more are named later
// (Unit.Instance), it is made again.
func (b *builder) addMembers(pkg *types.Package, objects []types.Object) {
	have := b.members[pkg]
	fresh := have == nil
	if fresh {
		have = map[types.Object]bool{}
		b.members[pkg] = have
	}
	for _, o := range objects {
		if o = member(o); o != nil && !have[o] {
			have[o], fresh = true, true
		}
	}
	if !fresh {
		return
	}
	// go/ssa makes members of a package without syntax for all names of its scope, but of one with
	// syntax for the names that it defines.
	info, spec := &types.Info{Defs: map[*ast.Ident]types.Object{}}, new(ast.ValueSpec)
	for o := range have {
		id := ast.NewIdent(o.Name())
		info.Defs[id] = o
		spec.Names = append(spec.Names, id)
	}
	names := &ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{spec}} // go/ssa looks for no values of these
	b.prog.CreatePackage(pkg, []*ast.File{{Name: ast.NewIdent(pkg.Name()), Decls: []ast.Decl{names}}}, info, false)
}

// member is what go/ssa has as a member of a compiled package: a function, a method of a type that
// is no interface, or a variable. nil: constants and types it takes from go/types.
func member(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		if o.Pkg().Scope().Lookup(o.Name()) == o {
			return o
		}
	case *types.Func:
		if recv := o.Signature().Recv(); recv == nil || !types.IsInterface(recv.Type()) {
			return o.Origin()
		}
	}
	return nil
}
