package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"golang.org/x/tools/go/ssa"
)

// To go/types, a cell's method of an earlier cell's type is one of another package's. It checks it
// all the same, with a complaint that is dropped (ofKept); but a method that the type gains has to
// be among its methods when the first expression is checked, and is not known before all
// declarations are collected. Between the two go/types imports: the import of a second file, which
// is after all declarations, adds the methods.
const gainImport = "methods/that/types/gain"

// files are what go/types checks.
func (p *pass) files() []*ast.File {
	files := []*ast.File{p.low.file}
	if p.low.keep == nil || len(p.low.keep.gained) == 0 {
		return files
	}
	hook, err := parser.ParseFile(p.low.cell.Fset, "", "package main; import _ \""+gainImport+"\"",
		parser.SkipObjectResolution)
	if err != nil {
		panic(err) // our own text
	}
	p.methodsFirst()
	return append(files, hook)
}

// methodsFirst lets go/types see the signatures of methods before initializers of variables call
// them: it would not look for that of a method which an instance of an earlier cell's type has
// gained.
func (p *pass) methodsFirst() {
	first := func(d ast.Decl) int {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				return 0
			}
		case *ast.FuncDecl:
			if p.low.keep.kept[receiver(d)] {
				return 1
			}
		}
		return 2
	}
	slices.SortStableFunc(p.low.file.Decls, func(a, b ast.Decl) int { return first(a) - first(b) })
}

// A gaining importer knows one package more.
type gaining struct {
	types.Importer
	p *pass
}

func (g gaining) Import(path string) (*types.Package, error) {
	if path != gainImport {
		return g.Importer.Import(path)
	}
	g.p.gain()
	pkg := types.NewPackage(gainImport, "gain")
	pkg.MarkComplete()
	return pkg, nil
}

// gain adds the cell's methods of kept types that these do not have. Until they are retracted,
// nothing else may look at the methods of types: go/types is not done with these.
func (p *pass) gain() {
	engine.MethodSets.Lock()
	p.gaining = true
	p.methodsOfKept(func(t *types.Named, m *types.Func) {
		if methodOf(t, m.Name()) == nil {
			engine.AddMethod(t, m)
			p.gained = append(p.gained, gained{t.Obj().Name(), m})
		}
	})
}

// retract takes the methods back: a type has them for good when the cell is committed.
func (p *pass) retract() {
	if !p.gaining {
		engine.MethodSets.Lock()
	}
	defer engine.MethodSets.Unlock()
	p.gaining = false
	engine.NoteInstances(p.instances)
	for _, m := range p.gained {
		engine.Retract(p.env.objects[m.of].Type().(*types.Named), m.method)
	}
	p.gained = nil
}

// note notes the instances that a program makes.
func (p *pass) note(prog *ssa.Program) {
	if !p.gaining {
		engine.MethodSets.Lock()
		defer engine.MethodSets.Unlock()
	}
	engine.NoteProgram(prog)
}

// A gained method, and the name of its type.
type gained struct {
	of     string
	method *types.Func
}

// methodsOfKept calls f for the methods that the cell declares of kept types.
func (p *pass) methodsOfKept(f func(*types.Named, *types.Func)) {
	if p.low.keep == nil {
		return
	}
	for _, d := range p.low.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !p.low.keep.kept[receiver(fn)] {
			continue
		}
		t := p.env.objects[receiver(fn)].Type().(*types.Named)
		if m, ok := p.info.Defs[fn.Name].(*types.Func); ok {
			f(t, m)
		}
	}
}

// redeclared are the methods of kept types that had one of the same name.
func (p *pass) redeclared() map[*types.Func]*types.Func {
	all := map[*types.Func]*types.Func{}
	p.methodsOfKept(func(t *types.Named, m *types.Func) {
		if was := methodOf(t, m.Name()); was != nil && was != m {
			all[m] = was
		}
	})
	return all
}

// ofKept reports whether go/types complains about a method that it sees as another package's.
func (p *pass) ofKept(e types.Error) bool {
	if code(e) != codeInvalidRecv {
		return false
	}
	for _, d := range p.low.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || len(f.Recv.List) == 0 {
			continue
		}
		if at := f.Recv.List[0].Type; at.Pos() <= e.Pos && e.Pos < at.End() {
			return p.low.bodiless || p.low.keep != nil && p.low.keep.kept[receiver(f)]
		}
	}
	return false
}

// forgetGainImport: nobody else is to see the package.
func (p *pass) forgetGainImport() {
	p.pkg.SetImports(slices.DeleteFunc(slices.Clone(p.pkg.Imports()), func(i *types.Package) bool {
		return i.Path() == gainImport
	}))
}
