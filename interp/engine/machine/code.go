package machine

import (
	"go/token"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// An Op executes one SSA instruction, or several fused ones, on a frame.
type Op func(fp pointer)

// A Term ends a block: it returns the block that follows, nil where the function returns.
type Term func(fp pointer) *Block

// A Block is a basic block: its ops in order, then its Term.
type Block struct {
	Ops []Op
	End Term
}

// Code is one function as closures over its frame.
type Code struct {
	Name  string // in the runtime's form: main.(*T).M.func1
	Fset  *token.FileSet
	Entry *Block
	// Recovered is where the function goes on after a recovered panic; nil: it returns zero results.
	Recovered *Block
	Defers    bool
	Leaf      bool  // calls nothing, so that a goroutine is in it once at a time
	Wrapper   bool  // made by go/ssa (promoted and bound methods): transparent to recover and Caller
	RangeBody bool  // the body of a range-over-func loop: recover acts for the enclosing function
	Parent    *Code // of a func literal

	Signature  *Signature
	Captures   []Slot // free variables
	Frame      *rtype.FrameType
	Template   pointer   // a frame with the constants
	clearAt    []uintptr // where a released frame holds pointers to forget, if they are few, or
	clearWords int       // words after the header to clear
	pool       int       // index in Routine.free
	StackMap   *StackMap // which pointers in a frame are still to be read where; nil: the frame has none, or too many
	Positions  []token.Pos
	Start      token.Pos
	End        token.Pos // no place for functions that the engine made
}

// A Slot is where a value of a type lies in a frame.
type Slot struct {
	At   uintptr
	Type *Type
}

// A Signature says where a callee's frame holds parameters and results: right after the header, in
// an order that depends on their types alone, so that a caller need not know which function it
// calls.
type Signature struct {
	Params, Results []Slot
	Size            uintptr // where the next slot may lie
	Pointers        bool
}

// A Function is one function of the session as callers see it: all generations of a name that a
// session declares again share it.
type Function struct {
	Now     atomic.Pointer[Code] // nil until it is compiled
	Machine *Machine
	// Maker makes its code when it is called before that was asked for.
	Maker interface{ Need(*Function) }

	mu     sync.Mutex
	Layout *ObjectLayout // of its func objects, which it keeps alive
	value  *FuncObject   // the func value of a function without captures
}

// Code returns the function's code, compiling it if that has not happened.
func (t *Function) Code() *Code {
	if c := t.Now.Load(); c != nil {
		return c
	}
	return t.compileNow()
}

// compileNow compiles a function that is called before anybody asked for its code. It stays out of
// code, which calls inline.
//
//go:noinline
func (t *Function) compileNow() *Code {
	t.Maker.Need(t)
	return t.Now.Load()
}

// Made reports whether the function has code.
func (t *Function) Made() bool { return t.Now.Load() != nil }

// Run executes the function on a frame whose parameters are set.
func (c *Code) Run(fp pointer) {
	if c.Defers {
		c.runDeferring(fp)
		return
	}
	// Most blocks are short: their ops are called from places of their own, which the processor
	// predicts better than one.
	b := c.Entry
	for b != nil {
		switch ops := b.Ops; len(ops) {
		case 0:
		case 1:
			ops[0](fp)
		case 2:
			ops[0](fp)
			b.Ops[1](fp)
		default:
			for _, do := range ops {
				do(fp)
			}
		}
		b = b.End(fp)
	}
}

// runFrom executes b and what follows it.
func (c *Code) runFrom(fp pointer, b *Block) {
	for ; b != nil; b = b.End(fp) {
		for _, do := range b.Ops {
			do(fp)
		}
	}
}

// position is where instruction ip stands in the source.
func (c *Code) position(ip uint32) token.Position {
	if int(ip) < len(c.Positions) {
		if p := c.Positions[ip]; p.IsValid() {
			return c.Fset.Position(p)
		}
	}
	return c.Fset.Position(c.Start)
}

// fewPointers are cleared one by one, which is quicker than the runtime's way with many.
const fewPointers = 12

// SetClearing says how released frames are cleared: where the cell's values have pointers, all of
// them before size.
func (c *Code) SetClearing(size uintptr, pointers []uintptr) {
	if len(pointers) > fewPointers {
		c.clearWords = int(size-HeaderSize) / 8
		return
	}
	c.clearAt = pointers
}
