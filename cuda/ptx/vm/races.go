package vm

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// The race check orders accesses by what synchronises: barriers among the lanes of
// a block, .sync instructions among those of a warp, and, between blocks, a fence
// after the first access together with a fence or a strong access before the
// second. It takes fences for more than they may be, so that it reports no legal
// program, and may miss a race next to one.

// raceLimit is the size of the largest allocation whose accesses are followed.
const raceLimit = 256 << 20

// raceState is what a block knows of its own order.
type raceState struct {
	shared  *checks.Shadow
	barrier uint32 // time of the last barrier of the block
	fence   uint32 // of the last fence of any lane
	acquire uint32 // of the last fence, or strong access behind one
	warps   [maxLanes / 32]uint32
	now     uint32
	judge   order
}

// launchRaces is what the blocks of a launch share.
type launchRaces struct {
	clock  atomic.Uint32
	mu     sync.RWMutex
	shadow map[*Allocation]*checks.Shadow // nil where it is too large
	fences map[uint32]uint32              // last fence by block
}

func (b *block) resetRaces() {
	if !b.code.options.Races {
		return
	}
	r := &b.races
	r.now = b.launch.races.clock.Add(1)
	r.barrier, r.fence, r.acquire = r.now, 0, 0
	r.warps = [maxLanes / 32]uint32{}
	switch {
	case r.shared != nil:
		r.shared.Clear()
	case len(b.shared) > 0:
		r.shared = checks.NewShadowOfOne(uint64(len(b.shared)))
	}
}

func (b *block) tick() uint32 {
	b.races.now = b.launch.races.clock.Add(1)
	return b.races.now
}

func (b *block) noteBarrier() {
	if b.code.options.Races {
		b.races.barrier = b.tick()
	}
}

func (b *block) noteFence() {
	r := &b.races
	now := b.tick()
	r.fence, r.acquire = now, now
	l := &b.launch.races
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fences == nil {
		l.fences = map[uint32]uint32{}
	}
	l.fences[uint32(b.linear)] = now
}

