package egraph

import (
	"slices"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A program is a rule set compiled for one graph: a tree of steps, in which rules whose left sides
// start alike share the steps they have in common. A step takes a block of partial matches, a column a
// register, and makes a block with more registers.
type program struct {
	g        *EGraph
	roots    []*step
	rules    []*compiled
	all      []compiled // what these point into
	grounds  []*ground
	indexes  []rowIndex // by operator
	keys     []*keyIndex
	keyed    bool     // the graph was large enough for these
	frozen   []frozen // by operator
	todo     []task   // of this iteration
	split    bool     // some step has several of them
	taskRows int
	aged     bool // some rules leave out what is not new in this iteration
	block    int  // rows in a block of this iteration
	words    slab[uint32]
	headers  slab[column]
	parts    parts
}

// A ground is a term without variables that the rules name: its class, while an iteration lasts, as a
// number and as a column.
type ground struct {
	shape  *shape
	term   *term.Term
	class  uint32
	ready  bool
	proof  uint32 // its term, where proofs are kept and it is ready
	before uint32 // its class when the iteration began, none where it was not there
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

	mark   uint8     // of rows that are no newer only those are of interest that can meet a newer one
	newest uint8     // the greatest mark behind the step; 0: nobody leaves out anything
	key    *keyIndex // of rows by the children that are bound already, nil where none are
	vain   int       // rows that had not these children, in this iteration

	deep   bool    // a newer row may be met behind joins whose class is not known yet
	probes []probe // where else one may be met
	ages   []uint8 // of the rows of the block's partial matches, the greatest each

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
// child of the row, a ground class or the class that the row is in.
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
	withClass
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
	banned  bool // by the scheduler in this iteration
	skip    bool // not matched in this iteration: banned, or nothing it could match is new
	over    bool // more matches than its limit
	collect bool
	limit   int
	store   matchStore
	needs   []int      // the registers that the right side and the conditions read
	stats   *RuleStats // in the report
	how     ruleKind
	ops     []int    // of the left side's patterns
	grounds []int    // of the left side
	classes bool     // a pattern is a variable
	cycle   bool     // a pattern asks for a row with a child in its own class
	mark    uint8    // the generation up to which rows are left out in this iteration, 0 for none
	found   int      // matches in this iteration
	seen    searched // what the rule has seen
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
	age    []uint8

	generation uint8 // of this search, 0 where ages are not kept
	removals   uint64

	counted uint8 // newer rows than of this generation were counted:
	newer   int
}

// freeze notes the rows that matching may see.
func (p *program) freeze() {
	p.frozen = slices.Grow(p.frozen[:0], len(p.g.tables))
	for _, t := range p.g.tables {
		f := frozen{rows: t.rows(), kids: t.kids, class: t.class, age: t.age, removals: t.removals}
		if t.now > 0 && len(t.age) == f.rows {
			f.generation = t.now - 1
		}
		if t.hiding > 0 {
			f.hidden = append(make(bitset, 0, t.rows()/64+1), t.hidden...)
			for len(f.hidden) <= t.rows()/64 {
				f.hidden = append(f.hidden, 0)
			}
		}
		p.frozen = append(p.frozen, f)
	}
}

// ageOf is the age of a row, 0 where ages are not kept.
func (f *frozen) ageOf(r int) uint8 {
	if r >= len(f.age) {
		return 0
	}
	return f.age[r]
}

// wantsClasses reports whether a pattern visits all classes.
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
		c.Rule, c.number, c.how = r, i, r.kind()
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

// plan finds which registers each step must hand on, and answers which it wants from the one before.
func (p *program) plan(s *step) registers {
	s.key = p.keyFor(s)
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
