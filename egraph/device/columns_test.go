package device

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

func built(t *testing.T, b *image.Builder) *image.Image {
	t.Helper()
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func uploaded(t *testing.T, dev *cuda.Device, m *image.Image) *Columns {
	t.Helper()
	c, err := Upload(dev, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// sameEquivalences compares what the device finds with what the host does.
func sameEquivalences(t *testing.T, c *Columns, m *image.Image, limit int) {
	t.Helper()
	want, wanted, wantErr := m.Equivalences(limit)
	got, emitted, err := c.Equivalences(limit)
	var size *image.SizeError
	if errors.As(wantErr, &size) {
		if !errors.As(err, &size) {
			t.Errorf("%d pairs, %v, where the host says %v", len(got), err, wantErr)
		}
		return
	}
	if err != nil || wantErr != nil || emitted != wanted || !slices.Equal(got, want) {
		t.Errorf("%v of %d, %v; on the host %v of %d, %v", got, emitted, err, want, wanted, wantErr)
	}
}

func TestColumnsEquivalences(t *testing.T) {
	dev := open(t)
	adds := func(a, b string) *image.Builder {
		return image.NewBuilder(0, 0).Row(10, a).Row(20, b).Row(30, "add", 10, 20).Row(40, "add", 10, 20).Row(50, "add", 20,
			10)
	}
	hub := image.NewBuilder(0, 0)
	for i := range uint32(60) {
		hub.Row(i, "l")
	}
	sameClass := image.NewBuilder(0, 0)
	for range 5000 {
		sameClass.Row(3, "l")
	}
	for name, b := range map[string]*image.Builder{
		"one literal": adds("lit 1", "lit 1"), "payload is identity": adds("lit 1", "lit 2"), "empty": image.NewBuilder(0, 0),
		"four equal":          image.NewBuilder(0, 0).Row(1, "l").Row(2, "l").Row(3, "l").Row(4, "l"),
		"twice the same pair": image.NewBuilder(0, 0).Row(1, "l").Row(2, "l").Row(1, "m").Row(2, "m"),
		"one class":           image.NewBuilder(0, 0).Row(1, "l").Row(1, "l"), "more pairs than rows": hub,
		"many rows of one class": sameClass,
		"wide": image.NewBuilder(0, 0).Row(1, "l").Row(2, "w", 1, 1, 1, 1, 1).Row(3, "w", 1, 1, 1, 1, 1).Row(4, "w", 1,
			1, 1, 1, 4),
		"prefixes": image.NewBuilder(0, 0).Row(1, "l").Row(2, "f", 1).Row(3, "f", 1, 1),
	} {
		t.Run(name, func(t *testing.T) {
			m := built(t, b)
			c := uploaded(t, dev, m)
			for _, limit := range []int{10_000, 1770, 1769, 1, 0} {
				sameEquivalences(t, c, m, limit)
			}
		})
	}
}

// Rows of all widths over few classes: many are equal, and the closure's forest makes more so.
func TestColumnsRandom(t *testing.T) {
	dev := open(t)
	for seed := range int64(12) {
		r := rand.New(rand.NewSource(seed))
		b := image.NewBuilder(0, 0)
		classes := uint32(1 + r.Intn(30))
		for i := range classes {
			b.Row(3*i, fmt.Sprint("x", r.Intn(40)))
		}
		for range r.Intn(600) {
			kids := make([]uint32, r.Intn(5))
			for i := range kids {
				kids[i] = 3 * uint32(r.Intn(int(classes)))
			}
			b.Row(3*uint32(r.Intn(int(classes))), fmt.Sprint("f", r.Intn(3)), kids...)
		}
		m := built(t, b)
		c := uploaded(t, dev, m)
		sameEquivalences(t, c, m, 1<<20)
		closed, err := Close(dev, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Canonicalise(closed.Parent); err != nil {
			t.Fatal(err)
		}
		back, err := c.Download()
		if err != nil {
			t.Fatal(err)
		}
		canonical(m, closed.Parent)
		if !slices.Equal(back.Slab[:m.Layout.SnapshotBytes()/4], m.Slab[:m.Layout.SnapshotBytes()/4]) ||
			!slices.Equal(back.Ops, m.Ops) {
			t.Fatalf("seed %d: canonicalised on the device the image is another one than on the host", seed)
		}
		if pairs, _, err := c.Equivalences(0); len(pairs) > 0 || err != nil {
			t.Errorf("seed %d: closed, and equal rows in %v, %v", seed, pairs, err)
		}
	}
}

// canonical is what Canonicalise does, on the host.
func canonical(m *image.Image, parent []uint32) {
	for _, column := range []image.Column{image.RowClasses, image.Children} {
		for i, id := range m.Column(column) {
			m.Column(column)[i] = parent[id]
		}
	}
	m.Sign()
}

func TestColumnsOfGraph(t *testing.T) {
	g := egraph.New()
	for i := range 300 {
		g.MustAdd(fmt.Sprintf("(f (g x%d) (h x%d %d))", i%7, i%11, i))
	}
	m, err := g.Image()
	if err != nil {
		t.Fatal(err)
	}
	c := uploaded(t, open(t), m)
	if err := c.Sign(); err != nil {
		t.Fatal(err)
	}
	back, err := c.Download()
	if err != nil || !slices.Equal(back.Slab, m.Slab) {
		t.Errorf("what comes back is another image, %v", err)
	}
}

func TestColumnsRefuse(t *testing.T) {
	dev := open(t)
	m := built(t, image.NewBuilder(0, 0).Row(1, "l").Row(4, "f", 1))
	c := uploaded(t, dev, m)
	var broken *image.IntegrityError
	for _, parent := range [][]uint32{{0, 1, 2, 3}, {0, 0, 1, 3, 4}, {0, 9, 2, 3, 4}, nil} {
		if err := c.Canonicalise(parent); !errors.As(err, &broken) {
			t.Errorf("%v: %v", parent, err)
		}
	}
	if back, err := c.Download(); err != nil || !slices.Equal(back.Slab, m.Slab) {
		t.Errorf("a refused forest changed the image, %v", err)
	}
	m.Column(image.Children)[0] = 7
	if _, err := Upload(dev, m); !errors.As(err, &broken) {
		t.Errorf("a child of no class: %v", err)
	}
}
