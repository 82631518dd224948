package unevaluated

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Drop changes fn.
func Drop(fn *ssa.Function) {
	dropped := map[ssa.Instruction]bool{}
	d := dropper{fn: fn, dropped: dropped}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				d.load(in)
			case *ssa.Store:
				if isBlank(in.Addr) {
					dropped[in] = true
					d.address(in.Addr)
				}
			}
		}
	}
	if len(dropped) == 0 {
		return
	}
	for in := range dropped {
		forget(in)
	}
	for _, b := range fn.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in ssa.Instruction) bool { return dropped[in] })
	}
}

// forget takes an instruction off those that use its operands.
func forget(in ssa.Instruction) {
	var buf [4]*ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		if refs := (*o).Referrers(); refs != nil {
			*refs = slices.DeleteFunc(*refs, func(r ssa.Instruction) bool { return r == in })
		}
	}
}

// A dropper looks for the arrays of one function.
type dropper struct {
	fn      *ssa.Function
	dropped map[ssa.Instruction]bool
	looked  bool
	loops   []ast.Expr
}

// load drops the load of an array that nothing uses, if it is a loop's.
func (d *dropper) load(in *ssa.UnOp) {
	if in.Op != token.MUL || len(*in.Referrers()) > 0 {
		return
	}
	if _, ok := in.Type().Underlying().(*types.Array); !ok {
		return
	}
	if !d.looked {
		d.looked, d.loops = true, onlyCounted(d.fn.Syntax())
	}
	for _, x := range d.loops {
		if within(in, x) {
			d.drop(in, x)
		}
	}
}

// onlyCounted are the range expressions below a node that may be left unevaluated. Those with calls
// and receives are evaluated whole.
func onlyCounted(n ast.Node) (xs []ast.Expr) {
	if n == nil {
		return nil
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok && loop.Value == nil && !callsOrReceives(loop.X) {
			xs = append(xs, loop.X)
		}
		return true
	})
	return xs
}

func callsOrReceives(x ast.Expr) (does bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			does = true
		case *ast.UnaryExpr:
			does = does || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return does
}

func within(v ssa.Value, x ast.Expr) bool { return v.Pos() >= x.Pos() && v.Pos() < x.End() }

// drop leaves out an instruction of x that computes nothing that is needed, and those of x that it
// alone needs.
func (d *dropper) drop(in ssa.Instruction, x ast.Expr) {
	d.dropped[in] = true
	var buf [4]*ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		switch v := (*o).(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index:
			if len(*v.Referrers()) == 1 && within(v, x) {
				d.drop(v.(ssa.Instruction), x)
			}
		}
	}
}

// address drops the address of a blank field.
func (d *dropper) address(v ssa.Value) {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		if len(*x.Referrers()) == 1 {
			d.dropped[x] = true
			d.address(x.X)
		}
	case *ssa.IndexAddr:
		if _, ok := x.Index.(*ssa.Const); ok && len(*x.Referrers()) == 1 {
			d.dropped[x] = true
			d.address(x.X)
		}
	}
}

// isBlank reports whether v is the address of a blank field, or of something in one.
func isBlank(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			s := x.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
			if s.Field(x.Field).Name() == "_" {
				return true
			}
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return false
		}
	}
}
