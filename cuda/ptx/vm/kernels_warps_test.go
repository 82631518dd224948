package vm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWarpKernels(t *testing.T) {
	m := load(t, "warps", Checked())
	x := ints(256, 100)
	px := upload(m, x)
	sum := int32(0)
	for _, v := range x[:250] {
		sum += v
	}
	out := upload(m, []int32{0})
	m.run("warp_sum", 2, 128, px, out, 250)
	same(t, "sum", download[int32](m, out, 1), []int32{sum})

	out = m.alloc(4 * 256)
	m.run("warp_scan", 2, 128, px, out)
	want := make([]int32, 256)
	for i, v := range x {
		want[i] = v
		if i%32 != 0 {
			want[i] += want[i-1]
		}
	}
	same(t, "scan", download[int32](m, out, 256), want)
	testBallots(t, m, x, px)
}

func testBallots(t *testing.T, m *machine, x []int32, px uint64) {
	votes, equal, red := m.alloc(1024), m.alloc(1024), m.alloc(1024)
	m.run("ballots", 2, 128, px, votes, equal, red)
	gv, ge, gr := download[uint32](m, votes, 256), download[uint32](m, equal, 256), download[int32](m, red, 256)
	for i := range x {
		var b, e uint32
		var s int32
		var any uint32
		for l := range 32 {
			v := x[i/32*32+l]
			b |= uint32(v&1) << l
			if v%5 == x[i]%5 {
				e |= 1 << l
			}
			if v == 7 {
				any = 1
			}
			s += v
		}
		if gv[i] != b^2^any || ge[i] != e || gr[i] != s {
			t.Fatalf("lane %d: %#x %#x %d, want %#x %#x %d", i, gv[i], ge[i], gr[i], b^2^any, e, s)
		}
	}
}

func TestCompact(t *testing.T) {
	m := load(t, "warps", Checked())
	x := ints(300, 10)
	for i := range x {
		x[i] -= 5
	}
	out, count := m.alloc(1200), upload(m, []int32{0})
	m.run("compact", 3, 128, upload(m, x), out, count, len(x))
	var want []int32
	for _, v := range x {
		if v > 0 {
			want = append(want, v)
		}
	}
	n := download[int32](m, count, 1)[0]
	if int(n) != len(want) {
		t.Fatalf("%d kept, want %d", n, len(want))
	}
	kept := download[int32](m, out, len(want))
	slices.Sort(kept) // warps race for their places
	slices.Sort(want)
	same(t, "kept", kept, want)
}

func TestGridSync(t *testing.T) {
	m := load(t, "warps", Checked())
	x := numbers(1000, func(r *rand.Rand) float32 { return float32(r.IntN(100)) })
	var sum float32
	for _, v := range x {
		sum += v
	}
	out := upload(m, []float32{0, 0})
	_, err := m.tryWith("gridsum", Launch{Grid: Dim3{X: 4, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, Cooperative: true}, upload(m, x), out, len(x))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "sums", download[float32](m, out, 2), []float32{sum, 2 * sum})
}

func TestSpinLockInsideAWarp(t *testing.T) {
	m := load(t, "warps", Checked())
	lock, total := upload(m, []int32{0}), upload(m, []int32{0})
	m.run("spinlock", 3, 64, lock, total)
	same(t, "total", download[int32](m, total, 1), []int32{192})
}

func TestLastBlock(t *testing.T) {
	m := load(t, "warps", Checked())
	x := numbers(5000, func(r *rand.Rand) float32 { return float32(r.IntN(50)) })
	var sum float32
	for _, v := range x {
		sum += v
	}
	out := m.alloc(4)
	for range 2 {
		m.run("last_block", 7, 128, upload(m, x), m.alloc(28), out, len(x))
		same(t, "sum", download[float32](m, out, 1), []float32{sum})
	}
}
