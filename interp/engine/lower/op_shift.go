package lower

import (
	"go/token"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// shifters shift by a count that is already known to be no less than 0.
var shifters = map[reflect.Kind]func(tok token.Token, d, x uintptr, count func(pointer) uint64) op{
	reflect.Int: shifts[int], reflect.Int8: shifts[int8], reflect.Int16: shifts[int16], reflect.Int32: shifts[int32],
	reflect.Int64: shifts[int64],
	reflect.Uint:  shifts[uint], reflect.Uint8: shifts[uint8], reflect.Uint16: shifts[uint16],
	reflect.Uint32: shifts[uint32],
	reflect.Uint64: shifts[uint64], reflect.Uintptr: shifts[uintptr],
}

var constantShifters = map[reflect.Kind]func(tok token.Token, d, x uintptr, k uint64) op{
	reflect.Int: shiftsBy[int], reflect.Int8: shiftsBy[int8], reflect.Int16: shiftsBy[int16],
	reflect.Int32: shiftsBy[int32], reflect.Int64: shiftsBy[int64],
	reflect.Uint: shiftsBy[uint], reflect.Uint8: shiftsBy[uint8], reflect.Uint16: shiftsBy[uint16],
	reflect.Uint32: shiftsBy[uint32],
	reflect.Uint64: shiftsBy[uint64], reflect.Uintptr: shiftsBy[uintptr],
}

func shifts[T integer](tok token.Token, d, x uintptr, count func(pointer) uint64) op {
	if tok == token.SHL {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) << count(fp) }
	}
	return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) >> count(fp) }
}

func shiftsBy[T integer](tok token.Token, d, x uintptr, k uint64) op {
	if tok == token.SHL {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) << k }
	}
	return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) >> k }
}

// counts read a shift count of each kind; a negative one panics as compiled code does.
var counts = map[reflect.Kind]func(y uintptr, ip uint32) func(pointer) uint64{
	reflect.Int: signedCount[int], reflect.Int8: signedCount[int8], reflect.Int16: signedCount[int16],
	reflect.Int32: signedCount[int32],
	reflect.Int64: signedCount[int64], reflect.Uint: unsignedCount[uint], reflect.Uint8: unsignedCount[uint8],
	reflect.Uint16: unsignedCount[uint16],
	reflect.Uint32: unsignedCount[uint32], reflect.Uint64: unsignedCount[uint64], reflect.Uintptr: unsignedCount[uintptr],
}

func signedCount[T ~int | ~int8 | ~int16 | ~int32 | ~int64](y uintptr, ip uint32) func(pointer) uint64 {
	return func(fp pointer) uint64 {
		n := *ref[T](fp, y)
		if n < 0 {
			machine.Mark(fp, ip)
			_ = 1 << n // panics
		}
		return uint64(n)
	}
}

func unsignedCount[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](y uintptr,
	_ uint32) func(pointer) uint64 {
	return func(fp pointer) uint64 { return uint64(*ref[T](fp, y)) }
}

func (c *compiler) shift(in *ssa.BinOp, t *typ, d, x uintptr) op {
	ty := c.typ(in.Y.Type())
	if k, ok := constOf(in.Y); ok && !c.unit.machine.General {
		if n, ok := smallCount(k); ok {
			return constantShifters[t.Kind](in.Op, d, x, n)
		}
	}
	return shifters[t.Kind](in.Op, d, x, counts[ty.Kind](c.slot(in.Y), c.ip(in)))
}
