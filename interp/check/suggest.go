package check

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/spelling"
)

// qualified are the names of earlier cells as go/types prints them.
var qualified = regexp.MustCompile(`\bmain\.(\pL)`)

// failure words the errors of a pass.
func (p *pass) failure() *Error {
	e, only := p.refusals()
	if only {
		return e.finish(p.copies)
	}
	for _, x := range p.errs {
		note := strings.HasPrefix(x.Msg, "\t")
		if note && code(x) == codeDuplicateLabel {
			continue // the message says where
		}
		if x = p.aboutLabels(x); x.Msg == "" || p.ofCopy(x) {
			continue
		}
		x.Msg = p.literalWords(x)
		pos := x.Fset.Position(x.Pos)
		if note && len(e.Diagnostics) > 0 {
			d := &e.Diagnostics[len(e.Diagnostics)-1]
			text := strings.TrimSpace(x.Msg)
			if x.Pos.IsValid() {
				text = pos.String() + ": " + text
			}
			d.Notes = append(d.Notes, text)
			continue
		}
		msg, rest, _ := strings.Cut(qualified.ReplaceAllString(x.Msg, "$1"), "\n")
		d := Diagnostic{Pos: pos, Msg: msg, Code: code(x), Hint: p.hint(x)}
		if pos.Filename == cell.Name(p.low.cell.Number) { // else a method that an earlier cell wrote
			d.Line = sourceLine(p.low.cell.Source, pos.Line)
		}
		if rest != "" {
			for _, line := range strings.Split(rest, "\n") {
				d.Notes = append(d.Notes, strings.TrimSpace(line))
			}
		}
		d.Notes = append(d.Notes, p.generations(msg)...)
		e.Diagnostics = append(e.Diagnostics, d)
	}
	return e.finish(p.copies)
}

// refusals are what the compiler refuses when it reads a text, and go/parser does not. Where the
// grammar is broken, there is nothing else.
func (p *pass) refusals() (e *Error, only bool) {
	e = new(Error)
	for _, r := range p.low.cell.Refusals() {
		only = only || strings.HasPrefix(r.Msg, "syntax error: ")
		e.Diagnostics = append(e.Diagnostics, Diagnostic{Pos: r.Pos, Msg: r.Msg,
			Line: sourceLine(p.low.cell.Source, r.Pos.Line), read: true})
	}
	return e, only
}

// hint is "did you mean x?" where a name is unknown and another one is near, or what the name is.
func (p *pass) hint(e types.Error) string {
	near, is := "", ""
	switch code(e) {
	case codeUndeclaredName:
		near, is = p.nearName(e.Pos)
	case codeUndeclaredImportedName:
		near, is = p.nearExport(e.Pos)
	case codeMissingFieldOrMethod:
		near = p.nearMember(e.Pos)
	}
	if near != "" {
		return "did you mean " + near + "?"
	}
	return is
}

// nearName is what the unknown name at a place may mean, or what it is.
func (p *pass) nearName(at token.Pos) (near, is string) {
	name := p.nameAt(at)
	if path := p.preloaded(name); path != "" && p.selected(at) {
		return "", "import " + strconv.Quote(path) + " declares it"
	}
	if near = nearest(name, p.visible(at)); near == "" && p.assigned(at) {
		is = name + " := declares it"
	}
	return near, is
}

// nearExport is what the name at a place, which its package does not export, may mean, or what it
// is.
func (p *pass) nearExport(at token.Pos) (near, is string) {
	s := p.selection(at)
	if s == nil {
		return "", ""
	}
	pkg := types.ExprString(s.X)
	if near = nearest(s.Sel.Name, exportedNames(p.imported(pkg))); near != "" {
		return pkg + "." + near, ""
	}
	return "", whoseMethod(p.imported(pkg), s.Sel.Name)
}

// nameAt is the name at a place.
func (p *pass) nameAt(at token.Pos) (name string) {
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() == at {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// selection is the selector whose name is at a place.
func (p *pass) selection(at token.Pos) (found *ast.SelectorExpr) {
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Pos() == at {
			found = s
		}
		return found == nil
	})
	return found
}

