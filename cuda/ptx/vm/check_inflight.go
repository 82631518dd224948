package vm

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// What a wgmma.mma_async has under way until the wgmma.wait_group that covers it (sections 9.7.15.5 and
// 9.7.15.7): the registers of its sums, those of a, and what it reads of shared memory. Its sums are made at
// once here; this file finds the programs that would see a difference.
//
// A register is followed by name, and through mov, which renames it: compilers copy sums between a product and
// its wait where the copy is no instruction of the device. What a constant is written into needs no wgmma.fence,
// nor does what was read, unless the check is strict: assemblers order these themselves.

// held are the registers that wgmma instructions of a kernel work on, and those that mov copies them to.
type held struct {
	numbers map[*ptx.Register]int
	names   []string
}

func (h *held) add(r *ptx.Register) bool {
	if _, ok := h.numbers[r]; ok || r.Vector > 1 {
		return false
	}
	h.numbers[r] = len(h.names)
	h.names = append(h.names, r.Name)
	return true
}

// number gives that of a register, or -1.
func (h *held) number(r *ptx.Register) int {
	if n, ok := h.numbers[r]; ok {
		return n
	}
	return -1
}

// holdRegisters finds a function's registers that are held.
func (c *compiler) holdRegisters(f *ptx.Function) {
	if !c.code.options.Synchronization {
		return
	}
	h := &c.code.held
	for i := range f.Code {
		if in := &f.Code[i]; in.Op == "wgmma" && in.Has("mma_async") {
			for k := range in.Operands[:2] {
				for e := range in.Operands[k].Elems {
					h.add(in.Operands[k].Elems[e].Reg)
				}
			}
		}
	}
	for more := len(h.names) > 0; more; {
		more = false
		for i := range f.Code {
			if to, from := renames(&f.Code[i]); from != nil && h.number(from) >= 0 {
				more = h.add(to) || more
			}
		}
	}
}

// holds reports whether an instruction writes a held register first.
func (c *compiler) holds(in *ptx.Instruction) bool {
	return len(in.Operands) > 0 && in.Operands[0].Kind == ptx.OpReg && c.code.held.number(in.Operands[0].Reg) >= 0
}

// renames gives the registers of a mov from one to another.
func renames(in *ptx.Instruction) (to, from *ptx.Register) {
	if in.Op == "mov" && in.Operands[0].Kind == ptx.OpReg && in.Operands[1].Kind == ptx.OpReg {
		return in.Operands[0].Reg, in.Operands[1].Reg
	}
	return nil, nil
}

// use is what has become of a held register in a warp group.
type use struct {
	by      *groupMatrix // the product that works on it; nil for none yet
	batch   uint32       // the wgmma-group that the product belongs to
	sums    bool         // it is one of the sums, not of a
	touched *ptx.Instruction
	reads   bool // touched reads it
	lane    int  // that touched it
	fences  uint32
}

// progress is how far a warp group has come.
type progress struct {
	fences, batches, done uint32
	uses                  []use
	products              []pendingProduct
}

// pendingProduct is a wgmma that is under way, with its matrix descriptors.
type pendingProduct struct {
	m     *groupMatrix
	batch uint32
	a, b  matrixDescriptor
}

func (b *block) resetHeld() {
	if len(b.code.held.names) == 0 {
		return
	}
	if b.held == nil {
		b.held = make([]progress, (b.n+groupLanes-1)/groupLanes)
	}
	for i := range b.held {
		p := &b.held[i]
		if p.uses == nil {
			p.uses = make([]use, len(b.code.held.names))
		}
		clear(p.uses)
		*p = progress{uses: p.uses, products: p.products[:0]}
	}
}

func (p *progress) flying(u *use) bool { return u.by != nil && u.batch >= p.done }

// touch is an instruction other than wgmma that reads or writes held registers.
type touch struct {
	in            *ptx.Instruction
	reads, writes []int
	from          int // of a mov, the number of what it copies, or -1
	constant      bool
}

// checkHeld emits, before an instruction, the look at the registers that it touches.
func (c *compiler) checkHeld(in *ptx.Instruction, form *ptx.Form) {
	h := &c.code.held
	if len(h.names) == 0 || in.Op == "wgmma" {
		return
	}
	t := &touch{in: in, from: -1}
	for i := range in.Operands {
		operandReferences(&in.Operands[i], form.Dest(i), func(r *ptx.Register, dest bool) {
			switch n := h.number(r); {
			case n < 0:
			case dest:
				t.writes = append(t.writes, n)
			default:
				t.reads = append(t.reads, n)
			}
		})
	}
	if _, from := renames(in); from != nil {
		t.from = h.number(from)
		if !c.code.options.Strict {
			t.reads = nil
		}
		t.constant = t.from < 0 && c.constants[from]
	} else if in.Op == "mov" {
		t.constant = in.Operands[1].Kind == ptx.OpInt || in.Operands[1].Kind == ptx.OpFloat
	}
	if len(t.reads)+len(t.writes) > 0 {
		c.emit(t.run)
	}
}

