package vm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func inClusters(grid, cluster Dim3, threads uint32) Launch {
	return Launch{Grid: grid, Block: Dim3{X: threads, Y: 1, Z: 1}, Cluster: cluster}
}

// Blocks of clusters wait for each other and access each other's shared memory.
func TestClusters(t *testing.T) {
	t.Run("ranks", clusterRanks)
	t.Run("histogram", clusterHistogram)
	t.Run("ring", clusterRing)
	t.Run("fixed", fixedCluster)
}

// Every block is told its place in its cluster, and that one's in the grid.
func clusterRanks(t *testing.T) {
	m := load(t, "clusters", Checked())
	grid, c := Dim3{X: 4, Y: 4, Z: 2}, Dim3{X: 2, Y: 2, Z: 1}
	out := upload(m, make([]uint32, 8*32))
	if _, err := m.tryWith("ranks", inClusters(grid, c, 40), out); err != nil {
		t.Fatal(err)
	}
	got := download[uint32](m, out, 8*32)
	for i := range uint32(32) {
		x, y := i%4, i/4%4
		rank := x%2 + 2*(y%2)
		want := []uint32{rank, 4, x%2 + 16*(y%2), 2 + 16*2 + 256, rank * 40, 160, x / 2, 2}
		if !slices.Equal(got[8*i:8*i+8], want) {
			t.Fatalf("block %d: %v, want %v", i, got[8*i:8*i+8], want)
		}
	}
}

func clusterHistogram(t *testing.T) {
	m := load(t, "clusters", Checked())
	const bins, n = 500, 6000
	in := ints(n, bins)
	for _, size := range []uint32{1, 2, 4, 8} {
		out := upload(m, make([]int32, bins))
		each := (bins + size - 1) / size
		l := inClusters(Dim3{X: 8, Y: 1, Z: 1}, Dim3{X: size, Y: 1, Z: 1}, 64)
		l.SharedBytes = 4 * each
		if _, err := m.tryWith("histogram", l, out, bins, int(each), upload(m, in), n); err != nil {
			t.Fatal(err)
		}
		want := make([]int32, bins)
		for _, v := range in {
			want[v]++
		}
		same(t, "bins", download[int32](m, out, bins), want)
	}
}

func clusterRing(t *testing.T) {
	m := load(t, "clusters", Checked())
	const blocks, threads, rounds, size = 12, 64, 5, 4
	out := upload(m, make([]int32, blocks*threads))
	l := inClusters(Dim3{X: blocks, Y: 1, Z: 1}, Dim3{X: size, Y: 1, Z: 1}, threads)
	if _, err := m.tryWith("ring", l, out, rounds); err != nil {
		t.Fatal(err)
	}
	want := make([]int32, blocks*threads)
	for b := range blocks {
		for i := range threads {
			want[b*threads+i] = int32(b*1000 + i)
		}
	}
	for range rounds {
		old := slices.Clone(want)
		for b := range blocks {
			before := b/size*size + (b+size-1)%size
			for i := range threads {
				want[b*threads+i] = old[b*threads+i]*3 + old[before*threads+i]
			}
		}
	}
	same(t, "ring", download[int32](m, out, blocks*threads), want)
}

func fixedCluster(t *testing.T) {
	m := load(t, "clusters", Checked())
	out := upload(m, make([]uint32, 6))
	m.run("fixed", 6, 32, out)
	same(t, "fixed", download[uint32](m, out, 6), []uint32{20, 21, 20, 21, 20, 21})
}

// What goes wrong among the blocks of a cluster has a name.
func TestClusterFaults(t *testing.T) {
	m := loadText(t, "clusters", keptText(t, "clusters"), Checked())
	for _, c := range []struct {
		kernel string
		kind   driver.FaultKind
		says   string
	}{
		{"f_race", driver.FaultRace, ""},
		{"f_gone", driver.FaultUseAfterFree, "rank 0 of the cluster, whose threads have all exited"},
		{"f_deadlock", driver.FaultDeadlock, "rank 1, wait"},
		{"f_rank", driver.FaultOutOfBounds, "the cluster has 2 blocks"},
	} {
		out := upload(m, make([]int32, 2*64))
		l := inClusters(Dim3{X: 2, Y: 1, Z: 1}, Dim3{X: 2, Y: 1, Z: 1}, 32)
		if c.kernel == "f_deadlock" {
			l.Block.X = 64
		}
		_, err := m.tryWith(c.kernel, l, out)
		var f *Fault
		if !errors.As(err, &f) || f.Kind != c.kind || !strings.Contains(f.Detail, c.says) || f.Line == 0 {
			t.Errorf("%s: %v, want %s (%s)", c.kernel, err, c.kind, c.says)
		}
	}
}

