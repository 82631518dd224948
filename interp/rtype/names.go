package rtype

import (
	"go/types"
	"sort"
	"strconv"
	"strings"
)

// A namer writes types as the compiler does: in descriptors (%T) packages go by name, and as type
// arguments inside the names of instances by path, with local types numbered (LinkString in
// cmd/compile/internal/types).
type namer struct {
	strings.Builder
	byPath    bool
	implicits map[*types.TypeName][]types.Type
}

// descriptorName is what reflect.Type.String returns for x.
func (b *builder) descriptorName(x types.Type) string {
	n := namer{implicits: b.implicits}
	n.write(x)
	return n.String()
}

func (n *namer) str(s ...string) {
	for _, s := range s {
		n.WriteString(s)
	}
}

func (n *namer) write(x types.Type) {
	switch x := types.Unalias(x).(type) {
	case *types.Basic:
		n.basic(x)
	case *types.Named:
		n.named(x)
	case *types.Pointer:
		n.str("*")
		n.write(x.Elem())
	case *types.Slice:
		n.str("[]")
		n.write(x.Elem())
	case *types.Array:
		n.str("[", strconv.FormatInt(x.Len(), 10), "]")
		n.write(x.Elem())
	case *types.Map:
		n.str("map[")
		n.write(x.Key())
		n.str("]")
		n.write(x.Elem())
	case *types.Chan:
		n.channel(x)
	case *types.Signature:
		n.str("func")
		n.signature(x)
	case *types.Interface:
		n.iface(x)
	case *types.Struct:
		n.structure(x)
	default:
		n.str(x.String())
	}
}

func (n *namer) basic(x *types.Basic) {
	if x.Kind() == types.UnsafePointer {
		n.str("unsafe.Pointer")
		return
	}
	n.str(types.Typ[basicKind(x)].Name()) // uint8 for byte
}

func basicKind(x *types.Basic) types.BasicKind {
	if d, ok := types.Default(x).(*types.Basic); ok {
		return d.Kind()
	}
	return x.Kind()
}

// qualify writes "pkg." before a name of package p.
func (n *namer) qualify(p *types.Package) {
	switch {
	case p == nil:
	case n.byPath:
		n.str(pathPrefix(packagePath(p)), ".")
	default:
		n.str(p.Name(), ".")
	}
}

func (n *namer) named(x *types.Named) {
	obj := x.Obj()
	n.qualify(obj.Pkg())
	n.str(obj.Name())
	implicits := n.implicits[obj]
	if x.TypeArgs().Len() > 0 || len(implicits) > 0 {
		n.arguments(implicits, x.TypeArgs())
	}
	if n.byPath {
		if i := localNumber(x.Origin().Obj()); i > 0 {
			n.str("·", strconv.Itoa(i))
		}
	}
}

// arguments writes the type arguments of the functions around a local type, then the type's own.
func (n *namer) arguments(implicits []types.Type, own *types.TypeList) {
	arg := namer{byPath: true, implicits: n.implicits}
	for i, x := range implicits {
		if i > 0 {
			arg.str(",")
		}
		arg.write(x)
	}
	for i := range own.Len() {
		switch {
		case i > 0:
			arg.str(",")
		case len(implicits) > 0:
			arg.str(";")
		}
		arg.write(own.At(i))
	}
	n.str("[", arg.String(), "]")
}

func (n *namer) channel(x *types.Chan) {
	switch x.Dir() {
	case types.RecvOnly:
		n.str("<-chan ")
	case types.SendOnly:
		n.str("chan<- ")
	default:
		n.str("chan ")
		if e, ok := types.Unalias(x.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
			n.str("(")
			n.write(e)
			n.str(")")
			return
		}
	}
	n.write(x.Elem())
}

func (n *namer) signature(x *types.Signature) {
	n.params(x.Params(), x.Variadic())
	switch x.Results().Len() {
	case 0:
	case 1:
		n.str(" ")
		n.write(x.Results().At(0).Type())
	default:
		n.str(" ")
		n.params(x.Results(), false)
	}
}

