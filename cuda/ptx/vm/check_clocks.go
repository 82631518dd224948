package vm

import (
	"slices"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// A loop that waits for memory and looks at a clock meanwhile, as those of cuda::barrier and
// cuda::atomic do to sleep longer the longer they wait, is never in a state that it was in before.
// Where the time can decide nothing but which way round the loop is taken, the block's clocks are
// stopped while it waits: then the state repeats if nothing else changes (check_repeat.go). A loop that
// gives up after some time goes on.

// waiting is how long a block has only looked at memory.
type waiting struct {
	version uint64 // of memory, as the launch counts changes
	turns   int
	runs    []uint64 // of the basic blocks, half way
	since   uint64   // what stopped clocks show; 0 while they go
}

// watchedTurns is after how many turns a waiting block's loop is known.
const watchedTurns = 16

// standStill notes a turn, in which the block only looked at memory where idle is set.
func (b *block) standStill(idle bool) {
	if !b.code.timed {
		return
	}
	w := &b.wait
	if v := b.launch.changes.Load(); !idle || v != w.version {
		*w = waiting{version: v}
		return
	}
	if w.since != 0 {
		return
	}
	switch w.turns++; w.turns {
	case watchedTurns / 2:
		w.runs = slices.Clone(b.blockRuns)
	case watchedTurns:
		w.turns = 0
		loop := make([]bool, len(b.blockRuns))
		for i, n := range b.blockRuns {
			loop[i] = n != w.runs[i]
		}
		if b.code.clocks.decideNothing(b.code, loop) {
			w.since = uint64(time.Now().UnixNano())
		}
	}
}

// clocks are the registers of a kernel that depend on a clock.
type clocks struct {
	once sync.Once
	regs map[*ptx.Register]bool
}

// decideNothing reports whether a loop, given as the basic blocks that it runs, ends or goes on
// whatever the time is: whichever way a branch on the time goes, the lanes come back into the loop,
// and change no memory on the way.
func (k *clocks) decideNothing(c *code, loop []bool) bool {
	k.once.Do(func() { k.find(c) })
	seen := slices.Clone(loop)
	var ways []int
	follow := func(i int) {
		for _, n := range c.blocks[i].next {
			if !seen[n] {
				seen[n] = true
				ways = append(ways, n)
			}
		}
	}
	for i, in := range loop {
		if !in {
			continue
		}
		for _, x := range c.blocks[i].source {
			switch {
			case x.Guard == nil || !k.regs[x.Guard.Reg]:
			case x.Op == "bra":
				follow(i)
			case lasting[x.Op]:
				return false
			}
		}
	}
	for len(ways) > 0 {
		i := ways[len(ways)-1]
		ways = ways[:len(ways)-1]
		if slices.ContainsFunc(c.blocks[i].source, func(x *ptx.Instruction) bool { return lasting[x.Op] }) || len(c.blocks[i].next) == 0 {
			return false
		}
		follow(i)
	}
	return true
}

// lasting are the opcodes that change what others see, or leave the function.
var lasting = map[string]bool{"st": true, "atom": true, "red": true, "mbarrier": true, "cp": true, "bar": true, "barrier": true, "ret": true, "exit": true, "trap": true, "call": true,
	"brx": true, "stmatrix": true, "wmma": true}

// find follows the clocks through the registers. What is loaded depends on none.
func (k *clocks) find(c *code) {
	k.regs = map[*ptx.Register]bool{}
	for grew := true; grew; {
		grew = false
		for i := range c.blocks {
			for _, in := range c.blocks[i].source {
				form, err := ptx.Match(in)
				if err != nil || in.Op == "ld" {
					continue
				}
				timed := slices.ContainsFunc(in.Operands, func(o ptx.Operand) bool { return o.Kind == ptx.OpSpecial && dynamicSpecials[o.Name] != nil })
				references(in, form, func(r *ptx.Register) { timed = timed || k.regs[r] }, func(*ptx.Register) {})
				if !timed {
					continue
				}
				references(in, form, func(*ptx.Register) {}, func(r *ptx.Register) {
					grew = grew || !k.regs[r]
					k.regs[r] = true
				})
			}
		}
	}
}
