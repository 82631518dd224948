package egraph

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// buildClosure makes the graph, closed, with the unions made but congruence not yet restored.
func buildClosure(t testing.TB, c closures.Case) *EGraph {
	g := New()
	x := closures.Random(closures.Seed)
	terms := make([]ID, c.Leaves, c.Leaves+c.Terms)
	for i := range terms {
		terms[i], _ = g.AddLeaf(term.Int(int64(i)))
	}
	for i := range c.Terms {
		p, q, f := c.Term(&x, i)
		op := "g"
		if f {
			op = "f"
		}
		id, err := g.AddNode(op, terms[p], terms[q])
		if err != nil {
			t.Fatal(err)
		}
		terms = append(terms, id)
	}
	g.Rebuild()
	for range c.Unions {
		p, q := c.Union(&x)
		if _, err := g.Union(terms[p], terms[q]); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func TestClosureClasses(t *testing.T) {
	cases := closures.Cases
	if testing.Short() {
		cases = cases[:1]
	}
	for _, c := range cases {
		g := buildClosure(t, c)
		g.Rebuild()
		if g.Classes() != c.Classes {
			t.Errorf("%v: %d classes, want %d", c, g.Classes(), c.Classes)
		}
		if c.Terms <= 1_000_000 {
			checked(t, g)
		}
	}
}

func BenchmarkClosure(b *testing.B) {
	for _, c := range closures.Cases {
		b.Run(c.String(), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				g := buildClosure(b, c)
				b.StartTimer()
				g.Rebuild()
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	c := closures.Cases[2]
	for b.Loop() {
		g := buildClosure(b, c)
		_ = g
	}
	b.ReportMetric(float64(c.Terms)*float64(b.N)/b.Elapsed().Seconds(), "adds/s")
}
