package lower

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
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
	if fn.Blocks == nil && !c.unit.Declared(fn) {
		return c.nativeCall(in, fn)
	}
	if mc, ok := cc.Value.(*ssa.MakeClosure); ok {
		return c.closureCall(in, mc, fn)
	}
	return c.staticCall(in, c.unit.Target(fn), c.unit.calleeSignature(fn))
}

// calleeSignature is the frame layout that fn's callers need.
func (u *unit) calleeSignature(fn *ssa.Function) *machine.Signature {
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

// arguments moves the call's arguments into the parameters of sig, the first of which may already
// be filled.
func (c *compiler) arguments(args []ssa.Value, params []machine.Slot) transfer {
	moves := make([]transfer, len(args))
	for i, a := range args {
		if k := c.class(a); c.folded[a] {
			moves[i] = transfersOf[k](c, params[i].At, a)
		} else {
			moves[i] = transferOne(argCopy{params[i].At, c.slot(a), params[i].Type})
		}
	}
	return inTurn(moves)
}

// transfersOf compute folded arguments, by class.
var transfersOf map[class]func(c *compiler, to uintptr, v ssa.Value) transfer

func init() {
	transfersOf = map[class]func(c *compiler, to uintptr, v ssa.Value) transfer{
		classInt: transferComputed[int], classUint64: transferComputed[uint64], classInt32: transferComputed[int32],
		classUint32: transferComputed[uint32],
		classUint8:  transferComputed[uint8], classFloat64: transferComputed[float64], classBool: transferComputed[bool],
		classPointer: transferComputed[pointer],
	}
}

func transferComputed[T any](c *compiler, to uintptr, v ssa.Value) transfer {
	f := exprOf[T](c, v)
	return func(nf, fp pointer) { *ref[T](nf, to) = f(fp) }
}

func inTurn(moves []transfer) transfer {
	switch len(moves) {
	case 0:
		return nil
	case 1:
		return moves[0]
	case 2:
		a, b := moves[0], moves[1]
		return func(to, from pointer) { a(to, from); b(to, from) }
	case 3:
		a, b, c := moves[0], moves[1], moves[2]
		return func(to, from pointer) { a(to, from); b(to, from); c(to, from) }
	}
	return func(to, from pointer) {
		for _, move := range moves {
			move(to, from)
		}
	}
}

func returned(results []part, sig *machine.Signature) transfer {
	var copies []argCopy
	for i, r := range results {
		if r.used {
			copies = append(copies, argCopy{r.at, sig.Results[i].At, r.typ})
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
			x.typ.Move(at(to, x.to), at(from, x.from))
		}
	}
}

func transferOne(x argCopy) transfer {
	switch d, s := x.to, x.from; x.typ.Shape {
	case machine.Shape8:
		return transferAs[uint8](d, s)
	case machine.Shape32, machine.ShapeF32:
		return transferAs[uint32](d, s)
	case machine.Shape64, machine.ShapeF64:
		return transferAs[uint64](d, s)
	case machine.ShapePtr:
		return transferAs[pointer](d, s)
	case machine.ShapeString:
		return transferAs[string](d, s)
	case machine.ShapeSlice:
		return transferAs[[]byte](d, s)
	case machine.ShapeIface:
		return transferAs[pair](d, s)
	default:
		t := x.typ
		return func(to, from pointer) { t.Move(at(to, d), at(from, s)) }
	}
}

func transferAs[T any](d, s uintptr) transfer {
	return func(to, from pointer) { *ref[T](to, d) = *ref[T](from, s) }
}

// staticCall calls a function known when the call is compiled.
func (c *compiler) staticCall(in *ssa.Call, t *machine.Function, sig *machine.Signature) op {
	results, ip := c.results(in), c.ip(in)
	args, ret := c.arguments(in.Call.Args, sig.Params), returned(results, sig)
	if c.code.Wrapper {
		return c.wrappedCall(t, args, ret, ip)
	}
	if f := c.wordCall(in, t, sig, results, ip); f != nil {
		return f
	}
	return func(fp pointer) {
		code := t.Code()
		nf := code.Push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		code.Run(nf)
		if ret != nil {
			ret(fp, nf)
		}
		code.Pop(nf)
	}
}

// wrappedCall is a call in a wrapper: the callee recovers where the wrapper might.
func (c *compiler) wrappedCall(t *machine.Function, args, ret transfer, ip uint32) op {
	return func(fp pointer) {
		code := t.Code()
		nf := code.Push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		head(nf).DeferredBy = head(fp).DeferredBy
		code.Run(nf)
		head(nf).DeferredBy = nil
		if ret != nil {
			ret(fp, nf)
		}
		code.Pop(nf)
	}
}

// closureCall calls a func literal where it stands: its captured variables come from its object.
func (c *compiler) closureCall(in *ssa.Call, mc *ssa.MakeClosure, fn *ssa.Function) op {
	t := c.unit.Target(fn)
	ol := c.unit.objects(t, fn)
	sig := c.unit.calleeSignature(fn)
	results, ip, x := c.results(in), c.ip(in), c.slot(mc)
	args, ret := c.arguments(in.Call.Args, sig.Params), returned(results, sig)
	return func(fp pointer) {
		code := t.Code()
		nf := code.Push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		code.Capture(nf, *ref[*machine.FuncObject](fp, x), ol)
		code.Run(nf)
		if ret != nil {
			ret(fp, nf)
		}
		code.Pop(nf)
	}
}

// dynamicCall calls a func value: an object of this engine directly, else compiled code.
func (c *compiler) dynamicCall(in *ssa.Call) op {
	ft := c.typ(in.Call.Value.Type())
	form := c.unit.machine.FuncForm(ft.Reflect)
	sig := c.unit.signature(nil, in.Call.Value.Type().Underlying().(*types.Signature))
	results, ip, x := c.results(in), c.ip(in), c.slot(in.Call.Value)
	args, ret := c.arguments(in.Call.Args, sig.Params), returned(results, sig)
	native := c.compiledFunc(in, ft, results)
	wrapper := c.code.Wrapper
	return func(fp pointer) {
		p := *ref[pointer](fp, x)
		if p == nil {
			machine.FailNil(fp, ip)
		}
		o := form.Own(p)
		if o == nil {
			native(fp, p)
			return
		}
		code := o.Function.Code()
		nf := code.Push(fp, ip)
		if args != nil {
			args(nf, fp)
		}
		if len(code.Captures) > 0 {
			code.Capture(nf, o, o.Function.Layout)
		}
		if wrapper {
			head(nf).DeferredBy = head(fp).DeferredBy
		}
		code.Run(nf)
		if wrapper {
			head(nf).DeferredBy = nil
		}
		if ret != nil {
			ret(fp, nf)
		}
		code.Pop(nf)
	}
}
