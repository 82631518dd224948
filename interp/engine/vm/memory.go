package vm

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func buildAlloc(c *compiler, in *ssa.Alloc) op {
	t := c.elem(in.Type())
	d := c.dst(in)
	if in.Heap {
		w := t.word
		return func(fp pointer) { *ref[pointer](fp, d) = rtype.New(w) }
	}
	m := c.memory[in]
	if t.shape == shape64 {
		return func(fp pointer) {
			*ref[uint64](fp, m) = 0
			*ref[pointer](fp, d) = at(fp, m)
		}
	}
	return func(fp pointer) {
		t.zero(at(fp, m))
		*ref[pointer](fp, d) = at(fp, m)
	}
}

// load reads through a pointer.
func (c *compiler) load(in *ssa.UnOp) op {
	t := c.typ(in.Type())
	d := c.dst(in)
	if m, ok := c.frameAddress(in.X); ok {
		return copyOp(phiCopy{d, m, t})
	}
	x, ip := c.slot(in.X), c.ip(in)
	switch t.shape {
	case shape8:
		return loadAs[uint8](d, x, ip)
	case shape32, shapeF32:
		return loadAs[uint32](d, x, ip)
	case shape64, shapeF64:
		return loadAs[uint64](d, x, ip)
	case shapePtr:
		return loadAs[pointer](d, x, ip)
	case shapeString:
		return loadAs[string](d, x, ip)
	case shapeSlice:
		return loadAs[[]byte](d, x, ip)
	case shapeIface:
		return loadAs[pair](d, x, ip)
	}
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			failNil(fp, ip)
		}
		t.move(at(fp, d), p)
	}
}

func loadAs[T any](d, x uintptr, ip uint32) op {
	return func(fp pointer) {
		p := *ref[*T](fp, x)
		if p == nil {
			failNil(fp, ip)
		}
		*ref[T](fp, d) = *p
	}
}

func buildStore(c *compiler, in *ssa.Store) op {
	t := c.typ(in.Val.Type())
	v := c.slot(in.Val)
	if m, ok := c.frameAddress(in.Addr); ok {
		return copyOp(phiCopy{m, v, t})
	}
	x, ip := c.slot(in.Addr), c.ip(in)
	switch t.shape {
	case shape8:
		return storeAs[uint8](x, v, ip)
	case shape32, shapeF32:
		return storeAs[uint32](x, v, ip)
	case shape64, shapeF64:
		return storeAs[uint64](x, v, ip)
	case shapePtr:
		return storeAs[pointer](x, v, ip)
	case shapeString:
		return storeAs[string](x, v, ip)
	case shapeSlice:
		return storeAs[[]byte](x, v, ip)
	case shapeIface:
		return storeAs[pair](x, v, ip)
	}
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			failNil(fp, ip)
		}
		t.move(p, at(fp, v))
	}
}

func storeAs[T any](x, v uintptr, ip uint32) op {
	return func(fp pointer) {
		p := *ref[*T](fp, x)
		if p == nil {
			failNil(fp, ip)
		}
		*p = *ref[T](fp, v)
	}
}

// frameAddress tells where in the frame an address points that is known when the function is compiled: a variable that lives
// in the frame, or a field of one.
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
	if !ok || !isConst {
		return 0, false
	}
	a, isArray := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	i := constantUint(k)
	if !isArray || i >= uint64(a.Len()) {
		return 0, false
	}
	return m + uintptr(i)*c.typ(a.Elem()).size, true
}

// fieldOffset is the offset of field number i in the struct that a pointer of type t points to.
func (c *compiler) fieldOffset(t types.Type, i int) uintptr {
	return c.elem(t).rt.Field(i).Offset
}

func buildFieldAddr(c *compiler, in *ssa.FieldAddr) op {
	d := c.dst(in)
	if m, ok := c.frameAddress(in); ok {
		return func(fp pointer) { *ref[pointer](fp, d) = at(fp, m) }
	}
	x, off, ip := c.slot(in.X), c.fieldOffset(in.X.Type(), in.Field), c.ip(in)
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			failNil(fp, ip)
		}
		*ref[pointer](fp, d) = unsafeAdd(p, off)
	}
}

func buildField(c *compiler, in *ssa.Field) op {
	f := c.typ(in.X.Type()).rt.Field(in.Field)
	return copyOp(phiCopy{c.dst(in), c.slot(in.X) + f.Offset, c.typ(in.Type())})
}
