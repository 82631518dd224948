package lower

import (
	"go/token"
	"go/types"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/callers"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/link"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/unevaluated"
	"golang.org/x/tools/go/ssa"
)

// A compiler turns one SSA function into code.
type compiler struct {
	layout
	unit     *unit
	fn       *ssa.Function
	code     *machine.Code
	blocks   []*block
	retreats map[edge]bool
	last     token.Pos
	stops    stops
	jumps    []*ssa.BasicBlock // that end in a jump
	advances map[int]advance   // by block, where its last op is one
	newest   ssa.Instruction   // the block's last op is its
}

// An edge of the control flow graph: successor number succ of block from.
type edge struct{ from, succ int }

// compile makes the code of a function with a body. It panics with *engine.Refusal, a table's error
// or an internal error.
func (u *unit) compile(fn *ssa.Function, parent *machine.Code) *machine.Code {
	unevaluated.Drop(fn)
	u.machine.KnownWakers.Look(fn)
	defer u.Within(fn)()
	c := &compiler{
		unit: u, fn: fn,
		layout: layout{
			Area: machine.Area{Size: machine.HeaderSize}, slots: map[ssa.Value]uintptr{}, parts: map[ssa.Value][]part{},
			memory: map[*ssa.Alloc]uintptr{}, consts: map[constKey]uintptr{}, alias: map[ssa.Value]ssa.Value{},
			folded: map[ssa.Value]bool{}, updates: map[ssa.Instruction]*ssa.BinOp{},
			holders:  map[uintptr]int{},
			appended: map[*ssa.Call]ssa.Value{}, skipped: map[ssa.Instruction]bool{},
		},
		advances: map[int]advance{},
		code: &machine.Code{
			Name: callers.Name(fn), Fset: fn.Prog.Fset, Parent: parent, Start: callers.Start(fn), End: callers.End(fn),
			Wrapper: callers.IsWrapper(fn), RangeBody: fn.Synthetic == "range-over-func yield",
		},
	}
	u.machine.Number(c.code)
	c.code.Defers = hasDefers(fn)
	c.code.Leaf = c.callsNothing()
	c.fold()
	c.arrange()
	c.retreats = retreatingEdges(fn)
	c.blocks = make([]*block, len(fn.Blocks))
	for i := range c.blocks {
		c.blocks[i] = &block{}
	}
	for _, b := range fn.Blocks {
		c.block(b)
	}
	c.code.Entry = c.blocks[0]
	if fn.Recover != nil {
		c.code.Recovered = c.blocks[fn.Recover.Index]
	}
	c.thread()
	c.finish()
	return c.code
}

// finish makes the frame type, the map of what frames hold, and the template that new frames start
// from.
func (c *compiler) finish() {
	c.code.StackMap = c.stackMap()
	c.code.Frame = c.FrameType(machine.HeaderPointers...)
	if len(c.initial) == 0 {
		return
	}
	c.code.Template = c.code.Frame.New()
	head(c.code.Template).Code = c.code
	for _, v := range c.initial {
		v.Type.Move(at(c.code.Template, v.At), v.from)
	}
}

func hasDefers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ssa.RunDefers:
				return true
			case *ssa.Defer:
				if x.DeferStack == nil {
					return true
				}
			case *ssa.Call:
				if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "ssa:deferstack" {
					return true
				}
			}
		}
	}
	return false
}

func (c *compiler) typ(t types.Type) *typ { return c.unit.typ(t) }

// block compiles the instructions of b in order; the terminator last.
func (c *compiler) block(b *ssa.BasicBlock) {
	out := c.blocks[b.Index]
	n := len(b.Instrs)
	c.last, c.newest = token.NoPos, nil
	defers := unevaluated.LostRunDefers(b, c.code.Defers)
	for i, in := range b.Instrs[:n-1] {
		if p := in.Pos(); p.IsValid() {
			c.last = p
		}
		if i == defers {
			out.Ops = append(out.Ops, c.lostDefers(b, in))
		}
		if v, ok := in.(ssa.Value); ok && c.folded[v] || c.skipped[in] {
			continue
		}
		if o := c.instruction(in); o != nil {
			out.Ops = append(out.Ops, o)
			c.noteAdvance(b, in)
			c.newest = in
		}
	}
	if defers == n-1 {
		c.newest = nil
		out.Ops = append(out.Ops, c.lostDefers(b, b.Instrs[n-1]))
	}
	out.End = c.terminator(b)
}

// lostDefers runs deferred calls before instruction next of b.
func (c *compiler) lostDefers(b *ssa.BasicBlock, next ssa.Instruction) op {
	c.stops.before = next
	defer func() { c.stops.before = nil }()
	return c.runDefers(b.Instrs[len(b.Instrs)-1])
}

// A builder makes the op of one kind of instruction; a nil op does nothing.
type builder func(c *compiler, in ssa.Instruction) op

func (c *compiler) instruction(in ssa.Instruction) op {
	f, ok := builders[reflect.TypeOf(in)]
	if !ok {
		panic(machine.Internal("no builder for %T", in))
	}
	return f(c, in)
}

func (c *compiler) terminator(b *ssa.BasicBlock) term {
	in := b.Instrs[len(b.Instrs)-1]
	if p := in.Pos(); p.IsValid() {
		c.last = p
	}
	f, ok := terminators[reflect.TypeOf(in)]
	if !ok {
		panic(machine.Internal("no terminator %T", in))
	}
	return f(c, in)
}

// ip notes the position of an instruction that may call out or fail and returns what the frame's
// header is to hold then.
func (c *compiler) ip(in ssa.Instruction) uint32 {
	p := link.Pos(in)
	if !p.IsValid() {
		p = c.last
	}
	if n := len(c.code.Positions); n > 0 && c.code.Positions[n-1] == p && c.stops.shares(in) {
		return uint32(n - 1)
	}
	c.stops.note(in, uint32(len(c.code.Positions)))
	c.code.Positions = append(c.code.Positions, p)
	return uint32(len(c.code.Positions) - 1)
}

// retreatingEdges finds the edges that close a cycle, reducible or not: where a loop must look
// whether it is to stop.
func retreatingEdges(fn *ssa.Function) map[edge]bool {
	const (
		open   = 1
		closed = 2
	)
	out := map[edge]bool{}
	state := make([]uint8, len(fn.Blocks))
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		state[b.Index] = open
		for i, s := range b.Succs {
			switch state[s.Index] {
			case open:
				out[edge{b.Index, i}] = true
			case 0:
				visit(s)
			}
		}
		state[b.Index] = closed
	}
	for _, b := range fn.Blocks {
		if state[b.Index] == 0 {
			visit(b)
		}
	}
	return out
}
