package lower

import (
	"go/token"
	"go/types"
	"math/bits"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/ssa"
)

//go:generate go run ./gen

// exprOf is what a folded value computes.
func exprOf[T any](c *compiler, v ssa.Value) value[T] {
	f, ok := c.expr(v).(value[T])
	if !ok {
		panic(machine.Internal("%s = %s is computed as %T", v.Name(), v, c.expr(v)))
	}
	return f
}

// expr makes the closure that computes a folded value: a value[T], T that of v's class.
func (c *compiler) expr(v ssa.Value) any {
	switch v := v.(type) {
	case *ssa.BinOp:
		if cond := c.comparison(v); cond != nil {
			return cond
		}
		return arithmetics[c.class(v)].value(c, v)
	case *ssa.UnOp:
		if v.Op == token.NOT {
			f := operandOf[bool](c, v.X).value()
			return value[bool](func(fp pointer) bool { return !f(fp) })
		}
		return accesses[c.class(v)].load(c.address(v.X, v))
	case *ssa.Convert:
		return c.conversion(v)
	case *ssa.IndexAddr, *ssa.FieldAddr:
		return c.address(v, nil).value()
	case *ssa.Lookup:
		return c.byteOf(v, v.X, v.Index)
	case *ssa.Index:
		return c.byteOf(v, v.X, v.Index)
	case *ssa.Call:
		if s := sliceLength(v); s != nil {
			return operand[int]{slot: c.slot(s) + 8}.value()
		}
		if c.extremeOf(v) {
			return extremeValues[c.class(v)](c, v)
		}
		f, x := c.intrinsicOf(v), operandOf[float64](c, v.Call.Args[0]).value()
		return value[float64](func(fp pointer) float64 { return f(x(fp)) })
	}
	panic(machine.Internal("%s = %s cannot be computed", v.Name(), v))
}

// sliceLength returns the slice or string whose length a call is; nil for other calls. The length
// lies in the slot's second word.
func sliceLength(in *ssa.Call) ssa.Value {
	b, ok := in.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return nil
	}
	x := in.Call.Args[0]
	if isSlice(x.Type()) || isString(under(x)) {
		return x
	}
	return nil
}

// byteOf is s[i] of a string.
func (c *compiler) byteOf(in ssa.Instruction, s, i ssa.Value) value[uint8] {
	index, unsigned := c.indexOperand(i)
	x, k, ip := c.slot(s), index.value(), c.ip(in)
	return func(fp pointer) uint8 {
		n := k(fp)
		s := *ref[string](fp, x)
		if uint(n) >= uint(len(s)) {
			machine.FailBounds(fp, ip, gorelease.BoundsIndex, n, len(s), unsigned)
		}
		return s[n]
	}
}

// indexOperand is v as an int; unsigned tells that it is a uint64, of which those that do not fit
// are negative ints and out of range as such.
func (c *compiler) indexOperand(v ssa.Value) (x operand[int], unsigned bool) {
	kind := c.typ(v.Type()).Kind
	if k, ok := constOf(v); ok && !c.unit.machine.General {
		return operand[int]{form: isConstant, k: int(constantUint(k))}, classes[kind] == classUint64
	}
	switch classes[kind] {
	case classInt:
		return operandOf[int](c, v), false
	case classUint64:
		y := operandOf[uint64](c, v)
		x := operand[int]{form: y.form, slot: y.slot}
		if f := y.f; f != nil {
			x.f = func(fp pointer) int { return int(f(fp)) }
		}
		return x, true
	}
	return operand[int]{form: computed, f: conversions[kind][reflect.Int](c, v).(value[int])}, false
}

// An arithmetic makes the closures of one class's operators.
type arithmetic struct {
	value func(c *compiler, in *ssa.BinOp) any
	into  func(c *compiler, in *ssa.BinOp, d uintptr) op
}

var arithmetics map[class]arithmetic

func init() { // the closures' operands are made with the table
	arithmetics = map[class]arithmetic{
		classInt: integers[int](), classUint64: integers[uint64](), classInt32: integers[int32](),
		classUint32: integers[uint32](),
		classUint8:  integers[uint8](), classFloat64: {valueOfFloats, floatsInto},
	}
}

