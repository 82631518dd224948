package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"

// Rows of asynchronous copies, mbarrier objects, matrices in shared memory, and of the
// comparisons and conversions that tensor kernels use.

// mine is a prologue that points %t7 at 16 bytes of shared memory of the lane's own.
const mine = "mov.u32 %t7, tile; shl.b32 %t6, %lane, 4; add.u32 %t7, %t7, %t6; "

// barrierAt is a prologue: an object for 32 arrivals at tile.
const barrierAt = "setp.eq.u32 %p, %lane, 0; @%p mbarrier.init.shared.b64 [tile], 32; bar.warp.sync -1; "

// bulkLoad copies the operands of all lanes, 24 bytes each, behind the object at tile, in one copy of lane 0; %t7+16 are the lane's own then.
const bulkLoad = barrierAt + "fence.mbarrier_init.release.cluster; fence.proxy.async; bar.warp.sync -1; @%p mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [tile], 768; " +
	"@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+16], [%in], 768, [tile]; bar.warp.sync -1; mbarrier.arrive.shared.b64 %d, [tile]; " +
	"W: mbarrier.try_wait.shared.b64 %p, [tile], %d; @!%p bra W; mov.u32 %t7, tile; mad.lo.u32 %t7, %lane, 24, %t7; "

// bulkStore stores a to shared memory and copies that to global memory in one copy of lane 0, for whom %p is set; the lane's own is at %w0 there.
const bulkStore = "mov.u32 %t7, tile; mad.lo.u32 %t7, %lane, 8, %t7; st.shared.u64 [%t7], %a; fence.proxy.async.shared::cta; bar.warp.sync -1; setp.eq.u32 %p, %lane, 0; " +
	"mov.u64 %w0, scratch; mul.wide.u32 %w1, %lane, 8; add.u64 %w0, %w0, %w1; @%p cp.async.bulk.global.shared::cta.bulk_group [scratch], [tile], 256; "

func arriveRow(name, body string, want func(l lane) uint64) row {
	return row{name, "int", "r", barrierAt + body, want}
}

// matrixWord is word w of the row that a lane stored: a, then b.
func matrixWord(l lane, w int) uint32 { return l.word(w) }

func setHalfWant(l lane) uint64 {
	var v uint64
	for i := range 2 {
		if halfOfWord(l.word(0), i) < halfOfWord(l.word(2), i) {
			v |= 0x3c00 << (16 * i)
		}
	}
	return v
}

