package lower

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// plainEdges tells that a block that branches has no work on its edges.
func (c *compiler) plainEdges(b *ssa.BasicBlock) bool {
	for i := range b.Succs {
		if c.retreats[edge{b.Index, i}] || c.edgeCopies(b, i) != nil {
			return false
		}
	}
	return true
}

// classComparisons make the condition, classBranches the branch without work on its edges, of a
// comparison of values of a class.
var (
	classComparisons map[class]func(c *compiler, in *ssa.BinOp) condition
	classBranches    map[class]func(c *compiler, in *ssa.BinOp) term
)

func init() { // the operands are made with the tables
	classComparisons = map[class]func(c *compiler, in *ssa.BinOp) condition{
		classInt: orderedCondition[int], classUint64: orderedCondition[uint64], classInt32: orderedCondition[int32],
		classUint32: orderedCondition[uint32], classUint8: orderedCondition[uint8], classFloat64: orderedCondition[float64],
		classBool: equalityCondition[bool], classPointer: equalityCondition[pointer],
	}
	classBranches = map[class]func(c *compiler, in *ssa.BinOp) term{
		classInt: orderedBranch[int], classUint64: orderedBranch[uint64], classInt32: orderedBranch[int32],
		classUint32: orderedBranch[uint32], classUint8: orderedBranch[uint8], classFloat64: orderedBranch[float64],
		classBool: equalityBranch[bool], classPointer: equalityBranch[pointer],
	}
}

func orderedCondition[T ordered](c *compiler, in *ssa.BinOp) condition {
	x, y := operandOf[T](c, in.X), operandOf[T](c, in.Y)
	switch in.Op {
	case token.LSS:
		return lessValue(x, y)
	case token.LEQ:
		return lessEqualValue(x, y)
	case token.GTR:
		return greaterValue(x, y)
	case token.GEQ:
		return greaterEqualValue(x, y)
	case token.NEQ:
		return unequalValue(x, y)
	}
	return equalValue(x, y)
}

func equalityCondition[T comparable](c *compiler, in *ssa.BinOp) condition {
	x, y := operandOf[T](c, in.X), operandOf[T](c, in.Y)
	if in.Op == token.NEQ {
		return unequalValue(x, y)
	}
	return equalValue(x, y)
}

func orderedBranch[T ordered](c *compiler, in *ssa.BinOp) term {
	x, y := operandOf[T](c, in.X), operandOf[T](c, in.Y)
	yes, no := c.successors(in.Block())
	switch in.Op {
	case token.LSS:
		return lessBranch(x, y, yes, no)
	case token.LEQ:
		return lessEqualBranch(x, y, yes, no)
	case token.GTR:
		return greaterBranch(x, y, yes, no)
	case token.GEQ:
		return greaterEqualBranch(x, y, yes, no)
	case token.NEQ:
		return unequalBranch(x, y, yes, no)
	}
	return equalBranch(x, y, yes, no)
}

func equalityBranch[T comparable](c *compiler, in *ssa.BinOp) term {
	x, y := operandOf[T](c, in.X), operandOf[T](c, in.Y)
	yes, no := c.successors(in.Block())
	if in.Op == token.NEQ {
		return unequalBranch(x, y, yes, no)
	}
	return equalBranch(x, y, yes, no)
}

func (c *compiler) successors(b *ssa.BasicBlock) (yes, no *block) {
	return c.blocks[b.Succs[0].Index], c.blocks[b.Succs[1].Index]
}
