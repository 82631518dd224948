package vm

import (
	"fmt"
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Instructions of a warp: shuffles, votes, matches, reductions and the warp
// barrier (sections 9.7.9.6 and 9.7.13). Each has a mask of the lanes that take
// part, and waits until all of them that have not exited have come.

// parking is lanes that wait at a warp instruction for others of their mask.
type parking struct {
	in   *ptx.Instruction
	pc   int
	bits laneBits
	mask uint32 // of the first of them
	// group says that they wait for the other warps of their warp group.
	group bool
}

// warpOp is a warp instruction: act is called once a warp's mask is complete,
// with the members that came.
type warpOp struct {
	in   *ptx.Instruction
	mask slot
	pc   int
	next int
	// act runs with the lanes that go on active.
	act func(b *block)
}

const fullMask = ^uint32(0)

// warpEnd makes the terminator of the current instruction.
func (c *compiler) warpEnd(mask slot, act func(b *block)) {
	post := append([]step(nil), c.post...)
	c.post = c.post[:0]
	w := &warpOp{in: c.in, mask: mask, next: c.next, act: func(b *block) {
		act(b)
		for _, s := range post {
			s(b)
		}
	}}
	w.pc = c.next - 1
	c.end = w.run
}

func (w *warpOp) run(b *block) {
	if b.bits == b.live && b.maskIs(w.mask, fullMask) && len(b.parked) == 0 && !b.code.options.general {
		w.act(b)
		b.pc = w.next
		return
	}
	b.joinParked(w.in)
	ready, wrong := w.ready(b)
	if !wrong.empty() {
		mask := view[uint32](b, w.mask)[first(&wrong)]
		b.raise(driver.FaultShuffleMask, &wrong, fmt.Sprintf("a lane that executes it is not in its own mask %#08x", mask))
		b.fault.Mask = mask
		return
	}
	rest := b.bits
	rest.minus(&ready)
	if !rest.empty() {
		b.parked = append(b.parked, parking{in: w.in, pc: w.pc, bits: rest,
			mask: view[uint32](b, w.mask)[first(&rest)]})
	}
	if ready.empty() {
		b.clearActive()
		return
	}
	b.setActive(&ready)
	w.act(b)
	b.pc = w.next
}

func first(s *laneBits) int {
	f := -1
	s.each(func(l int) {
		if f < 0 {
			f = l
		}
	})
	return f
}

// maskIs reports whether every active lane's mask has one value.
func (b *block) maskIs(s slot, want uint32) bool {
	if info := &b.code.slots[s]; info.kind == slotConst {
		return uint32(info.value[0]) == want
	}
	for _, m := range in[uint32](b, s, 0) {
		if m != want {
			return false
		}
	}
	return true
}

// joinParked adds the lanes that wait at the same instruction to the active ones.
func (b *block) joinParked(in *ptx.Instruction) {
	for i := range b.parked {
		if b.parked[i].in == in {
			all := b.bits
			all.union(&b.parked[i].bits)
			b.parked = append(b.parked[:i], b.parked[i+1:]...)
			b.setActive(&all)
			return
		}
	}
}

// ready gives the active lanes whose mask is complete, and those whose mask does
// not hold themselves.
func (w *warpOp) ready(b *block) (ready, wrong laneBits) {
	masks := view[uint32](b, w.mask)
	for wi := range (b.n + 31) / 32 {
		here, live := b.bits.warp(wi), b.live.warp(wi)
		for m := here; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			mask := masks[wi*32+l]
			switch {
			case mask>>l&1 == 0:
				wrong.add(wi*32 + l)
			case mask&live&^here == 0 && sameMask(masks[wi*32:], mask&here, mask):
				ready.add(wi*32 + l)
			}
		}
	}
	return ready, wrong
}

// sameMask reports whether all these lanes of a warp name the same mask.
func sameMask(masks []uint32, lanes, mask uint32) bool {
	for ; lanes != 0; lanes &= lanes - 1 {
		if masks[bits.TrailingZeros32(lanes)] != mask {
			return false
		}
	}
	return true
}

// checkParked lets parked lanes look again: lanes they waited for have exited.
func (b *block) checkParked() {
	for _, p := range b.parked {
		b.addGroup(p.pc, &p.bits)
	}
	b.parked = b.parked[:0]
}

// eachWarp calls f for each warp with active lanes: its first lane and members.
func (b *block) eachWarp(f func(base int, members uint32)) {
	for w := range (b.n + 31) / 32 {
		if m := b.bits.warp(w); m != 0 {
			f(w*32, m)
		}
	}
}

// eachMask calls f for each group of lanes of a warp that share a mask.
func (b *block) eachMask(mask slot, f func(base int, members uint32)) {
	masks := view[uint32](b, mask)
	b.eachWarp(func(base int, here uint32) {
		for here != 0 {
			m := masks[base+bits.TrailingZeros32(here)] & here
			f(base, m)
			here &^= m
		}
	})
}

