package ptx

// What calls hand over (section 9.7.12.5): call (results), function, (parameters), and behind a
// register in place of the function the label of its prototype or of the functions that it may be.

// checkCall compares a call with the function's parameters and results.
func (p *parser) checkCall(in *Instruction) {
	ops := in.Operands
	results, ops := takeList(ops)
	if len(ops) == 0 {
		p.failAt(p.tokenAt(in.Pos), "the function that is called")
	}
	target := &ops[0]
	args, ops := takeList(ops[1:])
	switch {
	case target.Kind == OpFunc && len(ops) == 0:
		p.checkDirect(in, target, results, args)
	case target.Kind == OpFunc:
		p.failAt(p.tokenAt(ops[0].Pos), "\";\": a function that is named has its own prototype")
	case target.Kind != OpReg || !fitsType(target, U64, false, false) && !fitsType(target, U32, false, false):
		p.failAt(p.tokenAt(target.Pos), "a function, or a register with its address")
	case len(ops) != 1 || ops[0].Kind != OpLabel:
		p.failAt(p.tokenAt(in.Pos), "the label of a .callprototype or .calltargets behind the operands of an indirect call")
	default:
		p.checkIndirect(in, &ops[0], results, args)
	}
}

func takeList(ops []Operand) (list, rest []Operand) {
	if len(ops) > 0 && ops[0].Kind == OpList {
		return ops[0].Elems, ops[1:]
	}
	return nil, ops
}

func (p *parser) checkDirect(in *Instruction, target *Operand, results, args []Operand) {
	f := target.Func
	if f.Entry {
		p.refuse(target.Pos, f.Name, "a device function: kernels are not called")
	}
	p.checkPassed(in, f.Name, args, f.Params, "parameters")
	p.checkPassed(in, f.Name, results, f.Results, "results")
}

func (p *parser) checkIndirect(in *Instruction, label *Operand, results, args []Operand) {
	if proto := p.fn.Prototypes[label.Name]; proto != nil {
		p.checkPassed(in, label.Name, args, proto.Params, "parameters")
		p.checkPassed(in, label.Name, results, proto.Results, "results")
		return
	}
	for _, name := range p.fn.Targets[label.Name] {
		s := p.module.symbols[name]
		if s == nil || s.Func == nil {
			p.failAt(p.tokenAt(label.Pos), "the label of a .callprototype or .calltargets")
		}
		p.checkPassed(in, name, args, s.Func.Params, "parameters")
		p.checkPassed(in, name, results, s.Func.Results, "results")
	}
}

func (p *parser) checkPassed(in *Instruction, name string, given []Operand, formal []*Variable, what string) {
	if len(given) != len(formal) {
		p.failAt(p.tokenAt(in.Pos), "%d %s of %s, not %d", len(formal), what, name, len(given))
	}
	for i := range given {
		o := &given[i]
		fits := o.Kind == OpSink && what == "results" || o.Kind == OpVar && o.Var.passes(formal[i]) ||
			o.Kind != OpVar && fitsType(o, formal[i].Type, false, false)
		if !fits {
			p.failAt(p.tokenAt(o.Pos), "a value of the type of parameter %d of %s", i+1, name)
		}
	}
}
