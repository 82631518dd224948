package vm

import (
	"fmt"
	"math"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// code is a kernel with all functions it may call, as basic blocks of closures.
type code struct {
	options  Options
	blocks   []basicBlock
	prologue []step // what is the same in every block of a launch
	// Special registers that differ from block to block, and from launch to launch.
	ofBlock, ofLaunch []specialFill
	spare             sync.Pool // of *block, between launches
	slots             []slotInfo
	entry             int
	callDepth         int // of what is called; circles go deeper
	sites             int
	sharedBytes       int // static
	dynamicBase       int // where dynamic shared memory begins
	localBytes        int
	sharedVars        []placed
	localVars         []placed
	params            []*ptx.Variable
	vars              map[*ptx.Variable]*Allocation
	text              func(line int) string // of the PTX
	files             map[int]string        // of the source, by the numbers that instructions have
	functions         map[int]int           // function number to its first basic block
	// ordered says that results may depend on the order of blocks: they then run
	// one after another, so that a launch is deterministic.
	ordered bool
	timed   bool // reads a clock
	// What the race check is told of the code: whether it fences, or has barriers that not all of a
	// block's threads may wait at; and the instructions that it watches, by number.
	fenced, named bool
	clustered     bool // has barriers of clusters
	watched       []*ptx.Instruction
	origins       []*access                    // the loads that flag what nothing wrote
	accesses      map[*ptx.Instruction]*access // for what a spin looks at
	clocks        clocks
	// Functions with frames, the calls of them, and where each lane's frame begins.
	framed       []*frame
	callSites    []*callSite
	framePointer slot
	held         held
}

// placed is a variable of shared or local memory with its offset.
type placed struct {
	v      *ptx.Variable
	offset int
}

type compiler struct {
	program *Program
	code    *code
	consts  map[constKey]slot
	special map[string]slot
	shared  map[*ptx.Variable]int
	frames  map[*ptx.Variable]int // offsets of locals and parameters in local memory
	// Functions that have a frame for each call, and the offsets of their variables in it.
	framed  map[*ptx.Function]*frame
	inFrame map[*ptx.Variable]int
	entry   *ptx.Function
	// Functions whose address is taken, and where in local memory their parameters lie.
	taken    map[*ptx.Function]bool
	indirect int
	tooLarge bool
	// dynamicAlign is what the names of dynamic shared memory ask for.
	dynamicAlign int
	used         map[*ptx.Register]int // how often each register is read, in this function

	graph *graph
	once  map[int]bool // the function's instructions that run once for all blocks
	// By register of the function: whether it is the same in every block, and the special
	// register that it is another name of.
	invariant []bool
	alias     []string
	base      int // number of the function's first basic block
	regs      []slot
	in        *ptx.Instruction
	index     int                    // of in, in its function
	constants map[*ptx.Register]bool // that hold nothing else, where wgmma makes that matter
	// Of the function: the flags of registers that may have what nothing wrote, and the loads of it.
	flags    map[*ptx.Register]slot
	carrying map[int]bool
	form     *ptx.Form
	next     int // the basic block behind the current one
	steps    []step
	from     []*ptx.Instruction
	post     []step
	end      terminator
	temps    map[int][]slot // by width: scratch slots, reused by every instruction
	tempUsed map[int]int
}

type constKey struct {
	width int
	value [2]uint64
}

func compileKernel(p *Program, entry *ptx.Function, options Options) (*code, error) {
	c := &compiler{program: p, entry: entry, consts: map[constKey]slot{}, special: map[string]slot{},
		shared: map[*ptx.Variable]int{}, frames: map[*ptx.Variable]int{}, framed: map[*ptx.Function]*frame{},
		inFrame: map[*ptx.Variable]int{}, temps: map[int][]slot{}, tempUsed: map[int]int{},
		code: &code{options: options, params: entry.Params, files: p.Module.Files, vars: p.vars, text: p.Module.Line,
			functions: map[int]int{}, accesses: map[*ptx.Instruction]*access{},
			held: held{numbers: map[*ptx.Register]int{}}}}
	calls, err := orderCalls(p, entry)
	if err != nil {
		return nil, err
	}
	c.code.callDepth = calls.depth[entry]
	for _, f := range calls.order {
		if calls.framed[f] {
			c.newFrame(f)
		}
	}
	for _, f := range calls.order {
		c.layoutLocals(f)
		c.findSynchronisation(f)
	}
	c.finishShared()
	if c.code.localBytes > ptx.MaxLocal {
		return nil, &LinkError{p.Module.Name, entry.Name,
			fmt.Sprintf("the kernel needs %d bytes of local memory a thread: at most %d", c.code.localBytes,
				ptx.MaxLocal), entry.Pos.Line}
	}
	for _, f := range calls.order {
		if err := c.function(f); err != nil {
			return nil, err
		}
	}
	c.code.sortSpecials()
	return c.code, nil
}

// function compiles one function behind those already there.
func (c *compiler) function(f *ptx.Function) error {
	forms := make([]*ptx.Form, len(f.Code))
	c.used = map[*ptx.Register]int{}
	for i := range f.Code {
		form, err := ptx.Match(&f.Code[i])
		if err != nil {
			return c.refused(&f.Code[i], err.(*ptx.FormError).Detail, ptx.Invalid(&f.Code[i]))
		}
		forms[i] = form
		references(&f.Code[i], form, func(r *ptx.Register) { c.used[r]++ }, func(*ptx.Register) {})
	}
	c.graph = newGraph(f, forms)
	c.holdRegisters(f)
	c.findConstants(c.graph)
	c.once = c.invariants(c.graph)
	c.carriers(c.graph)
	if err := c.assignSlots(c.graph); err != nil {
		return err
	}
	c.base = len(c.code.blocks)
	c.code.functions[c.program.numbers[f]] = c.base
	if f == c.entry {
		c.code.entry = c.base
	}
	for i := range c.graph.spans {
		if err := c.span(i); err != nil {
			return err
		}
	}
	if r := c.framed[f]; r != nil {
		r.pc, r.end = c.base, len(c.code.blocks)
	}
	return nil
}

func (c *compiler) span(i int) error {
	s := c.graph.spans[i]
	c.steps, c.from, c.end = nil, nil, nil
	c.next = c.base + i + 1
	bb := basicBlock{instrs: s.to - s.from}
	for k := s.from; k < s.to; k++ {
		bb.source = append(bb.source, &c.graph.fn.Code[k])
		c.index = k
		if err := c.instruction(&c.graph.fn.Code[k], c.graph.forms[k]); err != nil {
			return err
		}
	}
	if c.end != nil {
		bb.endIn = c.in
	} else if i+1 < len(c.graph.spans) {
		c.end = jump(c.next)
	} else {
		c.end = c.returnEnd()
	}
	bb.steps, bb.from, bb.end = c.steps, c.from, c.end
	for _, n := range s.next {
		bb.next = append(bb.next, c.base+n)
	}
	c.code.blocks = append(c.code.blocks, bb)
	return nil
}

func (c *compiler) instruction(in *ptx.Instruction, form *ptx.Form) error {
	c.in, c.form = in, form
	clear(c.tempUsed)
	build := builders[in.Op]
	if build == nil {
		return c.unsupported(in, "this device does not execute the instruction")
	}
	if in.Op == "mov" && in.Operands[0].Kind == ptx.OpReg && c.alias[in.Operands[0].Reg.Index] != "" {
		return nil
	}
	first, sites := len(c.steps), c.code.sites
	c.post = c.post[:0]
	c.checkUses(in, form)
	c.checkHeld(in, form)
	if err := build(c); err != nil {
		return err
	}
	c.steps = append(c.steps, c.post...)
	c.passFlags(in, form)
	if c.general() && c.end == nil && !together[in.Op] {
		own := sequence(append([]step(nil), c.steps[first:]...))
		c.steps = append(c.steps[:first], eachByItself(own, sites, c.code.sites))
	}
	if c.once[c.index] {
		c.code.prologue = append(c.code.prologue, c.steps[first:]...)
		c.steps = c.steps[:first]
	}
	if in.Guard != nil {
		c.guard(first)
	}
	for len(c.from) < len(c.steps) {
		c.from = append(c.from, in)
	}
	return nil
}

// guard lets what the instruction became act only where its predicate holds.
func (c *compiler) guard(first int) {
	p, neg := c.regs[c.in.Guard.Reg.Index], c.in.Guard.Negate
	if c.end != nil {
		if c.in.Op == "bra" {
			return
		}
		c.end = guardedEnd(p, neg, c.steps[first:len(c.steps):len(c.steps)], c.end, c.next)
		c.steps = c.steps[:first]
		return
	}
	own := append([]step(nil), c.steps[first:]...)
	c.steps = append(c.steps[:first], narrowed(p, neg, sequence(own)))
}

func sequence(steps []step) step {
	if len(steps) == 1 {
		return steps[0]
	}
	return func(b *block) {
		for _, s := range steps {
			if s(b); b.fault != nil {
				return // with what the first of them found
			}
		}
	}
}

// guardedEnd sends lanes whose predicate does not hold past a terminator.
func guardedEnd(p slot, negate bool, before []step, end terminator, next int) terminator {
	return func(b *block) {
		taken := b.predicates(p, negate)
		if taken.empty() {
			b.pc = next
			return
		}
		if taken != b.bits {
			rest := b.bits
			rest.minus(&taken)
			b.addGroup(next, &rest)
			b.setActive(&taken)
		}
		for _, s := range before {
			if s(b); b.fault != nil {
				return
			}
		}
		end(b)
	}
}

func (c *compiler) unsupported(in *ptx.Instruction, detail string) error {
	return c.refused(in, detail, false)
}

func (c *compiler) refused(in *ptx.Instruction, detail string, invalid bool) error {
	m := c.program.Module
	return &UnsupportedError{Module: m.Name, Line: in.Pos.Line, Col: in.Pos.Col, Instruction: in.Mnemonic(),
		Source: sourceOf(in, m.Files), Detail: detail, Invalid: invalid, Code: m.Line(in.Pos.Line)}
}

func (c *compiler) refuse(detail string) error { return c.unsupported(c.in, detail) }

// wrong refuses what no device executes.
func (c *compiler) wrong(detail string) error { return c.refused(c.in, detail, true) }

func (c *compiler) emit(s step) { c.steps = append(c.steps, s) }

// constant gives a slot that holds the same bits in every lane.
func (c *compiler) constant(width int, lo, hi uint64) slot {
	if width < 8 {
		lo &= 1<<(8*width) - 1
	}
	key := constKey{width, [2]uint64{lo, hi}}
	if s, ok := c.consts[key]; ok {
		return s
	}
	s := slot(len(c.code.slots))
	c.code.slots = append(c.code.slots, slotInfo{width: width, kind: slotConst, value: key.value})
	c.consts[key] = s
	return s
}

// temp gives scratch of one instruction.
func (c *compiler) temp(width int) slot {
	i := c.tempUsed[width]
	c.tempUsed[width]++
	if i == len(c.temps[width]) {
		c.temps[width] = append(c.temps[width], c.newSlots(width, 1))
	}
	return c.temps[width][i]
}

func (c *compiler) width(s slot) int { return c.code.slots[s].width }

// src gives a slot with operand i's value as type t.
func (c *compiler) src(i int, t ptx.Type) (slot, error) {
	return c.value(&c.in.Operands[i], t)
}

// value gives a slot exactly as wide as t with the operand's value.
func (c *compiler) value(o *ptx.Operand, t ptx.Type) (slot, error) {
	switch o.Kind {
	case ptx.OpReg:
		return c.register(o, t)
	case ptx.OpInt, ptx.OpFloat:
		return c.held(c.constant(t.Size(), constBits(o, t), signHigh(o, t))), nil
	case ptx.OpSpecial:
		s, err := c.specialSlot(o.Name)
		if err != nil {
			return noSlot, err
		}
		return c.resize(s, t)
	case ptx.OpVar:
		if _, framed := c.inFrame[o.Var]; framed {
			return c.resize(c.frameAddress(o.Var, uint64(o.Offset)), t)
		}
		addr, err := c.address(o.Var)
		return c.constant(t.Size(), addr+uint64(o.Offset), 0), err
	case ptx.OpFunc:
		return c.constant(t.Size(), c.program.funcAddress(o.Func), 0), nil
	}
	return noSlot, c.wrong("an operand is neither register, constant nor address")
}

func (c *compiler) register(o *ptx.Operand, t ptx.Type) (slot, error) {
	s := c.regs[o.Reg.Index]
	if o.Reg.Vector > 1 {
		if o.Component < 0 || int(o.Component) >= o.Reg.Vector {
			return noSlot, c.wrong("the vector register " + o.Reg.Name + " is used without a component")
		}
		s += slot(o.Component)
	}
	if o.Negate {
		t := c.temp(1)
		c.emit(func(b *block) {
			d := out[uint8](b, t)
			map1(d, in[uint8](b, s, 0), func(x uint8) uint8 { return x ^ 1 })
			put(b, t, d)
		})
		return t, nil
	}
	return c.resize(s, t)
}

// resize narrows a register that is wider than the instruction's type.
func (c *compiler) resize(s slot, t ptx.Type) (slot, error) {
	w := c.width(s)
	if w == t.Size() {
		return s, nil
	}
	if w < t.Size() {
		return noSlot, c.wrong("a register is narrower than ." + t.String())
	}
	d := c.temp(t.Size())
	c.emit(converter(w, t.Size(), false)(d, s))
	return d, nil
}

// dst gives a slot as wide as t for operand i; a wider register gets the value
// extended as t's sign says.
func (c *compiler) dst(i int, t ptx.Type) (slot, error) { return c.target(&c.in.Operands[i], t) }

func (c *compiler) target(o *ptx.Operand, t ptx.Type) (slot, error) {
	switch o.Kind {
	case ptx.OpSink:
		return c.temp(t.Size()), nil
	case ptx.OpReg:
	default:
		return noSlot, c.wrong("the destination is not a register")
	}
	s := c.regs[o.Reg.Index]
	if o.Reg.Vector > 1 {
		if o.Component < 0 || int(o.Component) >= o.Reg.Vector {
			return noSlot, c.wrong("the vector register " + o.Reg.Name + " is used without a component")
		}
		s += slot(o.Component)
	}
	w := c.width(s)
	if w == t.Size() {
		return s, nil
	}
	if w < t.Size() {
		return noSlot, c.wrong("the destination register is narrower than ." + t.String())
	}
	narrow := c.temp(t.Size())
	c.post = append(c.post, converter(t.Size(), w, t.Kind() == ptx.Signed)(s, narrow))
	return narrow, nil
}

// constBits gives a constant operand's bits as type t (section 4.5.5).
func constBits(o *ptx.Operand, t ptx.Type) uint64 {
	switch {
	case t == ptx.Pred:
		return uint64(truth(o.Int)) // -G builds write -1 for true
	case o.Kind == ptx.OpFloat && o.FloatType == ptx.F32 && t.Size() == 8:
		return math.Float64bits(float64(math.Float32frombits(uint32(o.Int))))
	case o.Kind == ptx.OpFloat && o.FloatType == ptx.F64 && t.Size() == 4:
		return uint64(math.Float32bits(float32(math.Float64frombits(o.Int))))
	case o.Kind == ptx.OpInt && t == ptx.F32:
		return uint64(math.Float32bits(float32(int64(o.Int))))
	case o.Kind == ptx.OpInt && t == ptx.F64:
		return math.Float64bits(float64(int64(o.Int)))
	}
	return o.Int
}

func truth(v uint64) uint8 {
	if v != 0 {
		return 1
	}
	return 0
}

func signHigh(o *ptx.Operand, t ptx.Type) uint64 {
	if t.Size() == 16 && int64(o.Int) < 0 {
		return math.MaxUint64
	}
	return 0
}

// types gives the instruction's types and fails when there are fewer than n.
func (c *compiler) types() []ptx.Type { return c.in.Types() }

func (c *compiler) lastType() ptx.Type {
	t := c.in.Types()
	return t[len(t)-1]
}
