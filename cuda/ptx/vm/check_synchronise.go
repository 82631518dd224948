package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// What orders threads, for the race check: barriers, the .sync instructions of warps, and fences with
// strong accesses to a place in memory.

// tick gives a time behind all accesses so far.
func (b *block) tick() uint32 {
	r := &b.races
	if r.dirty {
		r.now++
		r.dirty = false
	}
	return r.now
}

// precise reports whether more orders threads than barriers of the whole block and of whole warps.
func (b *block) precise() bool {
	return b.cluster.of != nil || b.code.fenced || b.code.named || b.races.rows != nil
}

// lists makes the lists of views.
func (r *raceState) lists(n int) {
	if r.views == nil {
		r.views, r.later, r.last = make([]*checks.View, n), make([]*checks.View, n), make([]*checks.View, n)
	}
}

// noteBarrier orders the lanes that wait at a barrier behind all that have arrived. Those that exited
// count as arrived.
func (b *block) noteBarrier(bar *barrier) {
	if !b.code.options.Races {
		return
	}
	var all laneBits
	waiting := &all
	for i := range bar.sites {
		waiting.union(&bar.sites[i].bits)
	}
	now := b.tick()
	r := &b.races
	if *waiting == b.live && bar.arrived == b.live {
		r.base, r.rows = now, nil
		if r.views != nil {
			b.share(waiting, b.viewOf(waiting))
		}
		return
	}
	v := b.notice(waiting, now).View().Join(bar.view)
	r.lists(b.n)
	b.share(waiting, v)
}

// noteArrival notes what lanes know that arrive at a barrier and do not wait.
func (b *block) noteArrival(set *laneBits, bar *barrier) {
	if b.code.options.Races {
		bar.view = bar.view.Join(b.notice(set, b.tick()).View())
	}
}

// viewOf joins what lanes know, and what they have acquired.
func (b *block) viewOf(set *laneBits) *checks.View {
	var v *checks.View
	r := &b.races
	if r.views == nil {
		return nil
	}
	var last, lastLater *checks.View
	set.each(func(l int) {
		if r.views[l] != last {
			last = r.views[l]
			v = v.Join(last)
		}
		if r.later[l] != lastLater {
			lastLater = r.later[l]
			v = v.Join(lastLater)
		}
	})
	return v
}

// share lets lanes know a view that has all they knew.
func (b *block) share(set *laneBits, v *checks.View) {
	set.each(func(l int) { b.races.views[l], b.races.later[l] = v, nil })
}

// notice gathers what lanes have done and know.
func (b *block) notice(set *laneBits, now uint32) *checks.Notice {
	r := &b.races
	n := checks.NewNotice(uint32(b.linear), r.base)
	for w := range (b.n + 31) / 32 {
		m := set.warp(w)
		if m == 0 {
			continue
		}
		if m == b.live.warp(w) {
			n.Warp(w, now)
			continue
		}
		n.Warp(w, r.warps[w])
		eachLane(m, func(k int) {
			n.Lane(w*32+k, now)
			b.noticeRow(n, w*32+k)
		})
	}
	n.Join(b.viewOf(set))
	return n
}

// noticeRow adds what a lane knows from parts of its warp.
func (b *block) noticeRow(n *checks.Notice, l int) {
	if b.races.rows == nil {
		return
	}
	for k, t := range b.races.rows[l*32 : l*32+32] {
		if t > b.races.base {
			n.Lane(l&^31+k, t)
		}
	}
}

// noteWarpSync orders the lanes of each warp that share a mask, or with noSlot all active ones.
func (b *block) noteWarpSync(mask slot) {
	if !b.code.options.Races {
		return
	}
	now := b.tick()
	group := func(base int, members uint32) { b.syncLanes(base, members, now) }
	if mask == noSlot || b.maskIs(mask, fullMask) {
		b.eachWarp(group)
		return
	}
	b.eachMask(mask, group)
}

// noteExchange is noteWarpSync for instructions that exchange values: they order no memory, and pass for
// such as do unless the check is strict.
func (b *block) noteExchange(mask slot) {
	if !b.code.options.Strict {
		b.noteWarpSync(mask)
	}
}

func (b *block) syncLanes(base int, members uint32, now uint32) {
	r := &b.races
	if r.views != nil {
		var v *checks.View
		eachLane(members, func(k int) { v = v.Join(r.views[base+k]) })
		eachLane(members, func(k int) { r.views[base+k] = v })
	}
	if members == b.live.warp(base/32) {
		r.warps[base/32] = now
		return
	}
	if members&(members-1) == 0 {
		return
	}
	if r.rows == nil {
		r.rows = make([]uint32, 32*b.n)
	}
	var row [32]uint32
	eachLane(members, func(k int) {
		for i, t := range r.rows[32*(base+k) : 32*(base+k)+32] {
			row[i] = max(row[i], t)
		}
	})
	eachLane(members, func(k int) { row[k] = now })
	eachLane(members, func(k int) { copy(r.rows[32*(base+k):], row[:]) })
}

// fence is what a lane had done and knew at its last fence of any scope (near) and of more than the
// block (far).
type fence struct{ near, far fenced }

type fenced struct {
	at, base, warp uint32 // at 0: there was none
	more           *checks.View
	made           *checks.View // of all this, once it is asked for
}

