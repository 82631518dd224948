package vm

import (
	"go/types"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A callee is what a method call found for one first word of an interface: how the arguments get to the method and the results back.
type callee struct {
	tab       pointer // the interface's first word: a type or an itab
	method    *boundMethod
	sig       *signature // of the code that args and ret are made for; where parameters lie depends on the receiver's size
	args, ret transfer
	compiled  invokeOp // of a compiled type's method
}

// An invocation is one method call on an interface. It remembers the callees that it saw, as long as they are few.
type invocation struct {
	c       *vm
	method  *types.Func
	iface   rtype.Word
	from    []slotOf // the arguments
	results []part
	places  []slotOf // of all results
	seen    atomic.Pointer[[]*callee]
}

const maxCallees = 8

// find returns the callee for the interface at p.
func (v *invocation) find(p pointer) *callee {
	tab := *(*pointer)(p)
	if seen := v.seen.Load(); seen != nil {
		for _, e := range *seen {
			if e.tab == tab {
				if e.method.stale.Load() || e.method.target != nil && e.method.target.code().sig != e.sig {
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
	b := v.c.method(rtype.DynamicType(v.iface, p), v.method)
	e := &callee{tab: *(*pointer)(p), method: b}
	if b.target != nil {
		e.sig = b.target.code().sig
		copies := make([]argCopy, len(v.from))
		for i, f := range v.from {
			copies[i] = argCopy{e.sig.params[i+1].at, f.at, e.sig.params[i+1].typ}
		}
		e.args, e.ret = transferAll(copies), returned(v.results, e.sig)
	} else {
		e.compiled = nativeInvoke(b, v.from, v.places)
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
	v := &invocation{c: c.unit.vm, method: cc.Method, iface: c.typ(cc.Value.Type()).word, results: c.results(in), places: c.nativeResults(in)}
	for _, a := range cc.Args {
		v.from = append(v.from, slotOf{c.slot(a), c.typ(a.Type())})
	}
	wrapper := c.code.wrapper
	return func(fp pointer) {
		p := at(fp, x)
		if *(*pointer)(p) == nil {
			failNil(fp, ip)
		}
		head(fp).ip = ip
		e := v.find(p)
		b := e.method
		if b.target == nil {
			mark(fp, ip)
			e.compiled(fp, p)
			head(fp).g.top = fp
			return
		}
		if b.onNil != nil && (*pair)(p).b == nil {
			b.callNil(fp, ip)
		}
		code := b.target.code()
		nf := code.push(fp, ip)
		if to := at(nf, code.sig.params[0].at); b.recv.shape == shapePtr && b.direct {
			*(*pointer)(to) = (*pair)(p).b
		} else {
			b.recv.move(to, b.receiver(p))
		}
		if e.args != nil {
			e.args(nf, fp)
		}
		if wrapper {
			head(nf).defered = head(fp).defered
		}
		code.run(nf)
		if wrapper {
			head(nf).defered = nil
		}
		if e.ret != nil {
			e.ret(fp, nf)
		}
		code.pop(nf)
	}
}
