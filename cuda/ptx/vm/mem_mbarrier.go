package vm

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// mbarrier objects (section 9.7.13.15): 64 bits of shared memory that count the
// arrivals, and the bytes of asynchronous copies, that a phase still waits for. The
// content is this device's own, as the section leaves it open.

// mbar is an mbarrier object's content.
//
//	bits 0-19   arrivals that a phase takes
//	bits 20-39  arrivals pending in this phase
//	bits 40-41  01: an object; anything else is none
//	bits 42-62  bytes pending, signed
//	bit  63     parity of the phase
type mbar uint64

const (
	mbarCount   = 1<<20 - 1
	mbarLive    = mbar(1) << 40
	mbarLiveAll = mbar(3) << 40
	mbarPhase   = mbar(1) << 63
	mbarBytes   = 1<<20 - 1 // the most bytes pending
)

func (m mbar) live() bool    { return m&mbarLiveAll == mbarLive }
func (m mbar) expected() int { return int(m & mbarCount) }
func (m mbar) pending() int  { return int(m >> 20 & mbarCount) }
func (m mbar) bytes() int    { return int(int64(m) << 1 >> 43) }

func newMbar(phase mbar, expected, pending, bytes int) mbar {
	return phase | mbar(bytes)&(1<<21-1)<<42 | mbarLive | mbar(pending)<<20 | mbar(expected)
}

// mbarError says why an object does not take an operation.
type mbarError struct {
	detail string
	none   bool // there is no object
}

var noObject = &mbarError{"there is no mbarrier object: nothing has initialised it, or it was invalidated", true}

// settle begins the next phase where nothing is pending any more.
func settle(phase mbar, expected, pending, bytes int) mbar {
	if pending == 0 && bytes == 0 {
		return newMbar(phase^mbarPhase, expected, expected, 0)
	}
	return newMbar(phase, expected, pending, bytes)
}

// change gives the object after expecting bytes more and then count arrivals, which
// drop says the later phases are not to wait for.
func (m mbar) change(bytes, count int, drop bool) (mbar, *mbarError) {
	e, p, t := m.expected(), m.pending(), m.bytes()+bytes
	switch {
	case !m.live():
		return m, noObject
	case count > p:
		return m, &mbarError{detail: fmt.Sprintf("%d arrivals, and the phase waits for %d of %d", count, p, e)}
	case t > mbarBytes || t < -mbarBytes:
		return m, &mbarError{detail: fmt.Sprintf("%d bytes would be pending: at most %d", t, mbarBytes)}
	}
	if drop {
		e -= count
	}
	return settle(m&mbarPhase, e, p-count, t), nil
}

// mbarOp changes an object; the old content is the token that arrive gives.
type mbarOp func(m mbar, n uint32) (mbar, *mbarError)

// mbarrierOps are the operations that change an object, by modifier; n is the last
// operand, or 1.
var mbarrierOps = map[string]mbarOp{
	"init": func(_ mbar, n uint32) (mbar, *mbarError) {
		if n == 0 || n > mbarCount {
			return 0, &mbarError{detail: fmt.Sprintf("a phase of %d arrivals: 1 to %d are legal", n, mbarCount)}
		}
		return newMbar(0, int(n), int(n), 0), nil
	},
	"inval":       func(m mbar, _ uint32) (mbar, *mbarError) { _, err := m.change(0, 0, false); return 0, err },
	"arrive":      func(m mbar, n uint32) (mbar, *mbarError) { return m.change(0, int(n), false) },
	"arrive_drop": func(m mbar, n uint32) (mbar, *mbarError) { return m.change(0, int(n), true) },
	"expect_tx":   func(m mbar, n uint32) (mbar, *mbarError) { return m.expect(int(n), 0, false) },
	"complete_tx": func(m mbar, n uint32) (mbar, *mbarError) { return m.change(-int(n), 0, false) },
}

