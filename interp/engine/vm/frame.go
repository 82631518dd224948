package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

type pointer = unsafe.Pointer

// header is the start of every frame. A frame is one heap object whose type (code.frame) tells the collector which of
// its words are pointers; the slots of a function's SSA values follow the header.
type header struct {
	code    *code       // keeps the frame's type alive
	g       *routine    // the goroutine whose pool the frame belongs to
	up      pointer     // the frame that called; in the pool, the next free frame
	down    pointer     // the frame of the last call from here, kept for the next
	defers  *deferStack // of a function that defers, while it runs
	defered *deferStack // set while the frame runs as a deferred call of that stack: recover is valid here
	ip      uint32      // index in code.pos of the last instruction that called out or failed
	depth   uint32      // frames below, callbacks included
}

const headerSize = unsafe.Sizeof(header{})

// headerPointers are the header's pointer words.
var headerPointers = []uintptr{
	unsafe.Offsetof(header{}.code), unsafe.Offsetof(header{}.g), unsafe.Offsetof(header{}.up), unsafe.Offsetof(header{}.down),
	unsafe.Offsetof(header{}.defers), unsafe.Offsetof(header{}.defered),
}

func head(fp pointer) *header { return (*header)(fp) }

// frame is what stacks show of a frame.
func (h *header) frame() engine.Frame {
	c := h.code
	return engine.Frame{Function: c.name, Pos: c.position(h.ip), Niladic: len(c.sig.params) == 0, Start: c.fset.Position(c.fnpos).Line, End: c.fset.Position(c.fnend).Line}
}

// at is the address of a slot.
func at(fp pointer, slot uintptr) pointer { return unsafe.Add(fp, slot) }

// ref is a slot seen as a variable of type T.
func ref[T any](fp pointer, slot uintptr) *T { return (*T)(unsafe.Add(fp, slot)) }

// take gives a frame of c to the goroutine: one from its pool, else a new one with the constants in place.
func (c *code) take(g *routine) pointer {
	if uint(c.pool) < uint(len(g.free)) {
		if fp := g.free[c.pool]; fp != nil && head(fp).code == c {
			g.free[c.pool] = head(fp).up
			return fp
		}
	}
	return c.newFrame(g)
}

func (c *code) newFrame(g *routine) pointer {
	fp := c.frame.New()
	if c.template != nil {
		rtype.Move(c.frame.Word(), fp, c.template)
	}
	h := head(fp)
	h.code, h.g = c, g
	return fp
}

// push makes the frame of a call from fp. A frame keeps that of the last call from it, so that calls of the same function,
// recursive ones too, find theirs at once.
func (c *code) push(fp pointer, ip uint32) pointer {
	h := head(fp)
	h.ip = ip
	nf := h.down
	if nf == nil || head(nf).code != c {
		if c.leaf {
			nf = c.resident(fp)
		} else {
			nf = c.link(fp)
		}
	}
	depth := h.depth + 1
	head(nf).depth = depth
	if depth > h.g.limit.Load() {
		overLimit(fp)
	}
	return nf
}

// resident is the frame of a function that calls nothing: a goroutine needs one of each.
func (c *code) resident(fp pointer) pointer {
	g := head(fp).g
	if uint(c.pool) < uint(len(g.leaves)) {
		if nf := g.leaves[c.pool]; nf != nil && head(nf).code == c {
			head(nf).up = fp
			return nf
		}
	}
	nf := c.newFrame(g)
	if uint(c.pool) >= uint(len(g.leaves)) {
		g.leaves = grown(g.leaves, c.pool)
	}
	g.leaves[c.pool] = nf
	head(nf).up = fp
	return nf
}

// link puts a frame of c below fp in the place of the one that is there.
func (c *code) link(fp pointer) pointer {
	h := head(fp)
	h.g.unlink(fp)
	nf := c.take(h.g)
	head(nf).up = fp
	h.down = nf
	return nf
}

// unlink puts the frames below fp into the pool.
func (g *routine) unlink(fp pointer) {
	p := head(fp).down
	head(fp).down = nil
	for p != nil {
		next := head(p).down
		head(p).down = nil
		g.put(p)
		p = next
	}
}

// pop ends a call: what the frame's slots point to is forgotten, so that it keeps nothing alive. Only words that hold pointers may be
// written as such: the write barrier shows the collector what was there.
func (c *code) pop(fp pointer) {
	if n := c.clearWords; n > 0 {
		clear(unsafe.Slice((*pointer)(at(fp, headerSize)), n)) // in bulk, by the frame's type
		return
	}
	for _, o := range c.clearAt {
		*ref[pointer](fp, o) = nil
	}
}

// release puts a frame that take gave back, and those below it.
func (c *code) release(g *routine, fp pointer) {
	c.pop(fp)
	g.unlink(fp)
	g.put(fp)
}

func (g *routine) put(fp pointer) {
	id := head(fp).code.pool
	if uint(id) >= uint(len(g.free)) {
		g.free = grown(g.free, id)
	}
	head(fp).up = g.free[id]
	g.free[id] = fp
}

// grown is a copy of frames with a place for number id.
func grown(frames []pointer, id int) []pointer {
	more := make([]pointer, id+id/2+16)
	copy(more, frames)
	return more
}
