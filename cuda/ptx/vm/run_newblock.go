package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// takeBlock gives a block made ready for the launch: one of an earlier launch of the
// same shape, or a new one.
func takeBlock(l *launch) *block {
	b, _ := l.kernel.code.spare.Get().(*block)
	if b == nil || b.shape != shapeOf(l) {
		b = newBlock(l)
	}
	b.attach(l)
	return b
}

// shape is what the memory of a block depends on.
type shape struct {
	block  Dim3
	shared uint32
}

func shapeOf(l *launch) shape { return shape{l.Block, l.SharedBytes} }

// attach computes what is the same for all blocks of a launch.
func (b *block) attach(l *launch) {
	b.launch, b.fault, b.cluster = l, nil, clusterState{}
	clear(b.sites)
	clear(b.local)
	b.fillSpecials(b.code.ofLaunch)
	b.setActive(&b.all)
	for _, s := range b.code.prologue {
		s(b)
	}
}

// detach leaves a block that has run to its end for a later launch.
func (b *block) detach() {
	b.launch = nil
	clear(b.sites)
	b.code.spare.Put(b)
}

// resetSites forgets what a block has hit that the next one may not: its lanes' local
// memory, and allocations that have changed.
func (b *block) resetSites() {
	for i := range b.sites {
		s := &b.sites[i]
		if s.single || s.peer || s.alloc != nil && (s.alloc.Freed() || shadowOf(s.alloc.shadow) != s.shadow) {
			*s = segment{}
		}
	}
}

// newBlock makes the memory of a block of a launch's shape.
func newBlock(l *launch) *block {
	c := l.kernel.code
	threads, _ := l.Block.Count()
	n := int(threads)
	a := newArena(c.slots, n)
	b := &block{code: c, launch: l, shape: shapeOf(l), n: n, nw: (n + 63) / 64, arena: a, ptr: a.ptr, scratch: a.scratch}
	for i := range n {
		b.all.add(i)
	}
	b.sites = make([]segment, c.sites)
	b.blockRuns = make([]uint64, len(c.blocks))
	b.calls, b.callRoom = make([]int32, n*c.callDepth), c.callDepth
	b.depth = make([]int32, n)
	shared := c.dynamicBase
	if l.SharedBytes == 0 {
		shared = c.sharedBytes
	}
	b.shared = alignedBytes(shared + int(l.SharedBytes))
	b.stride = alignUp(c.localBytes, 16)
	if len(c.callSites) > 0 {
		b.stacks = newStacks(c, n)
	}
	b.local = alignedBytes(n * b.stride)
	if c.options.Uninitialized {
		b.sharedInit = alignedBytes(len(b.shared) + 16)
		b.localInit = alignedBytes(len(b.local) + 16)
		b.markParams()
	}
	if c.options.Counters {
		b.stats = &Counters{}
	}
	for i, s := range c.slots {
		if s.kind == slotSpecial && perLane[s.name] {
			b.fillSpecial(slot(i), s)
		}
	}
	return b
}

// markParams is a place for what counts as initialised from the start: nothing in
// shared memory does, and local memory holds parameters that calls write first.
func (b *block) markParams() {}

// alignedBytes makes n zero bytes at a multiple of 16.
func alignedBytes(n int) []byte {
	if n == 0 {
		return nil
	}
	words := make([][2]uint64, (n+15)/16)
	at := unsafe.Pointer(unsafe.SliceData(words))
	if uintptr(at)%16 != 0 {
		words = append(words, [2]uint64{})
		at = unsafe.Add(unsafe.Pointer(unsafe.SliceData(words)), 16-uintptr(unsafe.Pointer(unsafe.SliceData(words)))%16)
	}
	return unsafe.Slice((*byte)(at), n)
}

// param points into the launch's parameter block.
func (b *block) param(at int) unsafe.Pointer { return unsafe.Pointer(&b.launch.paramBlock[at]) }

// view32 and viewBytes give a slot's whole array, width bytes a lane, as words or
// bytes.
func view32(b *block, s slot, width int) []uint32 {
	return unsafe.Slice((*uint32)(b.ptr[s]), b.n*width/4)
}

func viewBytes(b *block, s slot, width int) []byte {
	return unsafe.Slice((*byte)(b.ptr[s]), b.n*width)
}

// spinningAt gives the instruction where the active lanes were when the block yielded: the first that
// looks at memory of others, else the first.
func (b *block) spinningAt() *ptx.Instruction {
	bb := &b.code.blocks[b.pc]
	for _, in := range bb.from {
		if (in.Op == "ld" || in.Op == "atom") && in.Space() != ptx.Param && in.Space() != ptx.Local {
			return in
		}
	}
	if len(bb.from) > 0 {
		return bb.from[0]
	}
	return bb.endIn
}

// describeSpin says what memory the lanes look at, where their address is still known.
func (b *block) describeSpin(in *ptx.Instruction) {
	if b.code.accesses[in] == nil || b.count == 0 {
		return
	}
	a := *b.code.accesses[in]
	a.known = false // the instruction is not at work
	addr := a.addresses(b)[0] + a.offset
	space, base := a.space, uint64(0)
	if space == ptx.Generic {
		space, base = genericSpace(addr)
	}
	al, ok := b.launch.memory.find(addr)
	if a.param || space == ptx.Local || a.fails(b, b.lane(0), addr) != "" || space == ptx.Global && !ok {
		return
	}
	detail := b.fault.Detail
	b.describe(space, &a, addr-base, al)
	b.fault.Detail = detail
}

// forgetShadows makes all memory count as initialised: kernels compiled without
// the check write past it.
func (m *Memory) forgetShadows() {
	for _, a := range *m.list.Load() {
		a.shadow = nil
	}
}
