package main

import (
	"go/ast"
	"go/doc"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
)

// docs collects the comments of a package's exported names: of the package itself under "", of a
// method or field under Type.Name.
func docs(s *source) exportdata.Docs {
	d := exportdata.Docs{}
	p, err := doc.NewFromFiles(s.fset, s.files, s.ImportPath, doc.PreserveAST)
	if err != nil {
		return d
	}
	d.Add("", p.Doc)
	addValues(d, p.Consts)
	addValues(d, p.Vars)
	for _, f := range p.Funcs {
		d.Add(f.Name, f.Doc)
	}
	for _, t := range p.Types {
		addType(d, t)
	}
	return d
}

func addType(d exportdata.Docs, t *doc.Type) {
	d.Add(t.Name, t.Doc)
	addValues(d, t.Consts)
	addValues(d, t.Vars)
	for _, f := range t.Funcs {
		d.Add(f.Name, f.Doc)
	}
	for _, m := range t.Methods {
		d.Add(t.Name+"."+m.Name, m.Doc)
	}
	for _, spec := range t.Decl.Specs {
		if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.Name == t.Name {
			addFields(d, t.Name, ts.Type)
		}
	}
}

// addFields takes the comments of struct fields and interface methods.
func addFields(d exportdata.Docs, typ string, x ast.Expr) {
	var list *ast.FieldList
	switch x := x.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	default:
		return
	}
	for _, f := range list.List {
		text := f.Doc.Text() + f.Comment.Text()
		for _, n := range f.Names {
			d.Add(typ+"."+n.Name, text)
		}
	}
}

func addValues(d exportdata.Docs, vs []*doc.Value) {
	for _, v := range vs {
		for _, spec := range v.Decl.Specs {
			s, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			text := s.Doc.Text() + s.Comment.Text()
			if text == "" {
				text = v.Doc
			}
			for _, n := range s.Names {
				d.Add(n.Name, text)
			}
		}
	}
}