// findConstants finds the registers of a function that mov writes constants to, and nothing else.
func (c *compiler) findConstants(g *graph) {
	c.constants = map[*ptx.Register]bool{}
	if len(c.code.held.names) == 0 {
		return
	}
	for i := range g.fn.Code {
		in := &g.fn.Code[i]
		constant := in.Op == "mov" && (in.Operands[1].Kind == ptx.OpInt || in.Operands[1].Kind == ptx.OpFloat)
		references(in, g.forms[i], func(*ptx.Register) {}, func(r *ptx.Register) {
			before, known := c.constants[r]
			c.constants[r] = constant && (before || !known)
		})
	}
}

func (t *touch) run(b *block) {
	for i := range b.held {
		var lanes laneBits
		for w := 4 * i; w < min(4*i+4, (b.n+31)/32); w++ {
			lanes.addWarp(w, b.bits.warp(w))
		}
		if !lanes.empty() {
			t.act(b, &b.held[i], &lanes)
		}
		if b.fault != nil {
			return
		}
	}
}

func (t *touch) act(b *block, p *progress, lanes *laneBits) {
	strict := b.code.options.Strict
	for _, r := range t.reads {
		switch u := &p.uses[r]; {
		case p.flying(u) && (u.sums || strict):
			b.raiseHeld(lanes, driver.AccessRead, r, u)
			return
		case strict && u.touched == nil:
			t.note(p, u, lanes)
			u.reads = true
		}
	}
	for _, r := range t.writes {
		u := &p.uses[r]
		renamed := t.from >= 0 && (p.flying(&p.uses[t.from]) || !p.flying(u))
		switch {
		case renamed && !strict:
			*u = p.uses[t.from]
		case p.flying(u):
			b.raiseHeld(lanes, driver.AccessWrite, r, u)
			return
		case t.constant && !strict:
			*u = use{}
		default:
			*u = use{}
			t.note(p, u, lanes)
		}
	}
}

func (t *touch) note(p *progress, u *use, lanes *laneBits) {
	u.touched, u.fences, u.lane = t.in, p.fences, -1
	lanes.each(func(l int) {
		if u.lane < 0 {
			u.lane = l
		}
	})
}

// raiseHeld tells of lanes that touch what a product works on.
func (b *block) raiseHeld(lanes *laneBits, access driver.AccessKind, r int, u *use) {
	p := &b.held[b.lowest(lanes)/groupLanes]
	what := "holds a factor"
	if u.sums {
		what = "is one of its sums"
	}
	fix := "a wgmma.wait_group that covers it comes first"
	if u.batch == p.batches {
		fix = "wgmma.commit_group and a wgmma.wait_group come first"
	}
	b.raiseProduct(lanes, access, u.by.in, b.lowest(lanes))
	b.fault.Other.Access = map[bool]driver.AccessKind{true: driver.AccessWrite, false: driver.AccessRead}[u.sums]
	b.fault.Detail = fmt.Sprintf("register %s %s, and the product at %s is under way: %s", b.code.held.names[r], what,
		b.lineOf(u.by.in), fix)
}

func (b *block) lowest(lanes *laneBits) int {
	first := -1
	lanes.each(func(l int) {
		if first < 0 {
			first = l
		}
	})
	return first
}

// raiseProduct raises a race of lanes with what another instruction does for a lane.
func (b *block) raiseProduct(lanes *laneBits, access driver.AccessKind, other *ptx.Instruction, lane int) {
	b.raise(driver.FaultRace, lanes, "")
	b.fault.Access = access
	b.fault.Other = &driver.Side{Access: driver.AccessWrite, Block: b.ctaid, Thread: b.thread(lane), Line: other.Pos.Line,
		Instruction: other.Mnemonic(), Source: sourceOf(other, b.code.files)}
}

