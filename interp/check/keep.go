package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A keeping is what becomes of the types of earlier cells that a cell declares again, or declares
// methods of. One whose declaration is the same and whose methods keep their signatures is kept: it
// stays the type that it is, methods that it has get new bodies, and it gains those that it lacks.
// Any other becomes a new type.
type keeping struct {
	decls  map[string]*typeDecl // of the types that the cell declares or declares methods of, as they are after it
	kept   map[string]bool
	gained map[string]bool // Type.Method
}

// keep decides, and prepares the cell for it: declarations of kept types are taken out, and for a
// new type of which the cell declares methods alone its declaration and other methods are put in;
// and, where the cell may adopt them, functions of earlier cells that are to select what a kept
// type gains.
func (c *Checker) keep(split *cell.Cell, adopt bool) (*keeping, error) {
	for {
		k, adopted, err := c.keepOnce(split, adopt)
		if err != nil || len(adopted) == 0 {
			return k, err
		}
		for _, f := range adopted {
			if err := split.AddFunc(f); err != nil {
				return nil, err
			}
		}
	}
}

// keepOnce decides with the functions that the cell has so far, or tells which it lacks.
func (c *Checker) keepOnce(split *cell.Cell, adopt bool) (_ *keeping, lacks []cell.Fragment, err error) {
	k := &keeping{decls: declaredTypes(split), kept: map[string]bool{}, gained: map[string]bool{}}
	if split.Program != nil {
		return k, nil, nil // it stands alone
	}
	given := c.givenMethods(split, k.decls)
	touched := len(given) > 0
	for name := range k.decls {
		touched = touched || c.earlierType(name) != nil
	}
	if !touched {
		return k, nil, nil
	}
	if err := gorelease.NamedTypes.Err(); err != nil {
		if len(given) > 0 {
			err = &engine.Refusal{What: "a method of an earlier cell's type", Reason: err.Error()}
			return nil, nil, err
		}
		return k, nil, nil // all are declared anew
	}
	if lacks = c.judge(split, k, given, adopt); len(lacks) > 0 {
		return nil, lacks, nil
	}
	for name, d := range given {
		if !k.kept[name] {
			if err := c.adopt(split, name, d); err != nil {
				return nil, nil, err
			}
		}
		k.decls[name] = d
	}
	for name := range k.kept {
		was, now := c.env.decls[name], k.decls[name]
		now.methods = merged(was.methods, now.methods)
	}
	dropTypes(split, k.kept)
	return k, nil, nil
}

// merged are the methods of before, and those of the cell in the place of the ones with their
// names.
func merged(before, now []cell.Fragment) []cell.Fragment {
	all := slices.Clone(now)
	for _, m := range before {
		if !slices.ContainsFunc(now, func(n cell.Fragment) bool { return n.Name == m.Name }) {
			all = append(all, m)
		}
	}
	return all
}

// earlierType is the type that an earlier cell declared under a name.
func (c *Checker) earlierType(name string) *types.Named {
	o, ok := c.env.objects[name].(*types.TypeName)
	if !ok || o.IsAlias() || c.env.decls[name] == nil {
		return nil
	}
	t, _ := o.Type().(*types.Named)
	return t
}

// givenMethods collects the methods that the cell declares of types that only earlier cells
// declare.
func (c *Checker) givenMethods(split *cell.Cell, own map[string]*typeDecl) map[string]*typeDecl {
	given := map[string]*typeDecl{}
	for _, f := range split.Funcs {
		name := receiver(f)
		if own[name] != nil || c.earlierType(name) == nil {
			continue
		}
		if given[name] == nil {
			given[name] = &typeDecl{spec: c.env.decls[name].spec}
		}
		given[name].methods = append(given[name].methods, split.Fragment(f.Name.Name, f))
	}
	return given
}

// A trial is the cell's declarations as go/types sees them, without the bodies of functions, beside
// those of earlier cells.
type trial struct {
	c       *Checker
	pass    *pass
	like    *likeness
	funcs   map[string][]*ast.FuncDecl // methods by type
	now     map[string]*types.Named    // as the cell declares it, where it does
	old     map[string]*types.Named
	removed map[string]bool

	adopt  bool
	adopts []cell.Fragment // functions that the cell is to declare too
}

// judge finds the types that are kept: the most that can be, since types may mention each other. It
// returns functions that the cell must declare for it.
func (c *Checker) judge(split *cell.Cell, k *keeping, given map[string]*typeDecl, adopt bool) []cell.Fragment {
	t := c.trial(split, k, given)
	t.adopt = adopt
	names := slices.Sorted(maps.Keys(t.old))
	for again := true; again; {
		again = false
		for _, name := range names {
			if t.old[name] != nil && !t.same(name) {
				t.drop(name)
				again = true
			}
		}
		if name := t.altering(); !again && name != "" {
			t.drop(name)
			again = true
		}
	}
	for name := range t.old {
		k.kept[name] = true
		for _, m := range t.gains(name) {
			k.gained[name+"."+m.Name()] = true
		}
	}
	return t.adopts
}

