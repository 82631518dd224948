package lower

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// A phiCopy is one assignment of the parallel assignment on an edge.
type phiCopy struct {
	dst, src uintptr
	typ      *typ
}

// edgeCopies returns what must be done when control takes successor number succ of b; nil for
// nothing.
func (c *compiler) edgeCopies(b *ssa.BasicBlock, succ int) op {
	s := b.Succs[succ]
	pred := predIndex(b, succ)
	var copies []phiCopy
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		v := phi.Edges[pred]
		if len(*phi.Referrers()) == 0 || c.slot(v) == c.slot(phi) {
			continue
		}
		copies = append(copies, phiCopy{c.slot(phi), c.slot(v), c.typ(phi.Type())})
	}
	return copyAll(c.order(copies))
}

// predIndex finds which of the successor's predecessors the edge is; two edges may join the same
// blocks.
func predIndex(b *ssa.BasicBlock, succ int) int {
	s := b.Succs[succ]
	nth := 0
	for i := range succ {
		if b.Succs[i] == s {
			nth++
		}
	}
	for i, p := range s.Preds {
		if p == b {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	panic(machine.Internal("edge without predecessor"))
}

// order makes the parallel assignment sequential: a copy waits until nobody reads its destination;
// a cycle is cut by a temporary.
func (c *compiler) order(rest []phiCopy) (out []phiCopy) {
	for len(rest) > 0 {
		i := readyCopy(rest)
		if i < 0 {
			x := rest[0]
			t := c.temp(x.typ)
			out = append(out, phiCopy{t, x.src, x.typ})
			rest[0].src = t
			i = readyCopy(rest)
			if i < 0 {
				continue
			}
		}
		out = append(out, rest[i])
		rest = append(rest[:i:i], rest[i+1:]...)
	}
	return out
}

func readyCopy(rest []phiCopy) int {
	for i, x := range rest {
		free := true
		for j, y := range rest {
			if i != j && y.src == x.dst {
				free = false
			}
		}
		if free {
			return i
		}
	}
	return -1
}

func copyAll(copies []phiCopy) op {
	switch len(copies) {
	case 0:
		return nil
	case 1:
		return copyOp(copies[0])
	case 2:
		if x, y := copies[0], copies[1]; x.typ.Shape == machine.Shape64 && y.typ.Shape == machine.Shape64 {
			d, s, d2, s2 := x.dst, x.src, y.dst, y.src
			return func(fp pointer) {
				*ref[uint64](fp, d) = *ref[uint64](fp, s)
				*ref[uint64](fp, d2) = *ref[uint64](fp, s2)
			}
		}
		a, b := copyOp(copies[0]), copyOp(copies[1])
		return func(fp pointer) { a(fp); b(fp) }
	}
	return func(fp pointer) {
		for i := range copies {
			x := &copies[i]
			x.typ.Move(at(fp, x.dst), at(fp, x.src))
		}
	}
}

// copyOp moves a value between two slots.
func copyOp(x phiCopy) op {
	switch d, s := x.dst, x.src; x.typ.Shape {
	case machine.ShapeEmpty:
		return func(pointer) {}
	case machine.Shape8:
		return moveSlot[uint8](d, s)
	case machine.Shape32, machine.ShapeF32:
		return moveSlot[uint32](d, s)
	case machine.Shape64, machine.ShapeF64:
		return moveSlot[uint64](d, s)
	case machine.ShapePtr:
		return moveSlot[pointer](d, s)
	case machine.ShapeString:
		return moveSlot[string](d, s)
	case machine.ShapeSlice:
		return moveSlot[[]byte](d, s)
	case machine.ShapeIface:
		return moveSlot[pair](d, s)
	default:
		t := x.typ
		return func(fp pointer) { t.Move(at(fp, d), at(fp, s)) }
	}
}

func moveSlot[T any](d, s uintptr) op {
	return func(fp pointer) { *ref[T](fp, d) = *ref[T](fp, s) }
}
