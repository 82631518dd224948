package link

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// NilCheck tells of assertions that no program has: go/ssa asserts that the interface of a method
// value x.M is not nil by an assertion to the type that it has. Where it is nil, Go dereferences a
// nil pointer.
func NilCheck(in *ssa.TypeAssert) bool {
	if in.CommaOk || len(*in.Referrers()) > 0 {
		return false
	}
	if in.Pos() == token.NoPos {
		return true
	}
	bound := follows(in)
	if c, ok := bound.(*ssa.ChangeInterface); ok {
		bound = follows(c)
	}
	c, ok := bound.(*ssa.MakeClosure)
	return ok && c.Pos() == in.Pos()
}

// follows is the instruction behind in, nil at the end of its block.
func follows(in ssa.Instruction) ssa.Instruction {
	all := in.Block().Instrs
	for i, x := range all[:len(all)-1] {
		if x == in {
			return all[i+1]
		}
	}
	return nil
}
