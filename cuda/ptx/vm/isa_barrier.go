package vm

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// barrier is one of the 16 named barriers of a block (section 9.7.13.1).
type barrier struct {
	arrived laneBits // waiting, and those that only arrived
	sites   []barrierSite
	expect  int          // threads, 0 for all of the block
	view    *checks.View // what those know that only arrived
	// results of .red
	ones, total int
}

// barrierSite is where some of the waiting lanes wait and where they go on.
type barrierSite struct {
	in      *ptx.Instruction
	next    int
	bits    laneBits
	aligned bool
	reduce  func(b *block, ones, total int) // writes the result of .red
}

// barrierUse is what an instruction says about its barrier, from its operands.
type barrierUse struct {
	in      *ptx.Instruction
	id      slot
	count   slot // noSlot for all threads
	arrive  bool
	aligned bool
	value   slot // predicate of .red, else noSlot
	negate  bool
	reduce  func(b *block, ones, total int)
	next    int
}

// arrive is the terminator of a barrier instruction. Lanes may name different
// barriers, so they arrive barrier by barrier.
func (u *barrierUse) arriveAt(b *block) {
	if u.arrive {
		b.addGroup(u.next, &b.bits)
	}
	rest := b.bits
	ids := view[uint32](b, u.id)
	if b.code.slots[u.id].kind == slotConst && ids[0] < 16 {
		if !u.enter(b, int(ids[0]), &rest) {
			return
		}
		rest = laneBits{}
	}
	for !rest.empty() {
		var set laneBits
		id := -1
		rest.each(func(l int) {
			if id < 0 {
				id = int(ids[l])
			}
			if int(ids[l]) == id {
				set.add(l)
			}
		})
		rest.minus(&set)
		if id > 15 {
			b.raise(driver.FaultLimit, &set, fmt.Sprintf("barrier %d: there are 16, 0 to 15", uint32(id)))
			return
		}
		if !u.enter(b, id, &set) {
			return
		}
	}
	b.clearActive()
	b.checkBarriers()
}

func (u *barrierUse) enter(b *block, id int, set *laneBits) bool {
	bar := &b.bars[id]
	b.barred = true
	if u.count != noSlot {
		counts := view[uint32](b, u.count)
		bad := false
		set.each(func(l int) {
			bad = bad || counts[l] == 0 || counts[l]%32 != 0 || int(counts[l]) > (b.n+31)&^31
			bar.expect = int(counts[l])
		})
		if bad {
			b.raise(driver.FaultLimit, set, fmt.Sprintf("barrier %d expects %d threads: a multiple of 32 up to the block's %d is legal", id, bar.expect, b.n))
			return false
		}
	}
	bar.arrived.union(set)
	if u.value != noSlot {
		p := view[bool](b, u.value)
		set.each(func(l int) {
			bar.total++
			if p[l] != u.negate {
				bar.ones++
			}
		})
	}
	if u.arrive {
		b.noteArrival(set, bar)
		return true
	}
	for i := range bar.sites {
		if s := &bar.sites[i]; s.in == u.in {
			s.bits.union(set)
			return true
		}
	}
	bar.sites = append(bar.sites, barrierSite{u.in, u.next, *set, u.aligned, u.reduce})
	return true
}

// checkBarriers lets the lanes of every complete barrier go on.
func (b *block) checkBarriers() {
	if !b.barred {
		return
	}
	for id := range b.bars {
		bar := &b.bars[id]
		if bar.arrived.empty() || !bar.complete(b) {
			continue
		}
		if b.code.options.Synchronization && !b.sitesAgree(bar, id) {
			return
		}
		b.releaseBarrier(bar)
	}
}

// complete reports whether all have arrived: exited lanes are not waited for.
func (bar *barrier) complete(b *block) bool {
	if bar.expect == 0 {
		missing := b.live
		missing.minus(&bar.arrived)
		return missing.empty()
	}
	n := 0
	for w := range (b.n + 31) / 32 {
		if bar.arrived.warp(w) != 0 {
			if b.live.warp(w)&^bar.arrived.warp(w) != 0 {
				return false
			}
			n += 32
		}
	}
	return n >= bar.expect
}

func (b *block) releaseBarrier(bar *barrier) {
	sites, ones, total := bar.sites, bar.ones, bar.total
	b.noteBarrier(bar)
	*bar = barrier{}
	old := b.bits
	for i := range sites {
		s := &sites[i]
		if s.reduce != nil {
			b.setActive(&s.bits)
			s.reduce(b, ones, total)
		}
		b.addGroup(s.next, &s.bits)
	}
	b.setActive(&old)
	b.progress()
}