// expect adds bytes, which can end no phase, and then arrives.
func (m mbar) expect(bytes, count int, drop bool) (mbar, *mbarError) {
	next := newMbar(m&mbarPhase, m.expected(), m.pending(), min(m.bytes()+bytes, mbarBytes))
	if !m.live() || m.bytes()+bytes > mbarBytes {
		return m.change(bytes, count, drop)
	}
	if count == 0 {
		return next, nil
	}
	return next.change(0, count, drop)
}

// mbarrierOp finds the operation of the current instruction.
func (c *compiler) mbarrierOp() mbarOp {
	drop := c.in.Has("arrive_drop")
	if c.in.Has("expect_tx") && (drop || c.in.Has("arrive")) {
		return func(m mbar, n uint32) (mbar, *mbarError) { return m.expect(int(n), 1, drop) }
	}
	if c.in.Has("noComplete") {
		arrive := mbarrierOps["arrive"]
		return func(m mbar, n uint32) (mbar, *mbarError) {
			if m.live() && int(n) >= m.pending() {
				return m, &mbarError{detail: fmt.Sprintf(".noComplete with %d arrivals, and the phase waits for %d", n, m.pending())}
			}
			return arrive(m, n)
		}
	}
	for _, mod := range c.in.Mods {
		if op := mbarrierOps[mod]; op != nil {
			return op
		}
	}
	return nil
}

func buildMbarrier(c *compiler) error {
	switch {
	case c.in.Has("test_wait"), c.in.Has("try_wait"):
		return buildMbarrierWait(c)
	case c.in.Has("pending_count"):
		return c.apply1(each1(func(m uint64) uint32 { return uint32(mbar(m).pending()) }), ptx.U32, ptx.B64)
	}
	op := c.mbarrierOp()
	if op == nil {
		return c.refuse("this device does not execute the mbarrier operation")
	}
	at := 0
	state := noSlot
	if o := &c.in.Operands[0]; o.Kind != ptx.OpAddr {
		at = 1
		if o.Kind != ptx.OpSink {
			var err error
			if state, err = c.dst(0, ptx.B64); err != nil {
				return err
			}
		}
	}
	a, err := c.mbarrierAccess(at)
	if err != nil {
		return err
	}
	n := c.constant(4, 1, 0)
	if len(c.in.Operands) > at+1 {
		if n, err = c.src(at+1, ptx.U32); err != nil {
			return err
		}
	}
	plain := c.in.Has("init") || c.in.Has("inval")
	a.atomic, a.counted = !plain, true
	c.fence(!c.in.Has("cluster") && !a.ofCluster)
	c.observe(a, nil)
	c.emit(func(b *block) { b.mbarrier(a, op, state, n) })
	return nil
}

func (c *compiler) mbarrierAccess(operand int) (*access, error) { return c.access(operand, 8, true) }

// mbarrier applies an operation lane by lane.
func (b *block) mbarrier(a *access, op mbarOp, state, n slot) {
	for i, addr := range a.addresses(b) {
		p := b.mbarrierAt(a, i, addr+a.offset)
		if p == nil {
			return
		}
		old := mbar(atomic.LoadUint64(p))
		next, bad := op(old, view[uint32](b, n)[b.lane(i)])
		if bad != nil {
			b.raiseMbarrier(a, i, addr+a.offset, bad)
			return
		}
		atomic.StoreUint64(p, uint64(next))
		if a.atomic && b.code.options.Races {
			in, at := b.placeOf(p)
			b.release(a, b.lane(i), at, in)
		}
		if state != noSlot {
			view[uint64](b, state)[b.lane(i)] = uint64(old)
		}
	}
	b.progress()
}

// passed lets the i-th active lane, which has seen a phase of an object end, know what those did that
// arrived there and what was copied for it.
func (b *block) passed(a *access, at *uint64, i int) {
	b.completeLoads(at, i)
	in, key := b.placeOf(at)
	b.acquire(a, b.lane(i), (*in)[key])
}

