package yaegi

import (
	"go/constant"
	"go/token"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/ssa"
)

// The states of the jump variable in go/ssa's lowering of a range over a function.
const (
	jumpBusy = -1
	jumpDone = -2
)

// printPanic prints a panic statement, or one that go/ssa put into a range over a function, whose
// words are not the runtime's.
func printPanic(p *printer, in *ssa.Panic) {
	defer p.line("return")
	state, synthetic := p.loopPanic(in)
	switch {
	case !synthetic:
		p.operate(in, []ssa.Value{in.X}, func(_ *Frame, a []reflect.Value) reflect.Value { panic(a[0].Interface()) })
	case state == nil:
		p.operate(in, nil, func(*Frame, []reflect.Value) reflect.Value {
			panic(gorelease.RuntimeError("range function recovered a loop body panic and did not resume panicking"))
		})
	default:
		p.operate(in, []ssa.Value{state, state.X}, func(_ *Frame, a []reflect.Value) reflect.Value {
			*(*int)(pointerOf(a[1])) = jumpBusy // an iterator that recovers this has not resumed panicking, go/ssa forgets
			why := "after function for loop body returned false"
			switch a[0].Int() {
			case jumpBusy:
				why = "after loop body panic"
			case jumpDone:
				why = "after whole loop exit"
			}
			panic(gorelease.RuntimeError("range function continued iteration " + why))
		})
	}
}

// loopPanic reports whether a panic stands nowhere in the source, and what holds the loop's state.
func (p *printer) loopPanic(in *ssa.Panic) (state *ssa.UnOp, synthetic bool) {
	m, ok := in.X.(*ssa.MakeInterface)
	if !ok || in.Pos() != token.NoPos {
		return nil, false
	}
	c, ok := m.X.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return nil, false
	}
	switch constant.StringVal(c.Value) {
	case "iterator call did not preserve panic":
		return nil, true
	case "yield function called after range loop exit":
	default: // behind a select that has run one of its cases: never reached
		return nil, false
	}
	if preds := in.Block().Preds; len(preds) == 1 {
		last := preds[0].Instrs[len(preds[0].Instrs)-1]
		if end, ok := last.(*ssa.If); ok {
			if cmp, ok := end.Cond.(*ssa.BinOp); ok {
				if load, ok := cmp.X.(*ssa.UnOp); ok && load.Op == token.MUL {
					return load, true
				}
			}
		}
	}
	refuse(p.position(in), "a panic in a range over a function", "its reason is not known")
	return nil, true
}
