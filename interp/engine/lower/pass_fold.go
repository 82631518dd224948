package lower

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/unevaluated"
	"golang.org/x/tools/go/ssa"
)

// fold decides which instructions have no op and no slot of their own: they are computed in the op
// of their only user, as one closure that calls another and gets its value in a register. An
// instruction that reads memory or may fail keeps its place among the others that do, or write;
// those that only compute from slots may move freely, because a slot that is still to be read is
// not written (pass_live.go).
func (c *compiler) fold() {
	if c.unit.machine.General {
		return
	}
	pinned := map[ssa.Value]bool{}
	for _, b := range c.fn.Blocks {
		if in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); ok {
			if _, ok := syntheticPanic(in); ok {
				pinned[c.jumpState(b)] = true // rangeFuncPanic reads its slot
			}
		}
	}
	for _, b := range c.fn.Blocks {
		c.noteAppends(b)
		f := folder{c: c, ordered: map[ssa.Value]bool{}, pinned: pinned, updates: map[ssa.Value]ssa.Instruction{}}
		f.block(b)
	}
}

// A folder goes through one block.
type folder struct {
	c       *compiler
	pending []ssa.Value                   // folded, ordered and not used yet, in order
	ordered map[ssa.Value]bool            // folded values whose computation has its place
	pinned  map[ssa.Value]bool            // values that need slots
	updates map[ssa.Value]ssa.Instruction // by the address, the load and the operation of each
}

func (f *folder) block(b *ssa.BasicBlock) {
	defers := unevaluated.LostRunDefers(b, f.c.code.Defers)
	for i, in := range b.Instrs {
		if i == defers {
			f.flush(len(f.pending))
		}
		_, isPhi := in.(*ssa.Phi)
		_, isStore := in.(*ssa.Store)
		if !isPhi && (isStore || !f.c.skipped[in]) {
			f.instruction(in)
		}
	}
}

// flush gives the first n pending values ops of their own after all.
func (f *folder) flush(n int) {
	for _, v := range f.pending[:n] {
		delete(f.c.folded, v)
		f.cancel(v)
	}
	f.pending = f.pending[n:]
}

func (f *folder) instruction(in ssa.Instruction) {
	var used []ssa.Value // what in computes itself, in the order in which it does
	for _, o := range f.evaluated(in) {
		if s, ok := in.(*ssa.Store); ok && f.c.updates[s] != nil && o == s.Addr {
			continue // the load has used it
		}
		if f.c.folded[o] && f.ordered[o] {
			used = append(used, o)
		}
	}
	v, _ := in.(ssa.Value)
	folds := v != nil && f.folds(v)
	placed := len(used) > 0 || !f.pure(in)
	if s, ok := f.updates[v].(*ssa.Store); ok && f.c.updates[s] != nil && s.Addr == v {
		placed = false // the store computes it where its load was
	}
	if placed {
		f.use(used)
		if !folds {
			f.flush(len(f.pending))
		}
	}
	if folds {
		f.c.folded[v] = true
		if placed {
			f.ordered[v] = true
			f.pending = append(f.pending, v)
		}
	}
}

// use takes what an instruction computes itself from the pending values: it has to be the last of
// them, in the same order.
func (f *folder) use(used []ssa.Value) {
	for len(used) > 0 && !hasTail(f.pending, used) {
		// the order of the first of used cannot be kept
		n := slices.Index(f.pending, used[0])
		f.flush(n + 1)
		used = slices.DeleteFunc(used, func(v ssa.Value) bool { return !f.c.folded[v] })
	}
	f.pending = f.pending[:len(f.pending)-len(used)]
}

func hasTail(list, tail []ssa.Value) bool {
	return len(list) >= len(tail) && slices.Equal(list[len(list)-len(tail):], tail)
}

// evaluated are the operands of in in the order in which its op computes them.
func (f *folder) evaluated(in ssa.Instruction) []ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		if f.c.skipped[in] {
			return []ssa.Value{in.Val}
		}
	case *ssa.MapUpdate:
		return []ssa.Value{in.Value, in.Map, in.Key}
	case *ssa.BinOp:
		if f.active(in) {
			return []ssa.Value{in.Y, in.X}
		}
	}
	var buf [8]*ssa.Value
	var vs []ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		if *o != nil {
			vs = append(vs, *o)
		}
	}
	return vs
}

