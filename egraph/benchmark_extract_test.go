package egraph

import (
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// grownMath is the graph of the math benchmark after some iterations.
func grownMath(b *testing.B, iterations int) *EGraph {
	g, rules := mathGraph(b)
	if r := g.Run(rules, Iterations(iterations)); r.Err != nil {
		b.Fatal(r.Err)
	}
	return g
}

func BenchmarkExtractor(b *testing.B) {
	for _, c := range []struct {
		name       string
		iterations int
	}{{"1576", 6}, {"136446", 10}} {
		g := grownMath(b, c.iterations)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := g.NewExtractor(ASTSize); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkExtractK(b *testing.B) {
	g := grownMath(b, 6)
	root := g.MustAdd("(+ (* y (+ x y)) (- (+ x 2) (+ x x)))")
	for b.Loop() {
		if _, err := g.ExtractK(root, 20, ASTSize); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExtractDAG(b *testing.B) {
	g := grownMath(b, 6)
	root := g.MustAdd("(+ (* y (+ x y)) (- (+ x 2) (+ x x)))")
	for b.Loop() {
		if d := tryDAG(g.ExtractDAG(root, OneEach, time.Minute)); !d.Optimal {
			b.Fatal(d.Bound, d.Cost, d.Err)
		}
	}
}

func BenchmarkAddTerm(b *testing.B) {
	term := term.MustParse("(+ (* x (sin (+ y 1))) (* (cos x) (+ y 2)))")
	for b.Loop() {
		g := New()
		if _, err := g.AddTerm(term); err != nil {
			b.Fatal(err)
		}
	}
}
