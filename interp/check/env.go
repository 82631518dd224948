package check

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// An env is what earlier cells left: the newest object of each name, and the imports. A name is in
// one of the two.
type env struct {
	objects map[string]types.Object
	imports map[string]string // name in cells -> path
	dots    []string          // paths of packages whose names cells have without theirs: import . "path"
	generic *genericCode
	// decls are the texts of the types, for cells that declare methods of them.
	decls map[string]*typeDecl
	// uses are the objects of cells that each function or method refers to.
	uses map[string]map[types.Object]bool
	// promoting are the functions that select what is promoted.
	promoting map[string]*promoting

	// spans say which cell declared a type, in the order of positions.
	spans []span

	shared *types.Scope // what scope makes of objects alone; nil: not made yet
	lost   bool         // a name has lost its object since what bodies need was looked at
}

func newEnv() *env {
	return &env{
		objects: map[string]types.Object{}, imports: map[string]string{}, generic: newGenericCode(),
		decls: map[string]*typeDecl{}, uses: map[string]map[types.Object]bool{}, promoting: map[string]*promoting{},
	}
}

// scope is one with all objects, to stand between the universe and a package; go/types only looks
// into it. Each object keeps the scope of its own package as parent.
func (e *env) scope(extra []types.Object) *types.Scope {
	if len(extra) == 0 && e.shared != nil {
		return e.shared
	}
	s := types.NewScope(types.Universe, 0, 0, "earlier cells")
	for _, o := range e.objects {
		s.Insert(o)
	}
	for _, o := range extra {
		s.Insert(o)
	}
	if len(extra) == 0 && s.Len() > 0 {
		e.shared = s
	}
	return s
}

// declare lets names mean objects.
func (e *env) declare(objects []types.Object) {
	for _, o := range objects {
		if was := e.objects[o.Name()]; was != nil && !sameKind(was, o) {
			e.forgetFunctions(o.Name())
		}
		e.lost = e.lost || e.objects[o.Name()] != nil
		e.objects[o.Name()] = o
		delete(e.imports, o.Name())
		delete(e.decls, o.Name())
		if e.shared != nil {
			gorelease.Elements(e.shared)[o.Name()] = o
		}
	}
}

// forgetFunctions forgets a function that has another meaning now, or the methods of a type.
func (e *env) forgetFunctions(name string) {
	for _, f := range slices.Collect(maps.Keys(e.promoting)) {
		if baseName(f) == name {
			delete(e.promoting, f)
		}
	}
}

// imported lets names mean packages: name to path.
func (e *env) imported(paths map[string]string) {
	for name, path := range paths {
		e.imports[name] = path
		if e.objects[name] != nil {
			delete(e.objects, name)
			e.shared, e.lost = nil, true
		}
	}
}

// A typeDecl is how a type was declared: the text of its declaration and methods.
type typeDecl struct {
	spec    cell.Fragment
	methods []cell.Fragment
}

func (d *typeDecl) has(method string) bool {
	return slices.ContainsFunc(d.methods, func(m cell.Fragment) bool { return m.Name == method })
}

func identName(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
