package device

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// Handles that tests leave alive fail the package.
func TestMain(m *testing.M) {
	code := m.Run()
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

// Equal rows that no union joins: payload is identity, and one literal in many classes is one class.
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
