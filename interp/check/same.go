package check

import (
	"go/types"
	"slices"
)

// A likeness compares declarations of a cell with earlier ones: types are the same if they would be
// identical, were each type that the cell declares again the one that it takes the place of.
type likeness struct {
	earlier map[*types.TypeName]*types.TypeName // declared again -> declared before
	params  map[*types.TypeParam]*types.TypeParam
}

// declared reports whether two declared types have the same type parameters and underlying type.
func (l *likeness) declared(x, y *types.Named) bool {
	return l.bind(x.TypeParams(), y.TypeParams()) && l.types(x.Underlying(), y.Underlying())
}

// methods reports whether two methods have the same kind of receiver, parameters and results.
func (l *likeness) methods(x, y *types.Func) bool {
	a, b := x.Signature(), y.Signature()
	return onPointer(a) == onPointer(b) && l.bind(a.RecvTypeParams(), b.RecvTypeParams()) && l.signatures(a, b)
}

func onPointer(s *types.Signature) bool {
	_, ok := types.Unalias(s.Recv().Type()).(*types.Pointer)
	return ok
}

// bind makes type parameters correspond, in their order, and compares their constraints.
func (l *likeness) bind(xs, ys *types.TypeParamList) bool {
	if xs.Len() != ys.Len() {
		return false
	}
	for i := range xs.Len() {
		l.params[xs.At(i)] = ys.At(i)
	}
	for i := range xs.Len() {
		if !l.types(xs.At(i).Constraint(), ys.At(i).Constraint()) {
			return false
		}
	}
	return true
}

func (l *likeness) types(x, y types.Type) bool {
	x, y = types.Unalias(x), types.Unalias(y)
	switch x := x.(type) {
	case *types.Named:
		y, ok := y.(*types.Named)
		return ok && l.named(x, y)
	case *types.TypeParam:
		y, ok := y.(*types.TypeParam)
		return ok && l.params[x] == y
	case *types.Struct:
		y, ok := y.(*types.Struct)
		return ok && l.structs(x, y)
	case *types.Interface:
		y, ok := y.(*types.Interface)
		return ok && l.interfaces(x, y)
	case *types.Signature:
		y, ok := y.(*types.Signature)
		return ok && l.signatures(x, y)
	case *types.Union:
		y, ok := y.(*types.Union)
		return ok && l.unions(x, y)
	}
	return l.composed(x, y)
}

// composed compares types that are made of others only.
func (l *likeness) composed(x, y types.Type) bool {
	switch x := x.(type) {
	case *types.Basic:
		return x.Kind() != types.Invalid && types.Identical(x, y)
	case *types.Pointer:
		y, ok := y.(*types.Pointer)
		return ok && l.types(x.Elem(), y.Elem())
	case *types.Slice:
		y, ok := y.(*types.Slice)
		return ok && l.types(x.Elem(), y.Elem())
	case *types.Array:
		y, ok := y.(*types.Array)
		return ok && x.Len() == y.Len() && l.types(x.Elem(), y.Elem())
	case *types.Chan:
		y, ok := y.(*types.Chan)
		return ok && x.Dir() == y.Dir() && l.types(x.Elem(), y.Elem())
	case *types.Map:
		y, ok := y.(*types.Map)
		return ok && l.types(x.Key(), y.Key()) && l.types(x.Elem(), y.Elem())
	}
	return false
}

func (l *likeness) named(x, y *types.Named) bool {
	obj := x.Origin().Obj()
	if was := l.earlier[obj]; was != nil {
		obj = was
	}
	if obj != y.Origin().Obj() || x.TypeArgs().Len() != y.TypeArgs().Len() {
		return false
	}
	for i := range x.TypeArgs().Len() {
		if !l.types(x.TypeArgs().At(i), y.TypeArgs().At(i)) {
			return false
		}
	}
	return true
}

func (l *likeness) structs(x, y *types.Struct) bool {
	if x.NumFields() != y.NumFields() {
		return false
	}
	for i := range x.NumFields() {
		a, b := x.Field(i), y.Field(i)
		if a.Id() != b.Id() || a.Embedded() != b.Embedded() || x.Tag(i) != y.Tag(i) || !l.types(a.Type(), b.Type()) {
			return false
		}
	}
	return true
}

func (l *likeness) interfaces(x, y *types.Interface) bool {
	if x.NumMethods() != y.NumMethods() || x.IsMethodSet() != y.IsMethodSet() || x.IsComparable() != y.IsComparable() {
		return false
	}
	for i := range x.NumMethods() { // both are ordered by Id
		a, b := x.Method(i), y.Method(i)
		if a.Id() != b.Id() || !l.signatures(a.Signature(), b.Signature()) {
			return false
		}
	}
	return x.IsMethodSet() || slices.EqualFunc(slices.Collect(x.EmbeddedTypes()), slices.Collect(y.EmbeddedTypes()),
		l.types)
}

func (l *likeness) unions(x, y *types.Union) bool {
	return slices.EqualFunc(slices.Collect(x.Terms()), slices.Collect(y.Terms()), func(a, b *types.Term) bool {
		return a.Tilde() == b.Tilde() && l.types(a.Type(), b.Type())
	})
}

// signatures compares parameters and results, not receivers.
func (l *likeness) signatures(x, y *types.Signature) bool {
	return x.Variadic() == y.Variadic() && l.bind(x.TypeParams(), y.TypeParams()) && l.tuples(x.Params(), y.Params()) &&
		l.tuples(x.Results(), y.Results())
}

func (l *likeness) tuples(x, y *types.Tuple) bool {
	if x.Len() != y.Len() {
		return false
	}
	for i := range x.Len() {
		if !l.types(x.At(i).Type(), y.At(i).Type()) {
			return false
		}
	}
	return true
}
