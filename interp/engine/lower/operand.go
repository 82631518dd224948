package lower

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// A value computes a T from a frame.
type value[T any] = func(fp pointer) T

// A form says where an operand comes from.
type form uint8

const (
	fromSlot form = iota
	isConstant
	computed // by a folded instruction (pass_fold.go)
)

// An operand of an instruction. Two forms decide which closure an instruction becomes.
type operand[T any] struct {
	form form
	slot uintptr
	k    T
	f    value[T]
}

// both is a pair of forms, to switch on.
func both(x, y form) form { return x*forms + y }

const (
	forms     = 3
	slotSlot  = fromSlot*forms + fromSlot
	slotConst = fromSlot*forms + isConstant
	slotExpr  = fromSlot*forms + computed
	constSlot = isConstant*forms + fromSlot
	constExpr = isConstant*forms + computed
	exprSlot  = computed*forms + fromSlot
	exprConst = computed*forms + isConstant
	exprExpr  = computed*forms + computed
)

// operandOf makes v an operand. T is what v's kind is computed as (class).
func operandOf[T any](c *compiler, v ssa.Value) operand[T] {
	if c.unit.machine.General {
		return operand[T]{form: computed, f: operand[T]{slot: c.slot(v)}.value()}
	}
	if k, ok := constOf(v); ok {
		return operand[T]{form: isConstant, k: *(*T)(constantMemory(c.typ(v.Type()), k))}
	}
	if isNil(v) {
		return operand[T]{form: isConstant}
	}
	if c.folded[v] {
		return operand[T]{form: computed, f: exprOf[T](c, v)}
	}
	return operand[T]{slot: c.slot(v)}
}

// value is the operand as a closure of its own.
func (x operand[T]) value() value[T] {
	switch x.form {
	case isConstant:
		k := x.k
		return func(pointer) T { return k }
	case computed:
		return x.f
	}
	s := x.slot
	return func(fp pointer) T { return *ref[T](fp, s) }
}

// computedInto writes what a value computes to a slot.
var computedInto = map[class]func(f any, d uintptr) op{
	classInt: valueInto[int], classUint64: valueInto[uint64], classInt32: valueInto[int32], classUint32: valueInto[uint32],
	classUint8: valueInto[uint8], classFloat64: valueInto[float64],
}

func valueInto[T any](f any, d uintptr) op {
	return operand[T]{form: computed, f: f.(value[T])}.into(d)
}

// into writes the operand to a slot.
func (x operand[T]) into(d uintptr) op {
	switch x.form {
	case isConstant:
		k := x.k
		return func(fp pointer) { *ref[T](fp, d) = k }
	case computed:
		f := x.f
		return func(fp pointer) { *ref[T](fp, d) = f(fp) }
	}
	return moveSlot[T](d, x.slot)
}

// A class is how values of a kind are computed in registers: kinds of one class differ in nothing
// that an instruction of theirs sees.
type class uint8

const (
	noClass class = iota // not computed outside slots
	classInt
	classUint64
	classInt32
	classUint32
	classUint8
	classFloat64
	classBool
	classPointer
)

var classes = map[reflect.Kind]class{
	reflect.Int: classInt, reflect.Int64: classInt, reflect.Uint: classUint64, reflect.Uint64: classUint64,
	reflect.Uintptr: classUint64,
	reflect.Int32:   classInt32, reflect.Uint32: classUint32, reflect.Uint8: classUint8, reflect.Float64: classFloat64,
	reflect.Bool:    classBool,
	reflect.Pointer: classPointer, reflect.UnsafePointer: classPointer, reflect.Map: classPointer,
	reflect.Chan: classPointer, reflect.Func: classPointer,
}

// class is the class of v's type; noClass for tuples and what else go/ssa invents.
func (c *compiler) class(v ssa.Value) class {
	if c.unit.machine.General || c.tuple(v) != nil || isEmptyTuple(v.Type()) {
		return noClass
	}
	return classes[c.typ(v.Type()).Kind]
}
