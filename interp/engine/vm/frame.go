package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

type pointer = unsafe.Pointer

// header is the start of every frame. A frame is one heap object whose type (code.frame) tells the collector which of
// its words are pointers; the slots of a function's SSA values follow the header.
type header struct {
	code    *code       // keeps the frame's type alive
	g       *routine    // the goroutine whose pool the frame belongs to
	up      pointer     // the frame that called; in the pool, the next free frame
	defers  *deferStack // of a function that defers, while it runs
	defered *deferStack // set while the frame runs as a deferred call of that stack: recover is valid here
	ip      uint32      // index in code.pos of the last instruction that called out or failed
	depth   uint32      // frames below, callbacks included
}

const headerSize = unsafe.Sizeof(header{})

// headerPointers are the header's pointer words.
var headerPointers = []uintptr{
	unsafe.Offsetof(header{}.code), unsafe.Offsetof(header{}.g), unsafe.Offsetof(header{}.up),
	unsafe.Offsetof(header{}.defers), unsafe.Offsetof(header{}.defered),
}

func head(fp pointer) *header { return (*header)(fp) }

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

// release puts a frame back. What its slots point to is forgotten, so that the pool keeps nothing alive.
func (c *code) release(g *routine, fp pointer) {
	if c.clearWords > 0 {
		clear(unsafe.Slice((*pointer)(at(fp, headerSize)), c.clearWords))
	}
	if uint(c.pool) >= uint(len(g.free)) {
		g.growPool(c.pool)
	}
	head(fp).up = g.free[c.pool]
	g.free[c.pool] = fp
}

func (g *routine) growPool(id int) {
	free := make([]pointer, id+id/2+16)
	copy(free, g.free)
	g.free = free
}
