package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
)

// generics adds the generic files of a package. Where they stand in cells they are a package of the
// same path that imports the compiled one: what they name of the rest of their package is
// qualified.
func (e entries) generics(s *source) error {
	for _, name := range s.GoFiles {
		if !exportdata.GenericFile(name) {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(s.Dir, name), nil, 0)
		if err != nil {
			return err
		}
		if err := qualify(f, s.types); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(s.Dir, name), err)
		}
		var b bytes.Buffer
		if err := format.Node(&b, fset, f); err != nil {
			return err
		}
		e[exportdata.SourceName(s.ImportPath, name)] = b.Bytes()
	}
	return nil
}

// qualify puts the package's name before what a file names of its package's other files, and
// imports it.
func qualify(f *ast.File, pkg *types.Package) error {
	named := false
	for _, id := range f.Unresolved {
		if pkg.Scope().Lookup(id.Name) == nil {
			continue // of the universe, an import or a field
		}
		if !id.IsExported() {
			return fmt.Errorf("a generic file names %s, and cells have only what is exported", id.Name)
		}
		id.Name, named = pkg.Name()+"."+id.Name, true
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && !generic(fn) {
			return fmt.Errorf("a generic file declares %s, which is not generic and would be there twice", fn.Name.Name)
		}
	}
	if named {
		own := &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(pkg.Path())}}
		decl := &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{own}}
		f.Decls = append([]ast.Decl{decl}, f.Decls...)
	}
	return nil
}
