package device

import (
	"errors"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

func smallImage(t testing.TB) *image.Image {
	t.Helper()
	g := egraph.New()
	g.MustAdd("(f (g a) b)")
	m, err := g.Image()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What cannot be done is refused by an error of the package's own. // D20
func TestLaws(t *testing.T) {
	dev := open(t)
	m := smallImage(t)
	resident := func() *Resident {
		r, err := NewResident(dev, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	columns := func() *Columns {
		c, err := Upload(dev, m)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Resident)(nil), (*Columns)(nil), (*Engine)(nil)},
		Data:  []any{(*Result)(nil), (*UseError)(nil)},
		States: []lawtest.State{
			{Name: "works", New: func() any { return resident() }, Works: true},
			{Name: "works", New: func() any { return columns() }, Works: true},
			{Name: "closed", New: func() any { r := resident(); _ = r.Close(); return r }},
			{Name: "closed", New: func() any { c := columns(); _ = c.Close(); return c }},
		},
		Functions: map[string]any{"Close": Close, "NewResident": NewResident, "Upload": Upload, "New": New},
		Refusal: func(v any) bool {
			err, _ := v.(error)
			var use *UseError
			var driver *cuda.Error
			var integrity *image.IntegrityError
			return errors.As(err, &use) || errors.As(err, &driver) || errors.As(err, &integrity)
		},
		Args: []any{func() *cuda.Device { return dev }, func() *image.Image { return m }},
		Answers: map[string]string{
			"New*":            "an engine without a device says so when it is used",
			"Engine.String*":  "a name for reports",
			"Resident.Table*": "the card says that there is none",
			"Columns.Table*":  "the card says that there are none",
			"Resident.Bytes*": "no traffic",
		},
		Apart: map[string]string{"Resident.*": "one goroutine a Resident", "Columns.*": "one goroutine a Columns"},
		Done: func(v any) {
			switch v := v.(type) {
			case *Resident:
				if v != nil && v.dev != nil {
					_ = v.free()
				}
			case *Columns:
				if v != nil && v.dev != nil && !v.closed {
					_ = v.Close()
				}
			}
		},
	})
}

// A number of pairs below 0 is refused, not taken for a very large one. // D22
func TestEquivalencesLimit(t *testing.T) {
	c, err := Upload(open(t), smallImage(t))
	if err != nil {
		t.Fatal(err)
	}
	var use *UseError
	if _, _, err := c.Equivalences(-1); !errors.As(err, &use) {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// What is on a device shows a card. // D25
func TestCards(t *testing.T) {
	dev, m := open(t), smallImage(t)
	r, err := NewResident(dev, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Upload(dev, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{r.Table().Text(), c.Table().Text()} {
		if len(text) < 50 {
			t.Error(text)
		}
	}
	t.Log(r.Table().Text(), c.Table().Text())
	if err := errors.Join(r.Close(), c.Close()); err != nil {
		t.Error(err)
	}
}

// twoChains is f applied so often to a and to b, which are to be merged.
func twoChains(t testing.TB, n int) (*egraph.EGraph, []image.Pair) {
	t.Helper()
	g := egraph.New()
	a, b := g.MustAdd("a"), g.MustAdd("b")
	x, y := a, b
	for range n {
		x, _ = g.AddNode("f", x)
		y, _ = g.AddNode("f", y)
	}
	return g, []image.Pair{{Left: uint32(a), Right: uint32(b)}}
}

// A deep graph does not take a round over all of it for each level. // EG11, E2
func TestCloseDeepChain(t *testing.T) {
	const n = 2000
	dev := open(t)
	g, unions := twoChains(t, n)
	start := time.Now()
	r := same(t, dev, g, unions)
	took := time.Since(start)
	t.Logf("%d levels: %d rounds, %v", n, r.Rounds, took)
	if r.Rounds != n+1 || took > 20*time.Second {
		t.Errorf("%d rounds in %v", r.Rounds, took)
	}
}

// What the host closes is what the device would have closed, and the device has it.
func TestCloseOnHost(t *testing.T) {
	dev := open(t)
	for seed := range int64(8) {
		g, unions := randomGraph(t, 30, 400, seed)
		m, err := g.Image()
		if err != nil {
			t.Fatal(err)
		}
		var parents [2][]uint32
		for i := range parents {
			r, err := NewResident(dev, m, unions)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				_, _, err = r.fixpoint(r.pairs, 1<<30)
			} else if _, _, err = r.fixpoint(r.pairs, 1); err == nil {
				_, err = r.closeOnHost()
			}
			if err != nil {
				t.Fatal(err)
			}
			if parents[i], err = cuda.Slice[uint32](r.parent); err != nil {
				t.Fatal(err)
			}
			if _, rounds, err := r.fixpoint(0, 1<<30); err != nil || rounds != 1 {
				t.Errorf("seed %d: a further closure takes %d rounds, %v", seed, rounds, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		for id, p := range parents[0] {
			if parents[1][id] != p {
				t.Fatalf("seed %d: class %d is in %d, not %d", seed, id, parents[1][id], p)
			}
		}
	}
}
