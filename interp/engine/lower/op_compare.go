package lower

import (
	"go/token"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

type ordered interface {
	integer | ~float32 | ~float64 | ~string
}

// A condition is computed from the frame.
type condition = func(fp pointer) bool

var comparisons = map[reflect.Kind]func(tok token.Token, x, y uintptr) condition{
	reflect.Int: compare[int], reflect.Int8: compare[int8], reflect.Int16: compare[int16], reflect.Int32: compare[int32],
	reflect.Int64: compare[int64],
	reflect.Uint:  compare[uint], reflect.Uint8: compare[uint8], reflect.Uint16: compare[uint16],
	reflect.Uint32: compare[uint32],
	reflect.Uint64: compare[uint64], reflect.Uintptr: compare[uintptr],
	reflect.Float32: compare[float32], reflect.Float64: compare[float64], reflect.String: compare[string],
	reflect.Bool: equal[bool], reflect.Complex64: equal[complex64], reflect.Complex128: equal[complex128],
	// slices, maps and funcs are compared with nil only
	reflect.Slice: equal[pointer], reflect.Func: equal[pointer], reflect.Map: equal[pointer],
	reflect.Pointer: equal[pointer], reflect.Chan: equal[pointer], reflect.UnsafePointer: equal[pointer],
}

func compare[T ordered](tok token.Token, x, y uintptr) condition {
	switch tok {
	case token.LSS:
		return func(fp pointer) bool { return *ref[T](fp, x) < *ref[T](fp, y) }
	case token.LEQ:
		return func(fp pointer) bool { return *ref[T](fp, x) <= *ref[T](fp, y) }
	case token.GTR:
		return func(fp pointer) bool { return *ref[T](fp, x) > *ref[T](fp, y) }
	case token.GEQ:
		return func(fp pointer) bool { return *ref[T](fp, x) >= *ref[T](fp, y) }
	}
	return equal[T](tok, x, y)
}

func equal[T comparable](tok token.Token, x, y uintptr) condition {
	if tok == token.NEQ {
		return func(fp pointer) bool { return *ref[T](fp, x) != *ref[T](fp, y) }
	}
	return func(fp pointer) bool { return *ref[T](fp, x) == *ref[T](fp, y) }
}

// comparison returns the condition that a comparing instruction computes, nil for other operators.
func (c *compiler) comparison(in *ssa.BinOp) condition {
	switch in.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return nil
	}
	if c.comparesClass(in) {
		return classComparisons[c.class(in.X)](c, in)
	}
	tx, ty := c.typ(in.X.Type()), c.typ(in.Y.Type())
	x, y := c.slot(in.X), c.slot(in.Y)
	if tx.Kind == reflect.Interface || ty.Kind == reflect.Interface {
		return c.interfaceComparison(in, tx, ty, x, y)
	}
	if f := comparisons[tx.Kind]; f != nil {
		return f(in.Op, x, y)
	}
	eq := rtype.EqualFunc(tx.Word)
	if eq == nil {
		panic(machine.Internal("%s of %s", in.Op, tx.Reflect))
	}
	ip := c.ip(in)
	want := in.Op == token.EQL
	return func(fp pointer) bool {
		machine.Mark(fp, ip) // a field of interface type may hold what cannot be compared
		return eq(at(fp, x), at(fp, y)) == want
	}
}

// interfaceComparison compares interfaces with each other, with nil, or with a value of another
// type.
func (c *compiler) interfaceComparison(in *ssa.BinOp, tx, ty *typ, x, y uintptr) condition {
	want := in.Op == token.EQL
	if isNil(in.Y) {
		return func(fp pointer) bool { return (*ref[pointer](fp, x) == nil) == want }
	}
	if isNil(in.X) {
		return func(fp pointer) bool { return (*ref[pointer](fp, y) == nil) == want }
	}
	gx, gy := emptyInterface(tx, x), emptyInterface(ty, y)
	ip := c.ip(in)
	return func(fp pointer) bool {
		machine.Mark(fp, ip)
		return (gx(fp) == gy(fp)) == want
	}
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// emptyInterface reads a slot as an any.
func emptyInterface(t *typ, x uintptr) func(pointer) any {
	w := t.Word
	switch {
	case t.Kind != reflect.Interface:
		return func(fp pointer) any { return t.Value(at(fp, x)).Interface() }
	case t.Reflect.NumMethod() == 0:
		return func(fp pointer) any { return *ref[any](fp, x) }
	}
	return func(fp pointer) any {
		p := at(fp, x)
		e := rtype.Eface{Type: rtype.DynamicType(w, p), Data: (*rtype.Eface)(p).Data}
		return *(*any)(pointer(&e))
	}
}
