package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
)

// sourceNeeds lists the packages, among those whose types come from source, that the export data of
// s may name: they have to be there before it is read, or the same type would exist twice.
func (w *world) sourceNeeds(s *source) []string {
	seen := map[string]bool{}
	var needs []string
	var visit func(s *source)
	visit = func(s *source) {
		for _, q := range s.types.Imports() {
			if seen[q.Path()] {
				continue
			}
			seen[q.Path()] = true
			if exportdata.FromSource(q.Path()) {
				needs = append(needs, q.Path())
			}
			visit(w.by[q.Path()])
		}
	}
	visit(s)
	slices.Sort(needs)
	return needs
}

// sources adds the files of a package whose generic bodies come from the release's own source.
func (e entries) sources(s *source) error {
	if !exportdata.FromRelease(s.ImportPath) {
		return nil
	}
	for _, name := range s.GoFiles {
		fset := token.NewFileSet() // docs has changed the files that were checked
		f, err := parser.ParseFile(fset, filepath.Join(s.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		strip(f)
		var b bytes.Buffer
		if err := format.Node(&b, fset, f); err != nil {
			return err
		}
		e[exportdata.SourceName(s.ImportPath, name)] = b.Bytes()
	}
	return nil
}

// strip removes the bodies of functions and methods that are not generic: the compiled ones are
// called instead, which package symbols has under the same names.
func strip(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && !generic(fn) {
			fn.Body = nil
		}
	}
}

func generic(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return f.Type.TypeParams != nil
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch t.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}