func integers[T integer]() arithmetic {
	values, intos := integerValues[T](), integerAssignments[T]()
	return arithmetic{
		value: func(c *compiler, in *ssa.BinOp) any {
			if in.Op == token.SHL || in.Op == token.SHR {
				n, _ := shiftCount(in)
				return shiftedValue(in.Op, operandOf[T](c, in.X).value(), n)
			}
			x, y := operandOf[T](c, in.X), operandOf[T](c, in.Y)
			if f := byPowerOfTwo(in.Op, x, y); f != nil {
				return f
			}
			return values[in.Op](x, y)
		},
		into: func(c *compiler, in *ssa.BinOp, d uintptr) op {
			if in.Op == token.SHL || in.Op == token.SHR {
				n, _ := shiftCount(in)
				return operand[T]{form: computed, f: shiftedValue(in.Op, operandOf[T](c, in.X).value(), n)}.into(d)
			}
			x, y := operandOf[T](c, in.X), operandOf[T](c, in.Y)
			if f := byPowerOfTwo(in.Op, x, y); f != nil {
				return operand[T]{form: computed, f: f}.into(d)
			}
			return intos[in.Op](d, x, y)
		},
	}
}

func integerValues[T integer]() map[token.Token]func(x, y operand[T]) value[T] {
	return map[token.Token]func(x, y operand[T]) value[T]{
		token.ADD: addValue[T], token.SUB: subValue[T], token.MUL: mulValue[T], token.QUO: quoValue[T],
		token.REM: remValue[T],
		token.AND: andValue[T], token.OR: orValue[T], token.XOR: xorValue[T], token.AND_NOT: andNotValue[T],
	}
}

func integerAssignments[T integer]() map[token.Token]func(d uintptr, x, y operand[T]) op {
	return map[token.Token]func(d uintptr, x, y operand[T]) op{
		token.ADD: addInto[T], token.SUB: subInto[T], token.MUL: mulInto[T], token.QUO: quoInto[T], token.REM: remInto[T],
		token.AND: andInto[T], token.OR: orInto[T], token.XOR: xorInto[T], token.AND_NOT: andNotInto[T],
	}
}

var floatValues = map[token.Token]func(x, y operand[float64]) value[float64]{
	token.ADD: addValue[float64], token.SUB: subValue[float64], token.MUL: mulValue[float64], token.QUO: quoValue[float64],
}

var floatAssignments = map[token.Token]func(d uintptr, x, y operand[float64]) op{
	token.ADD: addInto[float64], token.SUB: subInto[float64], token.MUL: mulInto[float64], token.QUO: quoInto[float64],
}

func valueOfFloats(c *compiler, in *ssa.BinOp) any {
	return floatValues[in.Op](operandOf[float64](c, in.X), operandOf[float64](c, in.Y))
}

func floatsInto(c *compiler, in *ssa.BinOp, d uintptr) op {
	return floatAssignments[in.Op](d, operandOf[float64](c, in.X), operandOf[float64](c, in.Y))
}

// hasValue reports whether an operator of a class is in the tables.
func hasValue(tok token.Token, k class) bool {
	if k == classFloat64 {
		return floatValues[tok] != nil
	}
	return k >= classInt && k <= classUint8 && !isComparison(tok)
}

// shiftCount is the count of a shift by a constant.
func shiftCount(in *ssa.BinOp) (uint64, bool) {
	k, ok := constOf(in.Y)
	if !ok {
		return 0, false
	}
	return smallCount(k)
}

func shiftedValue[T integer](tok token.Token, x value[T], n uint64) value[T] {
	if tok == token.SHL {
		return func(fp pointer) T { return x(fp) << n }
	}
	return func(fp pointer) T { return x(fp) >> n }
}

