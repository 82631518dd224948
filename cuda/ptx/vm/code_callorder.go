package vm

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// callOrder lists the functions that a kernel may run, callees before callers:
// lanes inside a callee then have the lower program counter and rejoin before
// their caller goes on. Functions that call each other in a circle stand together
// (Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972).
type callOrder struct {
	program *Program
	number  map[*ptx.Function]int // in the order of visits, from 1
	low     map[*ptx.Function]int // the lowest number that is reached and still open
	open    []*ptx.Function
	depth   map[*ptx.Function]int // longest chain of calls below, a circle counting once
	joined  map[*ptx.Variable]formal
	framed  map[*ptx.Function]bool // may be at work twice in one lane
	order   []*ptx.Function
}

func orderCalls(p *Program, entry *ptx.Function) (*callOrder, error) {
	o := &callOrder{program: p, number: map[*ptx.Function]int{}, low: map[*ptx.Function]int{},
		depth: map[*ptx.Function]int{}, framed: map[*ptx.Function]bool{},
		joined: map[*ptx.Variable]formal{}}
	if err := o.visit(entry); err != nil {
		return nil, err
	}
	taken := p.addressTaken()
	for _, f := range o.order {
		for i := range f.Code {
			if f.Code[i].Op == "call" {
				if err := o.join(&f.Code[i], taken); err != nil {
					return nil, err
				}
			}
		}
	}
	// All that are called by address take their arguments in the same way.
	if slices.ContainsFunc(taken, func(f *ptx.Function) bool { return o.framed[f] }) {
		for _, f := range taken {
			o.framed[f] = true
		}
	}
	return o, nil
}

func (o *callOrder) visit(f *ptx.Function) error {
	o.number[f] = len(o.number) + 1
	o.low[f] = o.number[f]
	o.open = append(o.open, f)
	for i := range f.Code {
		if in := &f.Code[i]; in.Op == "call" {
			for _, callee := range o.callees(in) {
				if err := o.follow(f, o.program.Module.Alias(callee), in); err != nil {
					return err
				}
			}
		}
	}
	if o.low[f] == o.number[f] {
		o.close(f)
	}
	return nil
}

// follow looks at one call.
func (o *callOrder) follow(f, callee *ptx.Function, in *ptx.Instruction) error {
	switch {
	case builtins[callee.Name] != nil && !callee.Defined:
		return nil
	case !callee.Defined:
		return &LinkError{o.program.Module.Name, callee.Name,
			"the function is called and has no body in this module", in.Pos.Line}
	case o.number[callee] == 0:
		if err := o.visit(callee); err != nil {
			return err
		}
		o.low[f] = min(o.low[f], o.low[callee])
	case slices.Contains(o.open, callee):
		o.low[f] = min(o.low[f], o.number[callee])
		o.framed[callee] = o.framed[callee] || callee == f
	}
	o.depth[f] = max(o.depth[f], o.depth[callee]+1)
	return nil
}

// close takes a circle, or a function that is in none, out of those that are open.
func (o *callOrder) close(f *ptx.Function) {
	at := slices.Index(o.open, f)
	circle := slices.Clone(o.open[at:])
	o.open = o.open[:at]
	slices.Reverse(circle)
	for _, g := range circle {
		o.framed[g] = o.framed[g] || len(circle) > 1
		o.depth[f] = max(o.depth[f], o.depth[g])
	}
	o.order = append(o.order, circle...)
}

// formal is the parameter whose place a variable of a caller shares: one of a function, or of those that
// are called by address, that lies so far behind the first.
type formal struct {
	f      *ptx.Function
	v      *ptx.Variable
	result bool
	offset int
}

// join looks for variables that are passed as different parameters: they have one place, so that what they
// are passed to has frames.
func (o *callOrder) join(in *ptx.Instruction, taken []*ptx.Function) error {
	results, callee, args := splitCall(in)
	for k, list := range [][]*ptx.Variable{variables(args), variables(results)} {
		offset := 0
		for i, v := range list {
			offset = alignUp(offset, max(v.Align, 1))
			to, framed := formal{nil, nil, k == 1, offset}, taken
			offset += v.Size
			if callee.Kind == ptx.OpFunc {
				f := o.program.Module.Alias(callee.Func)
				formals := [][]*ptx.Variable{f.Params, f.Results}[k]
				if i >= len(formals) {
					break
				}
				to, framed = formal{f: f, v: formals[i]}, []*ptx.Function{f}
			}
			had, ok := o.joined[v]
			switch {
			case !ok:
				o.joined[v] = to
			case had == to:
			case to.f != nil && !to.f.Defined && (had.f == nil || !had.f.Defined):
				return (&compiler{program: o.program}).unsupported(in,
					"the variable "+v.Name+" is passed to another function before: the driver's functions take one of their own")
			case to.f != nil && !to.f.Defined:
				o.framed[had.f] = true
			default:
				for _, f := range framed {
					o.framed[f] = true
				}
			}
		}
	}
	return nil
}

// callees gives the function of a direct call, or every function whose address
// the module takes.
func (o *callOrder) callees(in *ptx.Instruction) []*ptx.Function {
	for i := range in.Operands {
		if in.Operands[i].Kind == ptx.OpFunc {
			return []*ptx.Function{in.Operands[i].Func}
		}
	}
	return o.program.addressTaken()
}

// addressTaken gives the functions whose address is a value somewhere.
func (p *Program) addressTaken() []*ptx.Function {
	taken := map[*ptx.Function]bool{}
	for _, v := range p.Module.Vars {
		for _, r := range v.Relocs {
			for _, f := range p.Module.Functions {
				if f.Name == r.Symbol {
					taken[f] = true
				}
			}
		}
	}
	for _, f := range p.Module.Functions {
		for i := range f.Code {
			in := &f.Code[i]
			for k := range in.Operands {
				if in.Op != "call" && in.Operands[k].Kind == ptx.OpFunc {
					taken[in.Operands[k].Func] = true
				}
			}
		}
	}
	var out []*ptx.Function
	for _, f := range p.Module.Functions {
		if taken[f] && f.Defined && !f.Entry {
			out = append(out, f)
		}
	}
	return out
}