// sitesAgree refuses a warp whose lanes wait at different .aligned barriers.
func (b *block) sitesAgree(bar *barrier, id int) bool {
	if len(bar.sites) < 2 {
		return b.warpsCame(bar, id)
	}
	for w := range (b.n + 31) / 32 {
		here := -1
		for i := range bar.sites {
			if bar.sites[i].bits.warp(w) == 0 {
				continue
			}
			if here >= 0 && (bar.sites[i].aligned || bar.sites[here].aligned) {
				var lanes laneBits
				lanes.addWarp(w, bar.sites[here].bits.warp(w)|bar.sites[i].bits.warp(w))
				b.raise(driver.FaultBarrierDivergence, &lanes, fmt.Sprintf("lanes of warp %d wait at barrier %d in different places: %s", w, id, b.sitesText(bar.sites, w)))
				b.placeFault(bar.sites[here].in)
				return false
			}
			here = i
		}
	}
	return b.warpsCame(bar, id)
}

// warpsCame refuses an aligned barrier to which not all lanes of a warp have come: the others have
// exited. Whole warps may.
func (b *block) warpsCame(bar *barrier, id int) bool {
	for i := range bar.sites {
		s := &bar.sites[i]
		for w := range (b.n + 31) / 32 {
			here := s.bits.warp(w)
			gone := b.all.warp(w) &^ b.live.warp(w)
			if !s.aligned || here == 0 || gone == 0 {
				continue
			}
			var lanes laneBits
			lanes.addWarp(w, here)
			b.raise(driver.FaultBarrierDivergence, &lanes,
				fmt.Sprintf("barrier %d is aligned, for whole warps: lanes %s of warp %d wait there, and lanes %s have "+
					"exited", id, maskText(here), w, maskText(gone)))
			b.fault.Mask = here
			b.placeFault(s.in)
			return false
		}
	}
	return true
}

func (b *block) sitesText(sites []barrierSite, w int) string {
	var parts []string
	for i := range sites {
		if m := sites[i].bits.warp(w); m != 0 {
			parts = append(parts, fmt.Sprintf("lanes %s at %s", maskText(m), b.lineOf(sites[i].in)))
		}
	}
	return strings.Join(parts, ", ")
}

// maskText writes a lane mask as ranges: "0-15,20".
func maskText(m uint32) string {
	var parts []string
	for l := 0; l < 32; l++ {
		if m>>l&1 == 0 {
			continue
		}
		end := l
		for end < 31 && m>>(end+1)&1 != 0 {
			end++
		}
		if end == l {
			parts = append(parts, fmt.Sprint(l))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", l, end))
		}
		l = end
	}
	return strings.Join(parts, ",")
}

func lanesText(n int) string {
	if n == 1 {
		return "1 lane"
	}
	return fmt.Sprintf("%d lanes", n)
}

// stuck is called when no lane can run and some have not exited: it says who
// waits where.
func (b *block) stuck() {
	var waits []string
	var lanes laneBits
	var in *ptx.Instruction
	split := false
	for id := range b.bars {
		for _, s := range b.bars[id].sites {
			waits = append(waits, fmt.Sprintf("%s (first %s) at barrier %d, %s", lanesText(s.bits.count()),
				b.firstLane(&s.bits), id, b.lineOf(s.in)))
			split = split || b.splitsWarp(&s.bits)
			lanes.union(&s.bits)
			in = s.in
		}
	}
	kind := driver.FaultDeadlock
	if split {
		kind = driver.FaultBarrierDivergence
	}
	for _, p := range b.parked {
		others := "lanes of the mask that do not come"
		if p.group {
			others = "the other warps of their warp group, which do not come"
		}
		waits = append(waits, fmt.Sprintf("%s (first %s) at %s, for %s",
			lanesText(p.bits.count()), b.firstLane(&p.bits), b.lineOf(p.in), others))
		lanes.union(&p.bits)
		in = p.in
	}
	if len(b.parked) > 0 {
		kind = driver.FaultShuffleMask
	}
	b.raise(kind, &lanes, "no lane of the block can go on; waiting are "+strings.Join(waits, "; "))
	if len(b.parked) > 0 {
		b.fault.Mask = b.parked[len(b.parked)-1].mask
	}
	b.placeFault(in)
}

func (b *block) splitsWarp(s *laneBits) bool {
	for w := range (b.n + 31) / 32 {
		if m := s.warp(w); m != 0 && m != b.live.warp(w) {
			return true
		}
	}
	return false
}

func (b *block) firstLane(s *laneBits) string {
	first := -1
	s.each(func(l int) {
		if first < 0 {
			first = l
		}
	})
	if first < 0 {
		return "none"
	}
	t := b.thread(first)
	return fmt.Sprintf("(%d,%d,%d)", t.X, t.Y, t.Z)
}
