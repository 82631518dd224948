package vm

import (
	"sync"
	"time"
	"unsafe"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// The race check: package checks has the model and the memory's side of it, this file what a block
// and a launch keep, check_synchronise.go what orders threads, check_watch.go the accesses.

// raceLimit is the size of the largest allocation whose accesses are followed.
const raceLimit = 256 << 20

// raceState is what a block knows of its own order. Lists by lane are nil until they are needed.
type raceState struct {
	shared *checks.Block
	now    uint32 // the block's time, and whether something was accessed in it
	dirty  bool
	base   uint32 // time of the last barrier of the block
	warps  [maxLanes / 32]uint32
	rows   []uint32       // of each lane: when the 32 lanes of its warp were last known to it, from parts of warps
	views  []*checks.View // of other blocks, and of the own one beyond the above
	later  []*checks.View // acquired, and known at the next fence
	last   []*checks.View // acquired last: looking at it again brings nothing
	fences []fence
	places places // in shared memory
	judge  order
	copied segment // stands for where a copy writes
	seen   checks.Observer
}

// launchRaces is what the blocks of a launch share.
type launchRaces struct {
	mu     sync.Mutex
	shadow map[*Allocation]*checks.Shadow // nil where it is too large
	places places                         // of kernels whose blocks run one after another (code.ordered)
	stores [16]struct {                   // by block: the stores that are judged now
		sync.Mutex
		of map[uint64]*order
	}
}

// resetRaces begins a block. Its time goes on from that of the block before, so that what that has left
// in shared memory is past.
func (b *block) resetRaces() {
	if !b.code.options.Races {
		return
	}
	r := &b.races
	if r.shared == nil && len(b.shared) > 0 {
		r.shared = checks.NewBlock(uint64(len(b.shared)))
	}
	if r.now++; r.now > 1<<31 {
		r.now = 1
		if r.shared != nil {
			r.shared.Clear()
		}
	}
	r.base, r.dirty = r.now, false
	r.warps = [maxLanes / 32]uint32{}
	r.rows, r.views, r.later, r.last, r.fences, r.places = nil, nil, nil, nil, nil, nil
}

// shadowOfGlobal gives the launch's shadow of an allocation, or nil where it is too large.
func (b *block) shadowOfGlobal(a *Allocation) *checks.Shadow {
	l := &b.launch.races
	l.mu.Lock()
	defer l.mu.Unlock()
	s, known := l.shadow[a]
	if known {
		return s
	}
	if a.Size <= raceLimit {
		s = a.takeShadow()
		s.Alone = b.launch.workers == 1
	}
	if l.shadow == nil {
		l.shadow = map[*Allocation]*checks.Shadow{}
	}
	l.shadow[a] = s
	return s
}

// takeShadow gives the shadow that the last launch left, emptied, or a new one.
func (a *Allocation) takeShadow() *checks.Shadow {
	a.raceMu.Lock()
	s := a.races.Value()
	a.races = weak.Pointer[checks.Shadow]{}
	a.raceMu.Unlock()
	if s == nil {
		return checks.NewShadow(a.Size)
	}
	s.Clear()
	return s
}

// leaveShadows keeps the shadows of a launch that is over for the next, until the
// garbage collector wants them.
func (l *launchRaces) leaveShadows() {
	for a, s := range l.shadow {
		if s != nil {
			a.raceMu.Lock()
			a.races = weak.Make(s)
			a.raceMu.Unlock()
		}
	}
}

// order is what the judge of an access asks about the lane at hand; it is kept in the block, so that
// judging allocates nothing.
type order struct {
	b      *block
	a      *access
	addrs  []uint64
	i      int // the lane at hand, among the active ones and in the block
	lane   int
	first  uint32 // the block's first thread where threads are counted from it: in shared memory; else 0
	seg    *segment
	values []slot // what a store writes, element by element; nil for what cannot be told
	elem   int
}

// Ordered reports whether what a thread of this launch did comes before what the lane does now.
func (o *order) Ordered(thread, time uint32, whole bool) bool {
	b, r := o.b, &o.b.races
	block, lane := o.first/uint32(b.n)+thread/uint32(b.n), thread%uint32(b.n)
	if r.rows != nil && !whole && uint64(block) == b.linear && int(lane/32) == o.lane/32 &&
		time < r.rows[o.lane*32+int(lane%32)] {
		return true
	}
	if r.views == nil {
		return false
	}
	if whole {
		return r.views[o.lane].KnowsAll(block, time)
	}
	return r.views[o.lane].Knows(block, lane, time)
}

// Equal reports whether the lane stores what the other has stored: in this very instruction, or before.
func (o *order) Equal(off uint64, n int, other checks.Epoch) bool {
	if len(o.values) == 0 {
		return false
	}
	if j := o.amongActive(other); j >= 0 {
		if start := o.addrs[j] + o.a.offset - o.seg.base; off >= start && off+uint64(n) <= start+o.a.size {
			for k := range uint64(n) {
				if o.stored(o.i, off+k) != o.stored(j, off+k) {
					return false
				}
			}
			return true
		}
	}
	// A store is judged before it is done, so that of another block may still be under way.
	for end := (time.Time{}); !o.inMemory(off, n) && !o.underWay(off, n, other); time.Sleep(20 * time.Microsecond) {
		switch {
		case o.sameBlock(other):
			return false
		case end.IsZero():
			end = time.Now().Add(storeTime)
		case time.Now().After(end):
			return false
		}
	}
	return true
}

// storeTime is how long the goroutine of another block may take from the judgement of a store to the store, on a
// machine with much else to do. Only what is about to be reported waits so long.
const storeTime = 200 * time.Millisecond

// inMemory reports whether the lane stores what is in memory.
func (o *order) inMemory(off uint64, n int) bool {
	for k := range uint64(n) {
		if o.stored(o.i, off+k) != *(*byte)(unsafe.Add(o.seg.mem, off+k)) {
			return false
		}
	}
	return true
}

// sameBlock reports whether another thread is of the block at hand.
func (o *order) sameBlock(other checks.Epoch) bool {
	n := uint32(o.b.n)
	return uint64(o.first/n+(other.Thread-1)/n) == o.b.linear
}

// amongActive gives the place of another thread among the active lanes before the one at hand, or -1.
func (o *order) amongActive(other checks.Epoch) int {
	b := o.b
	lane := int(other.Thread) - int(b.races.seen.First)
	for j := o.i - 1; j >= 0 && lane >= 0 && b.lane(j) >= lane; j-- {
		if b.lane(j) == lane {
			return j
		}
	}
	return -1
}

// stored gives the byte that the i-th active lane stores at an offset of the segment.
func (o *order) stored(i int, off uint64) byte {
	at := int(off - (o.addrs[i] + o.a.offset - o.seg.base))
	return *(*byte)(unsafe.Add(o.b.ptr[o.values[at/o.elem]], o.b.lane(i)*o.elem+at%o.elem))
}
