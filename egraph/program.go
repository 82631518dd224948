package egraph

import (
	"fmt"
	"slices"
)

// A program is a rule set compiled for one graph: a tree of steps, in which rules whose left sides
// start alike share the steps they have in common. A step takes a block of partial matches, a column a
// register, and makes a block with more registers.
type program struct {
	g       *EGraph
	roots   []*step
	rules   []*compiled
	all     []compiled // what these point into
	grounds []*ground
	indexes []rowIndex  // by operator
	frozen  []frozen    // by operator
	todo    []task      // of this iteration
	block   int         // rows in a block of this iteration
	words   slab[uint32]
	headers slab[column]
	parts   parts
}

// A ground is a term without variables that the rules name: its class, while an iteration lasts, as a
// number and as a column.
type ground struct {
	shape  *shape
	term   *Term
	class  uint32
	ready  bool
	column column
}

// A step scans a table (on < 0), joins the rows of the class in register on, or visits all classes or
// one ground class (a pattern that is a variable or a ground term).
type step struct {
	kind     stepKind
	table    *table
	on       int
	ground   int
	checks   []check
	binds    []bind
	classReg int // where the class of a scanned row goes, -1 where nobody asks

	depth    int // registers defined after this step
	carry    []int
	children []*step
	ends     []*compiled
	active   bool
	need     []int // registers that are handed on

	out   []column // by register, nil where not needed
	block int      // the length of these
	n     int
}

type stepKind uint8

const (
	scanTable stepKind = iota
	joinClass
	scanClasses
	oneClass
)

// A bind puts child kid of the row into a register; a check compares it with a register, another
// child of the row or a ground class.
type bind struct{ kid, reg int }

type check struct {
	kid  int
	with checkKind
	arg  int
}

type checkKind uint8

const (
	withReg checkKind = iota
	withKid
	withGround
)

// compiled is a rule as part of a program.
type compiled struct {
	*Rule
	number  int
	regs    []int // by variable
	root    int   // the register that the right side is equal to
	first   int   // the register of the first pattern's class
	right   []instruction
	result  operand
	banned  bool // not matched in this iteration
	over    bool // more matches than its limit
	collect bool
	limit   int
	store   matchStore
	needs   []int // the registers that the right side and the conditions read
	stats   *RuleStats // in the report
	match   Match
}

// An instruction makes one row of a right side for each match.
type instruction struct {
	table *table
	args  []operand
	out   int // temporary
}

// An operand is a register, a temporary or a ground.
type operand struct {
	from operandKind
	arg  int
}

type operandKind uint8

const (
	fromReg operandKind = iota
	fromTemp
	fromGround
)

// frozen is what of a table matching may see: the rows that were there when the iteration began.
type frozen struct {
	rows   int
	kids   []uint32 // the columns, which stay when the table grows
	class  []uint32
	hidden bitset // a copy, nil where nothing is hidden
}

// freeze notes the rows that matching may see.
func (p *program) freeze() {
	p.frozen = slices.Grow(p.frozen[:0], len(p.g.tables))
	for _, t := range p.g.tables {
		f := frozen{rows: t.rows(), kids: t.kids, class: t.class}
		if t.hiding > 0 {
			f.hidden = append(make(bitset, 0, t.rows()/64+1), t.hidden...)
			for len(f.hidden) <= t.rows()/64 {
				f.hidden = append(f.hidden, 0)
			}
		}
		p.frozen = append(p.frozen, f)
	}
}

// wantsClasses says whether a pattern visits all classes.
func (p *program) wantsClasses() bool { return anyStep(p.roots, scanClasses) }

func anyStep(steps []*step, kind stepKind) bool {
	for _, s := range steps {
		if s.kind == kind || anyStep(s.children, kind) {
			return true
		}
	}
	return false
}

// compile makes a program of a rule set. It adds the operators of the rules to an open language.
func (g *EGraph) compile(set *Rules) (*program, error) {
	if err := set.err(); err != nil {
		return nil, err
	}
	p := newProgram(g, len(set.list))
	for i, r := range set.list {
		c := &p.all[i]
		c.Rule, c.number = r, i
		if err := p.addRule(c); err != nil {
			return nil, ruleError(r.name, err)
		}
		p.rules = append(p.rules, c)
	}
	for _, s := range p.roots {
		p.plan(s)
	}
	return p, nil
}

// ground gives the number of a ground shape's term.
func (p *program) ground(s *shape) int {
	for i, gr := range p.grounds {
		if gr.shape.equal(s) {
			return i
		}
	}
	gr := p.parts.grounds.one()
	gr.shape, gr.term = s, s.term()
	p.grounds = append(p.grounds, gr)
	return len(p.grounds) - 1
}

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
			reg = l.enter(step{kind: scanClasses, classReg: l.regs})
			l.c.regs[cl.shape.v] = reg
		} else {
			return 0, fmt.Errorf("both sides of = are bound already; say it as a condition, if (= ?a ?b)")
		}
	default:
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

// enterGround visits the class of a ground pattern, or compares a bound class with it.
func (l *leftCompiler) enterGround(s *shape, reg int) int {
	st := step{kind: oneClass, ground: l.p.ground(s), classReg: l.regs, on: reg}
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
			st.checks = append(st.checks, check{i, withGround, l.p.ground(a)})
		case a.kind == isApp:
			st.binds = append(st.binds, bind{i, next})
			l.queue = append(l.queue, pending{a, next})
			next++
		default:
			switch known := l.c.regs[a.v]; {
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

// sameAs says whether two steps behind the same one do the same.
func (s *step) sameAs(o *step) bool {
	return s.kind == o.kind && s.table == o.table && s.on == o.on && s.ground == o.ground && s.classReg == o.classReg &&
		slices.Equal(s.checks, o.checks) && slices.Equal(s.binds, o.binds)
}

// plan finds which registers each step must hand on, and answers which it wants from the one before.
func (p *program) plan(s *step) registers {
	need := registers(p.parts.ints.take(0, s.depth))
	for _, c := range s.ends {
		need.add(c.root)
		need.add(c.first)
		for _, reg := range c.regs {
			need.add(reg)
		}
	}
	for _, child := range s.children {
		for _, reg := range p.plan(child) {
			need.add(reg)
		}
	}
	s.need = need
	s.binds = slices.DeleteFunc(s.binds, func(b bind) bool { return !need.has(b.reg) })
	wants := registers(p.parts.ints.take(0, s.depth))
	s.carry = p.parts.ints.take(0, len(need))
	for _, reg := range need {
		if reg != s.classReg && !slices.ContainsFunc(s.binds, func(b bind) bool { return b.reg == reg }) {
			s.carry = append(s.carry, reg)
			wants.add(reg)
		}
	}
	if s.on >= 0 && (s.kind == joinClass || s.kind == oneClass) {
		wants.add(s.on)
	}
	for _, c := range s.checks {
		if c.with == withReg {
			wants.add(c.arg)
		}
	}
	return wants
}

// registers is a small set.
type registers []int

func (r registers) has(reg int) bool { return slices.Contains(r, reg) }

func (r *registers) add(reg int) {
	if !r.has(reg) {
		*r = append(*r, reg)
	}
}

// makeColumns makes the columns of a step, when it first has a match (most rules of a set never have) or
// blocks have become larger.
func (p *program) makeColumns(s *step) {
	s.block = p.block
	if s.out == nil {
		s.out = p.headers.take(s.depth, s.depth)
	}
	for _, reg := range s.need {
		s.out[reg] = p.words.take(p.block, p.block)
	}
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