// byPowerOfTwo divides without a division, as compiled code does; nil for other operators and
// divisors.
func byPowerOfTwo[T integer](tok token.Token, x, y operand[T]) value[T] {
	k := y.k
	if tok != token.QUO && tok != token.REM || y.form != isConstant || k <= 1 || k&(k-1) != 0 {
		return nil
	}
	var zero T
	f, s, mask, shift, sign := x.value(), x.slot, k-1, bits.TrailingZeros64(uint64(k)), sizeOf[T]()*8-1
	switch unsigned := zero-1 > 0; {
	case !unsigned && tok == token.QUO && x.form == fromSlot:
		return func(fp pointer) T {
			n := *ref[T](fp, s)
			return (n + n>>sign&mask) >> shift
		}
	case !unsigned && x.form == fromSlot:
		return func(fp pointer) T {
			n := *ref[T](fp, s)
			return n - (n+n>>sign&mask)&^mask
		}
	case unsigned && tok == token.QUO:
		return func(fp pointer) T { return f(fp) >> shift }
	case unsigned:
		return func(fp pointer) T { return f(fp) & mask }
	case tok == token.QUO:
		return func(fp pointer) T {
			n := f(fp)
			return (n + n>>sign&mask) >> shift
		}
	}
	return func(fp pointer) T {
		n := f(fp)
		return n - (n+n>>sign&mask)&^mask
	}
}

// hasConversion tells conversions between numbers of classes.
func (c *compiler) hasConversion(in *ssa.Convert) bool {
	from, to := c.class(in.X), c.class(in)
	return isNumber(in.X.Type()) && isNumber(in.Type()) && from != noClass && to != noClass
}

func (c *compiler) conversion(in *ssa.Convert) any {
	return conversions[c.typ(in.X.Type()).Kind][canonical[c.class(in)]](c, in.X)
}

// canonical is the kind that a class computes with.
var canonical = map[class]reflect.Kind{
	classInt: reflect.Int, classUint64: reflect.Uint64, classInt32: reflect.Int32, classUint32: reflect.Uint32,
	classUint8:   reflect.Uint8,
	classFloat64: reflect.Float64,
}

// conversions are by the kind of the operand and the canonical kind of the result.
var conversions map[reflect.Kind]map[reflect.Kind]func(c *compiler, v ssa.Value) any

func init() {
	conversions = map[reflect.Kind]map[reflect.Kind]func(c *compiler, v ssa.Value) any{
		reflect.Int: convertFrom[int](), reflect.Int64: convertFrom[int](), reflect.Uint: convertFrom[uint64](),
		reflect.Uint64:  convertFrom[uint64](),
		reflect.Uintptr: convertFrom[uint64](), reflect.Int32: convertFrom[int32](), reflect.Uint32: convertFrom[uint32](),
		reflect.Uint8: convertFrom[uint8](), reflect.Float64: convertFrom[float64](),
		reflect.Int8: convertFrom[int8](), reflect.Int16: convertFrom[int16](), reflect.Uint16: convertFrom[uint16](),
	}
}

func convertFrom[F realNumber]() map[reflect.Kind]func(c *compiler, v ssa.Value) any {
	return map[reflect.Kind]func(c *compiler, v ssa.Value) any{
		reflect.Int: converted[F, int], reflect.Uint64: converted[F, uint64], reflect.Int32: converted[F, int32],
		reflect.Uint32: converted[F, uint32], reflect.Uint8: converted[F, uint8], reflect.Float64: converted[F, float64],
	}
}

func converted[F, T realNumber](c *compiler, v ssa.Value) any {
	x := operandOf[F](c, v)
	if x.form == fromSlot {
		s := x.slot
		return value[T](func(fp pointer) T { return T(*ref[F](fp, s)) })
	}
	f := x.value()
	return value[T](func(fp pointer) T { return T(f(fp)) })
}

// An access loads and stores values of one class.
type access struct {
	load  func(a address) any
	store func(c *compiler, a address, v ssa.Value) op
}

var accesses map[class]access

func init() {
	accesses = map[class]access{
		classInt: accessOf[int](), classUint64: accessOf[uint64](), classInt32: accessOf[int32](),
		classUint32: accessOf[uint32](),
		classUint8:  accessOf[uint8](), classFloat64: accessOf[float64](), classBool: accessOf[bool](),
		classPointer: accessOf[pointer](),
	}
}

func accessOf[T any]() access {
	return access{
		load:  func(a address) any { return loaded[T](a) },
		store: func(c *compiler, a address, v ssa.Value) op { return stored(a, operandOf[T](c, v)) },
	}
}

func isComparison(tok token.Token) bool {
	switch tok {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// comparesClass tells comparisons of values of one class.
func (c *compiler) comparesClass(in *ssa.BinOp) bool {
	k := c.class(in.X)
	return k != noClass && !types.IsInterface(in.Y.Type()) && !types.IsInterface(in.X.Type())
}
