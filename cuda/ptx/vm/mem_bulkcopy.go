package vm

import (
	"fmt"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// cp.async.bulk without a tensor map (section 9.7.9.25.4.1): one lane copies a multiple of 16 bytes between global memory and the block's shared memory.
// As with cp.async the bytes move at once. Until a wait has seen the phase of the mbarrier object end that a copy to shared memory completes, the race check
// takes whoever touches the destination for a race; until the lane has waited for the group of a copy from shared memory, whoever writes the source. Whether
// a fence.proxy.async stands between ordinary stores and a copy of what they stored is not checked.

// bulkState is what bulk copies of a block are under way, for the race check.
type bulkState struct {
	loads   []bulkCopy // to shared memory
	reads   []bulkCopy // from it
	commits map[int]int
}

// A bulkCopy is shared memory that a copy writes or reads.
type bulkCopy struct {
	a         *access
	lane      int
	off, size uint64
	bar       *uint64 // the object that it completes; nil for groups
	group     int
}

// bulkPiece is what a bulk copy moves at a time: sizes and addresses are multiples of it.
const bulkPiece = 16

func buildBulk(c *compiler) error {
	switch {
	case c.in.Has("commit_group"):
		return c.asyncStep(func(b *block, l, _ int) {
			if b.async.commits == nil {
				b.async.commits = map[int]int{}
			}
			b.async.commits[l]++
		})
	case c.in.Has("wait_group"):
		if c.in.Operands[0].Kind != ptx.OpInt {
			return c.refuse("the number of groups is not a constant")
		}
		n := int(c.in.Operands[0].Int)
		return c.asyncStep(func(b *block, l, _ int) { b.completeReads(l, b.async.commits[l]-n) })
	case c.in.Has("shared::cta") && !c.in.Has("global") && c.in.Has("mbarrier::complete_tx::bytes"):
		return buildPeerCopy(c)
	case c.in.Has("prefetch"):
		return nil
	case c.in.Has("multicast::cluster"):
		return c.multicast()
	case c.in.Has("tensor"):
		return c.tensorCopy()
	case c.in.Has("mbarrier::complete_tx::bytes"):
		return c.bulkCopy(ptx.Shared, ptx.Global, true)
	}
	return c.bulkCopy(ptx.Global, ptx.Shared, false)
}

// bulkCopy emits a copy piece by piece, so that each is checked as an access of its own is.
func (c *compiler) bulkCopy(to, from ptx.Space, load bool) error {
	size, err := c.src(2, ptx.U32)
	if err != nil {
		return err
	}
	dst, src, err := c.movePieces(to, from, size)
	switch {
	case err != nil:
		return err
	case load:
		return c.completeLoad(dst, size, 3)
	}
	if c.code.options.Races {
		c.emit(func(b *block) { b.beginReads(src, size) })
	}
	return nil
}

// movePieces emits the copy itself.
func (c *compiler) movePieces(to, from ptx.Space, size slot) (dst, src *access, err error) {
	if dst, err = c.accessIn(to, 0, bulkPiece, true); err != nil {
		return nil, nil, err
	}
	if src, err = c.accessIn(from, 1, bulkPiece, false); err != nil {
		return nil, nil, err
	}
	src.ofCluster = false
	begin := []step{c.movable(dst), c.movable(src)}
	next := c.bulkSteps(dst, src)
	c.emit(func(b *block) {
		all := b.bits
		all.each(func(l int) {
			if b.fault != nil {
				return
			}
			var lane laneBits
			lane.add(l)
			b.setActive(&lane)
			for _, s := range begin {
				s(b)
			}
			b.copyPieces(l, uint64(view[uint32](b, size)[l]), dst, src, next)
		})
		b.setActive(&all)
	})
	return dst, src, nil
}

// movable points an access at a copy of its addresses, which the step makes anew.
func (c *compiler) movable(a *access) step {
	w := c.width(a.addr)
	from, t := a.addr, c.temp(w)
	a.addr = t
	return copyLanes(w)(t, from)
}

// bulkSteps are the steps of one piece.
func (c *compiler) bulkSteps(dst, src *access) []step {
	before := len(c.steps)
	hold := c.temp(bulkPiece)
	c.observe(src, nil)
	c.emit(loaders[bulkPiece](src, 0, hold))
	c.observe(dst, nil)
	c.emit(storers[bulkPiece](dst, 0, hold))
	steps := append([]step(nil), c.steps[before:]...)
	c.steps = c.steps[:before]
	return steps
}

// copyPieces copies what the one active lane asks for; the addresses end where they began.
func (b *block) copyPieces(l int, size uint64, dst, src *access, piece []step) {
	if size%bulkPiece != 0 {
		var lane laneBits
		lane.add(l)
		b.raise(driver.FaultMisaligned, &lane, fmt.Sprintf("cp.async.bulk of %d bytes: a multiple of %d is legal", size, bulkPiece))
		return
	}
	for range size / bulkPiece {
		for _, s := range piece {
			if s(b); b.fault != nil {
				return
			}
		}
		dst.advance(b, l, bulkPiece)
		src.advance(b, l, bulkPiece)
	}
	dst.advance(b, l, -size)
	src.advance(b, l, -size)
}

// advance moves a lane's address on.
func (a *access) advance(b *block, l int, by uint64) {
	if a.narrow {
		view[uint32](b, a.addr)[l] += uint32(by)
		return
	}
	view[uint64](b, a.addr)[l] += by
}

// completeLoad lets the mbarrier object know of the bytes, and notes the copies.
func (c *compiler) completeLoad(dst *access, size slot, object int) error {
	bar, err := c.accessIn(ptx.Shared, object, 8, true)
	if err != nil {
		return err
	}
	bar.atomic, bar.counted = true, true
	c.observe(bar, nil)
	if c.code.options.Races {
		c.emit(func(b *block) { b.beginLoads(dst, bar, size) })
	}
	op := mbarrierOps["complete_tx"]
	c.emit(func(b *block) { b.mbarrier(bar, op, noSlot, size) })
	return nil
}

func (b *block) beginLoads(dst, bar *access, size slot) {
	b.followCopies()
	at := slices.Clone(dst.addresses(b)) // both may be made in the same place
	for i, addr := range bar.addresses(b) {
		p := b.mbarrierAt(bar, i, addr+bar.offset)
		if p == nil {
			return
		}
		load := bulkCopy{a: dst, lane: b.lane(i), off: at[i] + dst.offset, size: uint64(view[uint32](b, size)[b.lane(i)]), bar: p}
		if load.off>>peerShift != 0 { // to another block, whose object passes on what was written
			b.releaseCopy(load.lane, p)
			continue
		}
		b.async.loads = append(b.async.loads, load)
		for w := load.off / 4; w < (load.off+load.size)/4; w++ {
			if b.async.owner[w] == 0 {
				b.async.words++
			}
			b.async.owner[w] = uint32(load.lane) + 1
		}
	}
}

// completeLoads ends the copies that an object waited for, where the i-th active lane has seen its phase end: they count as written at this moment.
func (b *block) completeLoads(bar *uint64, i int) {
	kept := b.async.loads[:0]
	for _, p := range b.async.loads {
		if p.bar != bar {
			kept = append(kept, p)
			continue
		}
		for off := p.off; off < p.off+p.size; off += bulkPiece {
			for w := off / 4; w < (off+bulkPiece)/4; w++ {
				if b.async.owner[w] == uint32(p.lane)+1 {
					b.async.owner[w] = 0
					b.async.words--
				}
			}
			b.watchWrite(p.a, p.lane, i, off, bulkPiece)
		}
		b.releaseCopy(p.lane, bar)
	}
	b.async.loads = kept
}

func (b *block) beginReads(src *access, size slot) {
	for i, addr := range src.addresses(b) {
		l := b.lane(i)
		b.async.reads = append(b.async.reads, bulkCopy{a: src, lane: l, off: addr + src.offset, size: uint64(view[uint32](b, size)[l]), group: b.async.commits[l]})
	}
}

// completeReads ends a lane's copies from shared memory of the groups before the given one.
func (b *block) completeReads(l, before int) {
	kept := b.async.reads[:0]
	for _, p := range b.async.reads {
		if p.lane != l || p.group >= before {
			kept = append(kept, p)
		}
	}
	b.async.reads = kept
}

// reading raises a race where a store touches what a copy may still read.
func (b *block) reading(a *access, i int, off, addr uint64) bool {
	for _, p := range b.async.reads {
		if off >= p.off+p.size || p.off >= off+a.size {
			continue
		}
		t := b.thread(p.lane)
		b.raiseAccess(driver.FaultRace, a, i, addr, nil)
		b.addDetail(fmt.Sprintf("the cp.async.bulk of thread (%d,%d,%d) at %s reads there, and the thread has not "+
			"waited for it", t.X, t.Y, t.Z, b.lineOf(p.a.in)))
		return true
	}
	return false
}
