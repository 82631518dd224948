package vm

import (
	"go/types"
	"reflect"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A boundMethod is what a method call on an interface finds for one dynamic type.
type boundMethod struct {
	word   rtype.Word // the dynamic type
	recv   *typ
	direct bool
	target *target // cell code, or
	native reflect.Value
	params []*typ // of native, receiver included
}

// A methodKey names a method of a type.
type methodKey struct {
	word rtype.Word
	id   string
}

// method finds the method that m of an interface is on values of type w.
func (v *vm) method(w rtype.Word, m *types.Func) *boundMethod {
	key := methodKey{w, m.Id()}
	if b, ok := v.methods.Load(key); ok {
		return b.(*boundMethod)
	}
	rt := rtype.TypeOf(w)
	b := &boundMethod{word: w, recv: newTyp(rt), direct: rtype.Direct(w)}
	if t, ok := v.table.Lookup(w); ok {
		sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
		if sel == nil {
			panic(internal("no method %s on %s", m.Name(), t))
		}
		b.target = v.methodTarget(t, sel)
	} else {
		nm, ok := rt.MethodByName(m.Name())
		if !ok {
			panic(internal("no compiled method %s on %s", m.Name(), rt))
		}
		b.native = nm.Func
		if r, ok := replacedMethods[methodName{rt, m.Name()}]; ok {
			b.native = r
		}
		for i := range nm.Type.NumIn() {
			b.params = append(b.params, newTyp(nm.Type.In(i)))
		}
	}
	v.methods.Store(key, b)
	return b
}

// receiver is where the interface at p keeps the value that the method is called on.
func (b *boundMethod) receiver(p pointer) pointer {
	if b.direct {
		return pointer(&(*pair)(p).b)
	}
	return (*pair)(p).b
}

// invoke calls a method of an interface. Each call remembers the last type it saw.
func (c *compiler) invoke(in *ssa.Call) op {
	cc := &in.Call
	iface := c.typ(cc.Value.Type())
	x, ip, m := c.slot(cc.Value), c.ip(in), cc.Method
	results := c.results(in)
	v := c.unit.vm
	native := c.nativeInvoke(in, results)
	sigs := c.invokeSignatures(in, results)
	var cache atomic.Pointer[boundMethod]
	wrapper := c.code.wrapper
	return func(fp pointer) {
		p := at(fp, x)
		w := rtype.DynamicType(iface.word, p)
		if w == nil {
			failNil(fp, ip)
		}
		b := cache.Load()
		if b == nil || b.word != w {
			mark(fp, ip)
			b = v.method(w, m)
			cache.Store(b)
		}
		if b.target == nil {
			mark(fp, ip)
			native(fp, b)
			return
		}
		code := b.target.code()
		nf := code.push(fp, ip)
		s := sigs(code.sig)
		b.recv.move(at(nf, code.sig.params[0].at), b.receiver(p))
		if s.args != nil {
			s.args(nf, fp)
		}
		if wrapper {
			head(nf).defered = head(fp).defered
		}
		code.run(nf)
		if wrapper {
			head(nf).defered = nil
		}
		if s.ret != nil {
			s.ret(fp, nf)
		}
		code.pop(nf)
	}
}

// An invokePlan moves arguments and results for callees whose receiver takes as much room as that of sig.
type invokePlan struct {
	sig       *signature
	args, ret transfer
}

// invokeSignatures makes the plans for the receivers that turn up: where the parameters lie depends on the receiver's size. The last one is kept.
func (c *compiler) invokeSignatures(in *ssa.Call, results []part) func(*signature) *invokePlan {
	from := make([]uintptr, len(in.Call.Args))
	for i, a := range in.Call.Args {
		from[i] = c.slot(a)
	}
	var last atomic.Pointer[invokePlan]
	return func(sig *signature) *invokePlan {
		if p := last.Load(); p != nil && p.sig == sig {
			return p
		}
		copies := make([]argCopy, len(from))
		for i, f := range from {
			copies[i] = argCopy{sig.params[i+1].at, f, sig.params[i+1].typ}
		}
		p := &invokePlan{sig, transferAll(copies), returned(results, sig)}
		last.Store(p)
		return p
	}
}
