package vm

// Rows of clusters, which here have one block each: clusters.cu has larger ones.

// asyncInto is a prologue: %t7 is 16 bytes of shared memory of the lane's own behind an object at tile that 32 arrivals
// and n bytes end a phase of.
func asyncInto(bytes string) string {
	return barrierAt + "mov.u32 %t7, tile; mad.lo.u32 %t7, %lane, 16, %t7; st.shared.v2.b64 [%t7+16], {%c, %c}; " +
		"bar.warp.sync -1; " +
		"mbarrier.arrive.expect_tx.shared.b64 %w7, [tile], " + bytes + "; "
}

const untilOver = " W: mbarrier.try_wait.shared.b64 %p, [tile], %w7; @!%p bra W;"

// isaClusters are the clusters that rows are launched with.
var isaClusters = map[string]Dim3{}

func init() {
	rows := []row{
		{"mapa", "int", "d", mine + "st.shared.u64 [%t7], %a; mapa.shared::cluster.u32 %t6, %t7, 0; " +
			"ld.shared::cluster.u64 %d, [%t6]; " +
			"cvt.u64.u32 %w1, %t7; cvta.shared.u64 %w1, %w1; mapa.u64 %w0, %w1, 0; atom.add.u64 %w2, [%w0], %b; " +
			"ld.u64 %w1, [%w0]; " +
			"add.u64 %d, %d, %w1;", func(l lane) uint64 { return 2*l.a + l.b }},
		{"getctarank", "int", "r", "mapa.shared::cluster.u32 %t6, tile, 0; getctarank.shared::cluster.u32 %r, %t6; " +
			"mov.u64 %w0, tile; " +
			"cvta.shared::cluster.u64 %w0, %w0; getctarank.u64 %t5, %w0; add.u32 %r, %r, %t5; " +
			"mov.u32 %t5, %cluster_nctarank; add.u32 %r, %r, %t5;",
			func(lane) uint64 { return 1 }},
		{"barrier.cluster.arrive", "int", "r", mine + "st.shared.u32 [%t7], %ra; barrier.cluster.arrive.release.aligned; " +
			"mov.u32 %t5, 3; barrier.cluster.wait.acquire.aligned; xor.b32 %t6, %lane, 7; shl.b32 %t6, %t6, 4; " +
			"mov.u32 %t7, tile; " +
			"add.u32 %t7, %t7, %t6; " +
			"ld.shared::cluster.u32 %r, [%t7];", func(l lane) uint64 { return uint64(uint32(l.all[l.i^7].a)) }},
		{"barrier.cluster.wait", "int", "r", "barrier.cluster.arrive.relaxed; barrier.cluster.wait; " +
			"barrier.cluster.arrive; " +
			"barrier.cluster.wait; mov.u32 %r, %ra;", func(l lane) uint64 { return uint64(uint32(l.a)) }},
		{"st.async", "int", "d", asyncInto("16") +
			"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%t7+16], {%a, %b}, [tile];" +
			untilOver + " ld.shared.v2.u64 {%d, %w1}, [%t7+16]; " +
			"add.u64 %d, %d, %w1;", func(l lane) uint64 { return l.a + l.b }},
		{"red.async", "int", "d", asyncInto("8") +
			"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%t7+16], %a, [tile];" + untilOver +
			" ld.shared.u64 %d, [%t7+16];", func(l lane) uint64 { return l.a + l.c }},
		{"cp.bulk.peer", "int", "d", asyncInto("16") + "mov.u32 %t5, dynamic; mad.lo.u32 %t5, %lane, 16, %t5; " +
			"st.shared.v2.b64 [%t5], {%a, %b}; " +
			"fence.proxy.async.shared::cta; add.u32 %t4, %t7, 16; mov.u32 %t3, tile; " +
			"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%t4], [%t5], 16, [%t3];" + untilOver +
			" ld.shared.v2.u64 {%d, %w1}, [%t7+16]; sub.u64 %d, %d, %w1;", func(l lane) uint64 { return l.a - l.b }},
	}
	for _, r := range rows {
		isaTargets[r.name] = "sm_90"
		isaClusters[r.name] = Dim3{X: 1, Y: 1, Z: 1}
	}
	isaRows = append(isaRows, rows...)
}
