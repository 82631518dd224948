package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata/std"
)

// preferred orders the packages that share a name: the first that has every name the cell uses is
// taken.
var preferred = map[string][]string{
	"rand":     {"math/rand/v2", "math/rand", "crypto/rand"},
	"template": {"text/template", "html/template"},
	"scanner":  {"text/scanner", "go/scanner"},
	"pprof":    {"runtime/pprof", "net/http/pprof"},
	"unsafe":   {"unsafe"}, // which has no export data
}

// byName are the packages of the standard library by name, where preferred does not say.
func byName(name string) []string {
	if list := preferred[name]; list != nil {
		return list
	}
	return stdByName()[name]
}

// stdByName lists the packages of each name, those of the shortest paths first.
var stdByName = sync.OnceValue(func() map[string][]string {
	library, err := std.Archive()
	if err != nil {
		return nil
	}
	all := map[string][]string{}
	for _, p := range library.Packages() {
		if refused[p] == "" {
			all[path.Base(p)] = append(all[path.Base(p)], p)
		}
	}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	}
	return all
})

// addImports adds the imports of earlier cells and of the standard library that the file uses and
// does not have, and returns the names of the latter.
func (c *Checker) addImports(l *lowered) (guessed map[string]bool) {
	guessed = map[string]bool{}
	have := declared(l)
	for name, selected := range selections(l.file) {
		if have[name] || c.env.objects[name] != nil {
			continue
		}
		p := c.env.imports[name]
		if p == "" {
			p = c.guess(name, selected)
			guessed[name] = true
		}
		if p != "" {
			addImport(l.file, name, p)
		}
	}
	c.addDots(l)
	return guessed
}

// dot keeps what the file imports with a dot.
func (e *env) dot(f *ast.File) {
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil && s.Name != nil && s.Name.Name == "." &&
			!slices.Contains(e.dots, p) {
			e.dots = append(e.dots, p)
		}
	}
}

// addDots finds the names of packages that earlier cells imported with a dot. They stand with those
// that cells declared: what this cell declares, or an earlier one did, comes first.
func (c *Checker) addDots(l *lowered) {
	if len(c.env.dots) == 0 || l.cell.Program != nil {
		return
	}
	named := map[string]bool{}
	ast.Inspect(l.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.IsExported() {
			named[id.Name] = true
		}
		return true
	})
	for _, path := range c.env.dots {
		pkg, err := c.im.Import(path)
		if err != nil {
			continue
		}
		found := len(l.dotted)
		for name := range named {
			if o := pkg.Scope().Lookup(name); o != nil && c.env.objects[name] == nil {
				l.dotted = append(l.dotted, o)
			}
		}
		if len(l.dotted) > found {
			addImport(l.file, "_", path)
		}
	}
}

func addImport(f *ast.File, name, path string) {
	spec := &ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
	if f.Name != nil {
		spec.Path.ValuePos, spec.Name.NamePos = f.Name.NamePos, f.Name.NamePos
	}
	f.Imports = append(f.Imports, spec)
	f.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}}}, f.Decls...)
}

// guess finds the standard library's package of that name that has all the selected names, else the
// one that is probably meant, so that the error tells which name it does not have.
func (c *Checker) guess(name string, selected map[string]bool) (meant string) {
	for _, p := range byName(name) {
		pkg, err := c.im.Import(p)
		if err != nil {
			continue
		}
		missing := missingIn(pkg, selected)
		if len(missing) == 0 {
			return p
		}
		if meant == "" && c.plausible(name, pkg, missing) {
			meant = p
		}
	}
	return meant
}

// missingIn are the names that a package does not export.
func missingIn(pkg *types.Package, selected map[string]bool) (missing []string) {
	for sel := range selected {
		if o := pkg.Scope().Lookup(sel); o == nil || !o.Exported() {
			missing = append(missing, sel)
		}
	}
	return missing
}

// plausible reports whether a package is meant although it does not have some names: each is nearly
// one of its own, or the package is one of those at the top, and no cell declared a name like the
// package's.
func (c *Checker) plausible(name string, pkg *types.Package, missing []string) bool {
	near := true
	for _, sel := range missing {
		if !token.IsExported(sel) {
			return false
		}
		near = near && nearest(sel, exportedNames(pkg)) != ""
	}
	return near || !strings.Contains(pkg.Path(), "/") && nearest(name, slices.Collect(maps.Keys(c.env.objects))) == ""
}

// selections collects x.sel for every name x in the file.
func selections(f *ast.File) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if name := identName(s.X); name != "" {
				if found[name] == nil {
					found[name] = map[string]bool{}
				}
				found[name][s.Sel.Name] = true
			}
		}
		return true
	})
	return found
}

// declared collects the names that the file declares at package level or imports.
func declared(l *lowered) map[string]bool {
	have := map[string]bool{}
	for name := range l.defined {
		have[name] = true
	}
	for _, d := range l.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				have[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				specNames(s, have)
			}
		}
	}
	return have
}

func specNames(s ast.Spec, have map[string]bool) {
	switch s := s.(type) {
	case *ast.ImportSpec:
		have[importName(s)] = true
	case *ast.TypeSpec:
		have[s.Name.Name] = true
	case *ast.ValueSpec:
		for _, n := range s.Names {
			have[n.Name] = true
		}
	}
}

// importName is the name that an import has in the file, by its path where it is not written.
func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && strings.Contains(p, "/") {
		base = path.Base(path.Dir(p))
	}
	return base
}

// usedImports are the imports that a checked file used, by name, and those written in the cell.
func usedImports(f *ast.File, info *types.Info) map[string]string {
	used := map[string]string{}
	for _, o := range info.Uses {
		if p, ok := o.(*types.PkgName); ok {
			used[p.Name()] = p.Imported().Path()
		}
	}
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil && s.Name == nil {
			if o, ok := info.Implicits[s].(*types.PkgName); ok {
				used[o.Name()] = p
			}
		} else if err == nil && s.Name.Name != "_" && s.Name.Name != "." {
			used[s.Name.Name] = p
		}
	}
	return used
}
