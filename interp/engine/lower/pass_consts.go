package lower

import (
	"go/constant"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// constantMemory returns memory that holds the constant as a value of type t.
func constantMemory(t *typ, k constant.Value) pointer {
	p := rtype.New(t.Word)
	v := t.Value(p)
	switch t.Kind {
	case reflect.Bool:
		v.SetBool(constant.BoolVal(k))
	case reflect.String:
		v.SetString(constantString(k))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, _ := constant.Int64Val(constant.ToInt(k))
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(constantUint(k))
	case reflect.Float32:
		x, _ := constant.Float32Val(constant.ToFloat(k))
		v.SetFloat(float64(x))
	case reflect.Float64:
		x, _ := constant.Float64Val(constant.ToFloat(k))
		v.SetFloat(x)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(constantComplex(t.Kind, constant.ToComplex(k)))
	case reflect.UnsafePointer:
		*(*uintptr)(p) = uintptr(constantUint(k))
	default:
		panic(machine.Internal("constant %s of type %s", k, t.Reflect))
	}
	return p
}

func constantUint(k constant.Value) uint64 {
	k = constant.ToInt(k)
	if n, ok := constant.Uint64Val(k); ok {
		return n
	}
	n, _ := constant.Int64Val(k)
	return uint64(n)
}

// constantString is also string(rune), which go/types folds to an integer in converted constants.
func constantString(k constant.Value) string {
	if k.Kind() == constant.Int {
		n, ok := constant.Int64Val(k)
		if !ok || n != int64(rune(n)) {
			return "\uFFFD"
		}
		return string(rune(n))
	}
	return constant.StringVal(k)
}

func constantComplex(kind reflect.Kind, k constant.Value) complex128 {
	if kind == reflect.Complex64 {
		re, _ := constant.Float32Val(constant.Real(k))
		im, _ := constant.Float32Val(constant.Imag(k))
		return complex(float64(re), float64(im))
	}
	re, _ := constant.Float64Val(constant.Real(k))
	im, _ := constant.Float64Val(constant.Imag(k))
	return complex(re, im)
}

// smallCount reads a constant shift count; counts too large for uint64 shift everything out.
func smallCount(k constant.Value) (uint64, bool) {
	k = constant.ToInt(k)
	if k.Kind() != constant.Int || constant.Sign(k) < 0 {
		return 0, false
	}
	if n, ok := constant.Uint64Val(k); ok {
		return n, true
	}
	return 1 << 62, true
}
