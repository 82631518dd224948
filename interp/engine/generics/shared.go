package generics

import "go/types"

// ofCells tells of types that are made of types that cells declare: instances with them are not
// kept, as cells declare types again and again.
func ofCells(list ...types.Type) bool {
	w := walker{}
	for _, t := range list {
		if w.visit(t) {
			return true
		}
	}
	return false
}

// A walker visits the types that a type is made of, each once.
type walker map[types.Type]bool

func (w walker) visit(t types.Type) bool {
	t = types.Unalias(t)
	if t == nil || w[t] {
		return false
	}
	w[t] = true
	switch t := t.(type) {
	case *types.Basic:
		return false
	case *types.Named:
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "main" || w.list(t.TypeArgs())
	case *types.Map:
		return w.visit(t.Key()) || w.visit(t.Elem())
	case interface{ Elem() types.Type }:
		return w.visit(t.Elem())
	case *types.Signature:
		return w.visit(t.Params()) || w.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if w.visit(v.Type()) {
				return true
			}
		}
		return false
	case *types.Interface:
		return !t.Empty()
	}
	return true // structs and other interfaces without a name, and type parameters
}

func (w walker) list(l *types.TypeList) bool {
	for t := range l.Types() {
		if w.visit(t) {
			return true
		}
	}
	return false
}
