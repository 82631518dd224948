package ptx

import "slices"

// Parameters of device functions may be registers, and arguments registers and constants (section 7.1).
// What executes a module sees parameters in memory alone: a function loads those that are registers first
// and stores its results before it returns, and a call has variables of its own for what is in none.

// callLowering writes a function's code anew.
type callLowering struct {
	p    *parser
	f    *Function
	regs map[*Variable]*Register // of the parameters and results that are registers
	code []Instruction
	at   []int // by index of the code before: where in code its instruction begins
}

// enterParams makes a function's parameters known in its body.
func (p *parser) enterParams(f *Function) *callLowering {
	l := &callLowering{p: p, f: f, regs: map[*Variable]*Register{}}
	for _, v := range slices.Concat(f.Params, f.Results) {
		if !v.register {
			p.scopes[0].vars[v.Name] = v
			continue
		}
		l.regs[v] = p.newRegister(v.Name, v.Type, 1)
		p.scopes[0].regs[v.Name] = l.regs[v]
	}
	return l
}

// lower is run when the body has been read and checked.
func (l *callLowering) lower() {
	for _, v := range l.f.Params {
		if r := l.regs[v]; r != nil {
			l.emit(&Instruction{Pos: v.Pos}, "ld", v, []Operand{registerOperand(r, v.Pos), variableAddress(v)})
		}
	}
	for i := range l.f.Code {
		in := &l.f.Code[i]
		l.at = append(l.at, len(l.code))
		switch {
		case in.Op == "ret":
			l.giveResults(in)
			l.code = append(l.code, *in)
		case in.Op == "call" && in.form != nil: // others are for the device to refuse
			l.call(in)
		default:
			l.code = append(l.code, *in)
		}
	}
	l.at = append(l.at, len(l.code))
	l.giveResults(&Instruction{Pos: l.f.Pos})
	for name, i := range l.f.Labels {
		l.f.Labels[name] = l.at[i]
	}
	l.f.Code = l.code
}

// giveResults stores results that are registers, before a return.
func (l *callLowering) giveResults(in *Instruction) {
	for _, v := range l.f.Results {
		if r := l.regs[v]; r != nil {
			l.emit(in, "st", v, []Operand{variableAddress(v), registerOperand(r, in.Pos)})
		}
	}
}

// call gives what a call passes and takes variables, where it is in registers or constant.
func (l *callLowering) call(in *Instruction) {
	params, results := l.p.signature(in)
	var after []Operand
	var into []*Variable
	out := *in
	out.Operands = slices.Clone(in.Operands)
	callee := 0
	if out.Operands[0].Kind == OpList {
		callee = 1
		out.Operands[0] = l.each(out.Operands[0], results, func(o Operand, v *Variable) {
			if o.Kind == OpReg {
				after, into = append(after, o), append(into, v)
			}
		})
	}
	if callee+1 < len(out.Operands) && out.Operands[callee+1].Kind == OpList {
		out.Operands[callee+1] = l.each(out.Operands[callee+1], params, func(o Operand, v *Variable) {
			l.emit(in, "st", v, []Operand{variableAddress(v), o})
		})
	}
	l.code = append(l.code, out)
	for i, o := range after {
		l.emit(in, "ld", into[i], []Operand{o, variableAddress(into[i])})
	}
}

// each puts variables in the place of the operands of a list that are none, and calls f with both.
func (l *callLowering) each(list Operand, formal []*Variable, f func(o Operand, v *Variable)) Operand {
	list.Elems = slices.Clone(list.Elems)
	for i, o := range list.Elems {
		if o.Kind == OpVar {
			if slices.Contains(l.f.Params, o.Var) || slices.Contains(l.f.Results, o.Var) {
				l.p.refuse(o.Pos, o.Var.Name, "a .param variable of the body: parameters of the function itself are not passed on")
			}
			continue
		}
		if i >= len(formal) || formal[i].IsArray() {
			l.p.failAt(l.p.tokenAt(o.Pos), "a .param variable")
		}
		v := &Variable{Name: formal[i].Name, Pos: o.Pos, Space: Param, Type: formal[i].Type, Vector: 1,
			Align: formal[i].Align, Size: formal[i].Size}
		l.f.Locals = append(l.f.Locals, v)
		f(o, v)
		list.Elems[i] = Operand{Kind: OpVar, Var: v, Pos: o.Pos, Component: -1}
	}
	return list
}

// signature gives what a call's function, or its prototype, takes and gives.
func (p *parser) signature(in *Instruction) (params, results []*Variable) {
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind == OpFunc {
			return o.Func.Params, o.Func.Results
		}
		if proto := p.fn.Prototypes[o.Name]; o.Kind == OpLabel && proto != nil {
			return proto.Params, proto.Results
		}
	}
	return nil, nil
}

// emit adds a load or store of a parameter, where another instruction is and under its guard.
func (l *callLowering) emit(at *Instruction, op string, v *Variable, operands []Operand) {
	in := Instruction{Pos: at.Pos, Guard: at.Guard, Op: op, Mods: []string{"param", v.Type.String()}, Operands: operands,
		File: at.File, FileLine: at.FileLine, FileColumn: at.FileColumn}
	form, err := Match(&in)
	if err == nil {
		in.form = form
	}
	l.code = append(l.code, in)
}

func registerOperand(r *Register, at Pos) Operand {
	return Operand{Kind: OpReg, Reg: r, Pos: at, Component: -1}
}

func variableAddress(v *Variable) Operand {
	return Operand{Kind: OpAddr, Pos: v.Pos, Component: -1,
		Elems: []Operand{{Kind: OpVar, Var: v, Pos: v.Pos, Component: -1}}}
}