// A cluster that cannot be is refused before it runs.
func TestClusterShapes(t *testing.T) {
	m := loadText(t, "clusters", keptText(t, "clusters"), Checked())
	out := m.alloc(4 * 1024)
	line := func(n uint32) Dim3 { return Dim3{X: n, Y: 1, Z: 1} }
	for _, c := range []struct {
		kernel        string
		grid, cluster uint32
		far           bool
		code          driver.Result
	}{
		{"ranks", 6, 4, false, driver.ErrorInvalidClusterSize}, {"ranks", 16, 16, false, driver.ErrorInvalidClusterSize},
		{"ranks", 16, 16, true, 0}, {"ranks", 32, 32, true, driver.ErrorInvalidClusterSize},
		{"fixed", 8, 4, false, driver.ErrorInvalidClusterSize}, {"fixed", 8, 2, false, 0},
		{"fixed", 7, 0, false, driver.ErrorInvalidClusterSize}, {"ranks", 7, 0, false, 0},
	} {
		l := inClusters(line(c.grid), line(c.cluster), 32)
		if c.cluster == 0 {
			l.Cluster = Dim3{}
		}
		l.NonPortableCluster = c.far
		_, err := m.tryWith(c.kernel, l, out)
		var e *LaunchError
		if c.code == 0 && err != nil || c.code != 0 && (!errors.As(err, &e) || e.Code != c.code) {
			t.Errorf("%s, grid %d, cluster %d: %v, want %v", c.kernel, c.grid, c.cluster, err, c.code)
		}
	}
}

// An H200 stops at st.async where no cluster was asked for.
func TestAsyncStoreOutsideClusters(t *testing.T) {
	for _, r := range isaRows {
		if r.name != "st.async" {
			continue
		}
		m := loadText(t, r.name, isaText(r), Checked())
		_, err := m.try("k", 1, isaLanes, upload(m, make([]uint64, 3*isaLanes)), m.alloc(8*isaLanes))
		var f *Fault
		if !errors.As(err, &f) || f.Kind.Code() != driver.ErrorIllegalInstruction {
			t.Errorf("%v, want an illegal instruction", err)
		}
	}
}

// Barriers of clusters that are aligned are for whole warps; those that are not are for any.
func TestAlignedClusterBarriers(t *testing.T) {
	const arrive, wait = "barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"
	for _, c := range []struct{ name, body, want string }{
		{"whole", arrive + wait + arrive + wait, ""},
		{"whole warps apart", "@%q bra O; " + arrive + "bra M; O: " + arrive + "M: " + wait, ""},
		{"in two places", "@%p bra O; " + arrive + "bra M;\nO: " + arrive + "\nM: " + wait,
			"lanes 0-6 of warp 0 are at PTX line 12, and lanes 7-31 at PTX line 11"},
		{"waited in two places", arrive + "@%p bra O; " + wait + "bra M;\nO: " + wait + "\nM: ret;",
			"lanes 0-6 of warp 0 are at PTX line 12, and lanes 7-31 at PTX line 11"},
		{"guarded", "@%p barrier.cluster.arrive.aligned;\n@!%p barrier.cluster.arrive.aligned;\n" + wait,
			"lanes 7-31 of warp 0 are at PTX line 12, and lanes 0-6 at PTX line 11"},
		{"exited", "@%p ret;\n" + arrive + wait, "lanes 7-31 of warp 0 are at PTX line 12, and lanes 0-6 have exited"},
		{"unaligned", "@%p bra O; barrier.cluster.arrive; bra M; O: barrier.cluster.arrive; M: barrier.cluster.wait;", ""},
		{"unaligned, exited", "@%p ret; barrier.cluster.arrive; barrier.cluster.wait;", ""},
		{"a warp exited", "@%q ret; " + arrive + wait, ""},
		{"in a loop", "mov.u32 %n, 3; L: " + arrive + wait + "sub.u32 %n, %n, 1; setp.ne.u32 %r, %n, 0; @%r bra L;", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p, %q, %r;\n" +
				".reg .b32 %t, %n;\nmov.u32 %t, %tid.x;\nsetp.lt.u32 %p, %t, 7;\nsetp.ge.u32 %q, %t, 32;\n" + c.body +
				"\nret;\n}\n"
			m := loadText(t, "aligned", text, Checked())
			_, err := m.tryWith("k", inClusters(Dim3{X: 4, Y: 1, Z: 1}, Dim3{X: 2, Y: 1, Z: 1}, 64))
			if c.want == "" {
				wantFault(t, err, "", "")
				return
			}
			wantFault(t, err, driver.FaultBarrierDivergence, c.want)
		})
	}
}