// issue notes the registers of a product that a warp group begins, and refuses those that it may not have yet.
func (m *groupMatrix) issue(b *block, first int) bool {
	if b.held == nil {
		return true
	}
	p := &b.held[first/groupLanes]
	var lanes laneBits
	for w := range 4 {
		lanes.addWarp(first/32+w, fullMask)
	}
	if p.fences == 0 {
		b.raise(driver.FaultRace, &lanes, fmt.Sprintf("warp group %d has executed no wgmma.fence: one comes before its "+
			"first wgmma.mma_async, behind the last instruction that writes a register of the product", first/groupLanes))
		return false
	}
	for sums, list := range [][]int{m.heldFactor, m.heldSums} {
		for _, r := range list {
			if !m.mayTake(b, p, r, sums == 1, &lanes) {
				return false
			}
		}
	}
	for sums, list := range [][]int{m.heldFactor, m.heldSums} {
		for _, r := range list {
			p.uses[r] = use{by: m, batch: p.batches, sums: sums == 1, fences: p.fences}
		}
	}
	return true
}

// mayTake compares what was done with a register before with what a product does with it.
func (m *groupMatrix) mayTake(b *block, p *progress, r int, sums bool, lanes *laneBits) bool {
	u := &p.uses[r]
	access := driver.AccessRead
	if sums {
		access = driver.AccessWrite
	}
	switch {
	case p.flying(u) && u.sums && sums && (u.by.sameShape(m) || u.fences < p.fences):
	case p.flying(u) && u.sums && sums:
		b.raiseProduct(lanes, access, u.by.in, b.lowest(lanes))
		b.fault.Detail = fmt.Sprintf("register %s is one of the sums of both, and their shapes differ: wgmma.fence comes "+
			"between them", b.code.held.names[r])
		return false
	case p.flying(u) && (u.sums || sums):
		b.raiseHeld(lanes, access, r, u)
		return false
	case u.touched != nil && u.fences == p.fences:
		b.raiseProduct(lanes, access, u.touched, u.lane)
		if u.reads {
			b.fault.Other.Access = driver.AccessRead
		}
		b.fault.Detail = fmt.Sprintf("register %s is one of the product's: a wgmma.fence comes between %s and it",
			b.code.held.names[r], b.lineOf(u.touched))
		return false
	}
	return true
}

func (m *groupMatrix) sameShape(o *groupMatrix) bool { return m.n == o.n && m.depth == o.depth }

// begin notes a product that reads shared memory.
func (m *groupMatrix) begin(b *block, first int) {
	if b.held == nil || !b.code.options.Races {
		return
	}
	p := &b.held[first/groupLanes]
	d := pendingProduct{m: m, batch: p.batches, b: m.b.descriptor(b, first)}
	if m.factor == nil {
		d.a = m.a.descriptor(b, first)
	}
	p.products = append(p.products, d)
}

// waitProducts ends what all but the newest n wgmma-groups have under way. Until then shared memory is read:
// what was written there meanwhile raced with it.
func (b *block) waitProducts(n uint32) {
	active := b.bits
	for i := range b.held {
		p, first := &b.held[i], i*groupLanes
		if active.warp(first/32) == 0 || p.batches < n+p.done {
			continue
		}
		p.done = p.batches - n
		kept := p.products[:0]
		for _, d := range p.products {
			switch {
			case d.batch >= p.done:
				kept = append(kept, d)
			case b.fault == nil:
				d.readAgain(b, first)
			}
		}
		p.products = kept
	}
	b.setActive(&active)
}

// readAgain lets the race check see what a product has read as read now.
func (d *pendingProduct) readAgain(b *block, first int) {
	var lanes laneBits
	for w := range 4 {
		lanes.addWarp(first/32+w, fullMask)
	}
	b.setActive(&lanes)
	ignore := func(int, int, int, *[16]byte) {}
	if d.m.factor == nil {
		d.m.fetch(b, &d.m.a, groupRows/64, true, func(int) matrixDescriptor { return d.a }, ignore)
	}
	d.m.fetch(b, &d.m.b, (d.m.n+15)/16, false, func(int) matrixDescriptor { return d.b }, ignore)
	if b.fault != nil {
		b.placeFault(d.m.in)
		b.addDetail("the product reads shared memory until a wgmma.wait_group that covers it")
	}
}

// groupOrder makes the instructions that order products of a warp group.
func (c *compiler) groupOrder() {
	act := map[bool]func(*progress){true: func(p *progress) { p.fences++ }, false: func(p *progress) { p.batches++ }}
	note := act[c.in.Has("fence")]
	n := uint32(0)
	if c.in.Has("wait_group") {
		n = uint32(c.in.Operands[0].Int)
	}
	wait := c.in.Has("wait_group")
	c.groupEnd(func(b *block) {
		switch {
		case b.held == nil:
		case wait:
			b.waitProducts(n)
		default:
			b.eachGroup(func(first int) { note(&b.held[first/groupLanes]) })
		}
	})
}
