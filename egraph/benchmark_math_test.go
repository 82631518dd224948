package egraph

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// mathGraph is the start of the math benchmark.
func mathGraph(t testing.TB, options ...Option) (*EGraph, *Rules) {
	t.Helper()
	g := New(options...)
	for _, line := range strings.Split(strings.TrimSpace(readFile(t, "testdata/math.terms")), "\n") {
		g.MustAdd(line)
	}
	rules, err := ParseRules(readFile(t, "testdata/math.rules"))
	if err != nil {
		t.Fatal(err)
	}
	return g, rules
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func checked(t testing.TB, g *EGraph) {
	t.Helper()
	if err := g.CheckInvariants(); err != nil {
		t.Fatal(err)
	}
}

var (
	mathNodes   = []int{69, 118, 208, 389, 784, 1576, 3160, 8113, 28303, 136446, 1047896}
	mathClasses = []int{50, 71, 116, 197, 361, 666, 1347, 3576, 12445, 58464, 443832}
)

func TestMathCounts(t *testing.T) {
	g, rules := mathGraph(t)
	r := g.Run(rules, Iterations(len(mathNodes)))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	for i, want := range mathNodes {
		if i >= len(r.Iterations) {
			t.Fatalf("only %d iterations: %v", len(r.Iterations), r)
		}
		if got := r.Iterations[i]; got.Nodes != want || got.Classes != mathClasses[i] {
			t.Errorf("iteration %d: %d nodes in %d classes, want %d in %d", i+1, got.Nodes, got.Classes, want, mathClasses[i])
		}
	}
	checked(t, g)
	t.Log("\n" + r.String())
}

func BenchmarkMath(b *testing.B) {
	for b.Loop() {
		g, rules := mathGraph(b)
		g.Run(rules, Iterations(11))
		if g.Nodes() != 1047896 {
			b.Fatal(g.Nodes())
		}
	}
}

// What a run costs that has next to nothing to do: compiling the rules.
func BenchmarkSmallRun(b *testing.B) {
	rules := eggMathRules(b)
	for b.Loop() {
		g := New(WithAnalysis(foldConstants()))
		g.MustAdd("(i 1 x)")
		if r := g.Run(rules, Iterations(1)); r.Err != nil {
			b.Fatal(r.Err)
		}
	}
}

// What threads bring for a run to sixteen million nodes. // E3
func BenchmarkMathThreads(b *testing.B) {
	for _, threads := range []int{1, 2, 4, 8, 16} {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			for b.Loop() {
				g, rules := mathGraph(b)
				g.Run(rules, Iterations(12), MaxNodes(1<<30), Threads(threads))
				if g.Nodes() != 15987528 {
					b.Fatal(g.Nodes())
				}
			}
		})
	}
}