func eachLane(members uint32, f func(l int)) {
	for ; members != 0; members &= members - 1 {
		f(bits.TrailingZeros32(members))
	}
}

func (c *compiler) warpBarrier() error {
	mask, err := c.src(0, ptx.B32)
	if err != nil {
		return err
	}
	c.warpEnd(mask, func(b *block) { b.noteWarpSync(mask) })
	return nil
}

// shuffleSource gives the lane to read from, and whether it is in range (section
// 9.7.9.6).
var shuffleSource = map[string]func(lane, b, c uint32) (uint32, bool){
	"up": func(lane, b, c uint32) (uint32, bool) {
		most, _ := shuffleBounds(lane, c)
		j := int32(lane) - int32(b&31)
		return uint32(j), j >= int32(most)
	},
	"down": func(lane, b, c uint32) (uint32, bool) {
		most, _ := shuffleBounds(lane, c)
		j := lane + b&31
		return j, j <= most
	},
	"bfly": func(lane, b, c uint32) (uint32, bool) {
		most, _ := shuffleBounds(lane, c)
		j := lane ^ b&31
		return j, j <= most
	},
	"idx": func(lane, b, c uint32) (uint32, bool) {
		most, low := shuffleBounds(lane, c)
		segment := c >> 8 & 31
		j := low&segment | b&31&^segment
		return j, j <= most
	},
}

// shuffleBounds gives the last lane readable (for .up the first one) and the first
// lane of the segment.
func shuffleBounds(lane, c uint32) (most, low uint32) {
	segment, clamp := c>>8&31, c&31
	return lane&segment | clamp&^segment, lane & segment
}

func buildShfl(c *compiler) error {
	var d, p slot = noSlot, noSlot
	dest := &c.in.Operands[0]
	var err error
	if dest.Kind == ptx.OpPair {
		if p, err = c.target(&dest.Elems[1], ptx.Pred); err != nil {
			return err
		}
		dest = &dest.Elems[0]
	}
	if d, err = c.target(dest, ptx.B32); err != nil {
		return err
	}
	var s [4]slot
	for i := range s {
		if s[i], err = c.src(i+1, ptx.B32); err != nil {
			return err
		}
	}
	var source func(lane, b, c uint32) (uint32, bool)
	for name, f := range shuffleSource {
		if c.in.Has(name) {
			source = f
		}
	}
	check := c.code.options.Synchronization
	hold, holdP := c.temp(4), c.temp(1)
	c.warpEnd(s[3], func(b *block) { b.shuffle(source, d, p, s, hold, holdP, check) })
	return nil
}

func (b *block) shuffle(source func(lane, b, c uint32) (uint32, bool), d, p slot, s [4]slot, hold, holdP slot, check bool) {
	vals, lanes, clamps := view[uint32](b, s[0]), view[uint32](b, s[1]), view[uint32](b, s[2])
	res, ok := view[uint32](b, hold), view[bool](b, holdP)
	b.eachMask(s[3], func(base int, members uint32) {
		var wrong laneBits
		from := uint32(0)
		eachLane(members, func(l int) {
			j, in := source(uint32(l), lanes[base+l], clamps[base+l])
			if !in {
				j = uint32(l)
			}
			if check && members>>j&1 == 0 {
				if wrong.empty() {
					from = j
				}
				wrong.add(base + l)
			}
			if base+int(j) < b.n {
				res[base+l] = vals[base+int(j)]
			} else {
				res[base+l] = 0
			}
			ok[base+l] = in
		})
		if !wrong.empty() {
			b.raise(driver.FaultShuffleMask, &wrong,
				fmt.Sprintf("lane %d of warp %d reads lane %d, which takes no part (those that do: %s)", first(&wrong)-base,
					base/32, from, maskText(members)))
			b.fault.Mask = members
		}
	})
	copyLanes(4)(d, hold)(b)
	if p != noSlot {
		copyLanes(1)(p, holdP)(b)
	}
	b.noteExchange(s[3])
}

// buildVote is vote.sync: .all .any .uni over a predicate, .ballot its bits.
func buildVote(c *compiler) error {
	p, err := c.src(1, ptx.Pred)
	if err != nil {
		return err
	}
	mask, err := c.src(2, ptx.B32)
	if err != nil {
		return err
	}
	t := ptx.Pred
	if c.in.Has("ballot") {
		t = ptx.B32
	}
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	all, anyOf, ballot := c.in.Has("all"), c.in.Has("any"), c.in.Has("ballot")
	c.warpEnd(mask, func(b *block) {
		preds := view[bool](b, p)
		b.eachMask(mask, func(base int, members uint32) {
			var yes uint32
			eachLane(members, func(l int) {
				if preds[base+l] {
					yes |= 1 << l
				}
			})
			verdict := yes == members || !all && !anyOf && yes == 0
			if anyOf {
				verdict = yes != 0
			}
			eachLane(members, func(l int) {
				if ballot {
					view[uint32](b, d)[base+l] = yes
				} else {
					view[bool](b, d)[base+l] = verdict
				}
			})
		})
		b.noteExchange(mask)
	})
	return nil
}

