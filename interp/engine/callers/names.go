package callers

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Name spells a function as the runtime does: main.f, main.(*T).M, main.T.M, main.T.M-fm,
// main.f.func1, main.f.func1.1, main.f-range1, main.Map[...], main.init.0.
func Name(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return literalName(fn)
	}
	if recv, suffix := madeOf(fn); recv != nil {
		return receiverName(recv) + "." + fn.Object().Name() + suffix
	}
	name := fn.Name()
	if i := strings.IndexByte(name, '['); i >= 0 && len(fn.TypeArgs()) > 0 {
		name = name[:i] + "[...]"
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "init#")); err == nil {
		name = "init." + strconv.Itoa(n-1)
	}
	if recv := fn.Signature.Recv(); recv != nil {
		return receiverName(recv.Type()) + "." + name
	}
	if pkg := packageOf(fn); pkg != nil {
		return pkg.Path() + "." + name
	}
	return name
}

// madeOf is the receiver's type of a method that is used as a function, T.M or t.M, and what the
// runtime writes behind such a method's name; nil for any other function.
func madeOf(fn *ssa.Function) (recv types.Type, suffix string) {
	switch {
	case strings.HasPrefix(fn.Synthetic, "thunk"):
		return fn.Signature.Params().At(0).Type(), ""
	case strings.HasPrefix(fn.Synthetic, "bound method wrapper"):
		return fn.FreeVars[0].Type(), "-fm"
	}
	return nil, ""
}

// literalName is the name of a function literal or of the body of a loop over a function. Both are
// numbered, each kind for itself, within the function or literal around them; what a loop's body
// has in it counts as that one's.
func literalName(fn *ssa.Function) string {
	outer := fn.Parent()
	for isRangeBody(outer) {
		outer = outer.Parent()
	}
	var list []*ssa.Function
	if isInit(fn) {
		list = slices.DeleteFunc(slices.Clone(outer.AnonFuncs), func(f *ssa.Function) bool { return !isInit(f) })
		return packageOf(outer).Path() + ".init." + strconv.Itoa(slices.Index(list, fn))
	}
	collect(outer, isRangeBody(fn), &list)
	n := strconv.Itoa(slices.Index(list, fn) + 1)
	switch {
	case isRangeBody(fn):
		return Name(outer) + "-range" + n
	case outer.Parent() != nil && !isInit(outer):
		return Name(outer) + "." + n
	}
	return Name(outer) + ".func" + n
}

func isRangeBody(fn *ssa.Function) bool { return fn.Synthetic == "range-over-func yield" }

// collect lists the literals of a function, or its loops' bodies, in the order of its text.
func collect(outer *ssa.Function, bodies bool, list *[]*ssa.Function) {
	for _, f := range outer.AnonFuncs {
		if isRangeBody(f) == bodies && !isOurs(f) && !isInit(f) {
			*list = append(*list, f)
		}
		if isRangeBody(f) {
			collect(f, bodies, list)
		}
	}
	slices.SortStableFunc(*list, func(a, b *ssa.Function) int { return int(a.Pos() - b.Pos()) })
}

// isInit reports whether a literal is the body of an init function of a cell: its list of results
// has no place.
func isInit(f *ssa.Function) bool {
	lit, ok := f.Syntax().(*ast.FuncLit)
	return ok && lit.Type.Results != nil && len(lit.Type.Results.List) == 0 && !lit.Type.Results.Opening.IsValid()
}

// isOurs reports whether a literal stands for the zero value of a variable of a cell: its braces
// are where its beginning is.
func isOurs(f *ssa.Function) bool {
	lit, ok := f.Syntax().(*ast.FuncLit)
	return ok && lit.Body.Lbrace == lit.Type.Func
}

func packageOf(fn *ssa.Function) *types.Package {
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if o := fn.Origin(); o != nil && o.Pkg != nil {
		return o.Pkg.Pkg
	}
	if o := fn.Object(); o != nil {
		return o.Pkg()
	}
	return nil
}

func receiverName(t types.Type) string {
	p, isPointer := t.(*types.Pointer)
	if isPointer {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	switch {
	case !ok:
		return "go:" + types.TypeString(t, (*types.Package).Path)
	case n.Obj().Pkg() == nil:
		return "go:builtin." + n.Obj().Name()
	}
	name := n.Obj().Name()
	if n.TypeArgs().Len() > 0 {
		name += "[...]"
	}
	if isPointer {
		name = "(*" + name + ")"
	}
	return n.Obj().Pkg().Path() + "." + name
}

// Start is where a function is declared; for what holds a cell's statements, whose name stands
// nowhere in the cell, the first of them.
func Start(fn *ssa.Function) token.Pos {
	if f, ok := fn.Syntax().(*ast.FuncDecl); ok && f.Body != nil && fn.Prog.Fset.Position(fn.Pos()).Filename == "" {
		return f.Body.Lbrace
	}
	return fn.Pos()
}

// End is where a function can be last: its closing brace, or its last statement where it returns
// something and so never falls off its end. It is no place for a function that has no declaration
// of its own.
func End(fn *ssa.Function) token.Pos {
	var body *ast.BlockStmt
	switch n := fn.Syntax().(type) {
	case *ast.FuncDecl:
		body = n.Body
	case *ast.FuncLit:
		body = n.Body
	}
	switch {
	case body == nil:
		return token.NoPos
	case fn.Signature.Results().Len() > 0 && len(body.List) > 0:
		return body.List[len(body.List)-1].End()
	}
	return body.Rbrace
}

// IsWrapper tells functions that go/ssa made around a method: nobody sees their frames.
func IsWrapper(fn *ssa.Function) bool {
	return slices.ContainsFunc(wrappers, func(made string) bool { return strings.HasPrefix(fn.Synthetic, made) })
}

var wrappers = []string{"wrapper", "bound method wrapper", "thunk", "method wrapper", "interface method wrapper"}
