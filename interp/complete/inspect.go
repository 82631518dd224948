package complete

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// A Subject is what stands at a place.
type Subject struct {
	Object    types.Object
	Signature string // as it would be declared
	Doc       string // its comment, or nothing
}

// Inspect finds what the identifier at a byte offset is; where none is there, the function whose
// arguments are.
func (c *Completer) Inspect(src string, cursor int) (*Subject, bool) {
	cursor = within(src, cursor)
	if s, ok := c.identifier(src, cursor); ok {
		return s, true
	}
	if _, name := word(src, cursor); name == "" || isText(src, cursor) {
		if at := callee(src, cursor); at >= 0 {
			return c.identifier(src, at)
		}
	}
	return nil, false
}

func isText(src string, cursor int) bool {
	at, in := inText(src, cursor)
	return in && src[at] != '/'
}

// callee is where the name ends before the innermost parenthesis that is open at the cursor;
// negative where there is none.
func callee(src string, cursor int) int {
	var open []int
	for i := 0; i < cursor; i++ {
		switch src[i] {
		case '(':
			open = append(open, i)
		case ')':
			open = open[:max(len(open)-1, 0)]
		default:
			i = skip(src, i)
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}

// identifier finds what the identifier at a byte offset is.
func (c *Completer) identifier(src string, cursor int) (*Subject, bool) {
	if _, in := inText(src, cursor); in {
		return nil, false
	}
	end := cursor
	for {
		r, size := utf8.DecodeRuneInString(src[end:])
		if size == 0 || !isLetter(r) {
			break
		}
		end += size
	}
	start, name := word(src, end)
	if name == "" {
		return nil, false
	}
	p := patched(c.check, src, start, end, name+marker)
	if p == nil {
		return nil, false
	}
	// Once with the marker to find the place, once without for its meaning.
	path := placeOf(p)
	whole := patched(c.check, src, start, end, name)
	if path < 0 || whole == nil {
		return nil, false
	}
	o := objectAt(whole, path)
	if o == nil {
		pkg, ok := c.check.Means(name)
		if !ok {
			return nil, false
		}
		o = types.NewPkgName(token.NoPos, nil, name, pkg)
	}
	return describe(c.check, o), true
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
		return s
	case *types.Builtin:
		if b, ok := builtins[o.Name()]; ok {
			s.Signature, s.Doc = b[0], b[1]
		}
	case *types.Const:
		s.Signature += value(o)
	case *types.TypeName:
		if t, ok := o.Type().Underlying().(*types.Struct); ok && !o.IsAlias() {
			s.Signature = declaration(t, s.Signature)
		}
	}
	if o.Pkg() != nil {
		s.Doc = c.Doc(o.Pkg().Path(), docName(o))
	}
	return s
}

// value is what stands behind a constant's type where it is declared.
func value(o *types.Const) string {
	if v := o.Val(); v != nil && v.Kind() != constant.Unknown {
		return " = " + v.String()
	}
	return ""
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
