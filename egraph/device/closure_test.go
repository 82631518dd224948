package device

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
)

// Handles that tests leave alive fail the package.
func TestMain(m *testing.M) {
	code := leaktest.Run(m, "egraph/device")
	if left := cuda.Live(); len(left) > 0 && code == 0 {
		fmt.Fprintln(os.Stderr, "left alive:", left)
		code = 1
	}
	os.Exit(code)
}

func open(t testing.TB) *cuda.Device {
	t.Helper()
	dev, err := cuda.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}

// same compares the device's closure with the host's, class by class.
func same(t *testing.T, dev *cuda.Device, g *egraph.EGraph, unions []image.Pair) *Result {
	t.Helper()
	m, err := g.Image()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Close(dev, m, unions)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.UnionAll(unions, "test"); err != nil {
		t.Fatal(err)
	}
	for _, id := range m.Column(image.GroupClasses) {
		if want := uint32(g.Find(egraph.ID(id))); r.Parent[id] != want {
			t.Fatalf("class %d is in %d, on the host in %d", id, r.Parent[id], want)
		}
	}
	if r.Classes(m) != g.Classes() {
		t.Errorf("%d classes, on the host %d", r.Classes(m), g.Classes())
	}
	return r
}

func TestCloseRandomGraphs(t *testing.T) {
	dev := open(t)
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		g := egraph.New()
		var ids []egraph.ID
		for i := range 1 + r.Intn(20) {
			ids = append(ids, g.MustAdd(fmt.Sprint("x", i)))
		}
		for range r.Intn(400) {
			kids := make([]egraph.ID, 1+r.Intn(3))
			for i := range kids {
				kids[i] = ids[r.Intn(len(ids))]
			}
			id, err := g.AddNode(fmt.Sprint("f", len(kids)), kids...)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		var unions []image.Pair
		for range r.Intn(10) {
			unions = append(unions, image.Pair{Left: uint32(ids[r.Intn(len(ids))]), Right: uint32(ids[r.Intn(len(ids))])})
		}
		same(t, dev, g, unions)
	}
}

// The worst case for rounds: a chain needs one for each application.
func TestCloseChain(t *testing.T) {
	g := egraph.New()
	a, b := g.MustAdd("a"), g.MustAdd("b")
	x, y := a, b
	const n = 40
	for range n {
		x, _ = g.AddNode("f", x)
		y, _ = g.AddNode("f", y)
	}
	if r := same(t, open(t), g, []image.Pair{{Left: uint32(a), Right: uint32(b)}}); r.Rounds != n+1 {
		t.Errorf("%d rounds for a chain of %d", r.Rounds, n)
	}
}

// Rows of up to a hundred children are pairs of pairs, with operators in the keys or as ids.
func TestCloseWideRows(t *testing.T) {
	dev := open(t)
	for seed := range int64(6) {
		r := rand.New(rand.NewSource(seed))
		g := egraph.New()
		ids := []egraph.ID{g.MustAdd("a"), g.MustAdd("b"), g.MustAdd("c")}
		for range 60 {
			kids := make([]egraph.ID, 1+r.Intn(3))
			if r.Intn(3) == 0 {
				kids = make([]egraph.ID, 3+r.Intn(98))
			}
			for i := range kids {
				kids[i] = ids[r.Intn(min(len(ids), 4))]
			}
			id, err := g.AddNode(fmt.Sprint("f", len(kids)), kids...)
			if err != nil {
				t.Fatal(err)
			}
			if len(kids) < 5 {
				ids = append(ids, id)
			}
		}
		unions := []image.Pair{{Left: uint32(ids[0]), Right: uint32(ids[1])}, {Left: uint32(ids[2]), Right: uint32(ids[3])}}
		m, err := g.Image()
		if err != nil {
			t.Fatal(err)
		}
		n, err := size(m, unions)
		if err != nil {
			t.Fatal(err)
		}
		want := same(t, dev, g, unions)
		apart, err := newResident(dev, packWith(m, n, unions, 20, true), n)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := apart.Fixpoint(); err != nil {
			t.Fatal(err)
		}
		got, err := cuda.Slice[uint32](apart.parent)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got[:n], want.Parent) {
			t.Error("with operators as ids the classes are others")
		}
		if err := apart.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Operators that do not fit the keys become ids, and no id is cut off.
func TestPackWidths(t *testing.T) {
	b := image.NewBuilder(0, 0).Row(0, "a")
	for i := range uint32(40) {
		b.Row(1+i, fmt.Sprint("f", i), 0, 0)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ids, width int
		apart      bool
	}{{41, 6, false}, {1 << 29, 29, false}, {1<<29 + 1, 30, true}, {1<<30 + 1, 31, true}} {
		p := pack(m, c.ids, nil)
		if apart := p.ids > c.ids; p.width != c.width || apart != c.apart {
			t.Errorf("%d ids: %d bits, operators apart: %v", c.ids, p.width, apart)
		}
		if p.ids > 1<<p.width {
			t.Errorf("%d ids in %d bits", p.ids, p.width)
		}
	}
}

// Equal rows that no union joins: payload is identity, and one literal in many classes is one
// class.
func TestCloseEqualRows(t *testing.T) {
	b := image.NewBuilder(0, 0)
	for i := range uint32(500) {
		b.Row(2*i, "lit 1").Row(2*i+1, "lit 2")
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Close(open(t), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Classes(m) != 2 || r.Parent[998] != 0 || r.Parent[999] != 1 {
		t.Errorf("%v: %d classes", r, r.Classes(m))
	}
}

func TestCloseRefuses(t *testing.T) {
	dev := open(t)
	m, err := image.NewBuilder(0, 0).Row(0, "a").Row(1, "f", 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	var bad *image.IntegrityError
	if _, err := Close(dev, m, []image.Pair{{Left: 0, Right: 7}}); !errors.As(err, &bad) || bad.Value != 7 {
		t.Error(err)
	}
	m.Column(image.Children)[0] = 9
	if _, err := Close(dev, m, nil); !errors.As(err, &bad) || bad.Context != "child" {
		t.Error(err)
	}
	empty, err := image.NewBuilder(0, 0).Build()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Close(dev, empty, nil); err != nil || len(r.Parent) != 0 {
		t.Errorf("%v, %v", r, err)
	}
}

// A graph of thousands of rows closes on the emulated device in bearable time: no more blocks spin
// at a barrier than the host has threads for. // E2
func TestCloseLargeOnEmulated(t *testing.T) {
	dev, err := cuda.Open("emulated")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	r := rand.New(rand.NewSource(1))
	g := egraph.New()
	var ids []egraph.ID
	for i := range 20 {
		ids = append(ids, g.MustAdd(fmt.Sprint("x", i)))
	}
	for range 10_000 {
		id, err := g.AddNode("f", ids[r.Intn(len(ids))], ids[r.Intn(len(ids))])
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	m, err := g.Image()
	if err != nil {
		t.Fatal(err)
	}
	resident, err := NewResident(dev, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if resident.blocks > emulatedBlocks {
		t.Errorf("%d blocks wait for each other on the emulated device", resident.blocks)
	}
	if err := resident.Close(); err != nil {
		t.Error(err)
	}
	start := time.Now()
	same(t, dev, g, []image.Pair{{Left: uint32(ids[0]), Right: uint32(ids[1])}, {Left: uint32(ids[2]),
		Right: uint32(ids[3])}})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the closure took %v", took)
	}
}
