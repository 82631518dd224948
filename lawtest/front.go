package lawtest

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// MustForms holds the package in the working directory to one rule: every exported call that
// returns an error has a Must form of the same parameters and the results but the error, and there
// is no other Must form. Close and the forms that take a context, XContext, have none.
func MustForms(t *testing.T) {
	calls := map[string]*ast.FuncType{}
	eachExported(t, func(name string, f *ast.FuncDecl) { calls[name] = f.Type })
	for name, call := range calls {
		recv, method := splitName(name)
		if of, ok := strings.CutPrefix(method, "Must"); ok {
			if calls[recv+of] == nil {
				t.Errorf("%s: there is no %s%s", name, recv, of)
			}
			continue
		}
		results := fieldTypes(call.Results)
		if n := len(results); n == 0 || results[n-1] != "error" || method == "Close" || method == "Unwrap" ||
			strings.HasSuffix(method, "Context") {
			continue
		}
		must := calls[recv+"Must"+method]
		if must == nil {
			t.Errorf("%s has no Must form", name)
			continue
		}
		if want, got := fieldTypes(call.Params), fieldTypes(must.Params); !slices.Equal(want, got) {
			t.Errorf("%s takes %v, its Must form %v", name, want, got)
		}
		if want, got := results[:len(results)-1], fieldTypes(must.Results); !slices.Equal(want, got) {
			t.Errorf("%s gives %v beside its error, its Must form %v", name, want, got)
		}
	}
}

// Front holds the package in the working directory to naming no type of the packages below it, but
// where it declares a name of its own for one: in its exported calls and in the exported fields of
// its types.
func Front(t *testing.T, below ...string) {
	refuse := func(where string, x ast.Node) {
		ast.Inspect(x, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if p, ok := s.X.(*ast.Ident); ok && slices.Contains(below, p.Name) {
					t.Errorf("%s names %s", where, types.ExprString(s))
				}
			}
			return true
		})
	}
	eachExported(t, func(name string, f *ast.FuncDecl) { refuse(name, f.Type) })
	for _, f := range sources(t) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				s := spec.(*ast.TypeSpec)
				if fields, ok := s.Type.(*ast.StructType); ok && s.Name.IsExported() {
					for _, field := range fields.Fields.List {
						for _, n := range field.Names {
							if n.IsExported() {
								refuse(s.Name.Name+"."+n.Name, field.Type)
							}
						}
					}
				}
			}
		}
	}
}

// sources are the package's files, its tests left out.
func sources(t *testing.T) (files []*ast.File) {
	t.Helper()
	p, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// eachExported gives the exported functions, and methods of exported types, by names such as
// "Buffer.Close".
func eachExported(t *testing.T, f func(name string, d *ast.FuncDecl)) {
	for _, file := range sources(t) {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				recv := strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
				if recv, _, _ = strings.Cut(recv, "["); !ast.IsExported(recv) {
					continue
				}
				name = recv + "." + name
			}
			f(name, fn)
		}
	}
}

// splitName parts "Buffer.Close" into "Buffer." and "Close".
func splitName(name string) (recv, method string) {
	if i := strings.LastIndex(name, "."); i >= 0 {
		return name[:i+1], name[i+1:]
	}
	return "", name
}

// fieldTypes are the types of parameters or results, one each.
func fieldTypes(l *ast.FieldList) (list []string) {
	if l == nil {
		return nil
	}
	for _, f := range l.List {
		for range max(len(f.Names), 1) {
			list = append(list, types.ExprString(f.Type))
		}
	}
	return list
}
