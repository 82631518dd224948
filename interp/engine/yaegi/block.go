package yaegi

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/unevaluated"
	"golang.org/x/tools/go/ssa"
)

// block prints a basic block. Behind its label stands a call, since yaegi does not end reading a
// loop of labels and jumps alone, which also looks whether the goroutine is to stop.
func (p *printer) block(b *ssa.BasicBlock) {
	if len(b.Preds) > 0 {
		p.line("L%d:\nh.Poll(F)", b.Index)
	}
	lost := unevaluated.LostRunDefers(b, p.body.deferring)
	for i, in := range b.Instrs {
		if i == lost {
			p.line("h.O0(F, %d)", p.u.addOperation(operation{runDefers, in}))
		}
		p.instruction(in)
	}
}

// printers are the ways to print each kind of instruction.
var printers map[reflect.Type]func(p *printer, in ssa.Instruction)

func printerOf[T ssa.Instruction](f func(p *printer, in T)) {
	printers[reflect.TypeFor[T]()] = func(p *printer, in ssa.Instruction) { f(p, in.(T)) }
}

func init() {
	printers = map[reflect.Type]func(*printer, ssa.Instruction){}
	printerOf(func(*printer, *ssa.DebugRef) {})
	printerOf(func(*printer, *ssa.Phi) {}) // set by the jumps here
	printerOf(func(p *printer, in *ssa.Jump) { p.jump(in.Block(), 0) })
	printerOf(printIf)
	printerOf(printReturn)
	printerOf(func(p *printer, in *ssa.Extract) {
		p.set(in, unboxed(in.Type(), fmt.Sprintf("h.E(%s, %d)", p.name(in.Tuple), in.Index)))
	})
	printerOf(printBinOp)
	printerOf(printUnOp)
	printerOf(printConvert)
	registerMemory()
	registerComposite()
	registerInterfaces()
	registerChannels()
	registerCalls()
}

func (p *printer) instruction(in ssa.Instruction) {
	f := printers[reflect.TypeOf(in)]
	if f == nil {
		refuse(p.position(in), fmt.Sprintf("the instruction %T", in), "yaegi's text has no form for it")
	}
	f(p, in)
}

func (p *printer) position(in ssa.Instruction) token.Position {
	return p.fn.Prog.Fset.Position(positionOf(in))
}

// jump goes to a successor and sets its phis, all at once.
func (p *printer) jump(b *ssa.BasicBlock, i int) {
	to := b.Succs[i]
	edge := edgeOf(b, i)
	var set []string
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		n := p.name(phi)
		if _, ok := p.names[phi]; ok && phi.Edges[edge] == ssa.Value(phi) {
			continue
		}
		from := p.name(phi.Edges[edge])
		p.u.numbers++
		temp := fmt.Sprintf("t%d", p.u.numbers)
		fmt.Fprintf(&p.vars, "var %s %s\n", temp, textType(phi.Type()))
		p.line("%s = %s", temp, from)
		set = append(set, n+" = "+temp)
	}
	for _, s := range set {
		p.line("%s", s)
	}
	p.line("goto L%d", to.Index)
}

// edgeOf is the place of b's i-th jump among the predecessors of where it goes.
func edgeOf(b *ssa.BasicBlock, i int) int {
	same := 0
	for j := range i {
		if b.Succs[j] == b.Succs[i] {
			same++
		}
	}
	for k, pred := range b.Succs[i].Preds {
		if pred == b {
			if same == 0 {
				return k
			}
			same--
		}
	}
	return -1
}

func printIf(p *printer, in *ssa.If) {
	p.line("if %s {", p.name(in.Cond))
	p.jump(in.Block(), 0)
	p.line("}")
	p.jump(in.Block(), 1)
}

func printReturn(p *printer, in *ssa.Return) {
	for i, r := range in.Results {
		p.line("h.R(F, %d, %s)", i, p.boxed(r))
	}
	p.line("return")
}

// plain are the operators that yaegi has right on two variables of the same basic type.
var plain = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.MUL: true, token.QUO: true, token.REM: true, token.AND: true, token.OR: true,
	token.XOR: true,
	token.EQL: true, token.NEQ: true, token.LSS: true, token.LEQ: true, token.GTR: true, token.GEQ: true,
}

func printBinOp(p *printer, in *ssa.BinOp) {
	x, y := basicName(in.X.Type()), basicName(in.Y.Type())
	switch {
	case x == "" || y == "":
		p.operate(in, []ssa.Value{in.X, in.Y}, p.u.binaryOperation(in))
	case in.Op == token.AND_NOT:
		p.set(in, fmt.Sprintf("%s &^ %s", p.name(in.X), p.name(in.Y)))
	case in.Op == token.SHL || in.Op == token.SHR:
		p.operate(in, []ssa.Value{in.X, in.Y}, p.u.shift(in))
	case (in.Op == token.QUO || in.Op == token.REM) && isInteger(in.X.Type()):
		k := p.u.addOperation(operation{nil, in})
		p.line("h.At(F, %d)", k)
		p.set(in, fmt.Sprintf("%s %s %s", p.name(in.X), in.Op, p.name(in.Y)))
	case plain[in.Op]:
		p.set(in, fmt.Sprintf("%s %s %s", p.name(in.X), in.Op, p.name(in.Y)))
	default:
		refuse(p.position(in), "the operator "+in.Op.String(), "yaegi's text has no form for it")
	}
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func printUnOp(p *printer, in *ssa.UnOp) {
	switch in.Op {
	case token.MUL:
		p.operate(in, []ssa.Value{in.X}, p.u.loadFrom(in))
	case token.ARROW:
		p.operate(in, []ssa.Value{in.X}, p.u.receive(in))
	case token.NOT:
		p.set(in, "!"+p.name(in.X))
	default:
		if basicName(in.X.Type()) == "" {
			p.operate(in, []ssa.Value{in.X}, p.u.negate(in))
			return
		}
		p.set(in, in.Op.String()+p.name(in.X))
	}
}

// printConvert leaves integers to yaegi, the rest to operations.
func printConvert(p *printer, in *ssa.Convert) {
	if isInteger(in.X.Type()) && isInteger(in.Type()) && basicName(in.X.Type()) != "" {
		p.set(in, basicName(in.Type())+"("+p.name(in.X)+")")
		return
	}
	p.operate(in, []ssa.Value{in.X}, p.u.convert(in, in.X.Type(), in.Type()))
}
