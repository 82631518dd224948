package egraph

import (
	"fmt"
	"testing"
)

// xorshift is the generator of the closure benchmark.
type xorshift uint64

func (x *xorshift) next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x)
}

// closureCase is a random graph of binary terms over leaves, and unions of leaves.
type closureCase struct {
	leaves, terms, unions int
	layered               bool
	classes               int
}

var closureCases = []closureCase{
	{1_000, 1_000_000, 500, false, 296_956},
	{100_000, 1_000_000, 50_000, false, 1_035_126},
	{100_000, 4_000_000, 50_000, false, 3_899_492},
	{1_000_000, 4_000_000, 500_000, true, 4_498_455},
}

func (c closureCase) String() string {
	return fmt.Sprintf("%dk,%dk,%d,layered=%v", c.leaves/1000, c.terms/1000, c.unions, c.layered)
}

// build makes the graph, closed, with the unions made but congruence not yet restored.
func (c closureCase) build(t testing.TB) *EGraph {
	g := New()
	x := xorshift(88172645463325252)
	terms := make([]ID, c.leaves, c.leaves+c.terms)
	for i := range terms {
		terms[i], _ = g.AddLeaf(Int(int64(i)))
	}
	for range c.terms {
		m := uint64(c.leaves)
		if c.layered {
			m = uint64(len(terms))
		}
		a, b := terms[x.next()%m], terms[x.next()%m]
		op := "g"
		if x.next()%2 == 0 {
			op = "f"
		}
		id, err := g.AddNode(op, a, b)
		if err != nil {
			t.Fatal(err)
		}
		terms = append(terms, id)
	}
	g.Rebuild()
	for range c.unions {
		a, b := terms[x.next()%uint64(c.leaves)], terms[x.next()%uint64(c.leaves)]
		if _, err := g.Union(a, b); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func TestClosureClasses(t *testing.T) {
	cases := closureCases
	if testing.Short() {
		cases = cases[:1]
	}
	for _, c := range cases {
		g := c.build(t)
		g.Rebuild()
		if g.Classes() != c.classes {
			t.Errorf("%v: %d classes, want %d", c, g.Classes(), c.classes)
		}
		if c.terms <= 1_000_000 {
			checked(t, g)
		}
	}
}

func BenchmarkClosure(b *testing.B) {
	for _, c := range closureCases {
		b.Run(c.String(), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				g := c.build(b)
				b.StartTimer()
				g.Rebuild()
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	c := closureCases[2]
	for b.Loop() {
		g := c.build(b)
		_ = g
	}
	b.ReportMetric(float64(c.terms)*float64(b.N)/b.Elapsed().Seconds(), "adds/s")
}