func (c *Checker) trial(split *cell.Cell, k *keeping, given map[string]*typeDecl) *trial {
	t := &trial{c: c, funcs: map[string][]*ast.FuncDecl{}, now: map[string]*types.Named{}, old: map[string]*types.Named{},
		removed: map[string]bool{}}
	t.like = &likeness{map[*types.TypeName]*types.TypeName{}, map[*types.TypeParam]*types.TypeParam{}}
	for _, f := range split.Funcs {
		if name := receiver(f); name != "" {
			t.funcs[name] = append(t.funcs[name], f)
		}
	}
	l := &lowered{cell: split, file: declarations(split), bodiless: true}
	c.addImports(l)
	t.pass = c.run(l, nil, nil)
	for name := range given {
		t.old[name] = c.earlierType(name)
	}
	for name, d := range k.decls {
		o, _ := t.pass.pkg.Scope().Lookup(name).(*types.TypeName)
		if old := c.earlierType(name); old != nil && o != nil && !o.IsAlias() {
			t.old[name], t.now[name] = old, o.Type().(*types.Named)
			t.like.earlier[o] = old.Obj()
			t.removed[name] = c.env.decls[name].lacks(d)
		}
	}
	return t
}

// declarations are what types and methods are declared with.
func declarations(c *cell.Cell) *ast.File {
	f := &ast.File{Name: ast.NewIdent("main")}
	for _, d := range c.Imports {
		f.Decls = append(f.Decls, d)
		for _, s := range d.Specs {
			f.Imports = append(f.Imports, s.(*ast.ImportSpec))
		}
	}
	for _, s := range c.Body.List {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok != token.VAR {
			f.Decls = append(f.Decls, d.Decl)
		}
	}
	for _, m := range c.Funcs {
		if m.Recv != nil {
			f.Decls = append(f.Decls, m)
		}
	}
	return f
}

// lacks reports whether a method that was declared beside the type, in its cell, is not declared
// with it any more.
func (d *typeDecl) lacks(now *typeDecl) bool {
	return slices.ContainsFunc(d.methods, func(m cell.Fragment) bool { return m.Cell == d.spec.Cell && !now.has(m.Name) })
}

// drop makes a type one that is not kept, and so different from its earlier self where others
// mention it.
func (t *trial) drop(name string) {
	if x := t.now[name]; x != nil {
		delete(t.like.earlier, x.Obj())
	} else {
		t.like.earlier[t.old[name].Obj()] = types.NewTypeName(token.NoPos, nil, name, nil)
	}
	delete(t.old, name)
}

// same reports whether a type is declared as it was, with methods that go with those it has.
func (t *trial) same(name string) bool {
	x, old := t.now[name], t.old[name]
	if t.removed[name] || x != nil && !t.like.declared(x, old) {
		return false
	}
	seen := map[string]bool{}
	for _, f := range t.funcs[name] {
		m, _ := t.pass.info.Defs[f.Name].(*types.Func)
		if m == nil || m.Type() == nil || seen[m.Name()] || !t.method(f, m, old) {
			return false
		}
		seen[m.Name()] = m.Name() != "_"
	}
	return true
}

// method reports whether a type can stay and have m's body for the method of its name, or gain it.
func (t *trial) method(f *ast.FuncDecl, m *types.Func, old *types.Named) bool {
	if recv := t.receiver(m); recv == nil || m.Name() == "_" || recv != old && t.like.earlier[recv.Obj()] != old.Obj() {
		return false
	}
	if was := methodOf(old, m.Name()); was != nil {
		return t.like.methods(m, was) && !(old.TypeParams().Len() > 0 && declaresType(f.Body))
	}
	o, index, _ := types.LookupFieldOrMethod(old, true, old.Obj().Pkg(), m.Name())
	_, field := o.(*types.Var)
	switch old.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return false // go/types says that it cannot have methods
	}
	return !(field && len(index) == 1)
}

func (t *trial) receiver(m *types.Func) *types.Named {
	x := types.Unalias(m.Signature().Recv().Type())
	if p, ok := x.(*types.Pointer); ok {
		x = types.Unalias(p.Elem())
	}
	n, ok := x.(*types.Named)
	if !ok {
		return nil
	}
	return n.Origin()
}

func methodOf(t *types.Named, name string) *types.Func {
	for m := range t.Methods() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

// declaresType: in an instance of a generic method, such a type is the instance's own.
func declaresType(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		found = found || ok && d.Tok == token.TYPE
		return !found
	})
	return found
}

// gains are the methods that a type does not have yet.
func (t *trial) gains(name string) (list []*types.Func) {
	for _, f := range t.funcs[name] {
		if m := t.pass.info.Defs[f.Name].(*types.Func); methodOf(t.old[name], m.Name()) == nil {
			list = append(list, m)
		}
	}
	return list
}

// altering finds a type whose new methods would change what a selector of earlier cells means, in a
// function that the cell neither declares nor can adopt; and what it is to adopt.
func (t *trial) altering() string {
	t.adopts = nil
	for _, name := range slices.Sorted(maps.Keys(t.old)) {
		for _, m := range t.gains(name) {
			for _, f := range t.c.env.altered(t.old[name], m.Name()) {
				if t.declares(f) {
					continue
				}
				p := t.c.env.promoting[f]
				if !t.adopt || p.fixed || !t.c.env.means(p.names) {
					return name
				}
				if !slices.Contains(t.adopts, p.text) {
					t.adopts = append(t.adopts, p.text)
				}
			}
		}
	}
	return ""
}

// declares reports whether the cell declares a function, or the type of the method anew.
func (t *trial) declares(name string) bool {
	return t.now[baseName(name)] != nil && t.old[baseName(name)] == nil ||
		slices.ContainsFunc(t.pass.low.cell.Funcs, func(f *ast.FuncDecl) bool { return nameOf(f) == name })
}
