package complete

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A search collects the candidates for one place.
type search struct {
	c      *Completer
	p      *check.Partial
	prefix string
	types  bool // only types fit
	seen   map[string]bool
	list   []worker.Completion
}

func (s *search) add(name, kind, signature string) {
	if s.seen[name] || !hasPrefix(name, s.prefix) || strings.Contains(name, "ˣ") || strings.HasPrefix(name, "In[") ||
		name == "_" {
		return
	}
	s.seen[name] = true
	s.list = append(s.list, worker.Completion{Text: name, Kind: kind, Signature: signature})
}

// find looks for the marker.
func (s *search) find() {
	var path []ast.Node
	var at *ast.Ident
	var around []ast.Node
	ast.Inspect(s.p.File, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if id, ok := n.(*ast.Ident); ok && strings.Contains(id.Name, marker) {
			at, around = id, slices.Clone(path)
		}
		return true
	})
	if at == nil {
		return
	}
	parent := around[len(around)-2]
	if sel, ok := parent.(*ast.SelectorExpr); ok && sel.Sel == at {
		s.members(sel.X)
		return
	}
	if b, ok := parent.(*ast.BranchStmt); ok && b.Label == at {
		s.labels(b.Tok, around)
		return
	}
	s.fields(around)
	s.types = isType(parent, at)
	s.scope(at.Pos())
}

// isType reports whether an expression stands where only a type can.
func isType(parent ast.Node, x ast.Expr) bool {
	switch p := parent.(type) {
	case *ast.Field:
		return p.Type == x
	case *ast.ValueSpec:
		return p.Type == x
	case *ast.TypeSpec:
		return p.Type == x
	case *ast.ArrayType:
		return p.Elt == x
	case *ast.MapType, *ast.ChanType:
		return true
	case *ast.TypeAssertExpr:
		return p.Type == x
	}
	return false
}

// members are what can follow the dot behind x.
func (s *search) members(x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok {
		if pkg, ok := s.p.Info.Uses[id].(*types.PkgName); ok {
			s.list = matching(s.c.exported(pkg.Imported()), s.prefix)
			return
		}
		if s.p.Info.Uses[id] == nil {
			if pkg, ok := s.c.check.PackageNamed(id.Name); ok {
				s.list = matching(s.c.exported(pkg), s.prefix)
			}
			return
		}
	}
	tv, ok := s.p.Info.Types[x]
	if !ok || tv.Type == nil {
		return
	}
	s.typeMembers(tv.Type, tv.IsType())
}

// typeMembers are methods, and fields of a value, also those of embedded structs.
func (s *search) typeMembers(t types.Type, isType bool) {
	if !isType {
		s.structFields(t, map[types.Type]bool{})
	}
	m := t
	if _, isPtr := t.Underlying().(*types.Pointer); !isPtr && !types.IsInterface(t) {
		m = types.NewPointer(t)
	}
	set := types.NewMethodSet(m)
	for i := range set.Len() {
		if o := set.At(i).Obj(); o.Exported() || o.Pkg().Path() == "main" {
			s.object(o)
		}
	}
}

func (s *search) structFields(t types.Type, seen map[types.Type]bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return
	}
	seen[t] = true
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Exported() || f.Pkg().Path() == "main" {
			s.add(f.Name(), "property", short(f.Type()))
		}
	}
	for i := range st.NumFields() {
		if f := st.Field(i); f.Embedded() {
			s.structFields(f.Type(), seen)
		}
	}
}

// fields are the keys of the struct literal around the place.
func (s *search) fields(around []ast.Node) {
	for i := len(around) - 2; i >= 0 && i >= len(around)-3; i-- {
		if kv, ok := around[i].(*ast.KeyValueExpr); ok && kv.Value == around[i+1] {
			return
		}
		lit, ok := around[i].(*ast.CompositeLit)
		if !ok {
			continue
		}
		t := s.p.Info.Types[lit].Type
		if t == nil {
			return
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem() // {...} in a list of pointers
		}
		if st, ok := t.Underlying().(*types.Struct); ok {
			for k := range st.NumFields() {
				if f := st.Field(k); f.Exported() || f.Pkg().Path() == "main" {
					s.add(f.Name(), "property", short(f.Type()))
				}
			}
		}
		return
	}
}

