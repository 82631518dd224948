package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// A method that a type gains may hide a field or method that it has promoted, or make one ambiguous
// in a type that embeds it. Functions of earlier cells that select those are declared again, with
// the cell, as their cells wrote them, so that they mean what they would in one file. Where that
// cannot be, the type becomes a new one.

// A promoting function selects what is promoted.
type promoting struct {
	text  cell.Fragment
	picks []pick
	// names are what it names beyond itself: objects of cells and of Go, packages by their paths.
	// It can be declared again while they mean the same.
	names map[string]any
	fixed bool // it cannot: instances have types of their own that it declares
}

// A pick is a selector that means something promoted, or may where a type parameter stands for a
// type.
type pick struct {
	of   types.Type
	name string
}

// promoted remembers the functions of a committed cell that select what is promoted.
func (e *env) promoted(k *Checked) {
	for _, d := range k.low.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f == k.low.entry || isInit(f) {
			continue
		}
		delete(e.promoting, nameOf(f))
		if picks := picksOf(f, k.Unit.Info); len(picks) > 0 {
			e.promoting[nameOf(f)] = &promoting{
				k.low.cell.Fragment(f.Name.Name, f), picks, freeNames(f, k.Unit.Info),
				declaresType(f.Body) && generic(k.Unit.Info.Defs[f.Name]),
			}
		}
	}
}

// nameOf is the name of a function, Type.Name of a method.
func nameOf(f *ast.FuncDecl) string {
	if r := receiver(f); r != "" {
		return r + "." + f.Name.Name
	}
	return f.Name.Name
}

func picksOf(f *ast.FuncDecl, info *types.Info) (picks []pick) {
	ast.Inspect(f, func(n ast.Node) bool {
		x, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if s := info.Selections[x]; s != nil && (len(s.Index()) > 1 || isParam(s.Recv())) {
			if p := (pick{s.Recv(), x.Sel.Name}); !slices.Contains(picks, p) {
				picks = append(picks, p)
			}
		}
		return true
	})
	return picks
}

func isParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// freeNames are the names of a function that its cell or another one declares, or Go.
func freeNames(f *ast.FuncDecl, info *types.Info) map[string]any {
	names := map[string]any{}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := info.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			names[id.Name] = o.Imported().Path()
		default:
			p := o.Pkg()
			ofGo, ofCells := p == nil && o.Parent() == types.Universe, p != nil && p.Path() == "main" && o.Parent() == p.Scope()
			if ofGo || ofCells {
				names[id.Name] = o
			}
		}
		return true
	})
	return names
}

// means reports whether names mean the same now.
func (e *env) means(names map[string]any) bool {
	for name, was := range names {
		now, path := e.objects[name], e.imports[name]
		switch was := was.(type) {
		case string:
			if now != nil || path != "" && path != was {
				return false
			}
		case types.Object:
			if was.Pkg() == nil && (now != nil || path != "") {
				return false
			}
			if was.Pkg() != nil && now != was && (now == nil || !sameKind(was, now)) {
				return false
			}
		}
	}
	return true
}

// altered are the functions of earlier cells that select something else where a type has one more
// method.
func (e *env) altered(t *types.Named, method string) (names []string) {
	pkg := t.Obj().Pkg()
	hidden, _, _ := types.LookupFieldOrMethod(t, true, pkg, method)
	before := map[pick]types.Object{}
	for _, f := range e.promoting {
		for _, p := range f.picks {
			if p.name == method {
				before[p], _, _ = types.LookupFieldOrMethod(p.of, true, pkg, method)
			}
		}
	}
	if len(before) == 0 {
		return nil
	}
	engine.MethodSets.Lock()
	defer engine.MethodSets.Unlock()
	recv := types.NewVar(token.NoPos, pkg, "", t)
	m := types.NewFunc(token.NoPos, pkg, method, types.NewSignatureType(recv, nil, nil, nil, nil, false))
	if t.TypeParams().Len() > 0 {
		for p := range before {
			engine.NoteTypes(p.of)
		}
	}
	engine.AddMethod(t, m)
	defer engine.Retract(t, m)
	changed := func(p pick) bool {
		was, ok := before[p]
		if ok && isParam(p.of) {
			return hidden != nil
		}
		now, _, _ := types.LookupFieldOrMethod(p.of, true, pkg, method)
		return ok && was != now
	}
	for _, name := range slices.Sorted(maps.Keys(e.promoting)) {
		if slices.ContainsFunc(e.promoting[name].picks, changed) {
			names = append(names, name)
		}
	}
	return names
}
