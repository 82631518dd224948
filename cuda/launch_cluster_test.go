package cuda

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// Clusters are asked for where kernels are launched; what cannot be says what to do.
func TestClusters(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("ptx", "testdata", "kernels", "clusters.ptx"))
	check(t, err)
	d := must(OpenDriver(emulated.New(), 0))
	defer func() { check(t, d.Close()) }()
	m := d.MustLoadPTX(string(text))
	ring, ranks := m.MustKernel("ring"), m.MustKernel("ranks")
	out := d.MustUpload(make([]int32, 64*16))
	check(t, d.Launch(ring, Grid(8), Block(64), out, 1, Cluster(4)))
	got := MustSlice[int32](out)
	if got[0] != 3000 || got[64] != 3000 || got[4*64+1] != (4001)*3+7001 {
		t.Error(got[0], got[64], got[4*64+1])
	}
	g := d.MustCapture(func(s *Stream) { check(t, s.Launch(ring, Grid(8), Block(64), out, 1, Cluster(2))) })
	check(t, g.Launch())
	if got := MustSlice[int32](out); got[0] != 1000 {
		t.Error("captured:", got[0])
	}
	one := Block(32)
	for _, c := range []struct {
		want string
		err  error
	}{
		{"round the grid up", d.Launch(ranks, Grid(6), one, out, Cluster(4))},
		{"AllowLargeClusters", d.Launch(ranks, Grid(16), one, out, Cluster(16))},
		{"at most 16", d.Launch(ranks, Grid(32), one, out, Cluster(32))},
		{"Cluster(0)", d.Launch(ranks, Grid(16), one, out, Cluster(0))},
		{".reqnctapercluster", d.Launch(m.MustKernel("fixed"), Grid(16), one, out, Cluster(4))},
	} {
		var e *Error
		if !errors.As(c.err, &e) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	check(t, ranks.AllowLargeClusters())
	check(t, d.Launch(ranks, Grid(16), one, out, Cluster(16)))
	check(t, d.Launch(m.MustKernel("fixed"), Grid(16), one, out))
	_, err = ring.Plan(Grid(8), one, InOut("out"), 1, Cluster(4), Fixpoint("out", 2))
	if err == nil || !strings.Contains(err.Error(), "a launch without Cluster") {
		t.Error("a fixpoint takes Cluster:", err)
	}
}
