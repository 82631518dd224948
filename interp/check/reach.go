package check

import "go/types"

// reachable are the declared types and the structs of which the objects of earlier cells are made.
func (e *env) reachable() []types.Type {
	w := walker{seen: map[types.Type]bool{}}
	for _, o := range e.objects {
		w.walk(o.Type())
	}
	return w.found
}

// A walker visits the types that a type is made of, each once, through the declarations of cells.
type walker struct {
	seen  map[types.Type]bool
	found []types.Type // declared types and structs
}

func (w *walker) walk(list ...types.Type) {
	for _, t := range list {
		t = types.Unalias(t)
		if t != nil && !w.seen[t] {
			w.seen[t] = true
			w.parts(t)
		}
	}
}

func (w *walker) parts(t types.Type) {
	switch t := t.(type) {
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			w.walk(a)
		}
		if p := t.Obj().Pkg(); p != nil && p.Path() == "main" {
			w.found = append(w.found, t)
			w.walk(t.Underlying())
		}
	case *types.Map:
		w.walk(t.Key(), t.Elem())
	case interface{ Elem() types.Type }:
		w.walk(t.Elem())
	case *types.Struct:
		w.found = append(w.found, t)
		for f := range t.Fields() {
			w.walk(f.Type())
		}
	case *types.Signature:
		w.walk(t.Params(), t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.walk(v.Type())
		}
	}
}
