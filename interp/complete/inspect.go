package complete

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// A Subject is what stands at a place.
type Subject struct {
	Object    types.Object
	Signature string // as it would be declared
	Doc       string // its comment, or nothing
}

// Inspect finds what the identifier at a byte offset is.
func Inspect(c *check.Checker, src string, cursor int) (*Subject, bool) {
	cursor = min(max(cursor, 0), len(src))
	end := cursor
	for end < len(src) && isLetter([]rune(src[end:])[0]) {
		end += len(string([]rune(src[end:])[0]))
	}
	start, name := word(src, end)
	if name == "" {
		return nil, false
	}
	p := patched(c, src, start, end, name+marker)
	if p == nil {
		return nil, false
	}
	// Once with the marker to find the place, once without for its meaning.
	path := placeOf(p)
	whole := patched(c, src, start, end, name)
	if path < 0 || whole == nil {
		return nil, false
	}
	o := objectAt(whole, path)
	if o == nil {
		if pkg, ok := c.PackageNamed(name); ok {
			return &Subject{nil, "package " + pkg.Name() + " // import \"" + pkg.Path() + "\"", c.Doc(pkg.Path(), "")}, true
		}
		return nil, false
	}
	return describe(c, o), true
}

// placeOf is the number of the marked identifier, in the order of the file.
func placeOf(p *check.Partial) int {
	n, found := 0, -1
	ast.Inspect(p.File, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			if strings.HasSuffix(id.Name, marker) && found < 0 {
				found = int(p.Fset.Position(id.Pos()).Line)<<20 | p.Fset.Position(id.Pos()).Column
			}
			n++
		}
		return true
	})
	return found
}

// objectAt is the object of the identifier at a place: line and column.
func objectAt(p *check.Partial, at int) (o types.Object) {
	ast.Inspect(p.File, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		if !ok || o != nil {
			return o == nil
		}
		if pos := p.Fset.Position(id.Pos()); pos.Line<<20|pos.Column == at {
			o = p.Info.Uses[id]
			if o == nil {
				o = p.Info.Defs[id]
			}
		}
		return true
	})
	return o
}

func describe(c *check.Checker, o types.Object) *Subject {
	s := &Subject{Object: o, Signature: types.ObjectString(o, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})}
	switch o := o.(type) {
	case *types.PkgName:
		s.Signature = "package " + o.Imported().Name() + " // import \"" + o.Imported().Path() + "\""
		s.Doc = c.Doc(o.Imported().Path(), "")
	default:
		if o.Pkg() != nil {
			s.Doc = c.Doc(o.Pkg().Path(), docName(o))
		}
	}
	return s
}

// docName is the name under which the comment of an object is kept.
func docName(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return o.Name()
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() + "." + f.Name()
	}
	return o.Name()
}
