package lower

import (
	"go/constant"
	"go/token"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/ssa"
)

// The panics of range-over-func loops, in the runtime's words. go/ssa has words of its own.
const (
	rangeDone         = "range function continued iteration after function for loop body returned false"
	rangePanicked     = "range function continued iteration after loop body panic"
	rangeExhausted    = "range function continued iteration after whole loop exit"
	rangeMissingPanic = "range function recovered a loop body panic and did not resume panicking"
)

// The states of a loop's jump variable in go/ssa's lowering; exits are positive.
const (
	jumpBusy = -1
	jumpDone = -2
)

// rangeFuncPanic compiles the panics that go/ssa puts into range-over-func loops; nil for a panic
// statement.
func (c *compiler) rangeFuncPanic(in *ssa.Panic) term {
	text, ok := syntheticPanic(in)
	if !ok {
		return nil
	}
	ip := c.ip(in)
	if text == "iterator call did not preserve panic" {
		return func(fp pointer) *block {
			machine.Mark(fp, ip)
			panic(gorelease.RuntimeError(rangeMissingPanic))
		}
	}
	state := c.jumpState(in.Block())
	if state == nil {
		return nil
	}
	x, jump := c.slot(state), c.slot(state.X)
	return func(fp pointer) *block {
		**ref[*int](fp, jump) = jumpBusy // an iterator that recovers this has not resumed panicking, go/ssa forgets
		machine.Mark(fp, ip)
		switch *ref[int](fp, x) {
		case jumpBusy:
			panic(gorelease.RuntimeError(rangePanicked))
		case jumpDone:
			panic(gorelease.RuntimeError(rangeExhausted))
		}
		panic(gorelease.RuntimeError(rangeDone))
	}
}

// syntheticPanic returns the text of a panic that stands nowhere in the source.
func syntheticPanic(in *ssa.Panic) (string, bool) {
	m, ok := in.X.(*ssa.MakeInterface)
	if !ok || in.Pos() != token.NoPos {
		return "", false
	}
	k, ok := constOf(m.X)
	if !ok || k.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(k), true
}

// jumpState is the loop's jump variable as the test before the panic read it.
func (c *compiler) jumpState(b *ssa.BasicBlock) *ssa.UnOp {
	if len(b.Preds) != 1 {
		return nil
	}
	p := b.Preds[0]
	end, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cmp, ok := end.Cond.(*ssa.BinOp)
	if !ok {
		return nil
	}
	load, ok := cmp.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	return load
}
