package check

import (
	"go/ast"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// The compiler has no interfaces without a name that lead to themselves through an alias of theirs:
// type I = interface{ m() interface{ I } }.

// nameless notes an error for each that a cell writes.
func (p *pass) nameless() {
	if len(p.errs) > 0 {
		return
	}
	path := interfacePath{}
	ast.Inspect(p.low.file, func(n ast.Node) bool {
		written, ok := n.(*ast.InterfaceType)
		if !ok {
			return true
		}
		if t, ok := types.Unalias(p.info.Types[written].Type).(*types.Interface); ok && path.leadsBack(t) {
			p.errs = append(p.errs, types.Error{Fset: p.low.cell.Fset, Pos: written.Pos(),
				Msg: "invalid recursive type: anonymous interface refers to itself (see https://go.dev/issue/56103)"})
			for t := range path {
				path[t] = false // said once
			}
		}
		return false
	})
}

// An interfacePath holds the interfaces seen, true for those that lead back.
type interfacePath map[*types.Interface]bool

// leadsBack reports whether a method's type leads to the interface again, or to one that was found
// to, without a name on the way.
func (path interfacePath) leadsBack(t *types.Interface) bool {
	if t.NumMethods() == 0 {
		return false
	}
	if back, seen := path[t]; seen {
		return back
	}
	path[t] = true // until all ways are seen
	for m := range t.Methods() {
		if path.reaches(m.Type()) {
			return true
		}
	}
	path[t] = false
	return false
}

func (path interfacePath) reaches(t types.Type) (back bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named, *types.TypeParam, *types.Basic:
		return false
	case *types.Interface:
		return path.leadsBack(t)
	default:
		engine.Parts(t, func(part types.Type) { back = back || path.reaches(part) })
	}
	return back
}
