package check

import (
	"go/constant"
	"go/types"
	"reflect"
)

// constantTypes are the predeclared types that constants have.
var constantTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
}

// constant is what a cell gives that is one constant expression of a predeclared type: go/types
// knows its value, and there is nothing to execute. The value is not valid for other cells.
func (p *pass) constant() reflect.Value {
	c := p.low.cell
	if c.Program != nil || len(c.Funcs) > 0 || len(c.Body.List) != 1 || p.low.last == nil || len(p.low.values) > 0 {
		return reflect.Value{}
	}
	tv := p.info.Types[p.low.last.X]
	if tv.Value == nil {
		return reflect.Value{}
	}
	b, ok := types.Unalias(types.Default(tv.Type)).(*types.Basic)
	if !ok || constantTypes[b.Kind()] == nil {
		return reflect.Value{}
	}
	v := reflect.New(constantTypes[b.Kind()]).Elem()
	setConstant(v, tv.Value)
	return v
}

// setConstant sets v to a constant that is representable in its type, as fits and go/types have
// seen to.
func setConstant(v reflect.Value, c constant.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(constant.BoolVal(c))
	case v.Kind() == reflect.String:
		v.SetString(constant.StringVal(c))
	case v.CanInt():
		i, _ := constant.Int64Val(constant.ToInt(c))
		v.SetInt(i)
	case v.CanUint():
		u, _ := constant.Uint64Val(constant.ToInt(c))
		v.SetUint(u)
	case v.CanFloat():
		f, _ := constant.Float64Val(c)
		v.SetFloat(f)
	default:
		re, _ := constant.Float64Val(constant.Real(c))
		im, _ := constant.Float64Val(constant.Imag(c))
		v.SetComplex(complex(re, im))
	}
}
