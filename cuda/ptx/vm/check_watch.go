package vm

import (
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// observe emits the race check of an access. values are the slots that a store writes, element by
// element; nil where equal stores cannot be told.
func (c *compiler) observe(a *access, values []slot) {
	c.countAccess(a)
	if !c.code.options.Races || a.space == ptx.Local || a.space == ptx.Const || a.param {
		return
	}
	a.watched = true
	c.footprint(a)
	o := c.watcher(a)
	a.info, a.acquires, a.fences = o.info, o.acquires, o.fences
	elem := 0
	if len(values) > 0 {
		elem = c.width(values[0])
		if c.allConstant(values) {
			o.info |= checks.Constant
		}
	}
	c.emit(func(b *block) { b.watch(o, values, elem) })
}

func (c *compiler) allConstant(values []slot) bool {
	for _, s := range values {
		if c.code.slots[s].kind != slotConst {
			return false
		}
	}
	return true
}

// watcher makes the form of an access that the race check judges.
func (c *compiler) watcher(a *access) *access {
	o := *a
	o.site = c.code.sites
	c.code.sites++
	var flags checks.Info
	switch {
	case a.atomic:
		flags = checks.Strong | checks.Atomic
	case a.strong:
		flags = checks.Strong
	case !a.write && c.besideAtomics(int(a.size)):
		flags = checks.Beside
	}
	if flags&checks.Strong != 0 && c.in.Has("cta") {
		flags |= checks.InBlock
	}
	o.acquires = a.acquires || a.atomic && c.in.Op == "atom" || c.in.Has("acquire") || c.in.Has("acq_rel")
	o.fences = a.fences || c.in.Has("acquire") || c.in.Has("acq_rel")
	o.info = checks.MakeInfo(len(c.code.watched), bits.Len64(a.size)-1, flags)
	c.code.watched = append(c.code.watched, c.in)
	return &o
}

func (c *compiler) besideAtomics(size int) bool {
	return c.in.Op == "ld" && c.graph.fn == c.entry && c.graph.besideAtomics(c.index, size) || c.graph.fn != c.entry
}

// watch observes one instruction of all active lanes.
func (b *block) watch(a *access, values []slot, elem int) {
	addrs := a.addresses(b)
	b.consecutive = b.idx == nil && consecutive(addrs, a.size)
	if uint64(b.launch.total)*uint64(b.n) > 1<<32-2 {
		return // threads of so large a grid have no number of 32 bits
	}
	b.beginWatch(a, addrs, values, elem)
	if a.write && len(values) > 0 && a.space != ptx.Shared {
		b.showStore()
		defer b.hideStore()
	}
	for i := 0; i < len(addrs) && b.fault == nil; {
		seg := b.translate(a, i, addrs[i]+a.offset)
		switch {
		case seg == nil:
			return
		case seg.single || seg.own() && !b.inShared(seg):
			i++
			continue
		}
		b.countFrom(seg.own())
		if n := b.watchMany(a, seg, addrs, i); n > 0 {
			i += n
			continue
		}
		b.watchLane(a, seg, addrs[i]+a.offset, i)
		i++
	}
}

// beginWatch makes the judge ready for an instruction.
func (b *block) beginWatch(a *access, addrs []uint64, values []slot, elem int) {
	r := &b.races
	r.dirty = true
	r.judge = order{b: b, a: a, addrs: addrs, values: values, elem: elem}
	r.seen = checks.Observer{Epoch: checks.Epoch{Time: r.now, Info: a.info}, Write: a.write, N: uint32(b.n),
		Base: r.base, Warps: &r.warps, Precise: b.precise(), Strict: b.code.options.Strict, Order: &r.judge}
}

// countFrom says how threads are counted: in the grid, or where memory is the block's own in that.
func (b *block) countFrom(shared bool) {
	r := &b.races
	first := uint32(b.linear) * uint32(b.n)
	r.judge.first, r.seen.First = 0, first+1
	if shared {
		r.judge.first, r.seen.First = first, 1
	}
}

// watchMany takes in the plain accesses of the lanes from the i-th on that race with nothing, as far
// as is told quickly. It gives their number.
func (b *block) watchMany(a *access, seg *segment, addrs []uint64, i int) int {
	r := &b.races
	if a.info&checks.Strong != 0 || a.size > seg.size || b.code.options.general {
		return 0
	}
	lanes := checks.Lanes{Addrs: addrs[i:], Start: seg.base - a.offset, Limit: seg.size - a.size, Size: a.size,
		Lo: b.lo + i}
	if b.idx != nil {
		lanes.Index, lanes.Lo = b.idx[i:], 0
	}
	if seg.alloc == nil && b.inShared(seg) {
		if lanes.Addrs = lanes.Addrs[:b.notCopied(a, &lanes)]; len(lanes.Addrs) == 0 {
			return 0
		}
	}
	if seg.own() {
		return r.shared.Lanes(&lanes, &r.seen)
	}
	if a.size != 4 && a.size != 8 && a.size != 16 {
		return 0
	}
	s := b.raceShadow(seg)
	if s == nil {
		return len(addrs) - i
	}
	n, head := b.linearRun(a, seg, addrs, i)
	if n > 0 {
		if done := b.watchRun(a, s, addrs[i]+a.offset-seg.base, i, n); done > 0 {
			return done
		}
		lanes.Addrs = lanes.Addrs[:checks.ChunkBytes/a.size] // the next chunk may be whole again
	} else if head > 0 {
		lanes.Addrs = lanes.Addrs[:head]
	}
	return s.Lanes(&lanes, &r.seen)
}

// linearRun gives how many lanes from the i-th on access consecutive elements that fill chunks of the
// shadow, or else how many come before the next chunk.
func (b *block) linearRun(a *access, seg *segment, addrs []uint64, i int) (n, head int) {
	if b.idx != nil {
		return 0, 0
	}
	run := b.count - i
	if !b.consecutive {
		run = runLength(addrs[i:], a.size)
	}
	off := addrs[i] + a.offset - seg.base
	run = int(min(uint64(run), (seg.size-off)/a.size))
	head = int((checks.ChunkBytes - off%checks.ChunkBytes) % checks.ChunkBytes / a.size)
	perChunk := int(checks.ChunkBytes / a.size)
	switch {
	case run < head+perChunk:
		return 0, 0
	case head > 0:
		return 0, head
	}
	return run / perChunk * perChunk, 0
}

// watchRun takes in n lanes from the i-th on whose elements fill the chunks from off on.
func (b *block) watchRun(a *access, s *checks.Shadow, off uint64, i, n int) int {
	r := &b.races
	l := b.lo + i
	if views := r.views; views != nil {
		for _, v := range views[l+1 : l+n] {
			if v != views[l] {
				return 0
			}
		}
	}
	r.judge.lane, r.seen.Thread = l, r.seen.First+uint32(l)
	return int(s.Linear(off, uint64(n)*a.size, bits.TrailingZeros64(a.size)-2, &r.seen) / a.size)
}

// watchLane judges the access of the i-th active lane.
func (b *block) watchLane(a *access, seg *segment, addr uint64, i int) {
	off, shared := addr-seg.base, seg.alloc == nil
	if shared && b.inShared(seg) && b.copying(a, i, off, addr) {
		return
	}
	l := b.lane(i)
	b.aim(l, i, seg)
	if x, bad := b.judge(seg, off, a.size); bad {
		b.raiseRace(a, i, addr, seg.alloc, x)
		return
	}
	if a.info&checks.Strong != 0 && b.code.fenced && !a.counted {
		at := addr
		if shared {
			at = off
		}
		if !seg.own() && shared {
			b.synchroniseIn(&b.cluster.of.places, a, l, b.keyOf(seg, off))
			return
		}
		b.synchronise(a, l, at, shared)
	}
}

// aim points the judge at a lane.
func (b *block) aim(l, i int, seg *segment) {
	r := &b.races
	r.judge.i, r.judge.lane, r.judge.seg = i, l, seg
	r.seen.Thread = r.seen.First + uint32(l)
}

func (b *block) judge(seg *segment, off, size uint64) (checks.Conflict, bool) {
	if seg.own() {
		return b.races.shared.Observe(off, size, &b.races.seen)
	}
	if s := b.raceShadow(seg); s != nil {
		return s.Observe(off, size, &b.races.seen)
	}
	return checks.Conflict{}, false
}

// raceShadow gives the race shadow of what a segment lies in.
func (b *block) raceShadow(seg *segment) *checks.Shadow {
	if seg.races == nil {
		seg.races = b.shadowOfGlobal(seg.alloc)
	}
	return seg.races
}

// watchWrite judges what a copy has written to shared memory for a lane that waited for it, and has
// the time go on, so that a view can tell it from what came before.
func (b *block) watchWrite(a *access, l, i int, off, size uint64) {
	r := &b.races
	r.copied = segment{races: b.cluster.races}
	b.tick()
	b.beginWatch(a, nil, nil, 0)
	r.seen.Info &^= checks.Strong | checks.Atomic
	b.countFrom(r.copied.own())
	one := [1]uint64{off}
	if r.copied.own() && r.shared.Lanes(&checks.Lanes{Addrs: one[:], Limit: off, Size: size, Lo: l}, &r.seen) == 1 {
		return
	}
	b.aim(l, i, &r.copied)
	if x, bad := b.judge(&r.copied, off, size); bad {
		b.raiseRace(a, i, off, nil, x)
	}
}

// translate gives the segment that holds a lane's access.
func (b *block) translate(a *access, i int, addr uint64) *segment {
	seg := &b.sites[a.site]
	off := addr - seg.base
	if seg.size < a.size || off > seg.size-a.size || seg.single || off&(a.size-1) != 0 {
		if !a.retarget(b, i, addr) {
			return nil
		}
	}
	return seg
}

// raiseRace says who the two are.
func (b *block) raiseRace(a *access, i int, addr uint64, al *Allocation, other checks.Conflict) {
	b.raiseAccess(driver.FaultRace, a, i, addr, al)
	b.fault.Other = b.sideOf(other)
}

// sideOf names an earlier access.
func (b *block) sideOf(x checks.Conflict) *driver.Side {
	t := uint64(x.Thread-1) + uint64(b.races.judge.first)
	in := b.code.watched[min(x.Info.Site(), len(b.code.watched)-1)]
	side := &driver.Side{Access: driver.AccessRead, Thread: b.thread(int(t % uint64(b.n))),
		Block: b.launch.blockAt(t / uint64(b.n)),
		Line:  in.Pos.Line, Instruction: in.Mnemonic(), Source: sourceOf(in, b.code.files)}
	switch {
	case x.Info&checks.Atomic != 0:
		side.Access = driver.AccessAtomic
	case x.Write:
		side.Access = driver.AccessWrite
	}
	return side
}

// blockAt gives the index of a block in its grid.
func (l *launch) blockAt(linear uint64) Dim3 {
	gx, gy := uint64(l.Grid.X), uint64(l.Grid.Y)
	return Dim3{X: uint32(linear % gx), Y: uint32(linear / gx % gy), Z: uint32(linear / gx / gy)}
}
