package yaegi

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/unevaluated"
	"golang.org/x/tools/go/ssa"
)

// A printer prints one function.
type printer struct {
	u     *unit
	fn    *ssa.Function
	body  *body
	out   *strings.Builder
	vars  strings.Builder
	names map[ssa.Value]string
	kept  map[ssa.Value]int // values that the recover block reads
}

// print appends fn's text, and that of its recover block.
func (u *unit) print(fn *ssa.Function, out *strings.Builder) *body {
	unevaluated.Drop(fn)
	u.e.wakers.Look(fn)
	defer u.Within(fn)()
	u.numbers++
	b := &body{u: u, fn: fn, name: fmt.Sprintf("f%d", u.numbers), deferring: defers(fn), wrapper: callers.IsWrapper(fn)}
	b.params = u.parameterTypes(fn)
	for v := range fn.Signature.Results().Variables() {
		b.results = append(b.results, u.typeOf(v.Type()))
	}
	p := &printer{u: u, fn: fn, body: b, names: map[ssa.Value]string{}, kept: map[ssa.Value]int{}}
	p.keep()
	var text strings.Builder
	p.out = &text
	for _, block := range fn.Blocks {
		if block != fn.Recover {
			p.block(block)
		}
	}
	fmt.Fprintf(out, "func %s(F *h.Frame) {\nvar z int\nz = 0\n%s%s}\n", b.name, p.vars.String(), text.String())
	if fn.Recover != nil {
		b.recover = func(*Frame) {}
		p.printRecover(out)
	}
	return b
}

// printRecover prints the recover block as a function of its own: the other's variables are gone by
// then.
func (p *printer) printRecover(out *strings.Builder) {
	var text strings.Builder
	p.out = &text
	p.vars.Reset()
	for v, i := range p.kept {
		p.declare(v)
		p.line("%s = h.Kept(F, %d)", p.names[v], i)
	}
	p.block(p.fn.Recover)
	fmt.Fprintf(out, "func %sr(F *h.Frame) {\nvar z int\nz = 0\n%s%s}\n", p.body.name, p.vars.String(), text.String())
}

// keep finds what the recover block reads of the function.
func (p *printer) keep() {
	if p.fn.Recover == nil {
		return
	}
	for _, in := range p.fn.Recover.Instrs {
		for _, o := range in.Operands(nil) {
			v, ok := (*o).(ssa.Instruction)
			if !ok || v.Block() == p.fn.Recover {
				continue
			}
			if _, ok := v.(*ssa.Alloc); !ok {
				refuse(p.fn.Prog.Fset.Position(in.Pos()), "the recovery of "+p.fn.String(), "it reads what is computed")
			}
			p.kept[*o] = len(p.kept)
		}
	}
}

// defers reports whether a call of fn needs a list of deferred calls.
func defers(fn *ssa.Function) bool {
	if fn.Recover != nil {
		return true
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Defer, *ssa.RunDefers:
				return true
			case *ssa.Call:
				if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "ssa:deferstack" {
					return true
				}
			}
		}
	}
	return false
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p.out, format, args...)
	p.out.WriteByte('\n')
}

// declare gives v a variable.
func (p *printer) declare(v ssa.Value) string {
	n, ok := p.names[v]
	if !ok {
		n = fmt.Sprintf("v%d", len(p.names))
		p.names[v] = n
	}
	fmt.Fprintf(&p.vars, "var %s %s\n", n, textType(v.Type()))
	return n
}

// name is v in an expression.
func (p *printer) name(v ssa.Value) string {
	if n, ok := p.names[v]; ok {
		return n
	}
	switch x := v.(type) {
	case *ssa.Const:
		return p.constant(x)
	case *ssa.Parameter:
		return p.first(x, fmt.Sprintf("h.A(F, %d)", indexOf(p.fn.Params, x)))
	case *ssa.FreeVar:
		return p.first(x, fmt.Sprintf("h.Free(F, %d)", indexOf(p.fn.FreeVars, x)))
	case *ssa.Global:
		t := p.u.typeOf(elemOf(x.Type()))
		return p.literal(pointerTo(t, p.u.Global(x)))
	case *ssa.Function:
		return p.literal(p.u.functionValue(x))
	}
	return p.declare(v) // its instruction stands in a block that is printed later
}

// first reads a parameter at the start of the function, where every block sees it.
func (p *printer) first(v ssa.Value, read string) string {
	n := p.declare(v)
	fmt.Fprintf(&p.vars, "%s = %s\n", n, unboxed(v.Type(), read))
	return n
}

func indexOf[T comparable](list []T, x T) int {
	for i, y := range list {
		if x == y {
			return i
		}
	}
	return -1
}

// literal is a number of the table of constants.
func (p *printer) literal(v reflect.Value) string {
	return fmt.Sprintf("h.K(%d)", p.u.addConstant(v))
}

func (u *unit) addConstant(v reflect.Value) int {
	u.tables.Lock()
	defer u.tables.Unlock()
	u.constants = append(u.constants, &V{v})
	return len(u.constants) - 1
}

// constant becomes a variable that is set at the start: yaegi's rules for constants are not Go's.
func (p *printer) constant(c *ssa.Const) string {
	v := p.u.constantValue(c)
	if basicName(c.Type()) == "" {
		return p.literal(v)
	}
	n := p.declare(c)
	fmt.Fprintf(&p.vars, "%s = %s\n", n, unboxed(c.Type(), p.literal(v)))
	return n
}

func unboxed(t types.Type, x string) string {
	if k := basicName(t); k != "" {
		return "h.U_" + k + "(" + x + ")"
	}
	return x
}

// boxed is v as a V.
func (p *printer) boxed(v ssa.Value) string {
	n := p.name(v)
	if k := basicName(v.Type()); k != "" {
		return "h.B_" + k + "(" + n + ")"
	}
	return n
}

// set assigns to the value of an instruction, where anybody reads it.
func (p *printer) set(v ssa.Value, x string) {
	n := p.name(v)
	p.line("%s = %s", n, x)
	if i, ok := p.kept[v]; ok {
		p.line("h.Keep(F, %d, %s)", i, n)
	}
}

// operate prints the call of an operation with args.
func (p *printer) operate(in ssa.Instruction, args []ssa.Value, run func(f *Frame, a []reflect.Value) reflect.Value) {
	k := p.u.addOperation(operation{run, in})
	call := ""
	if len(args) <= 4 {
		call = fmt.Sprintf("h.O%d(F, %d", len(args), k)
		for _, a := range args {
			call += ", " + p.boxed(a)
		}
		call += ")"
	} else {
		for _, a := range args {
			p.line("h.Push(F, %s)", p.boxed(a))
		}
		call = fmt.Sprintf("h.ON(F, %d, %d)", k, len(args))
	}
	v, ok := in.(ssa.Value)
	if ok {
		if t, tuple := v.Type().(*types.Tuple); tuple && t.Len() == 0 {
			ok = false
		}
	}
	if !ok {
		p.line("%s", call)
		return
	}
	p.set(v, unboxed(v.Type(), call))
}

func (u *unit) addOperation(o operation) int {
	u.tables.Lock()
	defer u.tables.Unlock()
	u.ops = append(u.ops, o)
	return len(u.ops) - 1
}
