package lower

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// edge returns the work on an edge and where it leads. On an edge that closes a cycle the goroutine
// looks whether it is to stop.
func (c *compiler) edge(b *ssa.BasicBlock, succ int) (op, *block) {
	do := c.edgeCopies(b, succ)
	to := c.blocks[b.Succs[succ].Index]
	if !c.retreats[edge{b.Index, succ}] {
		return do, to
	}
	ip := c.ip(b.Instrs[len(b.Instrs)-1])
	if do == nil {
		return func(fp pointer) {
			if head(fp).Routine.Limit.Load() == 0 {
				machine.StopHere(fp, ip)
			}
		}, to
	}
	return func(fp pointer) {
		do(fp)
		if head(fp).Routine.Limit.Load() == 0 {
			machine.StopHere(fp, ip)
		}
	}, to
}

func endJump(c *compiler, in *ssa.Jump) term {
	b := in.Block()
	c.jumps = append(c.jumps, b)
	do, to := c.edge(b, 0)
	if do == nil {
		return func(pointer) *block { return to }
	}
	return func(fp pointer) *block {
		do(fp)
		return to
	}
}

// thread makes jumps to blocks that only test and branch do that themselves: one turn less of every
// loop's wheel.
func (c *compiler) thread() {
	if c.unit.machine.General {
		return
	}
	for _, b := range c.jumps {
		out, to := c.blocks[b.Index], c.blocks[b.Succs[0].Index]
		if t := c.latch(b); t != nil {
			out.End = t
			continue
		}
		if len(to.Ops) > 0 || out == to {
			continue
		}
		do, end := c.edgeCopies(b, 0), to.End
		if !c.retreats[edge{b.Index, 0}] {
			out.End = afterCopies(do, end)
			continue
		}
		out.End = afterCopies(do, checked(end, c.ip(b.Instrs[len(b.Instrs)-1])))
	}
}

func afterCopies(do op, end term) term {
	if do == nil {
		return end
	}
	return func(fp pointer) *block {
		do(fp)
		return end(fp)
	}
}

func checked(end term, ip uint32) term {
	return func(fp pointer) *block {
		if head(fp).Routine.Limit.Load() == 0 {
			machine.StopHere(fp, ip)
		}
		return end(fp)
	}
}

func endIf(c *compiler, in *ssa.If) term {
	if cmp, ok := in.Cond.(*ssa.BinOp); ok && c.folded[cmp] && c.comparesClass(cmp) && c.plainEdges(in.Block()) {
		return classBranches[c.class(cmp.X)](c, cmp)
	}
	if c.plainEdges(in.Block()) && !c.unit.machine.General {
		if t := c.assertBranch(in); t != nil {
			return t
		}
		if x := operandOf[bool](c, in.Cond); x.form == fromSlot {
			yes, no := c.successors(in.Block())
			return func(fp pointer) *block {
				if *ref[bool](fp, x.slot) {
					return yes
				}
				return no
			}
		}
	}
	return c.branch(in.Block(), operandOf[bool](c, in.Cond).value())
}

// branch goes to the block's first successor where cond holds, else to the second.
func (c *compiler) branch(b *ssa.BasicBlock, cond func(pointer) bool) term {
	do0, to0 := c.edge(b, 0)
	do1, to1 := c.edge(b, 1)
	switch {
	case do0 == nil && do1 == nil:
		return func(fp pointer) *block {
			if cond(fp) {
				return to0
			}
			return to1
		}
	case do0 == nil:
		return func(fp pointer) *block {
			if cond(fp) {
				return to0
			}
			do1(fp)
			return to1
		}
	case do1 == nil:
		return func(fp pointer) *block {
			if cond(fp) {
				do0(fp)
				return to0
			}
			return to1
		}
	}
	return func(fp pointer) *block {
		if cond(fp) {
			do0(fp)
			return to0
		}
		do1(fp)
		return to1
	}
}

func endReturn(c *compiler, in *ssa.Return) term {
	if len(in.Results) == 0 {
		return func(pointer) *block { return nil }
	}
	if k := c.class(in.Results[0]); len(in.Results) == 1 && k != noClass {
		return returnsOf[k](c, in.Results[0], c.code.Signature.Results[0].At)
	}
	var moves []op
	for i, v := range in.Results {
		s := c.code.Signature.Results[i]
		if k := c.class(v); k != noClass {
			moves = append(moves, resultsOf[k](c, v, s.At))
		} else {
			moves = append(moves, copyOp(phiCopy{s.At, c.slot(v), s.Type}))
		}
	}
	switch do := moves[0]; len(moves) {
	case 1:
		return func(fp pointer) *block {
			do(fp)
			return nil
		}
	case 2:
		last := moves[1]
		return func(fp pointer) *block {
			do(fp)
			last(fp)
			return nil
		}
	}
	return func(fp pointer) *block {
		for _, do := range moves {
			do(fp)
		}
		return nil
	}
}

// resultsOf put results where callers find them, by class; returnsOf end a function with one.
var (
	resultsOf map[class]func(c *compiler, v ssa.Value, to uintptr) op
	returnsOf map[class]func(c *compiler, v ssa.Value, to uintptr) term
)

func init() {
	returnsOf = map[class]func(c *compiler, v ssa.Value, to uintptr) term{
		classInt: returnOf[int], classUint64: returnOf[uint64], classInt32: returnOf[int32], classUint32: returnOf[uint32],
		classUint8: returnOf[uint8], classFloat64: returnOf[float64], classBool: returnOf[bool],
		classPointer: returnOf[pointer],
	}
	resultsOf = map[class]func(c *compiler, v ssa.Value, to uintptr) op{
		classInt: resultOf[int], classUint64: resultOf[uint64], classInt32: resultOf[int32], classUint32: resultOf[uint32],
		classUint8: resultOf[uint8], classFloat64: resultOf[float64], classBool: resultOf[bool],
		classPointer: resultOf[pointer],
	}
}

func resultOf[T any](c *compiler, v ssa.Value, to uintptr) op { return operandOf[T](c, v).into(to) }

func returnOf[T any](c *compiler, v ssa.Value, to uintptr) term {
	x := operandOf[T](c, v)
	s, k, f := x.slot, x.k, x.f
	switch x.form {
	case fromSlot:
		return func(fp pointer) *block {
			*ref[T](fp, to) = *ref[T](fp, s)
			return nil
		}
	case isConstant:
		return func(fp pointer) *block {
			*ref[T](fp, to) = k
			return nil
		}
	}
	return func(fp pointer) *block {
		*ref[T](fp, to) = f(fp)
		return nil
	}
}

func endPanic(c *compiler, in *ssa.Panic) term {
	if t := c.rangeFuncPanic(in); t != nil {
		return t
	}
	x, ip := c.slot(in.X), c.ip(in)
	return func(fp pointer) *block {
		machine.Mark(fp, ip)
		panic(*ref[any](fp, x))
	}
}
