package unevaluated

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// LostRunDefers tells before which instruction of b, in a function that defers or not, deferred
// calls are to run that go/ssa forgot, -1 for
// none: its lifting drops RunDefers from functions that defer only inside range-over-func bodies.
// They run before the results are loaded.
func LostRunDefers(b *ssa.BasicBlock, defers bool) int {
	n := len(b.Instrs)
	ret, ok := b.Instrs[n-1].(*ssa.Return)
	if !ok || !defers || b == b.Parent().Recover || slices.ContainsFunc(b.Instrs, runsDefers) {
		return -1
	}
	first := n - 1
	for first > 0 {
		load, ok := b.Instrs[first-1].(*ssa.UnOp)
		if !ok || !slices.Contains(ret.Results, ssa.Value(load)) {
			break
		}
		first--
	}
	return first
}

func runsDefers(in ssa.Instruction) bool {
	_, ok := in.(*ssa.RunDefers)
	return ok
}
