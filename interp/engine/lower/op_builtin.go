package lower

import (
	"fmt"
	"go/types"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// builtins maps the names of go/ssa's builtins to their builders.
var builtins map[string]func(*compiler, *ssa.Call) op

func init() {
	builtins = map[string]func(*compiler, *ssa.Call) op{
		"append": buildAppend, "cap": buildCap, "clear": buildClear, "close": buildClose, "complex": buildComplex,
		"copy":   buildCopy,
		"delete": buildDelete, "imag": buildImag, "len": buildLen, "max": buildMax, "min": buildMin,
		"print": buildPrint, "println": buildPrint, "real": buildReal, "recover": buildRecover,
		"ssa:wrapnilchk": buildNilCheck, "ssa:deferstack": buildDeferStack,
		"Add": buildUnsafeAdd, "Slice": buildUnsafeSlice, "SliceData": buildUnsafeSliceData, "String": buildUnsafeString,
		"StringData": buildUnsafeStringData,
		"Sizeof":     buildSizeof, "Alignof": buildAlignof, "Offsetof": buildOffsetof,
	}
}

func (c *compiler) builtin(in *ssa.Call, b *ssa.Builtin) op {
	f, ok := builtins[b.Name()]
	if !ok {
		panic(machine.Internal("builtin %s", b.Name()))
	}
	return f(c, in)
}

func under(v ssa.Value) types.Type { return v.Type().Underlying() }

func buildAppend(c *compiler, in *ssa.Call) op {
	args := in.Call.Args
	d, x := c.dst(in), c.slot(args[0])
	if len(args) == 1 {
		return moveSlot[[]byte](d, x)
	}
	if x, ok := c.appended[in]; ok {
		return c.appendOf(in, x)
	}
	y, ip := c.slot(args[1]), c.ip(in)
	elem := machine.NewType(c.typ(in.Type()).Reflect.Elem())
	if isString(under(args[1])) {
		return func(fp pointer) {
			s := *ref[string](fp, y)
			*ref[[]byte](fp, d) = append(*ref[[]byte](fp, x), s...)
		}
	}
	return func(fp pointer) {
		old, more := *ref[rtype.Slice](fp, x), *ref[rtype.Slice](fp, y)
		if more.Len > old.Cap-old.Len {
			machine.Mark(fp, ip)
			old = rtype.GrowSlice(elem.Word, old, more.Len)
		}
		if more.Len > 0 {
			to := rtype.Slice{Array: unsafeAdd(old.Array, uintptr(old.Len)*elem.Size), Len: more.Len, Cap: more.Len}
			if more.Len == 1 {
				elem.Move(to.Array, more.Array)
			} else {
				rtype.CopySlice(elem.Word, to, more)
			}
		}
		old.Len += more.Len
		*ref[rtype.Slice](fp, d) = old
	}
}

func isString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func buildCopy(c *compiler, in *ssa.Call) op {
	args := in.Call.Args
	d, x, y := c.dst(in), c.slot(args[0]), c.slot(args[1])
	if isString(under(args[1])) {
		return func(fp pointer) { *ref[int](fp, d) = copy(*ref[[]byte](fp, x), *ref[string](fp, y)) }
	}
	w := machine.NewType(c.typ(args[0].Type()).Reflect.Elem()).Word
	return func(fp pointer) {
		*ref[int](fp, d) = rtype.CopySlice(w, *ref[rtype.Slice](fp, x), *ref[rtype.Slice](fp, y))
	}
}

func buildLen(c *compiler, in *ssa.Call) op {
	d, x := c.dst(in), c.slot(in.Call.Args[0])
	switch t := under(in.Call.Args[0]).(type) {
	case *types.Slice:
		return func(fp pointer) { *ref[int](fp, d) = ref[rtype.Slice](fp, x).Len }
	case *types.Map:
		return func(fp pointer) { *ref[int](fp, d) = rtype.MapLen(*ref[pointer](fp, x)) }
	case *types.Chan:
		return func(fp pointer) { *ref[int](fp, d) = rtype.ChanLen(*ref[pointer](fp, x)) }
	case *types.Basic:
		return func(fp pointer) { *ref[int](fp, d) = len(*ref[string](fp, x)) }
	default:
		return setInt(d, arrayLength(t))
	}
}

func buildCap(c *compiler, in *ssa.Call) op {
	d, x := c.dst(in), c.slot(in.Call.Args[0])
	switch t := under(in.Call.Args[0]).(type) {
	case *types.Slice:
		return func(fp pointer) { *ref[int](fp, d) = ref[rtype.Slice](fp, x).Cap }
	case *types.Chan:
		return func(fp pointer) { *ref[int](fp, d) = rtype.ChanCap(*ref[pointer](fp, x)) }
	default:
		return setInt(d, arrayLength(t))
	}
}

// arrayLength is that of an array or a pointer to one.
func arrayLength(t types.Type) int {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	if !ok {
		panic(machine.Internal("length of %s", t))
	}
	return int(a.Len())
}

func setInt(d uintptr, n int) op { return func(fp pointer) { *ref[int](fp, d) = n } }

func buildClear(c *compiler, in *ssa.Call) op {
	t, x := c.typ(in.Call.Args[0].Type()), c.slot(in.Call.Args[0])
	if t.Kind == reflect.Map {
		return func(fp pointer) {
			if m := *ref[pointer](fp, x); m != nil {
				rtype.MapClear(t.Word, m)
			}
		}
	}
	return func(fp pointer) { t.Value(at(fp, x)).Clear() }
}

func buildClose(c *compiler, in *ssa.Call) op {
	x, ip := c.slot(in.Call.Args[0]), c.ip(in)
	return func(fp pointer) {
		machine.Mark(fp, ip)
		rtype.ChanClose(*ref[pointer](fp, x))
	}
}

func buildDelete(c *compiler, in *ssa.Call) op {
	t, x, k, ip := c.typ(in.Call.Args[0].Type()), c.slot(in.Call.Args[0]), c.slot(in.Call.Args[1]), c.ip(in)
	return func(fp pointer) {
		machine.Mark(fp, ip)
		rtype.MapDelete(t.Word, *ref[pointer](fp, x), at(fp, k))
	}
}

func buildComplex(c *compiler, in *ssa.Call) op {
	d, x, y := c.dst(in), c.slot(in.Call.Args[0]), c.slot(in.Call.Args[1])
	if c.typ(in.Type()).Kind == reflect.Complex64 {
		return func(fp pointer) { *ref[complex64](fp, d) = complex(*ref[float32](fp, x), *ref[float32](fp, y)) }
	}
	return func(fp pointer) { *ref[complex128](fp, d) = complex(*ref[float64](fp, x), *ref[float64](fp, y)) }
}

func buildReal(c *compiler, in *ssa.Call) op { return c.half(in, 0) }
func buildImag(c *compiler, in *ssa.Call) op { return c.half(in, 1) }

// half is one of the two floats that a complex number is in memory.
func (c *compiler) half(in *ssa.Call, i uintptr) op {
	d, x := c.dst(in), c.slot(in.Call.Args[0])
	if c.typ(in.Call.Args[0].Type()).Kind == reflect.Complex64 {
		return moveSlot[float32](d, x+4*i)
	}
	return moveSlot[float64](d, x+8*i)
}

func buildPrint(c *compiler, in *ssa.Call) op {
	values := c.values(in.Call.Args)
	if in.Call.Value.Name() == "println" {
		return func(fp pointer) { printTo(values(fp), " ", "\n") }
	}
	return func(fp pointer) { printTo(values(fp), "", "") }
}

// printTo writes to standard error, as print does, which has no way to tell of a failure.
func printTo(vs []reflect.Value, between, end string) {
	_, _ = io.WriteString(machine.WriterOf(os.Stderr), printed(vs, between)+end)
}

// printed is what the builtins print and println write.
func printed(vs []reflect.Value, between string) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = printedValue(v)
	}
	return strings.Join(parts, between)
}