func (b *block) raiseMbarrier(a *access, i int, addr uint64, bad *mbarError) {
	kind := driver.FaultLimit
	if bad.none {
		kind = driver.FaultUninitialized
	}
	b.raiseAccess(kind, a, i, addr, nil)
	b.fault.Detail += "; " + bad.detail
}

// mbarrierAt translates the address of an object, which lies in shared memory, and
// marks it written: whether it is an object says its content.
func (b *block) mbarrierAt(a *access, i int, addr uint64) *uint64 {
	seg := &b.sites[a.site]
	off := addr - seg.base
	if seg.size < a.size || off > seg.size-a.size || off&7 != 0 || seg.single {
		if !a.retarget(b, i, addr) {
			return nil
		}
		off = addr - seg.base
	}
	if !b.inShared(seg) && !seg.peer {
		b.raiseAccess(driver.FaultOutOfBounds, a, i, addr, seg.alloc)
		b.fault.Detail += "; an mbarrier object lies in shared memory"
		return nil
	}
	if seg.shadow != nil {
		*(*uint64)(unsafe.Add(seg.shadow, off)) = 0x0101010101010101
	}
	return (*uint64)(unsafe.Add(seg.mem, off))
}

// buildMbarrierWait is test_wait and try_wait: whether the phase of a token, or of a
// parity, is over. Neither waits here; a loop around it lets others run.
func buildMbarrierWait(c *compiler) error {
	p, err := c.dst(0, ptx.Pred)
	if err != nil {
		return err
	}
	a, err := c.mbarrierAccess(1)
	if err != nil {
		return err
	}
	a.atomic, a.counted, a.acquires, a.fences = true, true, true, true
	t := ptx.B64
	parity := c.in.Has("parity")
	if parity {
		t = ptx.U32
	}
	want, err := c.src(2, t)
	if err != nil {
		return err
	}
	c.observe(a, nil)
	races := c.code.options.Races
	c.emit(func(b *block) {
		over := false
		for i, addr := range a.addresses(b) {
			at := b.mbarrierAt(a, i, addr+a.offset)
			if at == nil {
				return
			}
			m, l := mbar(atomic.LoadUint64(at)), b.lane(i)
			if !m.live() {
				b.raiseMbarrier(a, i, addr+a.offset, noObject)
				return
			}
			var phase mbar
			if parity {
				phase = mbar(view[uint32](b, want)[l]) << 63
			} else {
				phase = mbar(view[uint64](b, want)[l]) & mbarPhase
			}
			done := m&mbarPhase != phase
			view[bool](b, p)[l] = done
			if done && races {
				b.passed(a, at, i)
			}
			over = over || done
		}
		if !over {
			b.polls++
			b.streak += patience / 16
		}
	})
	return nil
}

// buildCopyArrive is cp.async.mbarrier.arrive: the lane's copies so far arrive when
// they are done, which here they are. Without .noinc the phase waits for one arrival
// more, so that nothing changes.
func buildCopyArrive(c *compiler) error {
	a, err := c.mbarrierAccess(0)
	if err != nil {
		return err
	}
	a.atomic, a.counted = true, true
	if err := c.asyncStep(func(b *block, l, i int) { b.completeCopies(l, i, b.async.lanes[l].commits+1) }); err != nil {
		return err
	}
	c.fence(true)
	c.observe(a, nil)
	op := mbarrierOps["arrive"]
	if !c.in.Has("noinc") {
		op = mbarrierOps["complete_tx"]
	}
	n := c.constant(4, 0, 0)
	if c.in.Has("noinc") {
		n = c.constant(4, 1, 0)
	}
	c.emit(func(b *block) { b.mbarrier(a, op, noSlot, n) })
	return nil
}

func init() {
	register(map[string]builder{"mbarrier": buildMbarrier})
}
