package lower

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// A wordCall is a call with one or two arguments that are a word each and at most one result that
// is a word or a bool, which most calls of recursive functions and of methods are.
type wordCall struct {
	t    *machine.Function
	ip   uint32
	p, q uintptr // the parameters in the callee's frame
	d, r uintptr // the result in the caller's and the callee's
}

// wordCall is nil for other calls.
func (c *compiler) wordCall(in *ssa.Call, t *machine.Function, sig *machine.Signature, results []part, ip uint32) op {
	args := in.Call.Args
	if len(results) > 1 || len(args) == 0 || len(args) > 2 {
		return nil
	}
	w := wordCall{t: t, ip: ip, p: sig.Params[0].At}
	key := ""
	for _, a := range args {
		key += c.wordLetter(a)
	}
	if len(args) == 2 {
		w.q = sig.Params[1].At
	}
	if len(results) == 1 {
		w.d, w.r = results[0].at, sig.Results[0].At
		if !results[0].used {
			return nil
		}
		key += ":" + string(machine.ShapeLetters[results[0].typ.Shape])
	}
	if f := wordCalls[key]; f != nil {
		return f(c, w, args)
	}
	return nil
}

// wordLetter is I for 64 bits, P for pointers, and for other values and floats that are computed a
// letter that is in no key.
func (c *compiler) wordLetter(v ssa.Value) string {
	switch t := c.typ(v.Type()); {
	case t.Shape == machine.ShapePtr:
		return "P"
	case t.Shape == machine.Shape64, t.Shape == machine.ShapeF64 && !c.folded[v]:
		return "I"
	}
	return "?"
}

// word is v, 64 bits, as such.
func (c *compiler) word(v ssa.Value) (operand[uint64], bool) {
	t := c.typ(v.Type())
	switch {
	case !is64(t) || c.folded[v] && t.Shape != machine.Shape64:
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

func is64(t *typ) bool { return t.Shape == machine.Shape64 || t.Shape == machine.ShapeF64 }

// wordCalls make the op of a call by the letters of its arguments and result.
var wordCalls map[string]func(c *compiler, w wordCall, args []ssa.Value) op

func init() { // the operands are made with the table
	wordCalls = map[string]func(c *compiler, w wordCall, args []ssa.Value) op{
		"I": wordCall1(i64), "P": wordCall1(ptr), "II": wordCall2(i64, i64), "PI": wordCall2(ptr, i64),
		"IP": wordCall2(i64, ptr), "PP": wordCall2(ptr, ptr),
		"I:I": wordCall1r[uint64](i64), "P:I": wordCall1r[uint64](ptr), "I:F": wordCall1r[uint64](i64),
		"P:F": wordCall1r[uint64](ptr),
		"I:P": wordCall1r[pointer](i64), "P:P": wordCall1r[pointer](ptr), "I:B": wordCall1r[uint8](i64),
		"P:B":  wordCall1r[uint8](ptr),
		"II:I": wordCall2r[uint64](i64, i64), "PI:I": wordCall2r[uint64](ptr, i64), "PP:I": wordCall2r[uint64](ptr, ptr),
		"II:F": wordCall2r[uint64](i64, i64), "PI:F": wordCall2r[uint64](ptr, i64), "II:P": wordCall2r[pointer](i64, i64),
		"PI:P": wordCall2r[pointer](ptr, i64), "PP:P": wordCall2r[pointer](ptr, ptr), "II:B": wordCall2r[uint8](i64, i64),
		"PI:B": wordCall2r[uint8](ptr, i64), "PP:B": wordCall2r[uint8](ptr, ptr),
	}
}

// i64 and ptr make the operand of an argument.
func i64(c *compiler, v ssa.Value) operand[uint64] {
	x, _ := c.word(v)
	return x
}

func ptr(c *compiler, v ssa.Value) operand[pointer] { return operandOf[pointer](c, v) }

type operandMaker[T any] func(c *compiler, v ssa.Value) operand[T]

// A callMaker makes an op. Those below are not inlined: into functions as large as the table's the
// compiler would inline nothing of theirs.
type callMaker = func(c *compiler, w wordCall, args []ssa.Value) op

//go:noinline
func wordCall1[X any](first operandMaker[X]) callMaker {
	return func(c *compiler, w wordCall, args []ssa.Value) op {
		t, ip, p, f := w.t, w.ip, w.p, first(c, args[0]).value()
		return func(fp pointer) {
			code := t.Code()
			nf := code.Push(fp, ip)
			*ref[X](nf, p) = f(fp)
			code.Run(nf)
			code.Pop(nf)
		}
	}
}

//go:noinline
func wordCall2[X, Y any](first operandMaker[X], second operandMaker[Y]) callMaker {
	return func(c *compiler, w wordCall, args []ssa.Value) op {
		t, ip, p, q, x, g := w.t, w.ip, w.p, w.q, first(c, args[0]), second(c, args[1]).value()
		f, s := x.value(), x.slot
		if x.form == fromSlot {
			return func(fp pointer) {
				code := t.Code()
				nf := code.Push(fp, ip)
				*ref[X](nf, p) = *ref[X](fp, s)
				*ref[Y](nf, q) = g(fp)
				code.Run(nf)
				code.Pop(nf)
			}
		}
		return func(fp pointer) {
			code := t.Code()
			nf := code.Push(fp, ip)
			*ref[X](nf, p) = f(fp)
			*ref[Y](nf, q) = g(fp)
			code.Run(nf)
			code.Pop(nf)
		}
	}
}

//go:noinline
func wordCall1r[R, X any](first operandMaker[X]) callMaker {
	return func(c *compiler, w wordCall, args []ssa.Value) op {
		t, ip, p, d, r, x := w.t, w.ip, w.p, w.d, w.r, first(c, args[0])
		f, s := x.value(), x.slot
		if x.form == fromSlot {
			return func(fp pointer) {
				code := t.Code()
				nf := code.Push(fp, ip)
				*ref[X](nf, p) = *ref[X](fp, s)
				code.Run(nf)
				*ref[R](fp, d) = *ref[R](nf, r)
				code.Pop(nf)
			}
		}
		return func(fp pointer) {
			code := t.Code()
			nf := code.Push(fp, ip)
			*ref[X](nf, p) = f(fp)
			code.Run(nf)
			*ref[R](fp, d) = *ref[R](nf, r)
			code.Pop(nf)
		}
	}
}

//go:noinline
func wordCall2r[R, X, Y any](first operandMaker[X], second operandMaker[Y]) callMaker {
	return func(c *compiler, w wordCall, args []ssa.Value) op {
		t, ip, p, q, d, r, x, y := w.t, w.ip, w.p, w.q, w.d, w.r, first(c, args[0]), second(c, args[1])
		f, s, g, u := x.value(), x.slot, y.value(), y.slot
		if both(x.form, y.form) == slotSlot {
			return func(fp pointer) {
				code := t.Code()
				nf := code.Push(fp, ip)
				*ref[X](nf, p) = *ref[X](fp, s)
				*ref[Y](nf, q) = *ref[Y](fp, u)
				code.Run(nf)
				*ref[R](fp, d) = *ref[R](nf, r)
				code.Pop(nf)
			}
		}
		return func(fp pointer) {
			code := t.Code()
			nf := code.Push(fp, ip)
			*ref[X](nf, p) = f(fp)
			*ref[Y](nf, q) = g(fp)
			code.Run(nf)
			*ref[R](fp, d) = *ref[R](nf, r)
			code.Pop(nf)
		}
	}
}
