package vm

import (
	"go/token"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// loadElement is s[i] of a slice in one op.
func (c *compiler) loadElement(addr *ssa.IndexAddr, load *ssa.UnOp) op {
	s, ok := addr.X.Type().Underlying().(*types.Slice)
	if !ok || load.Op != token.MUL {
		return nil
	}
	t := c.typ(s.Elem())
	i := c.index(addr.Index)
	x, d, ip := c.slot(addr.X), c.dst(load), c.ip(addr)
	switch t.shape {
	case shape8:
		return i.before(elementOf[uint8](d, x, i, ip))
	case shape32, shapeF32:
		return i.before(elementOf[uint32](d, x, i, ip))
	case shape64, shapeF64:
		return i.before(elementOf[uint64](d, x, i, ip))
	case shapePtr:
		return i.before(elementOf[pointer](d, x, i, ip))
	case shapeString:
		return i.before(elementOf[string](d, x, i, ip))
	case shapeSlice:
		return i.before(elementOf[[]byte](d, x, i, ip))
	}
	return i.before(func(fp pointer) {
		s := ref[rtype.Slice](fp, x)
		k := *ref[int](fp, i.slot)
		if uint(k) >= uint(s.Len) {
			i.fail(fp, ip, k, s.Len)
		}
		t.move(at(fp, d), unsafeAdd(s.Array, uintptr(k)*t.size))
	})
}

func elementOf[T any](d, x uintptr, i index, ip uint32) op {
	j := i.slot
	return func(fp pointer) {
		s := *ref[[]T](fp, x)
		k := *ref[int](fp, j)
		if uint(k) >= uint(len(s)) {
			i.fail(fp, ip, k, len(s))
		}
		*ref[T](fp, d) = s[k]
	}
}