// buildMatch finds the lanes with an equal value (section 9.7.13.10).
func buildMatch(c *compiler) error {
	t := c.lastType()
	dest, pred := &c.in.Operands[0], noSlot
	var err error
	if dest.Kind == ptx.OpPair {
		if pred, err = c.target(&dest.Elems[1], ptx.Pred); err != nil {
			return err
		}
		dest = &dest.Elems[0]
	}
	d, err := c.target(dest, ptx.B32)
	if err != nil {
		return err
	}
	s, err := c.src(1, t)
	if err != nil {
		return err
	}
	v := c.temp(8)
	c.emit(converter(t.Size(), 8, false)(v, s))
	mask, err := c.src(2, ptx.B32)
	if err != nil {
		return err
	}
	all := c.in.Has("all")
	c.warpEnd(mask, func(b *block) {
		b.eachMask(mask, func(base int, members uint32) { b.match(base, members, view[uint64](b, v), d, pred, all) })
		b.noteExchange(mask)
	})
	return nil
}

func (b *block) match(base int, members uint32, vals []uint64, d, pred slot, all bool) {
	out := view[uint32](b, d)
	eachLane(members, func(l int) {
		var same uint32
		eachLane(members, func(k int) {
			if vals[base+k] == vals[base+l] {
				same |= 1 << k
			}
		})
		if all && same != members {
			same = 0
		}
		out[base+l] = same
		if pred != noSlot {
			view[bool](b, pred)[base+l] = same != 0
		}
	})
}

var reductions = map[atomKey]func(x, y uint32) uint32{
	{"add", ptx.U32}: func(x, y uint32) uint32 { return x + y }, {"add", ptx.S32}: func(x, y uint32) uint32 { return x + y },
	{"min", ptx.U32}: func(x, y uint32) uint32 { return min(x, y) }, {"max", ptx.U32}: func(x, y uint32) uint32 { return max(x, y) },
	{"min", ptx.S32}: func(x, y uint32) uint32 { return uint32(min(int32(x), int32(y))) },
	{"max", ptx.S32}: func(x, y uint32) uint32 { return uint32(max(int32(x), int32(y))) },
	{"and", ptx.B32}: func(x, y uint32) uint32 { return x & y }, {"or", ptx.B32}: func(x, y uint32) uint32 { return x | y },
	{"xor", ptx.B32}: func(x, y uint32) uint32 { return x ^ y },
}

func buildRedux(c *compiler) error {
	t := c.lastType()
	var f func(x, y uint32) uint32
	for _, name := range atomicNames {
		if c.in.Has(name) {
			f = reductions[atomKey{name, t}]
		}
	}
	if f == nil {
		return c.refuse("this device does not execute the reduction with this type")
	}
	s, err := c.src(1, t)
	if err != nil {
		return err
	}
	mask, err := c.src(2, ptx.B32)
	if err != nil {
		return err
	}
	d, err := c.dst(0, t)
	if err != nil {
		return err
	}
	c.warpEnd(mask, func(b *block) {
		vals, res := view[uint32](b, s), view[uint32](b, d)
		b.eachMask(mask, func(base int, members uint32) {
			acc := vals[base+bits.TrailingZeros32(members)]
			eachLane(members&(members-1), func(l int) { acc = f(acc, vals[base+l]) })
			eachLane(members, func(l int) { res[base+l] = acc })
		})
		b.noteExchange(mask)
	})
	return nil
}

// buildElect chooses the lowest lane of the mask.
func buildElect(c *compiler) error {
	dest := &c.in.Operands[0]
	if dest.Kind != ptx.OpPair {
		return c.refuse("the destination is not a pair of register and predicate")
	}
	d, err := c.target(&dest.Elems[0], ptx.B32)
	if err != nil {
		return err
	}
	p, err := c.target(&dest.Elems[1], ptx.Pred)
	if err != nil {
		return err
	}
	mask, err := c.src(1, ptx.B32)
	if err != nil {
		return err
	}
	c.warpEnd(mask, func(b *block) {
		b.eachMask(mask, func(base int, members uint32) {
			leader := bits.TrailingZeros32(members)
			eachLane(members, func(l int) {
				view[uint32](b, d)[base+l] = uint32(leader)
				view[bool](b, p)[base+l] = l == leader
			})
		})
		b.noteExchange(mask)
	})
	return nil
}

func buildActiveMask(c *compiler) error {
	d, err := c.dst(0, ptx.B32)
	if err != nil {
		return err
	}
	c.emit(func(b *block) {
		o := view[uint32](b, d)
		b.eachWarp(func(base int, members uint32) {
			eachLane(members, func(l int) { o[base+l] = members })
		})
	})
	return nil
}

func init() {
	register(map[string]builder{"shfl": buildShfl, "vote": buildVote, "match": buildMatch, "redux": buildRedux,
		"elect": buildElect, "activemask": buildActiveMask})
}
