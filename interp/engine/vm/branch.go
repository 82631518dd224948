package vm

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// intBranch is a comparison of ints and the branch on it without a call in between, where the edges have no work; else nil.
func (c *compiler) intBranch(b *ssa.BasicBlock, cmp *ssa.BinOp) term {
	if k := c.typ(cmp.X.Type()).kind; k != reflect.Int && k != reflect.Int64 {
		return nil
	}
	for i := range b.Succs {
		if c.retreats[edge{b.Index, i}] || c.edgeCopies(b, i) != nil {
			return nil
		}
	}
	yes, no := c.blocks[b.Succs[0].Index], c.blocks[b.Succs[1].Index]
	if k, ok := constOf(cmp.Y); ok {
		return branchOnConstant(cmp.Op, c.slot(cmp.X), *(*int)(constantMemory(typInt, k)), yes, no)
	}
	return branchOnSlots(cmp.Op, c.slot(cmp.X), c.slot(cmp.Y), yes, no)
}

func branchOnConstant(tok token.Token, x uintptr, k int, yes, no *block) term {
	switch tok {
	case token.NEQ, token.GEQ, token.GTR:
		tok, yes, no = negated[tok], no, yes
	}
	switch tok {
	case token.EQL:
		return func(fp pointer) *block {
			if *ref[int](fp, x) == k {
				return yes
			}
			return no
		}
	case token.LSS:
		return func(fp pointer) *block {
			if *ref[int](fp, x) < k {
				return yes
			}
			return no
		}
	}
	return func(fp pointer) *block {
		if *ref[int](fp, x) <= k {
			return yes
		}
		return no
	}
}

func branchOnSlots(tok token.Token, x, y uintptr, yes, no *block) term {
	switch tok {
	case token.NEQ, token.GEQ, token.GTR:
		tok, yes, no = negated[tok], no, yes
	}
	switch tok {
	case token.EQL:
		return func(fp pointer) *block {
			if *ref[int](fp, x) == *ref[int](fp, y) {
				return yes
			}
			return no
		}
	case token.LSS:
		return func(fp pointer) *block {
			if *ref[int](fp, x) < *ref[int](fp, y) {
				return yes
			}
			return no
		}
	}
	return func(fp pointer) *block {
		if *ref[int](fp, x) <= *ref[int](fp, y) {
			return yes
		}
		return no
	}
}

// negated are the comparisons of integers that are another's contrary.
var negated = map[token.Token]token.Token{token.NEQ: token.EQL, token.GEQ: token.LSS, token.GTR: token.LEQ}
