package vm

import (
	"go/token"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// An op executes one SSA instruction, or several fused ones, on a frame.
type op func(fp pointer)

// A term ends a block: it returns the block that follows, nil where the function returns.
type term func(fp pointer) *block

type block struct {
	ops []op
	end term
}

// code is one function as closures over its frame.
type code struct {
	name  string // in the runtime's form: main.(*T).M.func1
	fset  *token.FileSet
	entry *block
	// recovered is where the function goes on after a recovered panic; nil: it returns zero results.
	recovered *block
	defers    bool
	leaf      bool  // calls nothing, so that a goroutine is in it once at a time
	wrapper   bool  // made by go/ssa (promoted and bound methods): transparent to recover and Caller
	yield     bool  // the body of a range-over-func loop: recover acts for the enclosing function
	parent    *code // of a func literal

	sig        *signature
	captures   []slotOf // free variables
	frame      *rtype.FrameType
	template   pointer   // a frame with the constants
	clearAt    []uintptr // where a released frame holds pointers to forget, if they are few, or
	clearWords int       // words after the header to clear
	pool       int       // index in routine.free
	held       *stackMap // which pointers in a frame are still to be read where; nil: the frame has none, or too many
	pos        []token.Pos
	fnpos      token.Pos
	fnend      token.Pos // no place for functions that the engine made
}

// A slotOf is where a value of a type lies in a frame.
type slotOf struct {
	at  uintptr
	typ *typ
}

// A signature says where a callee's frame holds parameters and results: right after the header, in an order that depends on their types
// alone, so that a caller need not know which function it calls.
type signature struct {
	params, results []slotOf
	size            uintptr // where the next slot may lie
	pointers        bool
}

// A target is one function of the session as callers see it: all generations of a name that a session declares
// again share it.
type target struct {
	now atomic.Pointer[code]
	vm  *vm
	// maker makes its code when it is called before that was asked for.
	maker interface{ Need(*target) }

	mu     sync.Mutex
	layout *objectLayout // of its func objects, which it keeps alive
	value  *funcObject   // the func value of a function without captures
}

// code returns the function's code, compiling it if that has not happened.
func (t *target) code() *code {
	if c := t.now.Load(); c != nil {
		return c
	}
	return t.compileNow()
}

// compileNow compiles a function that is called before anybody asked for its code. It stays out of
// code, which calls inline.
//
//go:noinline
func (t *target) compileNow() *code {
	t.maker.Need(t)
	return t.now.Load()
}

// Made reports whether the function has code.
func (t *target) Made() bool { return t.now.Load() != nil }

// run executes the function on a frame whose parameters are set.
func (c *code) run(fp pointer) {
	if c.defers {
		c.runDeferring(fp)
		return
	}
	// Most blocks are short: their ops are called from places of their own, which the processor predicts better than one.
	b := c.entry
	for b != nil {
		switch ops := b.ops; len(ops) {
		case 0:
		case 1:
			ops[0](fp)
		case 2:
			ops[0](fp)
			b.ops[1](fp)
		default:
			for _, do := range ops {
				do(fp)
			}
		}
		b = b.end(fp)
	}
}

// runFrom executes b and what follows it.
func (c *code) runFrom(fp pointer, b *block) {
	for ; b != nil; b = b.end(fp) {
		for _, do := range b.ops {
			do(fp)
		}
	}
}

// position is where instruction ip stands in the source.
func (c *code) position(ip uint32) token.Position {
	if int(ip) < len(c.pos) {
		if p := c.pos[ip]; p.IsValid() {
			return c.fset.Position(p)
		}
	}
	return c.fset.Position(c.fnpos)
}

// fewPointers are cleared one by one, which is quicker than the runtime's way with many.
const fewPointers = 12

// clears says how released frames are cleared: where the cell's values have pointers, all of them before size.
func (c *code) clears(size uintptr, pointers []uintptr) {
	if len(pointers) > fewPointers {
		c.clearWords = int(size-headerSize) / 8
		return
	}
	c.clearAt = pointers
}
