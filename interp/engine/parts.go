package engine

import "go/types"

// Parts calls f for the types that t is made of, one step down, as far as go/types has made them:
// nothing is made by looking. A named type has none here: what a walk over types wants of its
// arguments and of its declaration is the walk's own.
func Parts(t types.Type, f func(types.Type)) {
	switch t := t.(type) {
	case *types.Map:
		f(t.Key())
		f(t.Elem())
	case interface{ Elem() types.Type }:
		f(t.Elem())
	case *types.Struct:
		for v := range t.Fields() {
			f(v.Type())
		}
	case *types.Signature:
		f(t.Params())
		f(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			f(v.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			f(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			f(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			f(term.Type())
		}
	}
}