// folds reports whether v can be computed by its only user.
func (f *folder) folds(v ssa.Value) bool {
	if f.updates[v] == nil {
		f.noteUpdate(v)
	}
	if s := f.updates[v]; s != nil && f.c.updates[s] != nil && !isBinOp(v) {
		return true
	}
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.(ssa.Instruction).Block() {
		return false
	}
	return !f.pinned[v] && f.c.computable(v) && f.c.computes(refs[0], v)
}

// pure tells instructions that neither read memory nor write nor fail.
func (f *folder) pure(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.BinOp:
		return f.c.class(in.X) != noClass && !mayDivideByZero(in) && !mayShiftNegative(in)
	case *ssa.UnOp:
		return in.Op != token.MUL && in.Op != token.ARROW
	case *ssa.Convert:
		return isNumber(in.Type()) && isNumber(in.X.Type())
	case *ssa.Call:
		return sliceLength(in) != nil || f.c.extremeOf(in) || f.c.intrinsicOf(in) != nil
	case *ssa.Extract, *ssa.Field, *ssa.ChangeType, *ssa.DebugRef, *ssa.MakeInterface, *ssa.MakeClosure:
		return true
	case *ssa.Alloc:
		return in.Heap
	case *ssa.Jump, *ssa.If:
		return true
	}
	return false
}

func mayDivideByZero(in *ssa.BinOp) bool {
	if in.Op != token.QUO && in.Op != token.REM || !isInteger(in.Type()) {
		return false
	}
	k, ok := constOf(in.Y)
	return !ok || constant.Sign(k) == 0
}

func mayShiftNegative(in *ssa.BinOp) bool {
	_, ok := shiftCount(in)
	return (in.Op == token.SHL || in.Op == token.SHR) && !ok
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// computable reports whether there is a value (expr.go) or an address (address.go) of v's kind.
func (c *compiler) computable(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		if isComparison(v.Op) {
			return true
		}
		return hasValue(v.Op, c.class(v)) && !mayDivideByZero(v) && !mayShiftNegative(v)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return c.class(v) != noClass || isSlice(v.Type())
		case token.NOT:
			return true
		}
	case *ssa.Convert:
		return c.hasConversion(v)
	case *ssa.IndexAddr, *ssa.FieldAddr:
		return true
	case *ssa.Lookup:
		return !v.CommaOk && isString(under(v.X))
	case *ssa.Index:
		return isString(under(v.X))
	case *ssa.Call:
		return sliceLength(v) != nil || c.extremeOf(v) || c.intrinsicOf(v) != nil
	}
	return false
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// computes reports whether the op of in can compute its operand v itself.
func (c *compiler) computes(in ssa.Instruction, v ssa.Value) bool {
	if isSlice(v.Type()) { // only its address is computed
		x, ok := in.(*ssa.IndexAddr)
		return ok && x.X == v
	}
	switch in := in.(type) {
	case *ssa.BinOp:
		if isComparison(in.Op) {
			return c.comparesClass(in)
		}
		return hasValue(in.Op, c.class(in)) && !mayDivideByZero(in) && !mayShiftNegative(in)
	case *ssa.UnOp:
		return in.Op == token.MUL || in.Op == token.NOT
	case *ssa.Convert:
		return c.hasConversion(in)
	case *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Store:
		return true
	case *ssa.Lookup:
		return in.Index == v && !in.CommaOk && (isString(under(in.X)) || c.hasFastKey(in.X) &&
			lookups64[c.typ(in.Type()).Shape] != nil)
	case *ssa.MapUpdate:
		return in.Value == v || in.Key == v && c.hasFastKey(in.Map)
	case *ssa.Index:
		return isString(under(in.X)) && in.Index == v
	case *ssa.Call:
		return c.extremeOf(in) || c.intrinsicOf(in) != nil || c.computesArgument(in, v)
	case *ssa.If:
		return true
	case *ssa.Return:
		return c.class(v) != noClass
	}
	return false
}

// computesArgument reports whether v is an argument of a call of a function of cells that is known
// when the call is compiled.
func (c *compiler) computesArgument(in *ssa.Call, v ssa.Value) bool {
	fn := in.Call.StaticCallee()
	if fn == nil || in.Call.Value == v || c.class(v) == noClass {
		return false
	}
	return fn.Blocks != nil || c.unit.Declared(fn)
}