func (n *namer) params(x *types.Tuple, variadic bool) {
	n.str("(")
	for i := range x.Len() {
		if i > 0 {
			n.str(", ")
		}
		t := x.At(i).Type()
		if s, ok := t.(*types.Slice); ok && variadic && i == x.Len()-1 {
			n.str("...")
			t = s.Elem()
		}
		n.write(t)
	}
	n.str(")")
}

func (n *namer) iface(x *types.Interface) {
	if x.NumMethods() == 0 {
		n.str("interface {}")
		return
	}
	n.str("interface {")
	for i, m := range interfaceMethods(x) {
		if i > 0 {
			n.str(";")
		}
		n.str(" ")
		if !m.Exported() {
			n.qualify(m.Pkg())
		}
		n.str(m.Name())
		n.signature(m.Signature())
	}
	n.str(" }")
}

func (n *namer) structure(x *types.Struct) {
	n.str("struct {")
	for i := range x.NumFields() {
		if i > 0 {
			n.str(";")
		}
		n.str(" ")
		n.fieldName(x.Field(i))
		n.write(x.Field(i).Type())
		if tag := x.Tag(i); tag != "" {
			n.str(" ", strconv.Quote(tag))
		}
	}
	if x.NumFields() > 0 {
		n.str(" ")
	}
	n.str("}")
}

func (n *namer) fieldName(f *types.Var) {
	switch {
	case !f.Embedded():
		if n.byPath && !f.Exported() {
			n.qualify(f.Pkg())
		}
		n.str(f.Name(), " ")
	case n.byPath && embeddedName(f.Type()) != f.Name(): // embedded through an alias
		n.str(f.Name(), " = ")
	}
}

func embeddedName(x types.Type) string {
	x = types.Unalias(x)
	if p, ok := x.(*types.Pointer); ok {
		x = types.Unalias(p.Elem())
	}
	switch x := x.(type) {
	case *types.Named:
		return x.Obj().Name()
	case *types.Basic:
		return x.Name()
	}
	return ""
}

// interfaceMethods returns the complete method set in the order of descriptors.
func interfaceMethods(x *types.Interface) []*types.Func {
	ms := make([]*types.Func, 0, x.NumMethods())
	for m := range x.Methods() {
		ms = append(ms, m)
	}
	sort.SliceStable(ms, func(i, j int) bool { return methodLess(ms[i], ms[j]) })
	return ms
}

// methodLess is the compiler's order: exported names first, then by name, then by package path.
func methodLess(a, b types.Object) bool {
	if a.Exported() != b.Exported() {
		return a.Exported()
	}
	if a.Name() != b.Name() {
		return a.Name() < b.Name()
	}
	return !a.Exported() && packagePath(a.Pkg()) < packagePath(b.Pkg())
}

// packagePath is the path that descriptors have: a program's main package is "main" wherever its
// files lie.
func packagePath(p *types.Package) string {
	switch {
	case p == nil:
		return ""
	case p.Name() == "main":
		return "main"
	}
	return p.Path()
}

// pathPrefix escapes a path as in linker symbols: dots in its last element, and bytes outside
// printable ASCII.
func pathPrefix(path string) string {
	slash := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7F {
			const hex = "0123456789abcdef"
			b.WriteString("%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// localNumber returns the compiler's number of a type declared inside a function: its place among
// all such declarations of the package, from 1; 0 for types declared at package level.
func localNumber(obj *types.TypeName) int {
	pkg := obj.Pkg()
	if pkg == nil || pkg.Scope().Lookup(obj.Name()) == obj || !obj.Pos().IsValid() {
		return 0
	}
	n := 0
	var walk func(s *types.Scope)
	walk = func(s *types.Scope) {
		for i := range s.NumChildren() {
			walk(s.Child(i))
		}
		if s == pkg.Scope() {
			return
		}
		for _, name := range s.Names() {
			t, ok := s.Lookup(name).(*types.TypeName)
			if !ok || t.Pkg() != pkg || t.IsAlias() || t.Pos() > obj.Pos() {
				continue
			}
			if _, ok := t.Type().(*types.Named); ok {
				n++
			}
		}
	}
	walk(pkg.Scope())
	return n
}