// scope are the names that can be used at a place: innermost first, so that a local hides others.
func (s *search) scope(at token.Pos) {
	for sc := s.innermost(at); sc != nil && sc != types.Universe; sc = sc.Parent() {
		for _, name := range sc.Names() {
			if o := sc.Lookup(name); o.Parent() == s.p.Pkg.Scope() || !o.Pos().IsValid() || o.Pos() < at {
				s.object(o)
			}
		}
	}
	for _, name := range s.p.Pkg.Scope().Names() {
		s.object(s.p.Pkg.Scope().Lookup(name))
	}
	for _, name := range s.p.Earlier.Names() {
		s.object(s.p.Earlier.Lookup(name))
	}
	for name, path := range s.p.Imports {
		s.add(name, "module", path)
	}
	for _, name := range types.Universe.Names() {
		s.object(types.Universe.Lookup(name))
	}
	for _, x := range keywords(s.prefix) {
		if !s.types || beginsType[x.Text] {
			s.list = append(s.list, x)
		}
	}
	if s.prefix != "" {
		for _, path := range s.c.packages() {
			if name := path[strings.LastIndexByte(path, '/')+1:]; s.c.check.Guesses(name) {
				s.add(name, "module", path)
			}
		}
	}
}

func (s *search) innermost(at token.Pos) *types.Scope {
	var best *types.Scope
	var size token.Pos
	for n, sc := range s.p.Info.Scopes {
		from, to := n.Pos(), n.End()
		if f, ok := n.(*ast.FuncType); ok {
			from, to = s.bodyOf(f)
		}
		if _, isFile := n.(*ast.File); !isFile && from <= at && at <= to && (best == nil || to-from < size) {
			best, size = sc, to-from
		}
	}
	return best
}

// bodyOf is the extent of the function that the type belongs to: its scope is the type's.
func (s *search) bodyOf(t *ast.FuncType) (from, to token.Pos) {
	from, to = t.Pos(), t.End()
	ast.Inspect(s.p.File, func(n ast.Node) bool {
		switch f := n.(type) {
		case *ast.FuncDecl:
			if f.Type == t {
				from, to = f.Pos(), f.End()
			}
		case *ast.FuncLit:
			if f.Type == t {
				from, to = f.Pos(), f.End()
			}
		}
		return true
	})
	return from, to
}

// object adds a candidate.
func (s *search) object(o types.Object) {
	if !hasPrefix(o.Name(), s.prefix) {
		return
	}
	if x := candidate(o); x.Kind != "" && (!s.types || x.Kind == "type" || x.Kind == "module") {
		s.add(x.Text, x.Kind, x.Signature)
	}
}

// candidate describes an object with JupyterLab's word for its kind.
func candidate(o types.Object) worker.Completion {
	x := worker.Completion{Text: o.Name()}
	switch o := o.(type) {
	case *types.Func:
		x.Kind, x.Signature = "function", short(o.Type())
	case *types.Builtin:
		x.Kind, x.Signature = "function", strings.TrimPrefix(builtins[o.Name()][0], "func "+o.Name())
	case *types.TypeName:
		x.Kind, x.Signature = "type", short(o.Type().Underlying())
	case *types.Const:
		x.Kind, x.Signature = "constant", short(o.Type())
	case *types.Var:
		x.Kind, x.Signature = "instance", short(o.Type())
	case *types.PkgName:
		x.Kind, x.Signature = "module", o.Imported().Path()
	case *types.Nil:
		x.Kind = "constant"
	}
	return x
}

// short is a type with packages by their names, and those of cells by none.
func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}

// beginsType are the keywords that a type can begin with.
var beginsType = map[string]bool{"chan": true, "func": true, "interface": true, "map": true, "struct": true}

func keywords(prefix string) []worker.Completion {
	var list []worker.Completion
	for t := token.BREAK; t <= token.VAR; t++ {
		if prefix != "" && strings.HasPrefix(t.String(), prefix) {
			list = append(list, worker.Completion{Text: t.String(), Kind: "keyword"})
		}
	}
	return list
}
