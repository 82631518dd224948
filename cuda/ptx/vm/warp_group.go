package vm

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// A warp group is four warps in a row, of which the first has a number that four divides (section
// 9.7.15). Its instructions wait until all its lanes have come.

const groupLanes = 128

// groupOp is an instruction of a warp group: act is called with whole groups active.
type groupOp struct {
	in       *ptx.Instruction
	pc, next int
	act      func(b *block)
}

// groupEnd makes the terminator of the current instruction.
func (c *compiler) groupEnd(act func(b *block)) {
	g := &groupOp{in: c.in, next: c.next, pc: c.next - 1, act: act}
	c.end = g.run
}

func (g *groupOp) run(b *block) {
	b.joinParked(g.in)
	ready := b.bits
	for first := 0; first < b.n; first += groupLanes {
		if !b.groupCame(g.in, first, &ready) {
			return
		}
	}
	rest := b.bits
	rest.minus(&ready)
	if !rest.empty() {
		b.parked = append(b.parked, parking{in: g.in, pc: g.pc, bits: rest, mask: fullMask, group: true})
	}
	if ready.empty() {
		b.clearActive()
		return
	}
	b.setActive(&ready)
	g.act(b)
	b.noteWarpSync(noSlot)
	b.pc = g.next
}

// groupCame takes the lanes of a warp group off the set where others have still to come, and refuses a
// group that will never be whole.
func (b *block) groupCame(in *ptx.Instruction, first int, set *laneBits) bool {
	var whole laneBits
	for w := first / 32; w < (first+groupLanes)/32; w++ {
		whole.addWarp(w, fullMask)
	}
	here, gone := whole, whole
	here.and(set)
	gone.minus(&b.live)
	switch {
	case here.empty() || here == whole:
		return true
	case gone.empty():
		set.minus(&here)
		return true
	}
	b.raise(driver.FaultShuffleMask, &here, fmt.Sprintf("%d of the 128 lanes of warp group %d are there, and %s needs "+
		"all: %s", here.count(), first/groupLanes, in.Mnemonic(), b.missing(first)))
	return false
}

func (b *block) missing(first int) string {
	if first+groupLanes > b.n {
		return fmt.Sprintf("the block has %d threads", b.n)
	}
	return "others have exited"
}

func (s *laneBits) and(o *laneBits) {
	for i := range s {
		s[i] &= o[i]
	}
}

// eachGroup calls f with the first lane of each active warp group.
func (b *block) eachGroup(f func(first int)) {
	for first := 0; first < b.n; first += groupLanes {
		if b.bits.warp(first/32) != 0 {
			f(first)
		}
	}
}

// buildSetMaxRegisters is for setmaxnreg, which hands registers over: there are as many here as a
// kernel asks for.
func buildSetMaxRegisters(c *compiler) error {
	c.groupEnd(func(*block) {})
	return nil
}

func init() {
	register(map[string]builder{"setmaxnreg": buildSetMaxRegisters, "wgmma": buildGroupMatrix})
}
