package device

import (
	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// A ruleCompiler writes one rule. Each step's registers that are read later get slots of their own,
// and temporaries the slots behind those of the last step.
type ruleCompiler struct {
	p     *program
	rule  *accel.Rule
	slot  map[int]int // register to slot, after the step compiled last
	used  int         // slots
	words []uint32
	right []uint32
	temps []int          // slots of the temporaries
	known map[uint32]int // grounds made on the right, to slots
	roots uint32         // 1 where a step visits all classes
}

const ruleHead = 5

func (r *ruleCompiler) compile() ([]uint32, error) {
	s := &stepSplitter{}
	for _, st := range r.rule.Steps {
		s.regs = max(s.regs, st.Class+1)
		for _, b := range st.Binds {
			s.regs = max(s.regs, b.Reg+1)
		}
	}
	for i := range r.rule.Steps {
		st := &r.rule.Steps[i]
		arity := 0
		if st.Kind == accel.ScanRows || st.Kind == accel.JoinRows {
			arity = r.p.job.Ops[st.Op].Arity
		}
		s.split(st, arity)
	}
	if len(s.out) > levels {
		return nil, refuse("rule %s takes %d steps, a warp has room for %d", r.rule.Name, len(s.out), levels)
	}
	need := []int{r.rule.Root}
	operands := []accel.Operand{r.rule.Result}
	for _, n := range r.rule.Right {
		operands = append(operands, n.Args...)
	}
	for _, o := range operands {
		if o.From == accel.FromRegister {
			need = append(need, o.Arg)
		}
	}
	r.words = make([]uint32, ruleHead)
	for i, after := range live(s.out, need) {
		r.step(&s.out[i], after)
	}
	r.rightSide()
	if r.used > slots {
		return nil, refuse("rule %s takes %d registers, a warp has room for %d", r.rule.Name, r.used, slots)
	}
	r.p.slots, r.p.levels = max(r.p.slots, r.used), max(r.p.levels, len(s.out))
	r.words[0], r.words[1], r.words[2] = uint32(len(s.out)), uint32(len(r.right)/5), uint32(len(r.words))
	r.words[3], r.words[4] = uint32(r.slot[r.rule.Root]), uint32(r.operand(r.rule.Result))
	return append(r.words, r.right...), nil
}

// step writes a step, and gives slots to the registers that are read after it.
func (r *ruleCompiler) step(st *sideStep, after []int) {
	before := r.slot
	r.slot = map[int]int{}
	for _, reg := range after {
		r.slot[reg] = r.used
		r.used++
	}
	on, class, op, join := none, none, uint32(st.code), none
	switch st.kind {
	case accel.JoinRows:
		on, join = uint32(before[st.on]), r.p.join(st.code)
	case accel.GroundClass:
		op = r.p.of[st.ground]
		if st.on >= 0 {
			on = uint32(before[st.on])
		}
	case accel.ScanClasses:
		r.roots = 1
	}
	bound := map[int]bool{}
	if st.class >= 0 {
		class, bound[st.class] = uint32(r.slot[st.class]), true
	}
	var checks, carry, binds []uint32
	for _, c := range st.checks {
		arg := uint32(c.Arg)
		switch c.With {
		case accel.WithRegister:
			arg = uint32(before[c.Arg])
		case accel.WithGround:
			arg = r.p.of[c.Arg]
		}
		checks = append(checks, uint32(c.Child), uint32(c.With), arg)
	}
	for _, b := range st.binds {
		binds, bound[b.Reg] = append(binds, uint32(b.Child), uint32(r.slot[b.Reg])), true
	}
	for _, reg := range after {
		if !bound[reg] {
			carry = append(carry, uint32(before[reg]), uint32(r.slot[reg]))
		}
	}
	size := 11 + len(checks) + len(carry) + len(binds)
	r.words = append(r.words, uint32(size), uint32(st.kind), op, join, on, class, uint32(len(checks)/3),
		uint32(len(binds)/2), uint32(len(carry)/2),
		uint32(r.used-len(after)), uint32(len(after)))
	r.words = append(append(append(r.words, checks...), carry...), binds...)
}

// rightSide writes the instructions.
func (r *ruleCompiler) rightSide() {
	r.known = map[uint32]int{}
	for _, n := range r.rule.Right {
		kids := make([]int, len(n.Args))
		for i, a := range n.Args {
			kids[i] = r.operand(a)
		}
		kids = pairUp(kids, func(a, b int) int { return r.instruction(pairCode, a, b, none) })
		right := -1
		if len(kids) == 2 {
			right = kids[1]
		}
		r.temps = append(r.temps, r.instruction(firstCode+n.Op, kids[0], right, none))
	}
	if r.rule.Result.From == accel.FromGround {
		r.operand(r.rule.Result)
	}
}

// operand gives the slot of an operand, making a ground term where it is one.
func (r *ruleCompiler) operand(o accel.Operand) int {
	switch o.From {
	case accel.FromRegister:
		return r.slot[o.Arg]
	case accel.FromTemporary:
		return r.temps[o.Arg]
	}
	return r.ground(r.p.of[o.Arg])
}

// ground makes a ground term that the graph may lack, parts first.
func (r *ruleCompiler) ground(g uint32) int {
	if at, ok := r.known[g]; ok {
		return at
	}
	t := r.p.grounds[g]
	left, right := int(t.left), -1
	if t.code != leafCode {
		left = r.ground(t.left)
		if t.right != none {
			right = r.ground(t.right)
		}
	}
	r.known[g] = r.instruction(int(t.code), left, right, g)
	return r.known[g]
}

// instruction appends one and gives the slot of its class.
func (r *ruleCompiler) instruction(code, left, right int, ground uint32) int {
	r.right = append(r.right, uint32(code), uint32(left), uint32(int32(right)), uint32(r.used), ground)
	r.used++
	return r.used - 1
}
