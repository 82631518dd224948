package join

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, h := range cuda.Live() {
		fmt.Fprintln(os.Stderr, "left alive:", h)
		code = 1
	}
	os.Exit(code)
}

func open(t testing.TB) (*cuda.Device, *Joiner) {
	t.Helper()
	dev, err := cuda.Open()
	if err != nil {
		t.Fatal(err)
	}
	j, err := New(dev)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(j.Close(), dev.Close()); err != nil {
			t.Error(err)
		}
	})
	return dev, j
}

// The rows of the specification.
func TestTopology(t *testing.T) {
	for _, c := range []struct {
		n       uint32
		scratch []uint32
		nodes   int
	}{{0, nil, 0}, {1, nil, 1}, {256, nil, 1}, {257, []uint32{2}, 3}, {65537, []uint32{257, 2}, 5},
		{math.MaxUint32, []uint32{1 << 24, 1 << 16, 256}, 7}} {
		got := Topology(c.n)
		if !slices.Equal(got.Lengths(), c.scratch) || got.KernelNodes != c.nodes {
			t.Errorf("%d: %v, %d nodes", c.n, got.Lengths(), got.KernelNodes)
		}
	}
}

func TestCapacityClass(t *testing.T) {
	for n, want := range map[uint32]uint32{0: 1, 1: 1, 2: 2, 3: 4, 257: 512, 513: 1024, 1 << 31: 1 << 31, 1<<31 + 1: math.MaxUint32, math.MaxUint32: math.MaxUint32} {
		if got := CapacityClass(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

func TestInnerKey(t *testing.T) {
	k, err := InnerKey(2, 16, 257, 513)
	if err != nil {
		t.Fatal(err)
	}
	if k.Kind != Inner || k.Arity != 2 || k.KeyBytes != 16 || k.ProbeCapacity != 512 || k.OutputCapacity != 1024 || !slices.Equal(k.Scan.Lengths(), []uint32{2}) || k.NodeLayout != 1 {
		t.Errorf("%+v", k)
	}
	var bad *ArityError
	if _, err := InnerKey(256, 16, 1, 1); !errors.As(err, &bad) || bad.Arity != 256 {
		t.Errorf("%v", err)
	}
}

// The specification's replay: two joins, one capture.
func TestJoinIsReplayed(t *testing.T) {
	_, j := open(t)
	for _, c := range []struct {
		probe, build []uint32
		key          uint32
	}{{[]uint32{1, 2, 3, 2}, []uint32{2, 2, 4}, 2}, {[]uint32{5, 7, 5, 9}, []uint32{5, 8, 5}, 5}} {
		rows, err := j.Inner(c.probe, c.build)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 4 {
			t.Errorf("%d rows, want 4", len(rows))
		}
		for _, r := range rows {
			if c.probe[r.Probe] != c.key || c.build[r.Build] != c.key {
				t.Errorf("row %v is of %d and %d", r, c.probe[r.Probe], c.build[r.Build])
			}
		}
	}
	if s := j.Stats(); s != (Stats{Captures: 1, Launches: 2, Hits: 1}) {
		t.Errorf("%+v", s)
	}
	card := j.Table()
	if text := card.Text(); !strings.Contains(text, "graphs captured  1") || j.Graph() == nil {
		t.Error(text)
	}
}

func TestExclusivePrefix(t *testing.T) {
	dev, j := open(t)
	for _, n := range []int{6, 256, 257, 1000} {
		in := make([]uint32, n)
		for i := range in {
			in[i] = uint32(i*i) % 5
		}
		if n == 6 {
			in = []uint32{1, 0, 1, 1, 0, 1}
		}
		want, sum := make([]uint32, n), uint32(0)
		for i, v := range in {
			want[i] = sum
			sum += v
		}
		src, out, total := dev.MustUpload(in), dev.MustMake(n, uint32(0)), dev.MustMake(1, uint32(0))
		topology := Topology(uint32(n))
		var scratch []*cuda.Buffer
		for _, l := range topology.Lengths() {
			scratch = append(scratch, dev.MustMake(int(l), uint32(0)))
		}
		g := dev.MustCapture(func(s *cuda.Stream) { j.scan(s, src, out, total, n, scratch, 0) })
		if nodes := len(g.Nodes()); nodes != topology.KernelNodes {
			t.Errorf("%d: %d nodes, planned %d", n, nodes, topology.KernelNodes)
		}
		if err := g.Launch(); err != nil {
			t.Fatal(err)
		}
		if got := cuda.MustSlice[uint32](out); !slices.Equal(got, want) || cuda.MustSlice[uint32](total)[0] != sum {
			t.Errorf("%d: total %d, want %d", n, cuda.MustSlice[uint32](total)[0], sum)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Random joins against nested loops, also where the output outgrows its class.
func TestJoinAgainstNestedLoops(t *testing.T) {
	_, j := open(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ probe, build, keys int }{{0, 5, 3}, {5, 0, 3}, {1, 1, 1}, {40, 30, 4}, {300, 100, 50}, {700, 20, 1000}} {
		probe, build := random(r, c.probe, c.keys), random(r, c.build, c.keys)
		var want []Row
		for i, p := range probe {
			for k, b := range build {
				if p == b {
					want = append(want, Row{uint32(i), uint32(k)})
				}
			}
		}
		got, err := j.Inner(probe, build)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d keys against %d: %d rows, want %d", c.probe, c.build, len(got), len(want))
		}
	}
}

func random(r *rand.Rand, n, keys int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(r.IntN(keys))
	}
	return v
}