func (b *block) noteWarpSync() {
	if !b.code.options.Races {
		return
	}
	now := b.tick()
	for w := range (b.n + 31) / 32 {
		if b.bits.warp(w) != 0 {
			b.races.warps[w] = now
		}
	}
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

// order judges for one lane of a block; it is kept in the block, so that judging
// allocates nothing.
type order struct {
	b      *block
	lane   int
	shared bool // shared memory: what earlier blocks did there is over
}

// Ordered says whether an access of a thread of this launch comes before what the
// lane does now.
func (o *order) Ordered(thread, time uint32) bool {
	b, r := o.b, &o.b.races
	other := uint64(thread) / uint64(b.n)
	if other == b.linear {
		k := int(uint64(thread) % uint64(b.n))
		return time < r.barrier || time < r.fence || k/32 == o.lane/32 && time < r.warps[k/32]
	}
	if o.shared {
		return true
	}
	if time >= r.acquire {
		return false
	}
	b.launch.races.mu.RLock()
	defer b.launch.races.mu.RUnlock()
	return time < b.launch.races.fences[uint32(other)]
}

// observe emits the race check of an access. value is the slot that a store of one
// element writes, noSlot otherwise.
func (c *compiler) observe(a *access, value slot) {
	c.countAccess(a)
	if !c.code.options.Races || a.space == ptx.Local || a.space == ptx.Const || a.param {
		return
	}
	a.watched = true
	c.footprint(a)
	o := *a
	o.site = c.code.sites
	c.code.sites++
	width := 0
	if value != noSlot {
		width = c.width(value)
	}
	c.emit(func(b *block) { b.watch(&o, value, width) })
}

// watch observes one instruction of all active lanes.
func (b *block) watch(a *access, value slot, width int) {
	addrs := a.addresses(b)
	b.consecutive = b.idx == nil && consecutive(addrs, a.size)
	if uint64(b.launch.total)*uint64(b.n) > 1<<32-2 {
		return // threads of so large a grid have no number of 32 bits
	}
	strong := a.atomic || a.strong
	now := b.launch.races.clock.Load()
	if strong && b.races.fence != 0 {
		now = b.tick()
		b.races.acquire = now
	}
	for i := 0; i < len(addrs); i++ {
		addr := addrs[i] + a.offset
		seg := b.translate(a, i, addr)
		if seg == nil {
			return
		}
		if b.idx == nil && (a.size == 4 || a.size == 8 || a.size == 16) && !strong {
			if n := b.watchRun(a, seg, addrs, i, now, value); n > 0 {
				i += n - 1
				continue
			}
		}
		if seg.single || seg.alloc == nil && !b.inShared(seg) {
			continue
		}
		s := b.raceShadow(seg)
		if s == nil {
			continue
		}
		if seg.alloc == nil && b.copying(a, i, addr-seg.base, addr) {
			return
		}
		l := b.lane(i)
		b.races.judge = order{b, l, seg.alloc == nil}
		acc := checks.Access{Thread: uint32(b.linear)*uint32(b.n) + uint32(l), Time: now, Write: a.write, Strong: strong}
		acc.Value = acc.Thread ^ 0x5bd1e995
		off := addr - seg.base
		if width > 0 {
			same := b.unchanged(value, width, l, unsafe.Add(seg.mem, off), &acc.Value)
			if same && (seg.shadow == nil || *(*byte)(unsafe.Add(seg.shadow, off)) != 0) {
				continue
			}
		}
		if !b.watchBytes(a, s, off, acc, i, addr, seg) {
			return
		}
	}
}

// raceShadow gives the race shadow of what a segment lies in.
func (b *block) raceShadow(seg *segment) *checks.Shadow {
	if seg.alloc == nil {
		return b.races.shared
	}
	if seg.races == nil {
		seg.races = b.shadowOfGlobal(seg.alloc)
	}
	return seg.races
}

// watchRun takes in the lanes from the i-th on that access consecutive elements of 4, 8
// or 16 bytes, as many as fill chunks of the shadow. It gives their number, or 0.
func (b *block) watchRun(a *access, seg *segment, addrs []uint64, i int, now uint32, value slot) int {
	off := addrs[i] + a.offset - seg.base
	if off%(4*checks.ChunkWords) != 0 || seg.single || a.write && (value == noSlot || a.size == 16) {
		return 0
	}
	if seg.alloc == nil && (!b.inShared(seg) || b.async.words != 0) {
		return 0
	}
	s := b.raceShadow(seg)
	n := b.count - i
	if !b.consecutive {
		n = runLength(addrs[i:], a.size)
	}
	shift := bits.TrailingZeros64(a.size) - 2
	words := int(min(uint64(n)<<shift, (seg.size-off)/4))
	if s == nil || words < checks.ChunkWords {
		return 0
	}
	n = words >> shift
	l := b.lo + i
	var values []uint32
	if a.write {
		values = b.storedWords(value, l, n, shift)
	}
	before := uint32(0) // other blocks have not passed this one's barriers
	if seg.alloc == nil {
		before = b.races.barrier
	}
	return s.Linear(off, uint32(b.linear)*uint32(b.n)+uint32(l), now, before, n<<shift, uint8(shift), values) >> shift
}

// storedWords gives for each word that lanes from l on store what stands for the stored
// value: itself, and of 8 bytes what unchanged makes of them.
func (b *block) storedWords(value slot, l, n, shift int) []uint32 {
	if shift == 0 {
		return view[uint32](b, value)[l : l+n]
	}
	words := unsafe.Slice((*uint32)(b.scratch[4]), 2*n)
	for i, x := range view[uint64](b, value)[l : l+n] {
		words[2*i] = uint32(x) ^ uint32(x>>32)
		words[2*i+1] = words[2*i]
	}
	return words
}

// unchanged says whether a store writes what is there already, and gives the
// stored value.
func (b *block) unchanged(value slot, width, l int, mem unsafe.Pointer, v *uint32) bool {
	switch width {
	case 1:
		x := view[uint8](b, value)[l]
		*v = uint32(x)
		return *(*uint8)(mem) == x
	case 2:
		x := view[uint16](b, value)[l]
		*v = uint32(x)
		return *(*uint16)(mem) == x
	case 4:
		*v = view[uint32](b, value)[l]
		return *(*uint32)(mem) == *v
	case 8:
		x := view[uint64](b, value)[l]
		*v = uint32(x) ^ uint32(x>>32)
		return *(*uint64)(mem) == x
	}
	return false
}

// watchBytes observes the words that an access touches.
func (b *block) watchBytes(a *access, s *checks.Shadow, off uint64, acc checks.Access, i int, addr uint64, seg *segment) bool {
	for done := uint64(0); done < a.size; {
		at := off + done
		n := min(4-at%4, a.size-done)
		acc.Mask = uint8((1<<n - 1) << (at % 4))
		if other, bad := s.Observe(at, acc, &b.races.judge); bad {
			b.raiseRace(a, i, addr, seg.alloc, other)
			return false
		}
		done += n
	}
	return true
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

func (b *block) raiseRace(a *access, i int, addr uint64, al *Allocation, other checks.Conflict) {
	b.raiseAccess(driver.FaultRace, a, i, addr, al)
	verb, did := "reads", "read"
	if a.write {
		verb = "writes"
	}
	if other.Write {
		did = "written"
	}
	t := b.thread(int(uint64(other.Thread) % uint64(b.n)))
	where := ""
	if blk := uint64(other.Thread) / uint64(b.n); blk != b.linear {
		gx, gy := uint64(b.launch.Grid.X), uint64(b.launch.Grid.Y)
		where = fmt.Sprintf(" of block (%d,%d,%d)", blk%gx, blk/gx%gy, blk/gx/gy)
	}
	b.fault.Detail += fmt.Sprintf("; the thread %s what thread (%d,%d,%d)%s has %s, and nothing orders the two", verb, t.X, t.Y, t.Z, where, did)
}
