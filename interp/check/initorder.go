package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// The steps of a cell are executed in the order of the text, but for variables that are declared by
// var:
//
//   - Those with no statement between them are initialized as the variables of a package are: again
//     and again the first that needs none that is not initialized, where a variable needs those
//     that its initializer names, or a function or method of the cell that it names.
//   - One that a step before needs in this way, through functions (by name it would mean an earlier
//     cell's), is initialized before that step. That is refused where it needs what statements
//     between the two set.
//   - One without initializer is zero before all steps if functions of the cell name it.

// An initOrder finds the order of a cell's steps.
type initOrder struct {
	*pass
	funcs map[types.Object]*ast.FuncDecl // of the cell, by what names mean
	of    map[types.Object]*step         // by the variables that steps set first
	done  map[*step]bool                 // those that others need no more
	order []*step
	added map[*step]bool
	named map[ast.Node][]types.Object // what objects has found
}

// order orders the steps. A whole program's package initializer does it, and that of a cell does
// nothing.
func (p *pass) order() {
	if p.low.cell.Program != nil {
		return
	}
	p.info.InitOrder = nil
	if p.low.entry == nil || len(p.errs) > 0 || !slices.ContainsFunc(p.low.steps, isVar) {
		return
	}
	o := &initOrder{
		pass: p, funcs: p.functions(), of: map[types.Object]*step{},
		done: map[*step]bool{}, added: map[*step]bool{}, named: map[ast.Node][]types.Object{},
	}
	for name, at := range p.low.defined {
		if v := p.pkg.Scope().Lookup(name); v != nil {
			o.of[v] = p.low.steps[at]
		}
	}
	o.zero()
	for i := 0; i < len(p.low.steps); {
		s := p.low.steps[i]
		end := i + 1
		for s.run > 0 && end < len(p.low.steps) && p.low.steps[end].run == s.run {
			end++
		}
		if s.run > 0 {
			o.initialize(p.low.steps[i:end])
		} else {
			o.early(s, o.needed(s, isVar))
			o.add(s)
			o.done[s] = true
		}
		i = end
	}
	p.low.entry.Body.List = p.low.sequence(o.order)
}

// functions are the cell's, and its methods, by what the cell's identifiers mean: of a type of an
// earlier cell, that may be its earlier method.
func (p *pass) functions() map[types.Object]*ast.FuncDecl {
	all := map[types.Object]*ast.FuncDecl{}
	again := p.redeclared()
	for _, d := range p.low.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f == p.low.entry {
			continue
		}
		if o, ok := p.info.Defs[f.Name].(*types.Func); ok {
			all[o] = f
			if was := again[o]; was != nil {
				all[was] = f
			}
		}
	}
	return all
}

func (o *initOrder) add(s *step) {
	if !o.added[s] {
		o.added[s] = true
		o.order = append(o.order, s)
	}
}

// zero adds the variables without initializer that are zero from the beginning, in the first run or
// because functions name them. One that a step before its declaration means with an earlier cell's
// value keeps it until there.
func (o *initOrder) zero() {
	named := map[*step]bool{}
	for _, f := range o.funcs {
		o.objects(f, func(x types.Object) { named[o.of[x]] = true })
	}
	for _, s := range o.low.steps {
		if s.zero && named[s] && !o.low.early[s.names[0].Name] {
			o.add(s)
		}
	}
}

// initialize adds the steps of variables in the order in which they need each other, each behind
// what it needs of later ones. A variable without initializer is zero before all, and has its turn
// as others have.
func (o *initOrder) initialize(run []*step) {
	left := slices.DeleteFunc(slices.Clone(run), func(s *step) bool { return o.done[s] })
	for _, s := range left {
		if s.zero {
			o.add(s)
		}
	}
	within := func(s *step) bool { return slices.Contains(run, s) }
	for {
		left = slices.DeleteFunc(left, func(s *step) bool { return o.done[s] })
		if len(left) == 0 {
			return
		}
		i := slices.IndexFunc(left, func(s *step) bool { return len(o.needed(s, within)) == 0 })
		if i < 0 {
			o.cycle(left)
			return
		}
		o.early(left[i], o.needed(left[i], isVar))
		o.add(left[i])
		o.done[left[i]] = true
	}
}

// isVar reports whether a step initializes variables that are declared by var.
func isVar(s *step) bool { return s.run > 0 }