// selected reports whether the name at a place has a point behind it, as that of a package.
func (p *pass) selected(at token.Pos) (found bool) {
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.X.Pos() == at {
			_, is := s.X.(*ast.Ident)
			found = found || is
		}
		return !found
	})
	return found
}

// assigned reports whether the name at a place stands alone to the left of an =.
func (p *pass) assigned(at token.Pos) (found bool) {
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && s.Tok == token.ASSIGN && len(s.Lhs) == 1 && s.Lhs[0].Pos() == at {
			_, found = s.Lhs[0].(*ast.Ident)
		}
		return !found
	})
	return found
}

// visible are the names in scope at a place.
func (p *pass) visible(at token.Pos) []string {
	names := append(p.pkg.Scope().Names(), p.scope.Names()...)
	names = append(names, types.Universe.Names()...)
	for name := range p.env.imports {
		names = append(names, name)
	}
	for n, s := range p.info.Scopes {
		if n.Pos() <= at && at < n.End() {
			names = append(names, s.Names()...)
		}
	}
	return names
}

// imported is a package that the file imports, nil where there is none of the name.
func (p *pass) imported(name string) *types.Package {
	for _, o := range p.info.Uses {
		if pkg, ok := o.(*types.PkgName); ok && pkg.Name() == name {
			return pkg.Imported()
		}
	}
	return nil
}

func exportedNames(p *types.Package) []string {
	if p == nil {
		return nil
	}
	return slices.DeleteFunc(p.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
}

// whoseMethod is whose method a name is that was looked for in a package, or nothing.
func whoseMethod(p *types.Package, method string) string {
	for _, name := range exportedNames(p) {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		owner := p.Name() + "." + name
		if types.NewMethodSet(o.Type()).Lookup(p, method) != nil {
			return "it is a method of " + owner
		}
		if types.NewMethodSet(types.NewPointer(o.Type())).Lookup(p, method) != nil {
			return "it is a method of *" + owner
		}
	}
	return ""
}

// nearMember finds the field or method near to the one selected at a place. One that differs only
// in the case of its letters is in the message.
func (p *pass) nearMember(at token.Pos) string {
	s := p.selection(at)
	if s == nil || p.info.Types[s.X].Type == nil {
		return ""
	}
	near := nearest(s.Sel.Name, fieldsAndMethods(p.info.Types[s.X].Type))
	if strings.EqualFold(near, s.Sel.Name) {
		return ""
	}
	return near
}

func fieldsAndMethods(t types.Type) []string {
	var names []string
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			names = append(names, s.Field(i).Name())
		}
	}
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		names = append(names, set.At(i).Obj().Name())
	}
	return names
}

// nearest is the candidate at the smallest edit distance, at most a third of the name's length or
// 1; where none is but one edit away, one that the name is the beginning of comes first.
func nearest(name string, candidates []string) string {
	limit := min(max(1, len(name)/3)+1, tooFar)
	if len(name) < 2 {
		return ""
	}
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(c string) bool {
		return c == name || c == "_" || strings.HasPrefix(c, "In[") || strings.HasSuffix(c, standIn)
	})
	best, at := "", limit
	for _, c := range candidates {
		d := distance(strings.ToLower(name), strings.ToLower(c))
		if d < at || d == at && best != "" && c < best {
			best, at = c, d
		}
	}
	if at > 1 && len(name) >= beginning {
		return cmp.Or(shortestFrom(name, candidates), best)
	}
	return best
}

// beginning is how many letters of a name say which is meant.
const beginning = 4

// shortestFrom is the shortest candidate that begins with the name, whatever the case of its
// letters.
func shortestFrom(name string, candidates []string) (best string) {
	for _, c := range candidates {
		if len(c) > len(name) && strings.EqualFold(c[:len(name)], name) &&
			(best == "" || len(c) < len(best) || len(c) == len(best) && c < best) {
			best = c
		}
	}
	return best
}

// tooFar is a distance at which no name is near.
const tooFar = 4

// distance is that of the spellings, tooFar if their lengths alone are as different.
func distance(a, b string) int {
	if abs(len(a)-len(b)) >= tooFar {
		return tooFar
	}
	return spelling.Distance(a, b)
}

func abs(n int) int { return max(n, -n) }
