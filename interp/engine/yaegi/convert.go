package yaegi

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// constantValue is a constant as a value of its type.
func (u *unit) constantValue(c *ssa.Const) reflect.Value {
	t := u.typeOf(c.Type())
	v := reflect.New(t).Elem()
	if c.Value == nil {
		return v
	}
	switch b := c.Type().Underlying().(*types.Basic); {
	case b.Info()&types.IsBoolean != 0:
		v.SetBool(constant.BoolVal(c.Value))
	case b.Info()&types.IsString != 0 && c.Value.Kind() == constant.Int:
		n, _ := constant.Int64Val(c.Value)
		v.SetString(string(rune(n)))
	case b.Info()&types.IsString != 0:
		v.SetString(constant.StringVal(c.Value))
	case b.Info()&types.IsUnsigned != 0:
		v.SetUint(c.Uint64())
	case b.Info()&types.IsInteger != 0:
		v.SetInt(c.Int64())
	case b.Kind() == types.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(c.Value))
		v.SetFloat(float64(f))
	case b.Info()&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(c.Value))
		v.SetFloat(f)
	case b.Info()&types.IsComplex != 0:
		v.SetComplex(c.Complex128())
	}
	return v
}

// shift is << or >> with any count.
func (u *unit) shift(in *ssa.BinOp) func(*Frame, []reflect.Value) reflect.Value {
	t := u.typeOf(in.X.Type())
	left := in.Op == token.SHL
	return func(_ *Frame, a []reflect.Value) reflect.Value {
		n, unsigned := number(a[1])
		count := uint64(n)
		if !unsigned && n < 0 {
			sink = 1 << n // the runtime's own panic
		}
		v := reflect.New(t).Elem()
		switch x := a[0]; {
		case x.CanInt() && left:
			v.SetInt(x.Int() << count)
		case x.CanInt():
			v.SetInt(x.Int() >> count)
		case left:
			v.SetUint(x.Uint() << count)
		default:
			v.SetUint(x.Uint() >> count)
		}
		return v
	}
}

// convert is a conversion that changes the representation.
func (u *unit) convert(in ssa.Instruction, from, to types.Type) func(*Frame, []reflect.Value) reflect.Value {
	ft, tt := u.typeOf(from), u.typeOf(to)
	switch {
	case ft.Kind() == reflect.UnsafePointer && tt.Kind() == reflect.Pointer, ft.Kind() == reflect.Pointer &&
		tt.Kind() == reflect.UnsafePointer,
		ft.Kind() == reflect.UnsafePointer && tt.Kind() == reflect.UnsafePointer:
		return func(_ *Frame, a []reflect.Value) reflect.Value {
			return as(a[0], tt)
		}
	case ft.Kind() == reflect.UnsafePointer && tt.Kind() == reflect.Uintptr:
		return func(_ *Frame, a []reflect.Value) reflect.Value {
			return as(reflect.ValueOf(uintptr(*(*unsafe.Pointer)(memory(a[0])))), tt)
		}
	case tt.Kind() == reflect.UnsafePointer:
		refuse(in.Parent().Prog.Fset.Position(positionOf(in)), "a conversion of "+from.String()+" to unsafe.Pointer",
			"between operations nothing keeps the memory that an integer points to")
	case ft.Kind() == reflect.Slice && tt.Kind() == reflect.Array:
		return func(_ *Frame, a []reflect.Value) reflect.Value {
			checkConversion(a[0].Len(), tt.Len())
			if tt.Len() == 0 {
				return reflect.New(tt).Elem()
			}
			return load(tt, a[0].UnsafePointer())
		}
	case ft.Kind() == reflect.Float64 || ft.Kind() == reflect.Float32:
		if convertFloat[tt.Kind()] != nil {
			f := convertFloat[tt.Kind()]
			return func(_ *Frame, a []reflect.Value) reflect.Value {
				if a[0].Kind() == reflect.Float32 && tt.Kind() == reflect.Float32 {
					return as(a[0], tt)
				}
				return as(f(a[0].Float()), tt)
			}
		}
	}
	// package reflect converts strings to and from slices of byte and rune alone, not of types made
	// of them
	via := func(t reflect.Type) reflect.Type {
		if t.Kind() != reflect.Slice {
			return t
		}
		if t.Elem().Kind() == reflect.Uint8 {
			return reflect.TypeFor[[]byte]()
		}
		return reflect.TypeFor[[]rune]()
	}
	fv, tv := ft, tt
	if ft.Kind() == reflect.String || tt.Kind() == reflect.String {
		fv, tv = via(ft), via(tt)
	}
	return func(_ *Frame, a []reflect.Value) reflect.Value { return as(as(a[0], fv).Convert(tv), tt) }
}

// convertFloat are the conversions of floating-point numbers to each kind of number, as the
// processor does them: what does not fit is not defined by Go, and package reflect goes another
// way.
var convertFloat = map[reflect.Kind]func(float64) reflect.Value{
	reflect.Int: floatTo[int], reflect.Int8: floatTo[int8], reflect.Int16: floatTo[int16], reflect.Int32: floatTo[int32],
	reflect.Int64: floatTo[int64],
	reflect.Uint:  floatTo[uint], reflect.Uint8: floatTo[uint8], reflect.Uint16: floatTo[uint16],
	reflect.Uint32: floatTo[uint32],
	reflect.Uint64: floatTo[uint64], reflect.Uintptr: floatTo[uintptr], reflect.Float32: floatTo[float32],
	reflect.Float64: floatTo[float64],
}

func floatTo[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr | float32 | float64](x float64) reflect.Value {
	return reflect.ValueOf(T(x))
}
