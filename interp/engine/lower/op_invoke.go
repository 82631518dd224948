package lower

import (
	"go/types"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/calls"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A callee is what a method call found for one first word of an interface: how the arguments get to
// the method and the results back.
type callee struct {
	tab    pointer // the interface's first word: a type or an itab
	method *machine.BoundMethod
	// of the code that args and ret are made for; where parameters lie depends on the receiver's
	// size
	sig       *machine.Signature
	args, ret transfer
	compiled  calls.MethodCall // of a compiled type's method
}

// An invocation is one method call on an interface. It remembers the callees that it saw, as long
// as they are few.
type invocation struct {
	machine *machine.Machine
	method  *types.Func
	iface   rtype.Word
	from    []machine.Slot // the arguments
	results []part
	places  []machine.Slot // of all results
	seen    atomic.Pointer[[]*callee]
}

const maxCallees = 8

// find returns the callee for the interface at p.
func (v *invocation) find(p pointer) *callee {
	tab := *(*pointer)(p)
	if seen := v.seen.Load(); seen != nil {
		for _, e := range *seen {
			if e.tab == tab {
				if e.method.Stale.Load() || e.method.Function != nil && e.method.Function.Code().Signature != e.sig {
					break
				}
				return e
			}
		}
	}
	return v.learn(p)
}

// learn adds a callee, in the place of another one where there are many.
func (v *invocation) learn(p pointer) *callee {
	b := v.machine.Bind(rtype.DynamicType(v.iface, p), v.method)
	e := &callee{tab: *(*pointer)(p), method: b}
	if b.Function != nil {
		e.sig = b.Function.Code().Signature
		copies := make([]argCopy, len(v.from))
		for i, f := range v.from {
			copies[i] = argCopy{e.sig.Params[i+1].At, f.At, e.sig.Params[i+1].Type}
		}
		e.args, e.ret = transferAll(copies), returned(v.results, e.sig)
	} else {
		e.compiled = calls.ToMethod(b, v.from, v.places)
	}
	list := []*callee{e}
	if seen := v.seen.Load(); seen != nil {
		for _, old := range *seen {
			if old.tab != e.tab && len(list) < maxCallees {
				list = append(list, old)
			}
		}
	}
	v.seen.Store(&list)
	return e
}

// invoke calls a method of an interface.
func (c *compiler) invoke(in *ssa.Call) op {
	cc := &in.Call
	x, ip := c.slot(cc.Value), c.ip(in)
	v := &invocation{machine: c.unit.machine, method: cc.Method, iface: c.typ(cc.Value.Type()).Word,
		results: c.results(in), places: c.nativeResults(in)}
	for _, a := range cc.Args {
		v.from = append(v.from, machine.Slot{At: c.slot(a), Type: c.typ(a.Type())})
	}
	wrapper := c.code.Wrapper
	return func(fp pointer) {
		p := at(fp, x)
		if *(*pointer)(p) == nil {
			machine.FailNil(fp, ip)
		}
		head(fp).IP = ip
		e := v.find(p)
		b := e.method
		if b.Function == nil {
			machine.Mark(fp, ip)
			e.compiled(fp, p)
			head(fp).Routine.Top = fp
			return
		}
		if b.OnNil != nil && (*pair)(p).Data == nil {
			b.CallNil(fp, ip)
		}
		code := b.Function.Code()
		nf := code.Push(fp, ip)
		if to := at(nf, code.Signature.Params[0].At); b.Recv.Shape == machine.ShapePtr && b.Direct {
			*(*pointer)(to) = (*pair)(p).Data
		} else {
			b.Recv.Move(to, b.Receiver(p))
		}
		if e.args != nil {
			e.args(nf, fp)
		}
		if wrapper {
			head(nf).DeferredBy = head(fp).DeferredBy
		}
		code.Run(nf)
		if wrapper {
			head(nf).DeferredBy = nil
		}
		if e.ret != nil {
			e.ret(fp, nf)
		}
		code.Pop(nf)
	}
}
