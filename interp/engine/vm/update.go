package vm

import (
	"go/token"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// noteUpdate finds out whether v is the address of x op= y: loaded from once, for an operation whose result is stored there. The
// store then computes the address once, and does all of it.
func (f *folder) noteUpdate(v ssa.Value) {
	refs := *v.Referrers()
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
	case *ssa.UnOp:
		f.noteVariableUpdate(v)
		return
	case *ssa.Lookup:
		f.noteElementUpdate(v)
		return
	default:
		return
	}
	if len(refs) != 2 || f.pinned[v] {
		return
	}
	load, ok := refs[0].(*ssa.UnOp)
	if !ok || load.Op != token.MUL || len(*load.Referrers()) != 1 {
		return
	}
	operation, ok := (*load.Referrers())[0].(*ssa.BinOp)
	if !ok || operation.X != load || len(*operation.Referrers()) != 1 || !f.c.updatable(operation) {
		return
	}
	store, ok := refs[1].(*ssa.Store)
	if !ok || store.Addr != v || store.Val != operation {
		return
	}
	b := v.(ssa.Instruction).Block()
	if load.Block() != b || operation.Block() != b || store.Block() != b {
		return
	}
	f.updates[v], f.updates[load], f.updates[operation] = store, store, store
	f.c.updates[store] = operation
}

// noteVariableUpdate does so for package-level variables, whose addresses are known.
func (f *folder) noteVariableUpdate(load *ssa.UnOp) {
	g, ok := load.X.(*ssa.Global)
	if !ok || load.Op != token.MUL || len(*load.Referrers()) != 1 {
		return
	}
	operation, ok := (*load.Referrers())[0].(*ssa.BinOp)
	if !ok || operation.X != load || len(*operation.Referrers()) != 1 || !f.c.updatable(operation) {
		return
	}
	store, ok := (*operation.Referrers())[0].(*ssa.Store)
	if ok && store.Addr == g && load.Block() == operation.Block() && store.Block() == load.Block() {
		f.updates[load], f.updates[operation] = store, store
		f.c.updates[store] = operation
	}
}

func (c *compiler) updatable(in *ssa.BinOp) bool {
	return c.computable(in) && !isComparison(in.Op) && in.Op != token.SHL && in.Op != token.SHR
}

// update compiles the store of an update.
func (c *compiler) update(in *ssa.Store, operation *ssa.BinOp) op {
	return updates[c.class(operation)](c, c.address(in.Addr, in), operation)
}

var updates map[class]func(c *compiler, a address, in *ssa.BinOp) op

func init() { // the operands are made with the table
	updates = map[class]func(c *compiler, a address, in *ssa.BinOp) op{
		classInt: integerUpdate[int](), classUint64: integerUpdate[uint64](), classInt32: integerUpdate[int32](),
		classUint32: integerUpdate[uint32](), classUint8: integerUpdate[uint8](), classFloat64: floatUpdate,
	}
}

func integerUpdate[T integer]() func(c *compiler, a address, in *ssa.BinOp) op {
	table := map[token.Token]func(a address, y operand[T]) op{
		token.ADD: addUpdate[T], token.SUB: subUpdate[T], token.MUL: mulUpdate[T], token.QUO: quoUpdate[T], token.REM: remUpdate[T],
		token.AND: andUpdate[T], token.OR: orUpdate[T], token.XOR: xorUpdate[T], token.AND_NOT: andNotUpdate[T],
	}
	return func(c *compiler, a address, in *ssa.BinOp) op { return table[in.Op](a, operandOf[T](c, in.Y)) }
}

var floatUpdates = map[token.Token]func(a address, y operand[float64]) op{
	token.ADD: addUpdate[float64], token.SUB: subUpdate[float64], token.MUL: mulUpdate[float64], token.QUO: quoUpdate[float64],
}

func floatUpdate(c *compiler, a address, in *ssa.BinOp) op {
	return floatUpdates[in.Op](a, operandOf[float64](c, in.Y))
}

// noteElementUpdate does so for the elements of maps.
func (f *folder) noteElementUpdate(lookup *ssa.Lookup) {
	if isString(under(lookup.X)) || lookup.CommaOk || len(*lookup.Referrers()) != 1 {
		return
	}
	operation, ok := (*lookup.Referrers())[0].(*ssa.BinOp)
	if !ok || operation.X != lookup || len(*operation.Referrers()) != 1 || !f.c.updatable(operation) {
		return
	}
	store, ok := (*operation.Referrers())[0].(*ssa.MapUpdate)
	if ok && store.Map == lookup.X && store.Key == lookup.Index && store.Value == operation &&
		lookup.Block() == operation.Block() && store.Block() == lookup.Block() && !mayBeNaN(lookup.Index.Type()) {
		f.updates[lookup], f.updates[operation] = store, store
		f.c.updates[store] = operation
	}
}

// mayBeNaN tells keys that need not be found again.
func mayBeNaN(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsString|types.IsBoolean) == 0
	case *types.Pointer, *types.Chan:
		return false
	}
	return true
}

func isBinOp(v ssa.Value) bool {
	_, ok := v.(*ssa.BinOp)
	return ok
}

// hasFastKey tells maps whose keys are words.
func (c *compiler) hasFastKey(m ssa.Value) bool {
	return rtype.MapFastKey(c.typ(m.Type()).word) == rtype.Uint64Key
}
