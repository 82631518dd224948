package egraph

import (
	"fmt"
	"slices"
)

// A leftCompiler turns the clauses of one rule into steps.
type leftCompiler struct {
	p     *program
	c     *compiled
	regs  int
	last  *step
	queue []pending
}

// pending is a pattern whose class stands in a register already.
type pending struct {
	shape *shape
	reg   int
}

func (p *program) addRule(c *compiled) error {
	c.regs = p.parts.ints.take(len(c.names.names), len(c.names.names))
	for i := range c.regs {
		c.regs[i] = -1
	}
	l := leftCompiler{p: p, c: c, queue: p.parts.queue[:0]}
	for i, cl := range c.left {
		reg, err := l.clause(cl)
		if err != nil {
			return err
		}
		if i == 0 {
			c.first = reg
		}
	}
	c.root = c.first
	if c.target >= 0 {
		c.root = c.regs[c.target]
	}
	for v, reg := range c.regs {
		if reg < 0 {
			return fmt.Errorf("the variable %s is not bound by the left side", c.names.names[v])
		}
	}
	p.parts.queue = l.queue
	c.needs = append(p.parts.ints.take(0, len(c.regs)+2), c.root, c.first)
	c.needs = append(c.needs, c.regs...)
	slices.Sort(c.needs)
	c.needs = slices.Compact(c.needs)
	if l.last.ends == nil {
		l.last.ends = p.parts.ends.take(0, 1)
	}
	l.last.ends = append(l.last.ends, c)
	if err := p.checkConditions(c); err != nil {
		return err
	}
	if c.Rule.right == nil {
		return nil
	}
	var err error
	c.result, err = p.rightSide(c, c.Rule.right)
	return err
}

// clause compiles one pattern and gives the register of its class.
func (l *leftCompiler) clause(cl clause) (int, error) {
	reg := -1
	if cl.bind >= 0 {
		reg = l.c.regs[cl.bind]
	}
	switch {
	case cl.shape.ground():
		reg = l.enterGround(cl.shape, reg)
	case cl.shape.kind == isVar:
		if known := l.c.regs[cl.shape.v]; known >= 0 && reg < 0 {
			reg = known
		} else if known < 0 && reg >= 0 {
			l.c.regs[cl.shape.v] = reg
		} else if known < 0 {
			l.c.classes = true
			reg = l.enter(step{kind: scanClasses, classReg: l.regs})
			l.c.regs[cl.shape.v] = reg
		} else {
			return 0, fmt.Errorf("both sides of = are bound already; say it as a condition, if (= ?a ?b)")
		}
	default:
		if cl.bind >= 0 && reg < 0 {
			l.c.regs[cl.bind] = l.regs // where the scan puts the class, as its children may name it
		}
		joined, err := l.app(cl.shape, reg)
		if err != nil {
			return 0, err
		}
		reg = joined
		for i := 0; i < len(l.queue); i++ {
			if _, err := l.app(l.queue[i].shape, l.queue[i].reg); err != nil {
				return 0, err
			}
		}
		l.queue = l.queue[:0]
	}
	if cl.bind >= 0 && l.c.regs[cl.bind] < 0 {
		l.c.regs[cl.bind] = reg
	}
	return reg, nil
}

// ground is the program's, noted as one that the left side needs.
func (l *leftCompiler) ground(s *shape) int {
	n := l.p.ground(s)
	if l.c.grounds == nil {
		l.c.grounds = l.p.parts.ints.take(0, 2)
	}
	l.c.grounds = append(l.c.grounds, n)
	return n
}

// enterGround visits the class of a ground pattern, or compares a bound class with it.
func (l *leftCompiler) enterGround(s *shape, reg int) int {
	st := step{kind: oneClass, ground: l.ground(s), classReg: l.regs, on: reg}
	if reg >= 0 {
		st.classReg = -1
		l.enter(st)
		return reg
	}
	return l.enter(st)
}

