package lower

import (
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/ssa"
)

func buildConvert(c *compiler, in *ssa.Convert) op { return c.convert(in, in.X) }

// buildMultiConvert serves conversions whose operand or result is of a type parameter's type set,
// instantiated by now.
func buildMultiConvert(c *compiler, in *ssa.MultiConvert) op { return c.convert(in, in.X) }

func buildChangeType(c *compiler, in *ssa.ChangeType) op {
	return copyOp(phiCopy{c.dst(in), c.slot(in.X), c.typ(in.Type())})
}

func (c *compiler) convert(in ssa.Value, v ssa.Value) op {
	from, to := c.typ(v.Type()), c.typ(in.Type())
	if c.folded[v] {
		return computedInto[c.class(in)](c.conversion(in.(*ssa.Convert)), c.dst(in))
	}
	d, x := c.dst(in), c.slot(v)
	if f := numeric[from.Kind][to.Kind]; f != nil {
		return f(d, x)
	}
	switch {
	case from.Kind == reflect.UnsafePointer || to.Kind == reflect.UnsafePointer:
		return moveSlot[pointer](d, x)
	case from.Kind == reflect.Complex64 && to.Kind == reflect.Complex128:
		return func(fp pointer) { *ref[complex128](fp, d) = complex128(*ref[complex64](fp, x)) }
	case from.Kind == reflect.Complex128 && to.Kind == reflect.Complex64:
		return func(fp pointer) { *ref[complex64](fp, d) = complex64(*ref[complex128](fp, x)) }
	case to.Kind == reflect.String:
		return toString(d, x, from)
	case from.Kind == reflect.String:
		return fromString(d, x, to)
	case types.Identical(v.Type().Underlying(), in.Type().Underlying()) || from.Reflect == to.Reflect:
		return copyOp(phiCopy{d, x, to})
	case from.Kind == reflect.Slice && to.Kind == reflect.Array:
		return c.sliceToArray(in, d, x, to)
	case from.Kind == to.Kind && from.Size == to.Size:
		return copyOp(phiCopy{d, x, to}) // named and unnamed types of one underlying type, struct tags aside
	}
	panic(machine.Internal("conversion of %s to %s", from.Reflect, to.Reflect))
}

// numeric are the conversions between integers and floats, compiled.
var numeric = map[reflect.Kind]map[reflect.Kind]func(d, x uintptr) op{
	reflect.Int: numbersFrom[int](), reflect.Int8: numbersFrom[int8](), reflect.Int16: numbersFrom[int16](),
	reflect.Int32: numbersFrom[int32](),
	reflect.Int64: numbersFrom[int64](), reflect.Uint: numbersFrom[uint](), reflect.Uint8: numbersFrom[uint8](),
	reflect.Uint16: numbersFrom[uint16](),
	reflect.Uint32: numbersFrom[uint32](), reflect.Uint64: numbersFrom[uint64](), reflect.Uintptr: numbersFrom[uintptr](),
	reflect.Float32: numbersFrom[float32](), reflect.Float64: numbersFrom[float64](),
}

type realNumber interface {
	integer | ~float32 | ~float64
}

func numbersFrom[F realNumber]() map[reflect.Kind]func(d, x uintptr) op {
	return map[reflect.Kind]func(d, x uintptr) op{
		reflect.Int: number2[F, int], reflect.Int8: number2[F, int8], reflect.Int16: number2[F, int16],
		reflect.Int32: number2[F, int32],
		reflect.Int64: number2[F, int64], reflect.Uint: number2[F, uint], reflect.Uint8: number2[F, uint8],
		reflect.Uint16: number2[F, uint16],
		reflect.Uint32: number2[F, uint32], reflect.Uint64: number2[F, uint64], reflect.Uintptr: number2[F, uintptr],
		reflect.Float32: number2[F, float32], reflect.Float64: number2[F, float64],
	}
}

func number2[F, T realNumber](d, x uintptr) op {
	return func(fp pointer) { *ref[T](fp, d) = T(*ref[F](fp, x)) }
}

// toString converts integers, []byte and []rune.
func toString(d, x uintptr, from *typ) op {
	switch {
	case from.Kind == reflect.String:
		return moveSlot[string](d, x)
	case from.Kind == reflect.Slice && from.Reflect.Elem().Kind() == reflect.Uint8:
		return func(fp pointer) { *ref[string](fp, d) = string(*ref[[]byte](fp, x)) }
	case from.Kind == reflect.Slice:
		return func(fp pointer) { *ref[string](fp, d) = string(*ref[[]rune](fp, x)) }
	}
	return func(fp pointer) {
		v := from.Value(at(fp, x))
		n := int64(-1)
		switch {
		case v.CanInt():
			n = v.Int()
		case v.Uint() <= 0x10FFFF:
			n = int64(v.Uint())
		}
		if n != int64(rune(n)) {
			n = -1
		}
		*ref[string](fp, d) = string(rune(n))
	}
}

func fromString(d, x uintptr, to *typ) op {
	if to.Reflect.Elem().Kind() == reflect.Uint8 {
		return func(fp pointer) { *ref[[]byte](fp, d) = []byte(*ref[string](fp, x)) }
	}
	return func(fp pointer) { *ref[[]rune](fp, d) = []rune(*ref[string](fp, x)) }
}

func (c *compiler) sliceToArray(in ssa.Value, d, x uintptr, to *typ) op {
	ip := c.ip(in.(ssa.Instruction))
	n := to.Reflect.Len()
	return func(fp pointer) {
		s := *ref[[]byte](fp, x)
		if len(s) < n {
			machine.FailBounds(fp, ip, gorelease.BoundsConvert, n, len(s), false)
		}
		if n > 0 {
			to.Move(at(fp, d), *ref[pointer](fp, x))
		}
	}
}