// early initializes variables before the step that needs them.
func (o *initOrder) early(s *step, later []*step) {
	for _, v := range later {
		before := func(x *step) bool {
			return x.run == 0 && slices.Index(o.low.steps, x) < slices.Index(o.low.steps, v)
		}
		if between := o.needed(v, before); len(between) > 0 {
			name, at := v.names[0].Name, o.low.cell.Fset.Position(between[0].stmts[0].Pos())
			o.errs = append(o.errs, types.Error{Fset: o.low.cell.Fset, Pos: s.stmts[0].Pos(), Msg: fmt.Sprintf(
				"this needs %s, which is initialized later, from what line %d sets: move both before it", name, at.Line)})
			return
		}
	}
	if len(later) > 0 {
		o.initialize(later)
	}
}

// needed are the steps, not done yet and in the order of the text, that a step needs: those of
// variables that its expressions name, or functions that they name.
func (o *initOrder) needed(s *step, of func(*step) bool) []*step {
	found := map[*step]bool{}
	seen := map[types.Object]bool{}
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		o.objects(n, func(x types.Object) {
			if seen[x] {
				return
			}
			seen[x] = true
			if v := o.of[x]; v != nil && !o.done[v] {
				found[v] = true
			}
			if f := o.funcs[x]; f != nil {
				visit(f)
			}
		})
	}
	for _, n := range s.expressions() {
		visit(n)
	}
	var list []*step
	for _, x := range o.low.steps {
		if found[x] && of(x) {
			list = append(list, x)
		}
	}
	return list
}

// expressions are what a step evaluates, without the variables that it sets.
func (s *step) expressions() (list []ast.Node) {
	for _, st := range s.stmts {
		a, ok := unlabel(st).(*ast.AssignStmt)
		if !ok {
			list = append(list, st)
			continue
		}
		for _, x := range a.Rhs {
			list = append(list, x)
		}
		for _, x := range a.Lhs {
			if identName(x) == "" {
				list = append(list, x)
			}
		}
	}
	return list
}

// objects calls f for what identifiers below n mean.
func (o *initOrder) objects(n ast.Node, f func(types.Object)) {
	list, known := o.named[n]
	if !known {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				switch x := o.info.Uses[id].(type) {
				case *types.Func:
					list = append(list, x.Origin())
				case *types.Var:
					list = append(list, x)
				}
			}
			return true
		})
		o.named[n] = list
	}
	for _, x := range list {
		f(x)
	}
}

// cycle notes the error of variables that need each other, in the compiler's words.
func (o *initOrder) cycle(left []*step) {
	for _, s := range left {
		for _, n := range s.names {
			first := o.pkg.Scope().Lookup(n.Name)
			path := o.path(first, first, map[types.Object]bool{})
			if first == nil || path == nil {
				continue
			}
			note := func(at token.Pos, format string, args ...any) {
				o.errs = append(o.errs, types.Error{Fset: o.low.cell.Fset, Pos: at, Msg: fmt.Sprintf(format, args...)})
			}
			if len(path) == 1 {
				note(first.Pos(), "initialization cycle: %s refers to itself", first.Name())
				return
			}
			note(first.Pos(), "initialization cycle for %s", first.Name())
			for i, x := range path {
				note(x.Pos(), "\t%s refers to %s", x.Name(), path[(i+1)%len(path)].Name())
			}
			return
		}
	}
}

// path leads from one object to another over what initializers and functions name, without the
// last.
func (o *initOrder) path(from, to types.Object, seen map[types.Object]bool) (path []types.Object) {
	if seen[from] {
		return nil
	}
	seen[from] = true
	var nodes []ast.Node
	if f := o.funcs[from]; f != nil {
		nodes = []ast.Node{f}
	} else if s := o.of[from]; s != nil && !o.done[s] {
		nodes = s.expressions()
	}
	for _, n := range nodes {
		o.objects(n, func(x types.Object) {
			switch {
			case path != nil:
			case x == to:
				path = []types.Object{from}
			default:
				if rest := o.path(x, to, seen); rest != nil {
					path = append([]types.Object{from}, rest...)
				}
			}
		})
	}
	return path
}

// initializes reports whether go/types complains about the order in which variables are
// initialized, which it sees as a package's.
func (p *pass) initializes(e types.Error) bool {
	if code(e) != codeInvalidInitCycle {
		return false
	}
	for _, name := range p.pkg.Scope().Names() {
		v, ok := p.pkg.Scope().Lookup(name).(*types.Var)
		if ok && v.Pos() == e.Pos {
			return v.Type() != nil && v.Type() != types.Typ[types.Invalid]
		}
	}
	return false
}
