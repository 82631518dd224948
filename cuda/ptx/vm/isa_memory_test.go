package vm

// Rows of memory, warp and control instructions.

const tileAddr = "shl.b32 %t1, %lane, 3; mov.u32 %t2, tile; add.u32 %t1, %t1, %t2; "

func sharedAtom(op, setup, after string) string {
	return "mov.u32 %t2, tile; st.shared.u32 [%t2], 0; bar.sync 0; " + setup + op + " bar.sync 0; " + after
}

func init() {
	total := func(l lane) uint64 { return warpFold(l, func(x, y uint32) uint32 { return x + y }) }
	own := func(l lane) uint64 { return l.a & 0xffffffff }
	one := func(lane) uint64 { return 1 }
	isaRows = append(isaRows,
		row{"ld", "int", "r", tileAddr + "st.shared.u32 [%t1], %ra; ld.shared.s8 %r, [%t1];", func(l lane) uint64 { return u(int32(int8(l.a))) }},
		row{"ld.nc", "int", "d", "ld.global.nc.v2.u32 {%t1, %t2}, [%in]; mov.b64 %d, {%t2, %t1};", func(l lane) uint64 { return l.a<<32 | l.a>>32 }},
		row{"ldu", "int", "r", "ldu.global.u32 %r, [%in+4];", func(l lane) uint64 { return l.a >> 32 }},
		row{"st", "int", "d", "st.local.v2.u32 [mine+8], {%ra, %rb}; ld.local.u64 %d, [mine+8];", func(l lane) uint64 { return l.a&0xffffffff | l.b<<32 }},
		row{"prefetch", "int", "r", "prefetch.global.L2 [%in]; mov.b32 %r, %ra;", own},
		row{"prefetchu", "int", "r", "prefetchu.L1 [%in]; mov.b32 %r, %ra;", own},
		row{"applypriority", "int", "r", "mov.u64 %w1, scratch; applypriority.global.L2::evict_normal [%w1], 128; mov.b32 %r, %ra;", own},
		row{"isspacep.cluster", "int", "p", "mov.u64 %w1, tile; cvta.shared.u64 %w2, %w1; isspacep.shared::cluster %p, %w2;", one},
		row{"isspacep", "int", "p", "mov.u64 %w1, tile; cvta.shared.u64 %w2, %w1; isspacep.shared %p, %w2;", one},
		row{"cvta", "int", "r", tileAddr + "st.shared.u32 [%t1], %ra; cvt.u64.u32 %w1, %t1; cvta.shared.u64 %w2, %w1; ld.u32 %r, [%w2];", own},
		row{"bra", "int", "r", "mov.b32 %r, %ra; @%pa bra DONE; mov.b32 %r, %rb;\nDONE:", func(l lane) uint64 {
			if l.a < l.b {
				return l.a & 0xffffffff
			}
			return l.b & 0xffffffff
		}},
		row{"brx.idx", "int", "r", "rem.u32 %t1, %ra, 3;\nLIST: .branchtargets L0, L1, L2;\nbrx.idx %t1, LIST;\nL0: mov.b32 %r, 10; bra DONE;\nL1: mov.b32 %r, 20; bra DONE;\nL2: mov.b32 %r, 30;\nDONE:", func(l lane) uint64 { return uint64(uint32(l.a)%3+1) * 10 }},
		row{"call", "int", "r", "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %ra; call.uni (r0), twice, (a0); ld.param.b32 %r, [r0]; }", func(l lane) uint64 { return l.a << 1 & 0xffffffff }},
		row{"ret", "int", "r", "mov.b32 %r, %ra;", own},
		row{"exit", "int", "r", "mov.b32 %r, %ra; cvt.u64.u32 %res, %r; st.global.u64 [%out], %res; exit;", own},
		row{"bar.sync", "int", "r", tileAddr + "st.shared.u32 [%t1], %ra; bar.sync 0; xor.b32 %t3, %lane, 5; shl.b32 %t3, %t3, 3; add.u32 %t3, %t3, %t2; ld.shared.u32 %r, [%t3];",
			func(l lane) uint64 { return l.all[l.i^5].a & 0xffffffff }},
		row{"bar.arrive", "int", "r", "bar.arrive 1, 32; mov.b32 %r, %ra;", own},
		row{"bar.red.popc", "int", "r", "bar.red.popc.u32 %r, 0, %pa;", func(l lane) uint64 {
			n := uint64(0)
			for _, o := range l.all {
				n += yes(o.a < o.b)
			}
			return n
		}},
		row{"bar.red.bool", "int", "p", "bar.red.or.pred %p, 0, %pa;", one},
		row{"barrier.sync", "int", "r", tileAddr + "st.shared.u32 [%t1], %ra; barrier.sync 0; ld.shared.u32 %r, [tile+16];", func(l lane) uint64 { return l.all[2].a & 0xffffffff }},
		row{"barrier.arrive", "int", "r", "barrier.arrive 1, 32; mov.b32 %r, %ra;", own},
		row{"barrier.red.popc", "int", "r", "barrier.red.popc.u32 %r, 0, %pb;", func(l lane) uint64 {
			n := uint64(0)
			for _, o := range l.all {
				n += yes(o.b < o.c)
			}
			return n
		}},
		row{"barrier.red.bool", "int", "p", "barrier.red.and.pred %p, 0, %pa;", func(lane) uint64 { return 0 }},
		row{"bar.warp.sync", "int", "r", "bar.warp.sync 0xffffffff; mov.b32 %r, %ra;", own},
		row{"membar", "int", "r", "membar.gl; mov.b32 %r, %ra;", own},
		row{"fence", "int", "r", "fence.acq_rel.gpu; mov.b32 %r, %ra;", own},
		row{"atom.int", "int", "r", sharedAtom("atom.shared.add.u32 %t3, [%t2], %ra;", "", "ld.shared.u32 %r, [%t2];"), total},
		row{"atom.float", "int", "f", sharedAtom("atom.shared.add.f32 %x1, [%t2], 0f3F800000;", "", "ld.shared.f32 %f, [%t2];"), func(lane) uint64 { return bits32(32) }},
		row{"atom.half", "int", "h", sharedAtom("mov.b16 %ha, 0x3c00; atom.shared.add.noftz.f16 %hb, [%t2], %ha;", "", "ld.shared.b16 %h, [%t2];"), func(lane) uint64 { return 0x5000 }},
		row{"atom.wrap", "int", "r", sharedAtom("atom.shared.inc.u32 %t3, [%t2], 9;", "", "ld.shared.u32 %r, [%t2];"), func(lane) uint64 { return 2 }},
		row{"atom.bits", "int", "r", sharedAtom("atom.shared.or.b32 %t3, [%t2], %ra;", "", "ld.shared.u32 %r, [%t2];"), func(l lane) uint64 {
			return warpFold(l, func(x, y uint32) uint32 { return x | y })
		}},
		row{"atom.cas", "int", "r", tileAddr + "st.shared.u32 [%t1], %rb; atom.shared.cas.b32 %t3, [%t1], %ra, %rc; ld.shared.u32 %r, [%t1];", func(l lane) uint64 {
			a, b, c := l.u32()
			if a == b {
				return uint64(c)
			}
			return uint64(b)
		}},
		row{"red.int", "int", "r", sharedAtom("red.shared.max.s32 [%t2], %ra;", "", "ld.shared.u32 %r, [%t2];"), func(l lane) uint64 {
			m := int32(0)
			for _, o := range l.all {
				m = max(m, int32(o.a))
			}
			return u(m)
		}},
		row{"red.float", "int", "f", sharedAtom("red.shared.add.f32 [%t2], 0f40000000;", "", "ld.shared.f32 %f, [%t2];"), func(lane) uint64 { return bits32(64) }},
		row{"red.half", "int", "r", "mov.u64 %w1, scratch; mov.b32 %t1, 0x3c003c00; red.global.add.noftz.f16x2 [%w1], %t1; bar.sync 0; ld.global.u32 %r, [%w1];", func(lane) uint64 { return 0x50005000 }},
		row{"red.wrap", "int", "r", sharedAtom("red.shared.dec.u32 [%t2], 5;", "", "ld.shared.u32 %r, [%t2];"), func(lane) uint64 { return 4 }},
		row{"red.bits", "int", "r", sharedAtom("red.shared.xor.b32 [%t2], %ra;", "", "ld.shared.u32 %r, [%t2];"), func(l lane) uint64 {
			return warpFold(l, func(x, y uint32) uint32 { return x ^ y })
		}},
		row{"shfl.sync", "int", "r", "shfl.sync.up.b32 %r|%p, %ra, 3, 0, 0xffffffff;", func(l lane) uint64 {
			if l.i < 3 {
				return l.a & 0xffffffff
			}
			return l.all[l.i-3].a & 0xffffffff
		}},
		row{"vote.bool", "int", "p", "vote.sync.any.pred %p, %pa, 0xffffffff;", one},
		row{"vote.ballot", "int", "r", "vote.sync.ballot.b32 %r, %pa, 0xffffffff;", func(l lane) uint64 { return ballot(l, func(o lane) bool { return o.a < o.b }) }},
		row{"match.any", "int", "r", "match.any.sync.b64 %r, %a, 0xffffffff;", func(l lane) uint64 { return ballot(l, func(o lane) bool { return o.a == l.a }) }},
		row{"match.all", "int", "r", "mov.b32 %t1, 7; match.all.sync.b32 %r|%p, %t1, 0xffffffff;", func(lane) uint64 { return 0xffffffff }},
		row{"activemask", "int", "r", "mov.b32 %r, 0; @%pa activemask.b32 %r;", func(l lane) uint64 {
			if l.a < l.b {
				return ballot(l, func(o lane) bool { return o.a < o.b })
			}
			return 0
		}},
		row{"redux.int", "int", "r", "redux.sync.add.u32 %r, %ra, 0xffffffff;", total},
		row{"redux.bits", "int", "r", "redux.sync.and.b32 %r, %ra, 0xffffffff;", func(l lane) uint64 { return warpFold(l, func(x, y uint32) uint32 { return x & y }) }},
		row{"elect", "int", "r", "elect.sync %r|%p, 0xffffffff;", func(lane) uint64 { return 0 }},
		row{"nanosleep", "int", "r", "nanosleep.u32 20; mov.b32 %r, %ra;", own},
		row{"pmevent", "int", "r", "pmevent 1; mov.b32 %r, %ra;", own},
		row{"trap", "int", "r", "setp.ne.u64 %p, %a, %a; @%p trap; mov.b32 %r, %ra;", own},
		row{"brkpt", "int", "r", "setp.ne.u64 %p, %a, %a; @%p brkpt; mov.b32 %r, %ra;", own},
	)
}
