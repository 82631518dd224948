package lower

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// extremeOf tells a call of min or max with two operands that is computed in a register, as an
// operator would be.
func (c *compiler) extremeOf(in *ssa.Call) bool {
	b, ok := in.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "min" || b.Name() == "max") && len(in.Call.Args) == 2 && extremeValues[c.class(in)] != nil
}

// extremeValues make the value of such a call.
var extremeValues map[class]func(c *compiler, in *ssa.Call) any

func init() { // the operands are made with the table
	extremeValues = map[class]func(c *compiler, in *ssa.Call) any{
		classInt: extremeValue[int], classUint64: extremeValue[uint64], classInt32: extremeValue[int32],
		classUint32: extremeValue[uint32],
		classUint8:  extremeValue[uint8], classFloat64: extremeValue[float64],
	}
}

func extremeValue[T ordered](c *compiler, in *ssa.Call) any {
	x, y := operandOf[T](c, in.Call.Args[0]), operandOf[T](c, in.Call.Args[1])
	if in.Call.Value.Name() == "min" {
		return minValue(x, y)
	}
	return maxValue(x, y)
}

func minValue[T ordered](x, y operand[T]) value[T] {
	f, g, a, b := x.value(), y.value(), x.slot, y.slot
	if both(x.form, y.form) == slotSlot {
		return func(fp pointer) T { return min(*ref[T](fp, a), *ref[T](fp, b)) }
	}
	return func(fp pointer) T {
		v := f(fp)
		return min(v, g(fp))
	}
}

func maxValue[T ordered](x, y operand[T]) value[T] {
	f, g, a, b := x.value(), y.value(), x.slot, y.slot
	if both(x.form, y.form) == slotSlot {
		return func(fp pointer) T { return max(*ref[T](fp, a), *ref[T](fp, b)) }
	}
	return func(fp pointer) T {
		v := f(fp)
		return max(v, g(fp))
	}
}

// An extreme makes d the lesser, or the greater, of d and x.
type extreme func(d, x uintptr) op

var minima = map[reflect.Kind]extreme{}
var maxima = map[reflect.Kind]extreme{}

func init() {
	extremes[int](reflect.Int)
	extremes[int8](reflect.Int8)
	extremes[int16](reflect.Int16)
	extremes[int32](reflect.Int32)
	extremes[int64](reflect.Int64)
	extremes[uint](reflect.Uint)
	extremes[uint8](reflect.Uint8)
	extremes[uint16](reflect.Uint16)
	extremes[uint32](reflect.Uint32)
	extremes[uint64](reflect.Uint64)
	extremes[uintptr](reflect.Uintptr)
	extremes[float32](reflect.Float32)
	extremes[float64](reflect.Float64)
	extremes[string](reflect.String)
}

func extremes[T ordered](k reflect.Kind) {
	minima[k] = func(d, x uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = min(*ref[T](fp, d), *ref[T](fp, x)) }
	}
	maxima[k] = func(d, x uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = max(*ref[T](fp, d), *ref[T](fp, x)) }
	}
}

func buildMin(c *compiler, in *ssa.Call) op { return c.extreme(in, minima) }
func buildMax(c *compiler, in *ssa.Call) op { return c.extreme(in, maxima) }

// extreme takes all operands in turn where they are not two of a class.
func (c *compiler) extreme(in *ssa.Call, of map[reflect.Kind]extreme) op {
	if c.extremeOf(in) {
		k := c.class(in)
		return computedInto[k](extremeValues[k](c, in), c.dst(in))
	}
	t := c.typ(in.Type())
	d := c.temp(t) // the result's slot may be an argument's
	ops := []op{copyOp(phiCopy{d, c.slot(in.Call.Args[0]), t})}
	for _, a := range in.Call.Args[1:] {
		ops = append(ops, of[t.Kind](d, c.slot(a)))
	}
	ops = append(ops, copyOp(phiCopy{c.dst(in), d, t}))
	return func(fp pointer) {
		for _, o := range ops {
			o(fp)
		}
	}
}
