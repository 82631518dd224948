package vm

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Barriers of clusters that are .aligned (section 9.7.13.3): all threads of a warp execute the same instruction.

// clusterCame is where a lane arrived or waited last, and how often it has.
type clusterCame struct {
	in *ptx.Instruction
	n  uint32
}

const (
	arrivals = iota
	clusterWaits
)

// alignedInCluster notes where the active lanes arrive or wait, and refuses a warp of which others have done so
// elsewhere. No lane is more than one ahead: a phase ends when all have arrived.
func (b *block) alignedInCluster(in *ptx.Instruction, kind int) bool {
	if !b.code.options.Synchronization {
		return true
	}
	s := &b.cluster
	if s.came[kind] == nil {
		s.came[kind] = make([]clusterCame, b.n)
	}
	all := s.came[kind]
	for i := range b.count {
		c := &all[b.lane(i)]
		c.in, c.n = in, c.n+1
	}
	for w := range (b.n + 31) / 32 {
		here := b.bits.warp(w)
		if here == 0 {
			continue
		}
		if other, lanes := elsewhere(all, w, here); other != nil && (in.Has("aligned") || other.Has("aligned")) {
			b.raiseUnaligned(w, here, fmt.Sprintf("at %s, and lanes %s at %s", b.lineOf(in), maskText(lanes),
				b.lineOf(other)))
			return false
		}
	}
	return true
}

// elsewhere gives the lanes of a warp that came to another instruction than those of a mask, and that one.
func elsewhere(all []clusterCame, w int, here uint32) (other *ptx.Instruction, lanes uint32) {
	var mine clusterCame
	eachLane(here, func(k int) { mine = all[32*w+k] })
	for k := range min(32, len(all)-32*w) {
		c := all[32*w+k]
		if here>>k&1 == 0 && c.n == mine.n && c.in != mine.in && (other == nil || c.in == other) {
			other, lanes = c.in, lanes|1<<k
		}
	}
	return other, lanes
}

// wholeWarpsCame refuses an aligned arrival of a warp of which other threads have exited without one.
func (b *block) wholeWarpsCame() bool {
	s := &b.cluster
	if s.came[arrivals] == nil {
		return true
	}
	for w := range (b.n + 31) / 32 {
		here := s.here.warp(w)
		gone := b.all.warp(w) &^ b.live.warp(w) &^ here
		if here == 0 || gone == 0 {
			continue
		}
		var in *ptx.Instruction
		eachLane(here, func(k int) { in = s.came[arrivals][32*w+k].in })
		if in.Has("aligned") {
			b.raiseUnaligned(w, here, fmt.Sprintf("at %s, and lanes %s have exited", b.lineOf(in), maskText(gone)))
			b.placeFault(in)
			return false
		}
	}
	return true
}

func (b *block) raiseUnaligned(w int, here uint32, where string) {
	var lanes laneBits
	lanes.addWarp(w, here)
	b.raise(driver.FaultBarrierDivergence, &lanes, fmt.Sprintf("the cluster's barrier is aligned, for whole warps: "+
		"lanes %s of warp %d are %s", maskText(here), w, where))
	b.fault.Mask = here
}
