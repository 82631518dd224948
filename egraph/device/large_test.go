package device

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// openGPU opens a GPU; sizes here take the emulated device minutes, which does the same with
// smaller ones.
func openGPU(t *testing.T, smaller string) *cuda.Device {
	dev := open(t)
	if dev.Emulated() {
		t.Skip("for a GPU; on the emulated device " + smaller + " does the same with less")
	}
	return dev
}

// randomGraph adds so many rows of up to three children, random over the classes before them.
func randomGraph(t *testing.T, leaves, rows int, seed int64) (*egraph.EGraph, []image.Pair) {
	r := rand.New(rand.NewSource(seed))
	g := egraph.New()
	b := g.Bulk()
	var refs []egraph.Ref
	for i := range leaves {
		ref, err := b.Leaf(term.Int(int64(i)))
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	for range rows {
		kids := make([]egraph.Ref, 1+min(2, r.Intn(16)/5))
		for i := range kids {
			kids[i] = refs[r.Intn(len(refs))]
		}
		ref, err := b.Node(fmt.Sprint("f", len(kids)), kids...)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	var unions []image.Pair
	for range leaves / 4 {
		x, err := b.Class(refs[r.Intn(leaves)])
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Class(refs[r.Intn(leaves)])
		if err != nil {
			t.Fatal(err)
		}
		unions = append(unions, image.Pair{Left: uint32(x), Right: uint32(y)})
	}
	return g, unions
}

func TestLargeRandomGraphs(t *testing.T) {
	dev := openGPU(t, "TestCloseRandomGraphs")
	for _, n := range []int{100_000, 1_000_000, 10_000_000} {
		g, unions := randomGraph(t, n/10, n, int64(n))
		r := same(t, dev, g, unions)
		t.Logf("%d rows: %d rounds, %v", n, r.Rounds, r.Closure)
	}
}

func TestLargeChain(t *testing.T) {
	dev := openGPU(t, "TestCloseChain")
	g := egraph.New()
	a, b := g.MustAdd("a"), g.MustAdd("b")
	x, y := a, b
	for range 10_000 {
		x, _ = g.AddNode("f", x)
		y, _ = g.AddNode("f", y)
	}
	r := same(t, dev, g, []image.Pair{{Left: uint32(a), Right: uint32(b)}})
	t.Logf("a chain of 10,000: %d rounds, %v", r.Rounds, r.Closure)
}

func TestLargeEqualRows(t *testing.T) {
	dev := openGPU(t, "TestCloseEqualRows")
	const n = 1_000_000
	b := image.NewBuilder(n+1, 2*n).Row(0, "a")
	for i := range uint32(n) {
		b.Row(1+i, "f", 0, 0)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Close(dev, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Classes(m) != 2 {
		t.Errorf("%d classes", r.Classes(m))
	}
	t.Logf("a million equal rows: %d rounds, %v", r.Rounds, r.Closure)
}

// With a first round by parts and without, the same classes in as many rounds.
func TestLargeParts(t *testing.T) {
	dev := openGPU(t, "TestPartsLikeMaps")
	random, ids := packCase(closures.Case{Leaves: 2_000_000, Terms: 20_000_000, Unions: 1_000_000, Layered: true})
	equal := &packing{width: random.width, ids: ids, keys: make([]uint64, 20_000_000), classes: random.classes}
	for i := range equal.keys {
		equal.keys[i] = 2<<50 | 3<<random.width | 4
	}
	for name, p := range map[string]*packing{"random": random, "equal": equal} {
		var parents [2][]uint32
		var took [2]time.Duration
		var rounds [2]int
		for i := range parents {
			r, err := newResidentBy(dev, p, ids, i == 1)
			if err != nil {
				t.Fatal(err)
			}
			if took[i], rounds[i], err = r.Fixpoint(); err != nil {
				t.Fatal(err)
			}
			if parents[i], err = cuda.Slice[uint32](r.parent); err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(parents[0], parents[1]) {
			t.Errorf("%s: classes differ", name)
		}
		t.Logf("20 million %s rows: %d rounds in %v, by parts %d in %v", name, rounds[0], took[0], rounds[1], took[1])
	}
}

// One iteration over a large random graph, with hubs: classes of very many rows.
func TestLargeSaturation(t *testing.T) {
	dev := openGPU(t, "TestSaturateLikeHost")
	rules := egraph.MustParseRules("comm: (f2 ?a ?b) => (f2 ?b ?a)\nassoc: (f2 ?a (f2 ?b ?c)) => (f2 (f2 ?a ?b) " +
		"?c)\nturn: " +
		"(f3 ?a ?b ?c) => (f3 ?b ?c ?a)\nin: (f1 (f1 ?x)) => ?x")
	for _, seed := range []int64{1, 2} {
		build := func() *egraph.EGraph {
			g, unions := randomGraph(t, 2000, 200_000, seed)
			if seed == 2 {
				// A hundredth of the classes is one.
				ids := g.ClassIDs()
				for i := 100; i < len(ids); i += 100 {
					unions = append(unions, image.Pair{Left: uint32(ids[100]), Right: uint32(ids[i])})
				}
			}
			if err := g.UnionAll(unions, "test"); err != nil {
				t.Fatal(err)
			}
			return g
		}
		limits := []egraph.RunOption{egraph.Iterations(2), egraph.MaxNodes(100_000_000)}
		if seed == 2 {
			limits[0] = egraph.Iterations(1)
		}
		host, g := build(), build()
		before := len(host.ClassIDs())
		want := host.Run(rules, append(limits, egraph.OnHost(), egraph.FullSearch())...)
		got := g.Run(rules, append(limits, egraph.On(New(dev)))...)
		sameRuns(t, host, g, want, got, before)
		t.Logf("on the host %v\non the device %v", want, got)
	}
}
