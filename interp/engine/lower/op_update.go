package lower

import (
	"go/constant"
	"go/token"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// noteUpdate finds out whether v is the address of x op= y. go/ssa evaluates y, computes the
// address, loads, operates, and computes the address once more to store. The store then does all of
// it; y comes first.
func (f *folder) noteUpdate(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		f.noteMemoryUpdate(v)
	case *ssa.UnOp:
		if _, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL {
			f.noteLoadUpdate(v)
		}
	case *ssa.Lookup:
		f.noteElementUpdate(v)
	}
}

// only is the instruction that alone uses v, if it is in v's block.
func only(v ssa.Value) ssa.Instruction {
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.(ssa.Instruction).Block() {
		return nil
	}
	return refs[0]
}

func (f *folder) noteMemoryUpdate(v ssa.Value) {
	load, ok := only(v).(*ssa.UnOp)
	if ok && load.Op == token.MUL && !f.pinned[load] && f.noteLoadUpdate(load) {
		f.updates[v] = f.updates[load]
	}
}

// noteLoadUpdate reports whether an update begins with the load.
func (f *folder) noteLoadUpdate(load *ssa.UnOp) bool {
	operation, ok := only(load).(*ssa.BinOp)
	if !ok || operation.X != load || !f.c.updatable(operation) {
		return false
	}
	store, ok := only(operation).(*ssa.Store)
	if !ok || !sameAddress(load.X, store.Addr) {
		return false
	}
	f.updates[load], f.updates[operation] = store, store
	if _, ok := store.Addr.(*ssa.Global); !ok {
		f.updates[store.Addr] = store
	}
	f.c.updates[store] = operation
	return true
}

// sameAddress reports whether a and b are computed in the same way from the same values, and b is
// used only there.
func sameAddress(a, b ssa.Value) bool {
	switch x := a.(type) {
	case *ssa.Global:
		return a == b
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x != y && x.X == y.X && x.Field == y.Field && only(y) != nil
	case *ssa.IndexAddr:
		y, ok := b.(*ssa.IndexAddr)
		return ok && x != y && x.X == y.X && sameIndex(x.Index, y.Index) && only(y) != nil
	}
	return false
}

func sameIndex(a, b ssa.Value) bool {
	x, ok := constOf(a)
	y, ok2 := constOf(b)
	return a == b || ok && ok2 && constant.Compare(x, token.EQL, y)
}

// active reports whether v is the operation of an update that its store does.
func (f *folder) active(v ssa.Value) bool {
	s := f.updates[v]
	return s != nil && isBinOp(v) && f.c.updates[s] != nil
}

// cancel makes an update instructions of their own again, because v of it is.
func (f *folder) cancel(v ssa.Value) {
	s := f.updates[v]
	if s == nil || f.c.updates[s] == nil {
		return
	}
	operation := f.c.updates[s]
	delete(f.c.updates, s)
	if _, ok := s.(*ssa.MapUpdate); ok || v == operation {
		// they are computed in another order than in an update
		delete(f.c.folded, operation.X)
		if f.ordered[operation.Y] {
			delete(f.c.folded, operation.Y)
		}
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
		token.ADD: addUpdate[T], token.SUB: subUpdate[T], token.MUL: mulUpdate[T], token.QUO: quoUpdate[T],
		token.REM: remUpdate[T],
		token.AND: andUpdate[T], token.OR: orUpdate[T], token.XOR: xorUpdate[T], token.AND_NOT: andNotUpdate[T],
	}
	return func(c *compiler, a address, in *ssa.BinOp) op { return table[in.Op](a, operandOf[T](c, in.Y)) }
}

var floatUpdates = map[token.Token]func(a address, y operand[float64]) op{
	token.ADD: addUpdate[float64], token.SUB: subUpdate[float64], token.MUL: mulUpdate[float64],
	token.QUO: quoUpdate[float64],
}

func floatUpdate(c *compiler, a address, in *ssa.BinOp) op {
	return floatUpdates[in.Op](a, operandOf[float64](c, in.Y))
}

// noteElementUpdate does so for the elements of maps.
func (f *folder) noteElementUpdate(lookup *ssa.Lookup) {
	if isString(under(lookup.X)) || lookup.CommaOk {
		return
	}
	operation, ok := only(lookup).(*ssa.BinOp)
	if !ok || operation.X != lookup || !f.c.updatable(operation) {
		return
	}
	store, ok := only(operation).(*ssa.MapUpdate)
	if ok && store.Map == lookup.X && store.Key == lookup.Index && store.Value == operation &&
		!mayBeNaN(lookup.Index.Type()) {
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
	return c.fastKey(c.typ(m.Type()).Word) == rtype.Uint64Key
}
