package lower

import (
	"go/token"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

var negations = map[reflect.Kind]func(d, x uintptr) op{
	reflect.Int: neg[int], reflect.Int8: neg[int8], reflect.Int16: neg[int16], reflect.Int32: neg[int32],
	reflect.Int64: neg[int64],
	reflect.Uint:  neg[uint], reflect.Uint8: neg[uint8], reflect.Uint16: neg[uint16], reflect.Uint32: neg[uint32],
	reflect.Uint64:  neg[uint64],
	reflect.Uintptr: neg[uintptr], reflect.Float32: neg[float32], reflect.Float64: neg[float64],
	reflect.Complex64: neg[complex64], reflect.Complex128: neg[complex128],
}

func neg[T number](d, x uintptr) op {
	return func(fp pointer) { *ref[T](fp, d) = -*ref[T](fp, x) }
}

var complements = map[reflect.Kind]func(d, x uintptr) op{
	reflect.Int: complement[int], reflect.Int8: complement[int8], reflect.Int16: complement[int16],
	reflect.Int32: complement[int32],
	reflect.Int64: complement[int64], reflect.Uint: complement[uint], reflect.Uint8: complement[uint8],
	reflect.Uint16: complement[uint16],
	reflect.Uint32: complement[uint32], reflect.Uint64: complement[uint64], reflect.Uintptr: complement[uintptr],
}

func complement[T integer](d, x uintptr) op {
	return func(fp pointer) { *ref[T](fp, d) = ^*ref[T](fp, x) }
}

func buildUnOp(c *compiler, in *ssa.UnOp) op {
	t := c.typ(in.X.Type())
	switch in.Op {
	case token.MUL:
		return c.load(in)
	case token.ARROW:
		return c.receive(in)
	case token.NOT:
		d, x := c.dst(in), operandOf[bool](c, in.X).value()
		return func(fp pointer) { *ref[bool](fp, d) = !x(fp) }
	case token.SUB:
		return negations[t.Kind](c.dst(in), c.slot(in.X))
	case token.XOR:
		return complements[t.Kind](c.dst(in), c.slot(in.X))
	}
	panic(machine.Internal("operator %s", in.Op))
}
