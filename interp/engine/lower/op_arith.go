package lower

import (
	"go/token"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type number interface {
	integer | ~float32 | ~float64 | ~complex64 | ~complex128
}

// binary makes the op that computes slot d from slots x and y.
type binary func(d, x, y uintptr) op

// binaries are the operators by operand kind that cannot fail.
var binaries = map[reflect.Kind]map[token.Token]binary{
	reflect.Int: ints[int](), reflect.Int8: ints[int8](), reflect.Int16: ints[int16](), reflect.Int32: ints[int32](),
	reflect.Int64: ints[int64](),
	reflect.Uint:  ints[uint](), reflect.Uint8: ints[uint8](), reflect.Uint16: ints[uint16](),
	reflect.Uint32: ints[uint32](), reflect.Uint64: ints[uint64](),
	reflect.Uintptr: ints[uintptr](),
	reflect.Float32: floats[float32](), reflect.Float64: floats[float64](),
	reflect.Complex64: complexes[complex64](), reflect.Complex128: complexes[complex128](),
	reflect.String: {token.ADD: func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[string](fp, d) = *ref[string](fp, x) + *ref[string](fp, y) }
	}},
}

func sums[T number]() map[token.Token]binary {
	return map[token.Token]binary{
		token.ADD: func(d, x, y uintptr) op {
			return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) + *ref[T](fp, y) }
		},
		token.SUB: func(d, x, y uintptr) op {
			return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) - *ref[T](fp, y) }
		},
		token.MUL: func(d, x, y uintptr) op {
			return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) * *ref[T](fp, y) }
		},
	}
}

func floats[T float32 | float64]() map[token.Token]binary {
	m := sums[T]()
	m[token.QUO] = func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) / *ref[T](fp, y) }
	}
	return m
}

func complexes[T complex64 | complex128]() map[token.Token]binary {
	m := sums[T]()
	m[token.QUO] = func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) / *ref[T](fp, y) }
	}
	return m
}

func ints[T integer]() map[token.Token]binary {
	m := sums[T]()
	m[token.AND] = func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) & *ref[T](fp, y) }
	}
	m[token.OR] = func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) | *ref[T](fp, y) }
	}
	m[token.XOR] = func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) ^ *ref[T](fp, y) }
	}
	m[token.AND_NOT] = func(d, x, y uintptr) op {
		return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, x) &^ *ref[T](fp, y) }
	}
	return m
}

// divisions may fail: they know their instruction.
var divisions = map[reflect.Kind]map[token.Token]func(d, x, y uintptr, ip uint32) op{
	reflect.Int: quotients[int](), reflect.Int8: quotients[int8](), reflect.Int16: quotients[int16](),
	reflect.Int32: quotients[int32](),
	reflect.Int64: quotients[int64](), reflect.Uint: quotients[uint](), reflect.Uint8: quotients[uint8](),
	reflect.Uint16: quotients[uint16](),
	reflect.Uint32: quotients[uint32](), reflect.Uint64: quotients[uint64](), reflect.Uintptr: quotients[uintptr](),
}

func quotients[T integer]() map[token.Token]func(d, x, y uintptr, ip uint32) op {
	return map[token.Token]func(d, x, y uintptr, ip uint32) op{
		token.QUO: func(d, x, y uintptr, ip uint32) op {
			return func(fp pointer) {
				n := *ref[T](fp, y)
				if n == 0 {
					machine.Mark(fp, ip)
				}
				*ref[T](fp, d) = *ref[T](fp, x) / n
			}
		},
		token.REM: func(d, x, y uintptr, ip uint32) op {
			return func(fp pointer) {
				n := *ref[T](fp, y)
				if n == 0 {
					machine.Mark(fp, ip)
				}
				*ref[T](fp, d) = *ref[T](fp, x) % n
			}
		},
	}
}

func buildBinOp(c *compiler, in *ssa.BinOp) op {
	if cond := c.comparison(in); cond != nil {
		d := c.dst(in)
		return func(fp pointer) { *ref[bool](fp, d) = cond(fp) }
	}
	if hasValue(in.Op, c.class(in)) && !mayDivideByZero(in) && !mayShiftNegative(in) {
		return arithmetics[c.class(in)].into(c, in, c.dst(in))
	}
	t := c.typ(in.X.Type())
	d, x := c.dst(in), c.slot(in.X)
	if in.Op == token.SHL || in.Op == token.SHR {
		return c.shift(in, t, d, x)
	}
	y := c.slot(in.Y)
	if f := binaries[t.Kind][in.Op]; f != nil {
		return f(d, x, y)
	}
	if f := divisions[t.Kind][in.Op]; f != nil {
		return f(d, x, y, c.ip(in))
	}
	panic(machine.Internal("operator %s on %s", in.Op, t.Reflect))
}
