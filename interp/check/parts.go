package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A part is one declaration of a package that is made from source: a function, a method, or one
// specification of types or variables.
type part struct {
	decl ast.Decl
	once sync.Once
	// own are the parts that it names, foreign the objects of other packages. A type names its
	// methods.
	own     []*part
	foreign map[*types.Package][]types.Object
}

// parts are all of a package, by what they declare. They are found once for all cells that name the
// package.
type parts struct {
	once    sync.Once
	of      map[types.Object]*part
	methods map[*types.TypeName][]*part
}

// addSourced adds what is needed of a package made from source where objects of it are named: a
// cell that sorts needs a tenth of package slices. Where more is named later, the package is made
// again with all that was.
func (b *builder) addSourced(s *sourced, objects []types.Object) {
	have := b.parts[s]
	fresh := have == nil
	if fresh {
		have = map[*part]bool{}
		b.parts[s] = have
	}
	todo := s.declaring(objects)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; have[p] {
			continue
		}
		have[p], fresh = true, true
		p.once.Do(func() { s.resolve(p) })
		todo = append(todo, p.own...)
		for pkg, named := range p.foreign {
			b.add(pkg, named)
		}
	}
	if fresh {
		b.create(s)
	}
}

func (b *builder) create(s *sourced) {
	files, info := s.only(b.parts[s], b.stubs[s])
	b.prog.CreatePackage(s.pkg, files, info, false)
}

// stub adds a function without its body.
func (b *builder) stub(s *sourced, f *types.Func) {
	for _, p := range s.declaring([]types.Object{f}) {
		if b.stubs[s] == nil {
			b.stubs[s] = map[*part]bool{}
		}
		if !b.stubs[s][p] {
			b.stubs[s][p] = true
			b.create(s)
		}
	}
}

// CompiledBy asks an engine for an instance, for Checker.Compiled. Engines that keep none may lack
// the method.
func CompiledBy(e engine.Engine, f *types.Func, args []types.Type) bool {
	h, ok := e.(interface {
		HasInstance(f *types.Func, args []types.Type) bool
	})
	return ok && h.HasInstance(f, args)
}

// compiled are the functions made from source of which an engine has all instances that are named.
func (c *Checker) compiled(info *types.Info) map[*types.Func]bool {
	all := map[*types.Func]bool{}
	for id, instance := range info.Instances {
		f, ok := info.Uses[id].(*types.Func)
		if !ok || c.Compiled == nil || c.im.source(f.Pkg()) == nil {
			continue
		}
		has, seen := all[f]
		all[f] = (has || !seen) && c.Compiled(f, slices.Collect(instance.TypeArgs.Types()))
	}
	return all
}

// declaring are the parts that declare objects. Those of compiled packages, local ones and
// constants have none.
func (s *sourced) declaring(objects []types.Object) (list []*part) {
	s.parts.once.Do(s.divide)
	for _, o := range objects {
		if f, ok := o.(*types.Func); ok {
			o = f.Origin()
		}
		if p := s.parts.of[o]; p != nil {
			list = append(list, p)
		}
	}
	return list
}

// divide finds the parts.
func (s *sourced) divide() {
	s.parts.of, s.parts.methods = map[types.Object]*part{}, map[*types.TypeName][]*part{}
	for _, f := range s.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.divideFunc(d)
			case *ast.GenDecl:
				if d.Tok == token.VAR || d.Tok == token.TYPE {
					s.divideSpecs(d)
				}
			}
		}
	}
}

func (s *sourced) divideFunc(d *ast.FuncDecl) {
	f, ok := s.info.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	p := &part{decl: d}
	s.parts.of[f] = p
	if recv := f.Signature().Recv(); recv != nil {
		if t := receiverType(recv); t != nil {
			s.parts.methods[t] = append(s.parts.methods[t], p)
		}
	}
}

func receiverType(recv *types.Var) *types.TypeName {
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

func (s *sourced) divideSpecs(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		p := &part{decl: &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Specs: []ast.Spec{spec}}}
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.parts.of[s.info.Defs[spec.Name]] = p
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				s.parts.of[s.info.Defs[name]] = p
			}
		}
	}
}

// resolve finds what a part names.
func (s *sourced) resolve(p *part) {
	p.foreign = map[*types.Package][]types.Object{}
	name := func(o types.Object) {
		if o == nil || o.Pkg() == nil {
			return
		}
		if f, ok := o.(*types.Func); ok {
			o = f.Origin()
		}
		if o.Pkg() != s.pkg {
			p.foreign[o.Pkg()] = append(p.foreign[o.Pkg()], o)
		} else if own := s.parts.of[o]; own != nil {
			p.own = append(p.own, own)
		}
	}
	ast.Inspect(p.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			name(s.info.Uses[n])
			if t, ok := s.info.Defs[n].(*types.TypeName); ok {
				p.own = append(p.own, s.parts.methods[t]...)
			}
		case *ast.SelectorExpr:
			if x := s.info.Selections[n]; x != nil {
				name(x.Obj())
			}
		}
		return true
	})
}

// only are the files with some of their parts, others without bodies, and what go/types found of
// them.
func (s *sourced) only(have, stubs map[*part]bool) ([]*ast.File, *types.Info) {
	wanted := map[ast.Node]bool{}
	for p := range stubs {
		wanted[p.node()] = false
	}
	for p := range have {
		wanted[p.node()] = true
	}
	info := *s.info
	info.FileVersions = map[*ast.File]string{}
	var files []*ast.File
	for _, f := range s.files {
		some := *f
		some.Decls = nil
		for _, d := range f.Decls {
			if d := wantedOf(d, wanted); d != nil {
				some.Decls = append(some.Decls, d)
			}
		}
		files = append(files, &some)
		info.FileVersions[&some] = s.info.FileVersions[f]
	}
	return files, &info
}

// node is what stands for the part in its file.
func (p *part) node() ast.Node {
	if d, ok := p.decl.(*ast.GenDecl); ok {
		return d.Specs[0]
	}
	return p.decl
}

// wantedOf is a declaration with the specifications that are wanted; nil without any.
func wantedOf(d ast.Decl, wanted map[ast.Node]bool) ast.Decl {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		body, named := wanted[d]
		switch {
		case body:
			return d
		case named: // go/ssa makes a member without code of a name that is not declared as a function
			return &ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{d.(*ast.FuncDecl).Name}}}}
		}
		return nil
	}
	specs := slices.DeleteFunc(slices.Clone(g.Specs), func(spec ast.Spec) bool { return !wanted[spec] })
	if len(specs) == 0 {
		return nil
	}
	return &ast.GenDecl{TokPos: g.TokPos, Tok: g.Tok, Specs: specs}
}
