package lower

import (
	"go/token"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// A latch is how most loops end a turn: an int counter is advanced and compared, and the goroutine
// looks whether it is to stop.
type latch struct {
	x, y        uintptr // the counter's slot; the limit's, or
	constant    bool
	k           int // the limit
	by          int // what the counter is advanced by
	ip          uint32
	again, done *block
}

// An advance is x += by, the last op of a block.
type advance struct {
	x  uintptr
	by int
}

// advanceOf reports whether in, which has an op, is the advance of a counter.
func (c *compiler) advanceOf(in ssa.Instruction) (advance, bool) {
	add, ok := in.(*ssa.BinOp)
	if !ok || add.Op != token.ADD && add.Op != token.SUB || c.class(add) != classInt || c.folded[add] || c.folded[add.X] {
		return advance{}, false
	}
	k, ok := constOf(add.Y)
	if _, isConst := constOf(add.X); isConst || !ok || c.slot(add.X) != c.slot(add) {
		return advance{}, false
	}
	by := *(*int)(constantMemory(machine.IntType, k))
	if add.Op == token.SUB {
		by = -by
	}
	return advance{c.slot(add), by}, true
}

// counted is the comparison of a counter that ends a block, as a latch without an advance.
func (c *compiler) counted(b *ssa.BasicBlock) (l latch, tok token.Token, ok bool) {
	end, isIf := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !isIf {
		return l, 0, false
	}
	cmp, isBinOp := end.Cond.(*ssa.BinOp)
	if !isBinOp || !c.folded[cmp] || !c.comparesClass(cmp) || c.class(cmp.X) != classInt || c.edgeCopies(b, 0) != nil ||
		c.edgeCopies(b, 1) != nil {
		return l, 0, false
	}
	x, y := operandOf[int](c, cmp.X), operandOf[int](c, cmp.Y)
	if x.form != fromSlot || y.form == computed && sliceLengthSlot(c, cmp.Y) == 0 {
		return l, 0, false
	}
	l = latch{x: x.slot, y: y.slot, constant: y.form == isConstant, k: y.k}
	if y.form == computed {
		l.y = sliceLengthSlot(c, cmp.Y)
	}
	l.again, l.done = c.successors(b)
	return l, cmp.Op, true
}

// sliceLengthSlot is where the length lies that v is; 0 for other values.
func sliceLengthSlot(c *compiler, v ssa.Value) uintptr {
	if call, ok := v.(*ssa.Call); ok {
		if s := sliceLength(call); s != nil {
			return c.slot(s) + 8
		}
	}
	return 0
}

var contrary = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.EQL: token.NEQ,
	token.NEQ: token.EQL,
}

var latches = map[token.Token]struct {
	once func(latch) term
	loop func(latch, []op) term
}{
	token.LSS: {latch.lessLatch, latch.lessLoop}, token.LEQ: {latch.lessEqualLatch, latch.lessEqualLoop},
	token.GTR: {latch.greaterLatch, latch.greaterLoop}, token.GEQ: {latch.greaterEqualLatch, latch.greaterEqualLoop},
	token.NEQ: {latch.unequalLatch, latch.unequalLoop},
}

// latch ends block b, which jumps to a block that only advances and tests a counter (or b itself
// advances it); nil where it is not so.
func (c *compiler) latch(b *ssa.BasicBlock) term {
	head := b.Succs[0]
	l, tok, ok := c.counted(head)
	if !ok || c.edgeCopies(b, 0) != nil || b == head {
		return nil
	}
	out, ops := c.blocks[b.Index], c.blocks[head.Index].Ops
	step, inHead := c.advances[head.Index]
	inHead = inHead && step.x == l.x && len(ops) == 1
	body := out.Ops
	switch {
	case inHead:
		l.by = step.by
	case len(ops) > 0:
		return nil
	default:
		if step, ok := c.advances[b.Index]; ok && step.x == l.x && len(body) > 0 {
			l.by, body = step.by, body[:len(body)-1]
		}
	}
	l.ip = c.ip(b.Instrs[len(b.Instrs)-1])
	if l.done == out { // the loop goes on where the comparison fails
		tok, l.again, l.done = contrary[tok], l.done, l.again
	}
	f := latches[tok]
	if f.once == nil {
		return nil
	}
	out.Ops = body
	if l.again != out || len(body) == 0 {
		return f.once(l)
	}
	return f.loop(l, body)
}

// noteAdvance remembers whether in, whose op is the last of b so far, is an advance.
func (c *compiler) noteAdvance(b *ssa.BasicBlock, in ssa.Instruction) {
	if step, ok := c.advanceOf(in); ok {
		c.advances[b.Index] = step
	} else {
		delete(c.advances, b.Index)
	}
}
