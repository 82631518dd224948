package lower

import (
	"reflect"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/calls"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A keptCall is how a defer or go statement calls compiled code: arguments and results have memory
// of their own, laid out like a frame, as the slots of the frame hold other values by then.
type keptCall struct {
	memory *rtype.FrameType // its first word keeps it alive
	args   transfer
	call   calls.Call
}

func (c *compiler) keptCall(ft reflect.Type, cc *ssa.CallCommon) *keptCall {
	l := machine.Area{Size: 8, Pointers: []uintptr{0}}
	var args, results []machine.Slot
	for _, a := range cc.Args {
		t := c.typ(a.Type())
		args = append(args, machine.Slot{At: l.Add(t), Type: t})
	}
	for v := range cc.Signature().Results().Variables() {
		t := c.typ(v.Type())
		results = append(results, machine.Slot{At: l.Add(t), Type: t})
	}
	k := &keptCall{args: c.keptArguments(ft, cc.Args, args), call: calls.To(ft, args, results)}
	k.memory = l.FrameType()
	return k
}

// keptArguments copies arguments to where the call finds them.
func (c *compiler) keptArguments(ft reflect.Type, values []ssa.Value, to []machine.Slot) transfer {
	var moves []transfer
	if all := c.arguments(values, to); all != nil {
		moves = append(moves, all)
	}
	for i := range values {
		if as, x := c.standIn(ft, i), to[i].At; as != nil {
			moves = append(moves, func(m, fp pointer) { *ref[pair](m, x) = as(fp, *ref[pair](m, x)) })
		}
	}
	return inTurn(moves)
}

// prepared copies the arguments out of a frame and makes the call of f. A panic in it finds the
// frame that deferred or started it.
func (k *keptCall) prepared(fp, f pointer, passes bool) machine.DeferredCall {
	m := k.memory.New()
	*(**rtype.FrameType)(m) = k.memory
	if k.args != nil {
		k.args(m, fp)
	}
	return func(g *machine.Routine, up pointer, ds *machine.DeferStack) {
		if up != nil {
			g.Top = up
		}
		if passes && ds != nil {
			g.Passed = ds
		}
		k.call(m, f)
		runtime.KeepAlive(m) // the call has pointers of it in words
	}
}
