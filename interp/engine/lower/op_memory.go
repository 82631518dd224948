package lower

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// buildAlloc makes a variable; one that nothing refers to is none, as the Go compiler has it.
func buildAlloc(c *compiler, in *ssa.Alloc) op {
	if len(*in.Referrers()) == 0 {
		return nil
	}
	t := c.elem(in.Type())
	d := c.dst(in)
	if in.Heap {
		w := t.Word
		return func(fp pointer) { *ref[pointer](fp, d) = rtype.New(w) }
	}
	m := c.memory[in]
	if t.Shape == machine.Shape64 {
		return func(fp pointer) {
			*ref[uint64](fp, m) = 0
			*ref[pointer](fp, d) = at(fp, m)
		}
	}
	return func(fp pointer) {
		t.Zero(at(fp, m))
		*ref[pointer](fp, d) = at(fp, m)
	}
}

// load reads through a pointer.
func (c *compiler) load(in *ssa.UnOp) op {
	t, d, a := c.typ(in.Type()), c.dst(in), c.address(in.X, in)
	if a.base == inFrame {
		return copyOp(phiCopy{d, a.slot, t})
	}
	if f := loadsInto[t.Shape]; f != nil {
		return f(a, d)
	}
	p := a.value()
	return func(fp pointer) { t.Move(at(fp, d), p(fp)) }
}

// loadsInto are the loads of values that are not memory.
var loadsInto = map[machine.Shape]func(a address, d uintptr) op{
	machine.Shape8: loadInto[uint8], machine.Shape16: loadInto[uint16], machine.Shape32: loadInto[uint32],
	machine.ShapeF32: loadInto[uint32],
	machine.Shape64:  loadInto[uint64], machine.ShapeF64: loadInto[uint64], machine.ShapePtr: loadInto[pointer],
	machine.ShapeString: loadInto[string], machine.ShapeSlice: loadInto[[]byte], machine.ShapeIface: loadInto[pair],
}

func buildStore(c *compiler, in *ssa.Store) op {
	if operation := c.updates[in]; operation != nil {
		return c.update(in, operation)
	}
	a := c.address(in.Addr, in)
	if k := c.class(in.Val); k != noClass {
		return accesses[k].store(c, a, in.Val)
	}
	t, v := c.typ(in.Val.Type()), c.slot(in.Val)
	if a.base == inFrame {
		return copyOp(phiCopy{a.slot, v, t})
	}
	if f := storesOf[t.Shape]; f != nil {
		return f(a, v)
	}
	p := a.value()
	return func(fp pointer) { t.Move(p(fp), at(fp, v)) }
}

// storesOf are the stores of values that are neither of a class nor memory.
var storesOf = map[machine.Shape]func(a address, v uintptr) op{
	machine.Shape8: storeSlot[uint8], machine.Shape16: storeSlot[uint16], machine.ShapeF32: storeSlot[uint32],
	machine.ShapeString: storeSlot[string], machine.ShapeSlice: storeSlot[[]byte], machine.ShapeIface: storeSlot[pair],
}

func storeSlot[T any](a address, v uintptr) op { return stored(a, operand[T]{slot: v}) }

// frameAddress tells where in the frame an address points that is known when the function is
// compiled: a variable that lives in the frame, or a field of one.
func (c *compiler) frameAddress(v ssa.Value) (uintptr, bool) {
	switch v := v.(type) {
	case *ssa.Alloc:
		m, ok := c.memory[v]
		return m, ok
	case *ssa.FieldAddr:
		m, ok := c.frameAddress(v.X)
		return m + c.fieldOffset(v.X.Type(), v.Field), ok
	case *ssa.IndexAddr:
		return c.frameElement(v)
	}
	return 0, false
}

// frameElement is an element, with a constant index, of an array in the frame.
func (c *compiler) frameElement(v *ssa.IndexAddr) (uintptr, bool) {
	m, ok := c.frameAddress(v.X)
	k, isConst := constOf(v.Index)
	isConst = isConst && !c.unit.machine.General
	if !ok || !isConst {
		return 0, false
	}
	a, isArray := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	i := constantUint(k)
	if !isArray || i >= uint64(a.Len()) {
		return 0, false
	}
	return m + uintptr(i)*c.typ(a.Elem()).Size, true
}

// fieldOffset is the offset of field number i in the struct that a pointer of type t points to.
func (c *compiler) fieldOffset(t types.Type, i int) uintptr {
	return c.elem(t).Reflect.Field(i).Offset
}

func buildFieldAddr(c *compiler, in *ssa.FieldAddr) op {
	d := c.dst(in)
	if m, ok := c.frameAddress(in); ok {
		return func(fp pointer) { *ref[pointer](fp, d) = at(fp, m) }
	}
	a := c.address(in.X, in)
	a.off += c.fieldOffset(in.X.Type(), in.Field)
	f := a.value()
	return func(fp pointer) { *ref[pointer](fp, d) = f(fp) }
}

func buildField(c *compiler, in *ssa.Field) op {
	f := c.typ(in.X.Type()).Reflect.Field(in.Field)
	return copyOp(phiCopy{c.dst(in), c.slot(in.X) + f.Offset, c.typ(in.Type())})
}
