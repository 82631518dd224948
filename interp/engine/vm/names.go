package vm

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// functionName spells a function as the runtime does: main.f, main.(*T).M, main.T.M, main.f.func1, main.Map[...].
func functionName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		return functionName(p) + ".func" + strconv.Itoa(literalNumber(p, fn))
	}
	name := fn.Name()
	if i := strings.IndexByte(name, '['); i >= 0 && len(fn.TypeArgs()) > 0 {
		name = name[:i] + "[...]"
	}
	if recv := fn.Signature.Recv(); recv != nil {
		return receiverName(recv.Type()) + "." + strings.TrimSuffix(name, "$bound")
	}
	if pkg := packageOf(fn); pkg != nil {
		return pkg.Path() + "." + name
	}
	return name
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

func literalNumber(p, fn *ssa.Function) int {
	for i, f := range p.AnonFuncs {
		if f == fn {
			return i + 1
		}
	}
	return 0
}

func receiverName(t types.Type) string {
	p, isPointer := t.(*types.Pointer)
	if isPointer {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return types.TypeString(t, (*types.Package).Path)
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
