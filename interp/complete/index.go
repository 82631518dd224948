package complete

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Named finds what a name with points between its parts stands for: what Go means by it, a package
// that cells may import, by its name or path, or a method or field, Type.Name or package.Type.Name.
func (c *Completer) Named(name string) (*Subject, bool) {
	if s, ok := c.Inspect(name, len(name)); ok {
		return s, true
	}
	if s, ok := c.imported(name); ok {
		return s, true
	}
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return nil, false
	}
	owner, ok := c.Inspect(name[:at], at)
	if !ok {
		return nil, false
	}
	o, ok := owner.Object.(*types.TypeName)
	if !ok {
		return nil, false
	}
	member, _, _ := types.LookupFieldOrMethod(o.Type(), true, o.Pkg(), name[at+1:])
	if member == nil {
		return nil, false
	}
	return describe(c.check, member), true
}

// imported finds a package that no cell needs to have imported, by its path or the end of it.
func (c *Completer) imported(name string) (*Subject, bool) {
	for _, path := range c.packages() {
		if path != name && !strings.HasSuffix(path, "/"+name) {
			continue
		}
		if pkg, err := c.check.Package(path); err == nil {
			return describe(c.check, types.NewPkgName(token.NoPos, nil, pkg.Name(), pkg)), true
		}
	}
	return nil, false
}

// Neighbours are names that one could have meant instead of a name: those beside it, where there is
// a package or a type of which it would be a part.
func (c *Completer) Neighbours(name string) (names []string) {
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		_, _, list := c.At("", 0)
		for _, x := range list {
			names = append(names, x.Text)
		}
		return names
	}
	owner, ok := c.Named(name[:at])
	if !ok {
		return nil
	}
	for _, line := range owner.parts() {
		names = append(names, name[:at+1]+line.Name())
	}
	return names
}

// Index lists what a package exports and which methods a type has, a line each.
func (s *Subject) Index() (lines []string) {
	for _, o := range s.parts() {
		x := candidate(o)
		switch o := o.(type) {
		case *types.Func:
			lines = append(lines, "func "+strings.TrimPrefix(receiver(o)+o.Name()+strings.TrimPrefix(x.Signature, "func"), " "))
		case *types.TypeName:
			lines = append(lines, "type "+o.Name())
		case *types.Const:
			lines = append(lines, "const "+o.Name())
		case *types.Var:
			lines = append(lines, "var "+o.Name()+" "+x.Signature)
		}
	}
	return lines
}

func receiver(f *types.Func) string {
	r := f.Signature().Recv()
	if r == nil {
		return ""
	}
	return "(" + short(r.Type()) + ") "
}

// parts are the exported names of a package, functions first, or the exported methods of a type.
func (s *Subject) parts() (list []types.Object) {
	switch o := s.Object.(type) {
	case *types.PkgName:
		scope := o.Imported().Scope()
		for _, name := range scope.Names() {
			if token.IsExported(name) {
				list = append(list, scope.Lookup(name))
			}
		}
		slices.SortStableFunc(list, func(a, b types.Object) int { return rank(a) - rank(b) })
	case *types.TypeName:
		t := o.Type()
		if !types.IsInterface(t) {
			t = types.NewPointer(t)
		}
		set := types.NewMethodSet(t)
		for i := range set.Len() {
			if m := set.At(i).Obj(); m.Exported() {
				list = append(list, m)
			}
		}
	}
	return list
}

func rank(o types.Object) int {
	switch o.(type) {
	case *types.Func:
		return 0
	case *types.TypeName:
		return 1
	case *types.Var:
		return 2
	}
	return 3
}

// oneLine is how long the declaration of a type is that stands on one line.
const oneLine = 100

// declaration is a type as it would be declared: of a struct of another package the fields that
// cells can name.
func declaration(s *types.Struct, text string) string {
	var fields []string
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Exported() || f.Pkg() == nil || f.Pkg().Path() == "main" {
			field := f.Name() + " " + short(f.Type())
			if f.Embedded() {
				field = short(f.Type())
			}
			fields = append(fields, field)
		}
	}
	hidden := len(fields) < s.NumFields()
	if !hidden && len(text) <= oneLine {
		return text
	}
	if hidden {
		fields = append(fields, "// and unexported fields")
	}
	head, _, _ := strings.Cut(text, " struct{")
	return head + " struct {\n\t" + strings.Join(fields, "\n\t") + "\n}"
}