// app compiles an operator pattern: a scan, or a join where reg holds its class.
func (l *leftCompiler) app(s *shape, reg int) (int, error) {
	op, err := l.p.g.operator(s.op, len(s.args))
	if err != nil {
		return 0, err
	}
	parts := &l.p.parts
	if l.c.ops == nil {
		l.c.ops = parts.ints.take(0, 3)
	}
	l.c.ops = append(l.c.ops, int(op))
	st := step{kind: scanTable, table: l.p.g.tables[op], on: -1, classReg: -1,
		checks: parts.checks.take(0, len(s.args)), binds: parts.binds.take(0, len(s.args))}
	next := l.regs
	if reg >= 0 {
		st.kind, st.on = joinClass, reg
	} else {
		st.classReg, reg = next, next
		next++
	}
	here := next // registers from here on are children of this row
	for i, a := range s.args {
		switch {
		case a.ground():
			st.checks = append(st.checks, check{i, withGround, l.ground(a)})
		case a.kind == isApp:
			st.binds = append(st.binds, bind{i, next})
			l.queue = append(l.queue, pending{a, next})
			next++
		default:
			switch known := l.c.regs[a.v]; {
			case known >= 0 && known == st.classReg:
				st.checks = append(st.checks, check{kid: i, with: withClass})
				l.c.cycle = true
			case known >= here:
				st.checks = append(st.checks, check{i, withKid, st.boundTo(known)})
			case known >= 0:
				st.checks = append(st.checks, check{i, withReg, known})
			default:
				l.c.regs[a.v] = next
				st.binds = append(st.binds, bind{i, next})
				next++
			}
		}
	}
	l.enter(st)
	return reg, nil
}

// boundTo is the child that is bound to a register.
func (s *step) boundTo(reg int) int {
	return s.binds[slices.IndexFunc(s.binds, func(b bind) bool { return b.reg == reg })].kid
}

// enter puts a step behind the last one of the rule, or finds it there from another rule.
func (l *leftCompiler) enter(st step) int {
	st.depth = l.regs + len(st.binds)
	if st.classReg >= 0 {
		st.depth++
	}
	siblings := &l.p.roots
	if l.last != nil {
		siblings = &l.last.children
		if *siblings == nil {
			*siblings = l.p.parts.children.take(0, 1)
		}
	}
	l.regs = st.depth
	for _, s := range *siblings {
		if s.sameAs(&st) {
			l.last = s
			return st.classReg
		}
	}
	l.last = l.p.parts.steps.one()
	*l.last = st
	*siblings = append(*siblings, l.last)
	return st.classReg
}

// sameAs reports whether two steps behind the same one do the same.
func (s *step) sameAs(o *step) bool {
	return s.kind == o.kind && s.table == o.table && s.on == o.on && s.ground == o.ground && s.classReg == o.classReg &&
		slices.Equal(s.checks, o.checks) && slices.Equal(s.binds, o.binds)
}

// rightSide compiles a pattern to instructions, children first.
func (p *program) rightSide(c *compiled, s *shape) (operand, error) {
	switch {
	case s.kind == isVar:
		return operand{fromReg, c.regs[s.v]}, nil
	case s.ground():
		return operand{fromGround, p.ground(s)}, p.checkShape(s)
	}
	if c.right == nil {
		c.right = p.parts.instructions.take(0, s.apps())
	}
	in := instruction{args: p.parts.operands.take(len(s.args), len(s.args))}
	for i, a := range s.args {
		arg, err := p.rightSide(c, a)
		if err != nil {
			return operand{}, err
		}
		in.args[i] = arg
	}
	op, err := p.g.operator(s.op, len(s.args))
	if err != nil {
		return operand{}, err
	}
	in.table = p.g.tables[op]
	in.out = len(c.right)
	c.right = append(c.right, in)
	return operand{fromTemp, in.out}, nil
}

// checkShape adds the operators of a shape to the language, or says why it cannot.
func (p *program) checkShape(s *shape) error {
	if s.kind != isApp {
		return nil
	}
	if _, err := p.g.operator(s.op, len(s.args)); err != nil {
		return err
	}
	for _, a := range s.args {
		if err := p.checkShape(a); err != nil {
			return err
		}
	}
	return nil
}

// checkConditions adds the operators of a rule's conditions to the language, or says why it cannot.
func (p *program) checkConditions(c *compiled) error {
	for _, cond := range c.conds {
		for _, s := range cond.args {
			if err := p.checkShape(s); err != nil {
				return err
			}
		}
	}
	return nil
}
