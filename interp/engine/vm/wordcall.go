package vm

import (
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// A wordCall is a call of one or two parameters of 64 bits and a result of 64 bits or none, which most calls in recursive functions are.
type wordCall struct {
	t    *target
	ip   uint32
	x, y operand[uint64]
	p, q uintptr // the parameters in the callee's frame
	d, r uintptr // the result in the caller's and the callee's
}

// wordCall is nil for other calls.
func (c *compiler) wordCall(in *ssa.Call, t *target, sig *signature, results []part, ip uint32) op {
	args := in.Call.Args
	if len(results) > 1 || len(args) == 0 || len(args) > 2 || len(results) == 1 && !is64(results[0].typ) {
		return nil
	}
	w := wordCall{t: t, ip: ip, p: sig.params[0].at}
	var ok bool
	if w.x, ok = c.word(args[0]); !ok {
		return nil
	}
	if len(args) == 2 {
		w.q = sig.params[1].at
		if w.y, ok = c.word(args[1]); !ok {
			return nil
		}
	}
	if len(results) == 1 {
		w.d, w.r = results[0].at, sig.results[0].at
		if !results[0].used {
			return nil
		}
		return w.withResult(len(args))
	}
	return w.withoutResult(len(args))
}

func is64(t *typ) bool { return t.shape == shape64 || t.shape == shapeF64 }

// word is v as 64 bits; false for other sizes, pointers, and floats that are computed.
func (c *compiler) word(v ssa.Value) (operand[uint64], bool) {
	t := c.typ(v.Type())
	switch {
	case !is64(t) || c.folded[v] && t.shape != shape64:
		return operand[uint64]{}, false
	case c.class(v) == classInt:
		x := operandOf[int](c, v)
		// a func that returns an int is one that returns a uint64: both are in one register
		return operand[uint64]{x.form, x.slot, uint64(x.k), *(*value[uint64])(unsafe.Pointer(&x.f))}, true
	case c.folded[v]:
		return operandOf[uint64](c, v), true
	}
	return operand[uint64]{slot: c.slot(v)}, true
}

func (w wordCall) withResult(args int) op {
	t, ip, p, q, d, r := w.t, w.ip, w.p, w.q, w.d, w.r
	x, y, f, g := w.x.slot, w.y.slot, w.x.value(), w.y.value()
	switch {
	case args == 1 && w.x.form == fromSlot:
		return func(fp pointer) {
			code := t.code()
			nf := code.push(fp, ip)
			*ref[uint64](nf, p) = *ref[uint64](fp, x)
			code.run(nf)
			*ref[uint64](fp, d) = *ref[uint64](nf, r)
			code.pop(nf)
		}
	case args == 1:
		return func(fp pointer) {
			code := t.code()
			nf := code.push(fp, ip)
			*ref[uint64](nf, p) = f(fp)
			code.run(nf)
			*ref[uint64](fp, d) = *ref[uint64](nf, r)
			code.pop(nf)
		}
	case both(w.x.form, w.y.form) == slotSlot:
		return func(fp pointer) {
			code := t.code()
			nf := code.push(fp, ip)
			*ref[uint64](nf, p) = *ref[uint64](fp, x)
			*ref[uint64](nf, q) = *ref[uint64](fp, y)
			code.run(nf)
			*ref[uint64](fp, d) = *ref[uint64](nf, r)
			code.pop(nf)
		}
	}
	return func(fp pointer) {
		code := t.code()
		nf := code.push(fp, ip)
		*ref[uint64](nf, p) = f(fp)
		*ref[uint64](nf, q) = g(fp)
		code.run(nf)
		*ref[uint64](fp, d) = *ref[uint64](nf, r)
		code.pop(nf)
	}
}

func (w wordCall) withoutResult(args int) op {
	t, ip, p, q, f, g := w.t, w.ip, w.p, w.q, w.x.value(), w.y.value()
	if args == 1 {
		return func(fp pointer) {
			code := t.code()
			nf := code.push(fp, ip)
			*ref[uint64](nf, p) = f(fp)
			code.run(nf)
			code.pop(nf)
		}
	}
	return func(fp pointer) {
		code := t.code()
		nf := code.push(fp, ip)
		*ref[uint64](nf, p) = f(fp)
		*ref[uint64](nf, q) = g(fp)
		code.run(nf)
		code.pop(nf)
	}
}
