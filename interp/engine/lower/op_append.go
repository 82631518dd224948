package lower

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// noteAppends finds append(s, x), for which go/ssa makes an array of x, and a slice of that. The
// append then takes x itself.
func (c *compiler) noteAppends(b *ssa.BasicBlock) {
	for i := range len(b.Instrs) - 4 {
		array, ok1 := b.Instrs[i].(*ssa.Alloc)
		element, ok2 := b.Instrs[i+1].(*ssa.IndexAddr)
		store, ok3 := b.Instrs[i+2].(*ssa.Store)
		slice, ok4 := b.Instrs[i+3].(*ssa.Slice)
		call, ok5 := b.Instrs[i+4].(*ssa.Call)
		if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || array.Comment != "varargs" || element.X != array ||
			store.Addr != element || slice.X != array ||
			len(*array.Referrers()) != 2 || only(slice) != call || arrayLength(under(array)) != 1 {
			continue
		}
		if f, ok := call.Call.Value.(*ssa.Builtin); !ok || f.Name() != "append" || call.Call.Args[1] != slice {
			continue
		}
		c.appended[call] = store.Val
		c.skipped[store] = true
		for _, v := range []ssa.Value{array, element, slice} {
			c.folded[v], c.skipped[v.(ssa.Instruction)] = true, true
		}
	}
}

// appendOf compiles append(s, x), s in slot s.
func (c *compiler) appendOf(in *ssa.Call, x ssa.Value) op {
	d, s, ip := c.dst(in), c.slot(in.Call.Args[0]), c.ip(in)
	elem := machine.NewType(c.typ(in.Type()).Reflect.Elem())
	if k := c.class(x); k != noClass {
		return appendsOf[k](c, d, s, elem, x, ip)
	}
	v := c.slot(x)
	return func(fp pointer) {
		list := *ref[rtype.Slice](fp, s)
		if list.Len == list.Cap {
			machine.Mark(fp, ip)
			list = rtype.GrowSlice(elem.Word, list, 1)
		}
		elem.Move(unsafeAdd(list.Array, uintptr(list.Len)*elem.Size), at(fp, v))
		list.Len++
		*ref[rtype.Slice](fp, d) = list
	}
}

var appendsOf map[class]func(c *compiler, d, s uintptr, elem *typ, x ssa.Value, ip uint32) op

func init() { // the operands are made with the table
	appendsOf = map[class]func(c *compiler, d, s uintptr, elem *typ, x ssa.Value, ip uint32) op{
		classInt: appendOne[int], classUint64: appendOne[uint64], classInt32: appendOne[int32],
		classUint32: appendOne[uint32],
		classUint8:  appendOne[uint8], classFloat64: appendOne[float64], classBool: appendOne[bool],
		classPointer: appendOne[pointer],
	}
}

func appendOne[T any](c *compiler, d, s uintptr, elem *typ, x ssa.Value, ip uint32) op {
	f, w := operandOf[T](c, x).value(), elem.Word
	return func(fp pointer) {
		v := f(fp)
		list := ref[rtype.Slice](fp, s)
		if n := list.Len; n < list.Cap && d == s {
			*(*T)(unsafeAdd(list.Array, uintptr(n)*sizeOf[T]())) = v
			list.Len = n + 1
			return
		}
		longer := *list
		if longer.Len == longer.Cap {
			machine.Mark(fp, ip)
			longer = rtype.GrowSlice(w, longer, 1)
		}
		*(*T)(unsafeAdd(longer.Array, uintptr(longer.Len)*sizeOf[T]())) = v
		longer.Len++
		*ref[rtype.Slice](fp, d) = longer
	}
}