func init() {
	always := func(v uint64) func(lane) uint64 { return func(lane) uint64 { return v } }
	copied := func(l lane) uint64 { return l.a }
	isaRows = append(isaRows,
		row{"cp.async", "int", "d", mine + "cp.async.ca.shared.global [%t7], [%in], 8, 4; cp.async.wait_all; ld.shared.u64 %d, [%t7];", func(l lane) uint64 { return l.a & 0xffffffff }},
		row{"cp.async.commit", "int", "d", mine + "cp.async.ca.shared.global [%t7], [%in], 8; cp.async.commit_group; cp.async.wait_group 0; ld.shared.u64 %d, [%t7];", copied},
		row{"cp.async.wait", "int", "d", mine + "cp.async.ca.shared.global [%t7], [%in], 8; cp.async.commit_group; cp.async.ca.shared.global [%t7+8], [%in+8], 4; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u64 %d, [%t7]; cp.async.wait_group 0;", copied},
		row{"cp.async.waitall", "int", "d", mine + "cp.async.ca.shared.global [%t7], [%in], 8; cp.async.wait_all; ld.shared.u64 %d, [%t7];", copied},
		row{"cp.bulk.load", "int", "d", bulkLoad + "fence.proxy.async; ld.shared.u64 %d, [%t7+16];", copied},
		row{"cp.bulk.store", "int", "d", bulkStore + "@%p cp.async.bulk.commit_group; @%p cp.async.bulk.wait_group 0; bar.warp.sync -1; ld.global.u64 %d, [%w0];", copied},
		row{"cp.bulk.commit", "int", "d", bulkStore + "@%p cp.async.bulk.commit_group; @%p cp.async.bulk.wait_group 0; bar.warp.sync -1; ld.global.u64 %d, [%w0];", copied},
		row{"cp.bulk.wait", "int", "d", bulkStore + "@%p cp.async.bulk.commit_group; @%p cp.async.bulk.wait_group.read 0; bar.warp.sync -1; st.shared.u64 [%t7], %b; @%p cp.async.bulk.wait_group 0; bar.warp.sync -1; ld.global.u64 %d, [%w0];", copied},
		row{"cp.async.arrive", "int", "d", mine + barrierAt + "cp.async.ca.shared.global [%t7+16], [%in], 8; cp.async.mbarrier.arrive.noinc.shared.b64 [tile]; W: mbarrier.test_wait.parity.shared.b64 %p, [tile], 0; @!%p bra W; ld.shared.u64 %d, [%t7+16];", copied},
		arriveRow("mbarrier.init", "mbarrier.arrive.shared.b64 %d, [tile]; W: mbarrier.test_wait.shared.b64 %p, [tile], %d; @!%p bra W; mov.u32 %r, 9;", always(9)),
		arriveRow("mbarrier.inval", "bar.warp.sync -1; @%p mbarrier.inval.shared.b64 [tile]; mov.u32 %r, 9;", always(9)),
		arriveRow("mbarrier.arrive", "mbarrier.arrive.shared.b64 %d, [tile]; bar.warp.sync -1; mbarrier.test_wait.shared.b64 %p, [tile], %d; selp.u32 %r, 1, 0, %p;", always(1)),
		arriveRow("mbarrier.tx", "mbarrier.expect_tx.relaxed.cta.shared.b64 [tile], 8; bar.warp.sync -1; mbarrier.arrive.shared.b64 %d, [tile]; bar.warp.sync -1; mbarrier.test_wait.shared.b64 %p, [tile], %d; selp.u32 %r, 1, 0, %p; "+
			"bar.warp.sync -1; mbarrier.complete_tx.relaxed.cta.shared.b64 [tile], 8; W: mbarrier.try_wait.shared.b64 %p, [tile], %d; @!%p bra W;", always(0)),
		arriveRow("mbarrier.arrive.tx", "mbarrier.arrive.expect_tx.shared.b64 %d, [tile], 16; mbarrier.complete_tx.relaxed.cta.shared.b64 [tile], 16; W: mbarrier.try_wait.shared.b64 %p, [tile], %d; @!%p bra W; mov.u32 %r, 9;", always(9)),
		arriveRow("mbarrier.test_wait", "mbarrier.test_wait.parity.shared.b64 %p, [tile], 1; mbarrier.test_wait.parity.shared.b64 %q, [tile], 0; selp.u32 %r, 1, 0, %p; selp.u32 %t0, 2, 0, %q; add.u32 %r, %r, %t0;", always(1)),
		arriveRow("mbarrier.try_wait", "mbarrier.arrive.shared.b64 %d, [tile]; W: mbarrier.try_wait.shared.b64 %p, [tile], %d, 20; @!%p bra W; mov.u32 %r, 9;", always(9)),
		arriveRow("mbarrier.pending", "mbarrier.arrive.shared.b64 %d, [tile]; mbarrier.pending_count.b64 %r, %d; setp.ge.u32 %p, %r, 1; setp.le.and.u32 %p, %r, 32, %p; selp.u32 %r, 1, 0, %p;", always(1)),
		row{"ldmatrix", "int", "d", mine + "st.shared.v2.b64 [%t7], {%a, %b}; bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%t0, %t1, %t2, %t3}, [%t7];" + fold4Body("%t0", "%t1", "%t2", "%t3"), func(l lane) uint64 {
			var v [4]uint32
			for k := range v {
				v[k] = matrixWord(l.all[8*k+l.i/4], l.i%4)
			}
			return fold4(v)
		}},
		row{"stmatrix", "int", "d", words + mine + "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%t7], {%t0, %t1, %t2, %t3}; bar.warp.sync -1; ld.shared.u64 %d, [%t7];", func(l lane) uint64 {
			// Row r of matrix k has in column c what lane c*4+r/2 holds in half r%2.
			k, r := l.i/8, l.i%8
			var v uint64
			for c := range 4 {
				v |= uint64(uint16(l.all[c*4+r/2].word(k)>>(16*(r%2)))) << (16 * c)
			}
			return v
		}},
		row{"movmatrix", "int", "r", "movmatrix.sync.aligned.m8n8.trans.b16 %r, %ra;", func(l lane) uint64 {
			var v uint64
			for e := range 2 {
				row, col := l.i%4*2+e, l.i/4
				v |= uint64(uint16(l.all[row*4+col/2].word(0)>>(16*(col%2)))) << (16 * e)
			}
			return v
		}},
		row{"set.half", "h2", "r", words + "set.lt.f16x2.f16x2 %r, %t0, %t2;", setHalfWant},
		row{"fence.init", "int", "r", "fence.mbarrier_init.release.cluster; mov.u32 %r, %ra;", func(l lane) uint64 { return l.a & 0xffffffff }},
		row{"fence.proxy", "int", "r", "fence.proxy.async; mov.u32 %r, %ra;", func(l lane) uint64 { return l.a & 0xffffffff }},
		row{"griddepcontrol", "int", "r", "griddepcontrol.wait; mov.u32 %r, %ra; griddepcontrol.launch_dependents;", func(l lane) uint64 { return l.a & 0xffffffff }},
		row{"cvt.pack.bytes", "f32", "h", "cvt.rn.satfinite.e4m3x2.f32 %h, %fa, %fb;", func(l lane) uint64 {
			a, b, _ := l.f32()
			return uint64(nearestByte(float64(a)))<<8 | uint64(nearestByte(float64(b)))
		}},
		row{"cvt.bytes", "h2", "h", words + "cvt.rn.satfinite.e4m3x2.f16x2 %h, %t0;", func(l lane) uint64 {
			return uint64(nearestByte(halfOfWord(l.word(0), 1)))<<8 | uint64(nearestByte(halfOfWord(l.word(0), 0)))
		}},
		row{"cvt.from.bytes", "int", "r", "and.b16 %h, %ha, 0xbfbf; cvt.rn.f16x2.e4m3x2 %r, %h;", func(l lane) uint64 {
			v := uint16(l.a) & 0xbfbf
			return uint64(num.F16.Encode(byteNumber(uint8(v>>8))))<<16 | uint64(num.F16.Encode(byteNumber(uint8(v))))
		}},
	)
}

// byteNumber is the value of an e4m3 code by its definition; there is no NaN here.
func byteNumber(b uint8) float64 {
	sign, e, m := 1.0, int(b>>3&15), float64(b&7)
	if b>>7 != 0 {
		sign = -1
	}
	if e == 0 {
		return sign * m / 8 / 64
	}
	v := 1 + m/8
	for ; e > 7; e-- {
		v *= 2
	}
	for ; e < 7; e++ {
		v /= 2
	}
	return sign * v
}

// nearestByte looks all codes through for the nearest number, the even one of two.
func nearestByte(x float64) uint8 {
	if x != x {
		return 0x7f
	}
	sign := uint8(0)
	if x < 0 || x == 0 && 1/x < 0 {
		sign, x = 0x80, -x
	}
	best := uint8(0)
	for c := range uint8(0x7f) {
		d, old := byteNumber(c)-x, byteNumber(best)-x
		d, old = max(d, -d), max(old, -old)
		if d < old || d == old && c%2 == 0 {
			best = c
		}
	}
	if x > 448 {
		best = 0x7e
	}
	return sign | best
}