func printedValue(v reflect.Value) string {
	switch {
	case v.CanInt(), v.Kind() == reflect.Bool, v.CanUint():
		return fmt.Sprintf("%v", basicOf(v))
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, int(v.Type().Size())*8)
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, int(v.Type().Size())*8)
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Interface:
		p := *(*pair)(v.Addr().UnsafePointer())
		return fmt.Sprintf("(%#x,%#x)", uintptr(p.Tab), uintptr(p.Data))
	case v.Kind() == reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	}
	return fmt.Sprintf("%#x", v.Pointer())
}

// basicOf is the value without the methods of its type, which print does not call.
func basicOf(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	}
	return v.Bool()
}

func buildNilCheck(c *compiler, in *ssa.Call) op {
	args := in.Call.Args
	d, x, ip := c.dst(in), c.slot(args[0]), c.ip(in)
	recv, _ := constOf(args[1])
	name, _ := constOf(args[2])
	t := constantString(recv)
	short := t[strings.LastIndexByte(t, '.')+1:]
	text := "value method " + t + "." + constantString(name) + " called using nil *" + short + " pointer"
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			machine.Mark(fp, ip)
			panic(gorelease.PlainError(text))
		}
		*ref[pointer](fp, d) = p
	}
}

func buildDeferStack(c *compiler, in *ssa.Call) op {
	d := c.dst(in)
	return func(fp pointer) { *ref[*machine.DeferStack](fp, d) = head(fp).Defers }
}

func buildRecover(c *compiler, in *ssa.Call) op {
	d := c.dst(in)
	return func(fp pointer) { *ref[any](fp, d) = machine.Recover(fp) }
}