// noteFence notes a fence of the active lanes.
func (b *block) noteFence(inBlock bool) {
	r := &b.races
	now := b.tick()
	r.lists(b.n)
	if r.fences == nil {
		r.fences = make([]fence, b.n)
	}
	for i := range b.count {
		l := b.lane(i)
		r.views[l], r.later[l] = r.views[l].Join(r.later[l]), nil
		f := fenced{at: now, base: r.base, warp: r.warps[l/32], more: r.views[l]}
		if r.rows != nil {
			n := checks.NewNotice(uint32(b.linear), r.base)
			b.noticeRow(n, l)
			f.more = f.more.Join(n.View())
		}
		r.fences[l].near = f
		if !inBlock {
			r.fences[l].far = f
		}
	}
}

// view gives what a lane of a block had done and knew at its fence; nil where there was none.
func (f *fenced) view(block uint32, lane int) *checks.View {
	if f.made == nil && f.at != 0 {
		n := checks.NewNotice(block, f.base)
		n.Warp(lane/32, f.warp)
		n.Lane(lane, f.at)
		n.Join(f.more)
		f.made = n.View()
	}
	return f.made
}

// places are what strong writes have released, by the word written: its offset in shared memory, or
// its address.
type places map[uint64]*place

type place struct {
	block     uint32
	near, far *checks.View // for threads of the block, and for all
}

// synchronise lets a strong access of the i-th active lane, which is at addr, release and acquire.
func (b *block) synchronise(a *access, l int, at uint64, shared bool) {
	p := &b.races.places
	if !shared {
		if !b.code.ordered {
			return // nobody learns the order of blocks
		}
		p = &b.launch.races.places
	}
	b.synchroniseIn(p, a, l, at)
}

// synchroniseIn is synchronise at a place that is kept in p.
func (b *block) synchroniseIn(p *places, a *access, l int, at uint64) {
	for w := at &^ 3; w < at+a.size; w += 4 {
		if !a.write || a.atomic {
			b.acquire(a, l, (*p)[w])
		}
		if a.write {
			b.release(a, l, w, p)
		}
	}
}

func (b *block) acquire(a *access, l int, p *place) {
	if p == nil {
		return
	}
	v := p.far
	if p.block == uint32(b.linear) {
		v = p.near
	}
	r := &b.races
	if v == nil || r.last != nil && r.last[l] == v {
		return
	}
	r.lists(b.n)
	r.last[l] = v
	if a.acquires && !(b.code.options.Strict && !a.fences) {
		r.views[l] = r.views[l].Join(v)
		return
	}
	r.later[l] = r.later[l].Join(v)
}

func (b *block) release(a *access, l int, w uint64, p *places) {
	var near, far *checks.View
	if b.races.fences != nil {
		f := &b.races.fences[l]
		near, far = f.near.view(uint32(b.linear), l), f.far.view(uint32(b.linear), l)
	}
	old := (*p)[w]
	if old == nil && near == nil || a.atomic && near == nil {
		return // a read-modify-write goes on with what others have released
	}
	if *p == nil {
		*p = places{}
	}
	now := &place{uint32(b.linear), near, far}
	if a.atomic && old != nil {
		now.far = old.far.Join(far)
		now.near = now.far.Join(near)
		if old.block == now.block {
			now.near = now.near.Join(old.near)
		}
	}
	(*p)[w] = now
}

// buildFence is for fences: steps run in program order here, and the effect of each is seen by all lanes
// at once, so that only the race check hears of them.
func buildFence(c *compiler) error {
	if c.in.Has("proxy") || c.in.Has("mbarrier_init") {
		return nil // these order ways to memory and what is under way to it, not threads
	}
	c.fence(c.in.Has("cta"))
	return nil
}

func (c *compiler) fence(inBlock bool) {
	if c.code.options.Races {
		c.emit(func(b *block) { b.noteFence(inBlock) })
	}
}

// releaseCopy lets those who pass an mbarrier object know what a lane's copy has written.
func (b *block) releaseCopy(l int, at *uint64) {
	p, w := b.placeOf(at)
	n := checks.NewNotice(uint32(b.linear), b.races.base)
	n.Lane(l, b.tick())
	if *p == nil {
		*p = places{}
	}
	now := &place{block: uint32(b.linear), near: n.View()}
	if b.launch.clusterSize > 1 {
		now.far = now.near // for the block whose object it is
	}
	if old := (*p)[w]; old != nil {
		now.near, now.far = old.near.Join(now.near), old.far.Join(now.far)
	}
	(*p)[w] = now
}

// findSynchronisation says of the code what it uses to order threads, before it is compiled.
func (c *compiler) findSynchronisation(f *ptx.Function) {
	for i := range f.Code {
		in := &f.Code[i]
		switch {
		case in.Op == "barrier" && in.Has("cluster"):
			c.code.clustered, c.code.fenced = true, true
		case in.Op == "fence" || in.Op == "membar" || in.Op == "mbarrier" || in.Has("acquire") || in.Has("release") ||
			in.Has("acq_rel"):
			c.code.fenced = true
		case (in.Op == "bar" || in.Op == "barrier") && !in.Has("warp"):
			ops := in.Operands
			if in.Has("red") {
				ops = ops[1 : len(ops)-1]
			}
			c.code.named = c.code.named || len(ops) > 1 || in.Has("arrive") || ops[0].Kind != ptx.OpInt || ops[0].Int != 0
		}
	}
}
