package yaegi

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// functionName spells a function as the runtime does.
func functionName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		return functionName(p) + ".func" + strconv.Itoa(indexOf(p.AnonFuncs, fn)+1)
	}
	name := fn.Name()
	if i := strings.IndexByte(name, '['); i >= 0 && len(fn.TypeArgs()) > 0 {
		name = name[:i] + "[...]"
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
		pkg := ""
		if o := fn.Object(); o != nil && o.Pkg() != nil {
			pkg = o.Pkg().Path() + "."
		}
		if e, ok := strings.CutPrefix(t, "*"); ok {
			t = "(*" + e + ")"
		}
		return pkg + t + "." + strings.TrimSuffix(name, "$bound")
	}
	switch {
	case fn.Pkg != nil:
		return fn.Pkg.Pkg.Path() + "." + name
	case fn.Origin() != nil && fn.Origin().Pkg != nil:
		return fn.Origin().Pkg.Pkg.Path() + "." + name
	}
	return name
}
