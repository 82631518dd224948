package vm

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// results says where a call's results go in the caller's frame.
func (c *compiler) results(in *ssa.Call) []part {
	n := in.Call.Signature().Results().Len()
	switch n {
	case 0:
		return nil
	case 1:
		return []part{{c.dst(in), c.typ(in.Type()), true}}
	}
	return c.parts[in]
}

func buildCall(c *compiler, in *ssa.Call) op {
	cc := &in.Call
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		return c.builtin(in, b)
	}
	if cc.IsInvoke() {
		return c.invoke(in)
	}
	fn := cc.StaticCallee()
	if fn == nil {
		return c.dynamicCall(in)
	}
	if fn.Blocks == nil && !c.unit.declared(fn) {
		return c.nativeCall(in, fn)
	}
	if mc, ok := cc.Value.(*ssa.MakeClosure); ok {
		return c.closureCall(in, mc, fn)
	}
	return c.staticCall(in, c.unit.target(fn), c.unit.calleeSignature(fn))
}

// calleeSignature is the frame layout that fn's callers need.
func (u *unit) calleeSignature(fn *ssa.Function) *signature {
	var recv *typ
	if r := fn.Signature.Recv(); r != nil {
		t := r.Type()
		if len(fn.Params) > 0 {
			t = fn.Params[0].Type()
		}
		recv = u.typ(t)
	}
	return u.signature(recv, fn.Signature)
}

// An argCopy moves one argument from the caller's frame to the callee's.
type argCopy struct {
	to, from uintptr
	typ      *typ
}

type transfer func(to, from pointer)

// arguments moves the call's arguments into the parameters of sig, the first of which may already be filled.
func (c *compiler) arguments(args []ssa.Value, params []slotOf) transfer {
	copies := make([]argCopy, len(args))
	for i, a := range args {
		copies[i] = argCopy{params[i].at, c.slot(a), params[i].typ}
	}
	return transferAll(copies)
}

func returned(results []part, sig *signature) transfer {
	var copies []argCopy
	for i, r := range results {
		if r.used {
			copies = append(copies, argCopy{r.at, sig.results[i].at, r.typ})
		}
	}
	return transferAll(copies)
}

func transferAll(copies []argCopy) transfer {
	switch len(copies) {
	case 0:
		return nil
	case 1:
		return transferOne(copies[0])
	case 2:
		a, b := transferOne(copies[0]), transferOne(copies[1])
		return func(to, from pointer) { a(to, from); b(to, from) }
	}
	return func(to, from pointer) {
		for i := range copies {
			x := &copies[i]
			x.typ.move(at(to, x.to), at(from, x.from))
		}
	}
}

func transferOne(x argCopy) transfer {
	switch d, s := x.to, x.from; x.typ.shape {
	case shape8:
		return transferAs[uint8](d, s)
	case shape32, shapeF32:
		return transferAs[uint32](d, s)
	case shape64, shapeF64:
		return transferAs[uint64](d, s)
	case shapePtr:
		return transferAs[pointer](d, s)
	case shapeString:
		return transferAs[string](d, s)
	case shapeSlice:
		return transferAs[[]byte](d, s)
	case shapeIface:
		return transferAs[pair](d, s)
	default:
		t := x.typ
		return func(to, from pointer) { t.move(at(to, d), at(from, s)) }
	}
}

func transferAs[T any](d, s uintptr) transfer {
	return func(to, from pointer) { *ref[T](to, d) = *ref[T](from, s) }
}

// push makes the frame of a call from fp.
func (c *code) push(fp pointer, ip uint32) pointer {
	h := head(fp)
	h.ip = ip
	nf := c.take(h.g)
	n := head(nf)
	n.up = fp
	n.depth = h.depth + 1
	if n.depth > h.g.limit.Load() {
		overLimit(fp)
	}
	return nf
}

