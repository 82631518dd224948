package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// show gives entry the results that the last expression has, and returns their types: none where
// there is nothing to show.
func (p *pass) show() []types.Type {
	last := p.low.last
	if last != nil && len(p.low.values) > 0 {
		return p.showValues()
	}
	if last == nil || p.silent(last.X) {
		return nil
	}
	tv := p.info.Types[last.X]
	var list []types.Type
	switch t := tv.Type.(type) {
	case nil:
		return nil
	case *types.Tuple:
		for i := range t.Len() {
			list = append(list, t.At(i).Type())
		}
	default:
		if tv.IsVoid() || tv.IsNil() || tv.IsType() {
			return nil
		}
		list = []types.Type{types.Default(t)}
		if !p.fits(last.X, tv) {
			return nil
		}
	}
	if len(list) > 0 {
		p.giveResults([]*ast.ExprStmt{last}, list)
	}
	return list
}

// showValues is show for a list of expressions.
func (p *pass) showValues() (list []types.Type) {
	for _, s := range p.low.values {
		tv := p.info.Types[s.X]
		if is := notOne(tv); is != "" {
			p.errs = append(p.errs, types.Error{Fset: p.low.cell.Fset, Pos: s.X.Pos(),
				Msg: fmt.Sprintf("%s %s: in a list of expressions each must be one value", types.ExprString(s.X), is)})
			return nil
		}
		list = append(list, types.Default(tv.Type))
		if !p.fits(s.X, tv) {
			return nil
		}
	}
	p.giveResults(p.low.values, list)
	return list
}

// notOne says what an expression is that is not one value.
func notOne(tv types.TypeAndValue) string {
	tuple, several := tv.Type.(*types.Tuple)
	switch {
	case tv.IsVoid():
		return "has no value"
	case tv.IsNil():
		return "has no type"
	case several:
		return fmt.Sprintf("has %d values", tuple.Len())
	}
	return ""
}

// fits reports whether a constant can be a value of the type that it has by default, and notes the
// error if not.
func (p *pass) fits(x ast.Expr, tv types.TypeAndValue) bool {
	b, ok := tv.Type.(*types.Basic)
	if tv.Value == nil || !ok || b.Info()&types.IsUntyped == 0 || representable(tv.Value, b.Kind()) {
		return true
	}
	p.errs = append(p.errs, types.Error{Fset: p.low.cell.Fset, Pos: x.Pos(),
		Msg: fmt.Sprintf("cannot use %s (%s constant%s) as %s value (overflows)", types.ExprString(x), b,
			exactly(x, tv.Value), types.Default(b))})
	return false
}

// exactly is a constant's value where its expression does not say it, as go/types has it in errors.
func exactly(x ast.Expr, v constant.Value) string {
	if text := v.String(); text != types.ExprString(x) {
		return " " + text
	}
	return ""
}

func representable(v constant.Value, untyped types.BasicKind) bool {
	switch untyped {
	case types.UntypedInt:
		_, exact := constant.Int64Val(constant.ToInt(v))
		return exact
	case types.UntypedRune:
		r, exact := constant.Int64Val(constant.ToInt(v))
		return exact && r == int64(int32(r))
	case types.UntypedFloat:
		return finite(v)
	case types.UntypedComplex:
		return finite(constant.Real(v)) && finite(constant.Imag(v))
	}
	return true
}

func finite(v constant.Value) bool {
	f, _ := constant.Float64Val(v)
	return !math.IsInf(f, 0)
}

// silent reports whether the expression is a call made for its effect, as fmt.Println's.
func (p *pass) silent(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := p.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "fmt" {
		return false
	}
	switch f.Name() {
	case "Print", "Printf", "Println", "Fprint", "Fprintf", "Fprintln", "Scan", "Scanf", "Scanln":
		return true
	}
	return false
}

// giveResults turns the last statements into a return, and the signature of entry into one with
// these results. The checker has seen a function without.
func (p *pass) giveResults(last []*ast.ExprStmt, list []types.Type) {
	entry := p.low.entry
	old := p.info.Defs[entry.Name].(*types.Func)
	at := last[0].Pos()
	var results []*types.Var
	fields := &ast.FieldList{Opening: entry.Type.Func, Closing: entry.Type.Func}
	for _, t := range list {
		results = append(results, types.NewParam(at, p.pkg, "", t))
		fields.List = append(fields.List, &ast.Field{Type: &ast.Ident{Name: "_", NamePos: entry.Type.Func}})
	}
	entry.Type.Results = fields
	r := &ast.ReturnStmt{Return: at}
	for _, s := range last {
		r.Results = append(r.Results, s.X)
	}
	entry.Body.List = append(entry.Body.List[:len(entry.Body.List)-len(last)], r)
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(results...), false)
	p.info.Defs[entry.Name] = types.NewFunc(old.Pos(), p.pkg, old.Name(), sig)
}

// Checks are modes in which SSA is built beside the usual: tests set ssa.SanityCheckFunctions.
var Checks ssa.BuilderMode

// build makes the unit: a program of its own, with the packages that it uses.
func (c *Checker) build(p *pass) *engine.Unit {
	u := &engine.Unit{Cell: p.low.cell.Number, Fset: p.low.cell.Fset, Pkg: p.pkg, Info: p.info,
		Replaces: map[types.Object]types.Object{}, Lasting: map[types.Object]bool{}}
	prog := ssa.NewProgram(p.low.cell.Fset, ssa.InstantiateGenerics|ssa.BareInits|Checks)
	defer p.note(prog)
	b := &builder{c: c, prog: prog, whole: map[*types.Package]bool{p.pkg: true},
		members: map[*types.Package]map[types.Object]bool{}, parts: map[*sourced]map[*part]bool{},
		stubs: map[*sourced]map[*part]bool{}}
	b.usedBeside(p.info, c.compiled(p.info))
	u.SSA = prog.CreatePackage(p.pkg, []*ast.File{p.low.file}, p.info, false)
	u.SSA.Build()
	if p.low.entry != nil {
		u.Entry = u.SSA.Func(p.low.entry.Name.Name)
	}
	if p.low.cell.Program != nil {
		u.Init, u.Entry = u.SSA.Func("init"), u.SSA.Func("main")
	}
	for _, name := range p.pkg.Scope().Names() {
		if old := c.env.objects[name]; old != nil && p.low.cell.Program == nil {
			now := p.pkg.Scope().Lookup(name)
			u.Replaces[now] = old
			if !sameKind(old, now) && c.env.generic.names(old) {
				u.Lasting[old] = true
			}
		}
	}
	u.Redeclared = p.redeclared()
	for _, g := range p.gained {
		u.Gained = append(u.Gained, g.method)
	}
	u.Instance = b.instances(&sourced{info: p.info})
	return u
}
