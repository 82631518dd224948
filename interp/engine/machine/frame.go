package machine

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

type pointer = unsafe.Pointer

// Header is the start of every frame. A frame is one heap object whose type (Code.Frame) tells the
// collector which of its words are pointers; the slots of a function's SSA values follow the
// header.
type Header struct {
	Code       *Code       // keeps the frame's type alive
	Routine    *Routine    // the goroutine whose pool the frame belongs to
	up         pointer     // the frame that called; in the pool, the next free frame
	down       pointer     // the frame of the last call from here, kept for the next
	Defers     *DeferStack // of a function that defers, while it runs
	DeferredBy *DeferStack // set while the frame runs as a deferred call of that stack: recover is valid here
	IP         uint32      // index in Code.Positions of the last instruction that called out or failed
	depth      uint32      // frames below, callbacks included
}

// HeaderSize is where the slots of a frame begin.
const HeaderSize = unsafe.Sizeof(Header{})

// HeaderPointers are the header's pointer words.
var HeaderPointers = []uintptr{
	unsafe.Offsetof(Header{}.Code), unsafe.Offsetof(Header{}.Routine), unsafe.Offsetof(Header{}.up),
	unsafe.Offsetof(Header{}.down),
	unsafe.Offsetof(Header{}.Defers), unsafe.Offsetof(Header{}.DeferredBy),
}

func head(fp pointer) *Header { return (*Header)(fp) }

// frame is what stacks show of a frame.
func (h *Header) frame() engine.Frame {
	c := h.Code
	return engine.Frame{Function: c.Name, Pos: c.position(h.IP), Niladic: len(c.Signature.Params) == 0,
		Start: c.Fset.Position(c.Start).Line, End: c.Fset.Position(c.End).Line}
}

// at is the address of a slot.
func at(fp pointer, slot uintptr) pointer { return unsafe.Add(fp, slot) }

// ref is a slot seen as a variable of type T.
func ref[T any](fp pointer, slot uintptr) *T { return (*T)(unsafe.Add(fp, slot)) }

// Take gives a frame of c to the goroutine: one from its pool, else a new one with the constants in
// place.
func (c *Code) Take(g *Routine) pointer {
	if uint(c.pool) < uint(len(g.free)) {
		if fp := g.free[c.pool]; fp != nil && head(fp).Code == c {
			g.free[c.pool] = head(fp).up
			return fp
		}
	}
	return c.newFrame(g)
}

func (c *Code) newFrame(g *Routine) pointer {
	fp := c.Frame.New()
	if c.Template != nil {
		rtype.Move(c.Frame.Word(), fp, c.Template)
	}
	h := head(fp)
	h.Code, h.Routine = c, g
	return fp
}

// Push makes the frame of a call from fp. A frame keeps that of the last call from it, so that
// calls of the same function, recursive ones too, find theirs at once.
func (c *Code) Push(fp pointer, ip uint32) pointer {
	h := head(fp)
	h.IP = ip
	nf := h.down
	if nf == nil || head(nf).Code != c {
		if c.Leaf {
			nf = c.resident(fp)
		} else {
			nf = c.link(fp)
		}
	}
	depth := h.depth + 1
	head(nf).depth = depth
	if depth > h.Routine.Limit.Load() {
		overLimit(fp)
	}
	return nf
}

// resident is the frame of a function that calls nothing: a goroutine needs one of each.
func (c *Code) resident(fp pointer) pointer {
	g := head(fp).Routine
	if uint(c.pool) < uint(len(g.leaves)) {
		if nf := g.leaves[c.pool]; nf != nil && head(nf).Code == c {
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
func (c *Code) link(fp pointer) pointer {
	h := head(fp)
	h.Routine.unlink(fp)
	nf := c.Take(h.Routine)
	head(nf).up = fp
	h.down = nf
	return nf
}

// unlink puts the frames below fp into the pool.
func (g *Routine) unlink(fp pointer) {
	p := head(fp).down
	head(fp).down = nil
	for p != nil {
		next := head(p).down
		head(p).down = nil
		g.put(p)
		p = next
	}
}

// Pop ends a call: what the frame's slots point to is forgotten, so that it keeps nothing alive.
// Only words that hold pointers may be written as such: the write barrier shows the collector what
// was there.
func (c *Code) Pop(fp pointer) {
	if n := c.clearWords; n > 0 {
		clear(unsafe.Slice((*pointer)(at(fp, HeaderSize)), n)) // in bulk, by the frame's type
		return
	}
	for _, o := range c.clearAt {
		*ref[pointer](fp, o) = nil
	}
}

// release puts a frame that take gave back, and those below it.
func (c *Code) release(g *Routine, fp pointer) {
	c.Pop(fp)
	g.unlink(fp)
	g.put(fp)
}

func (g *Routine) put(fp pointer) {
	id := head(fp).Code.pool
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