// staticCall calls a function known when the call is compiled.
func (c *compiler) staticCall(in *ssa.Call, t *target, sig *signature) op {
	results, ip := c.results(in), c.ip(in)
	args, ret := c.arguments(in.Call.Args, sig.params), returned(results, sig)
	if c.code.wrapper {
		return c.wrappedCall(t, args, ret, ip)
	}
	if f := c.fastCall(in, t, sig, results, ip); f != nil {
		return f
	}
	return func(fp pointer) {
		code := t.code()
		nf := code.push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		code.run(nf)
		if ret != nil {
			ret(fp, nf)
		}
		code.release(head(fp).g, nf)
	}
}

// wrappedCall is a call in a wrapper: the callee recovers where the wrapper might.
func (c *compiler) wrappedCall(t *target, args, ret transfer, ip uint32) op {
	return func(fp pointer) {
		code := t.code()
		nf := code.push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		head(nf).defered = head(fp).defered
		code.run(nf)
		head(nf).defered = nil
		if ret != nil {
			ret(fp, nf)
		}
		code.release(head(fp).g, nf)
	}
}

// closureCall calls a func literal where it stands: its captured variables come from its object.
func (c *compiler) closureCall(in *ssa.Call, mc *ssa.MakeClosure, fn *ssa.Function) op {
	t := c.unit.target(fn)
	ol := t.objects(c.unit, fn)
	sig := c.unit.calleeSignature(fn)
	results, ip, x := c.results(in), c.ip(in), c.slot(mc)
	args, ret := c.arguments(in.Call.Args, sig.params), returned(results, sig)
	return func(fp pointer) {
		code := t.code()
		nf := code.push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		code.capture(nf, *ref[*funcObject](fp, x), ol)
		code.run(nf)
		if ret != nil {
			ret(fp, nf)
		}
		code.release(head(fp).g, nf)
	}
}

// dynamicCall calls a func value: an object of this engine directly, else compiled code.
func (c *compiler) dynamicCall(in *ssa.Call) op {
	ft := c.typ(in.Call.Value.Type())
	form := c.unit.vm.form(ft.rt)
	sig := c.unit.signature(nil, in.Call.Value.Type().Underlying().(*types.Signature))
	results, ip, x := c.results(in), c.ip(in), c.slot(in.Call.Value)
	args, ret := c.arguments(in.Call.Args, sig.params), returned(results, sig)
	native := c.compiledFunc(in, ft, results)
	wrapper := c.code.wrapper
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			failNil(fp, ip)
		}
		o := form.own(p)
		if o == nil {
			native(fp, p)
			return
		}
		code := o.target.code()
		nf := code.push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		if len(code.captures) > 0 {
			code.capture(nf, o, o.target.layout)
		}
		if wrapper {
			head(nf).defered = head(fp).defered
		}
		code.run(nf)
		if wrapper {
			head(nf).defered = nil
		}
		if ret != nil {
			ret(fp, nf)
		}
		code.release(head(fp).g, nf)
	}
}

// fastCall serves functions of one or two 64-bit parameters and one such result.
func (c *compiler) fastCall(in *ssa.Call, t *target, sig *signature, results []part, ip uint32) op {
	if len(results) != 1 || !is64(results[0].typ) || len(sig.params) == 0 || len(sig.params) > 2 {
		return nil
	}
	for _, p := range sig.params {
		if !is64(p.typ) {
			return nil
		}
	}
	d, r := results[0].at, sig.results[0].at
	x, p := c.slot(in.Call.Args[0]), sig.params[0].at
	if len(sig.params) == 1 {
		return func(fp pointer) {
			code := t.code()
			nf := code.push(fp, ip)
			*ref[uint64](nf, p) = *ref[uint64](fp, x)
			code.run(nf)
			*ref[uint64](fp, d) = *ref[uint64](nf, r)
			code.release(head(fp).g, nf)
		}
	}
	y, q := c.slot(in.Call.Args[1]), sig.params[1].at
	return func(fp pointer) {
		code := t.code()
		nf := code.push(fp, ip)
		*ref[uint64](nf, p) = *ref[uint64](fp, x)
		*ref[uint64](nf, q) = *ref[uint64](fp, y)
		code.run(nf)
		*ref[uint64](fp, d) = *ref[uint64](nf, r)
		code.release(head(fp).g, nf)
	}
}

func is64(t *typ) bool { return t.shape == shape64 || t.shape == shapeF64 }
