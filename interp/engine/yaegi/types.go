package yaegi

import (
	"go/types"
	"reflect"
)

// typeOf is the runtime type of x. It panics with the table's error, which loading turns into a
// refusal.
func (u *unit) typeOf(x types.Type) reflect.Type {
	if t := ssaType(x); t != nil {
		return t
	}
	return u.TypeOf(x)
}

// ssaType answers for the types that go/ssa invents: a defer stack is the Frame that has it.
func ssaType(x types.Type) reflect.Type {
	switch t := x.(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && p.Path() == "$ssa" {
			return reflect.TypeFor[*Frame]()
		}
	case *types.Pointer:
		if e := ssaType(t.Elem()); e != nil {
			return reflect.PointerTo(e)
		}
	case *types.Basic:
		if t.Kind() == types.Invalid || t.Kind() == types.UntypedNil {
			return reflect.TypeFor[*Frame]()
		}
	}
	return nil
}

// textType is the type of yaegi's variable for values of x.
func textType(x types.Type) string {
	if k := basicName(x); k != "" {
		return k
	}
	return "*h.V"
}

// basicName is the basic type that yaegi holds an x as, "" if it holds a V. Complex numbers are V:
// yaegi's arithmetic on them is not Go's.
func basicName(x types.Type) string {
	b, ok := x.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) == 0 {
		return ""
	}
	if b.Info()&types.IsUntyped != 0 {
		b = types.Default(b).(*types.Basic)
	}
	return types.Typ[b.Kind()].Name()
}

func elemOf(pointer types.Type) types.Type { return pointer.Underlying().(*types.Pointer).Elem() }
