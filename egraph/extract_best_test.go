package egraph

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// termsByCost lists the costs of all terms of a class up to a depth, by brute force.
func termsByCost(g *EGraph, id ID, depth int, cost CostFunc, most float64) []float64 {
	if depth == 0 {
		return nil
	}
	var all []float64
	for _, n := range g.NodesOf(id) {
		rows := [][]float64{{}}
		for i := range n.Arity() {
			var longer [][]float64
			for _, c := range termsByCost(g, n.Child(i), depth-1, cost, most) {
				for _, row := range rows {
					longer = append(longer, append(slices.Clone(row), c))
				}
			}
			rows = longer
		}
		for _, kids := range rows {
			if c := cost(n, kids); c <= most {
				all = append(all, c)
			}
		}
	}
	slices.Sort(all)
	return all
}

// The k cheapest are those of an exhaustive search, on graphs with cycles, shared children and equal costs. // EG10
func TestExtractKAgainstExhaustive(t *testing.T) {
	const k, depth, most = 15, 4, 3.5
	compared := 0
	for seed := range int64(400) {
		r := rand.New(rand.NewSource(seed))
		g, ids := randomGraph(t, seed, 3, 6, 3)
		if r.Intn(2) == 0 {
			id, err := g.AddNode("t", ids[r.Intn(len(ids))], ids[r.Intn(len(ids))], ids[0])
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		prices := map[string]float64{"f": float64(1 + r.Intn(2)), "g": 2, "h": 2, "t": 2, "x0": float64(r.Intn(3)), "x1": 1}
		for _, cost := range []CostFunc{OpCosts(prices), ASTDepth} {
			id := ids[len(ids)-1]
			want := termsByCost(g, id, depth, cost, most)
			got, err := g.ExtractK(id, k, cost)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for i, e := range got {
				if seen[e.String()] || i > 0 && e.Cost < got[i-1].Cost || e.Cost != priceOf(g, e.Term, cost) {
					t.Fatalf("seed %d: %v for %v, twice %v", seed, e, e.Cost, seen[e.String()])
				}
				seen[e.String()] = true
				// A term that costs so little is no deeper than was searched: each level costs 1 or more.
				if e.Cost <= most && (i >= len(want) || want[i] != e.Cost) {
					t.Fatalf("seed %d: term %d is %v for %v, want %v", seed, i, e, e.Cost, want)
				}
			}
			for i, c := range want {
				if i < k && (i >= len(got) || got[i].Cost != c) {
					t.Fatalf("seed %d: %d terms, want one for %v", seed, len(got), c)
				}
				compared++
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d terms were compared", compared)
	}
}

// priceOf is the cost of a term by the nodes of the graph.
func priceOf(g *EGraph, t *term.Term, cost CostFunc) float64 {
	id, _ := g.LookupTerm(t)
	var kids []float64
	var classes []ID
	for _, a := range t.Children {
		kids = append(kids, priceOf(g, a, cost))
		c, _ := g.LookupTerm(a)
		classes = append(classes, c)
	}
nodes:
	for _, n := range g.NodesOf(id) {
		if n.Arity() != len(t.Children) || n.IsLeaf() && n.Leaf() != t.Leaf || !n.IsLeaf() && n.Op() != t.Op {
			continue
		}
		for i, c := range classes {
			if n.Child(i) != c {
				continue nodes
			}
		}
		return cost(n, kids)
	}
	return math.NaN()
}

// Wide nodes cost k log k, not k to the number of children. // EG10
func TestExtractKOfWideNodes(t *testing.T) {
	g := New()
	x := g.MustAdd("x")
	for i := range 1000 {
		union(t, g, x, g.MustAdd(fmt.Sprint("y", i)))
	}
	kids := make([]ID, 40)
	for i := range kids {
		kids[i] = x
	}
	root, err := g.AddNode("w", kids...)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	best, err := g.ExtractK(root, 1000, ASTSize)
	if took := time.Since(start); err != nil || len(best) != 1000 || best[999].Cost != 41 || took > 5*time.Second {
		t.Errorf("%d terms, %v, %v", len(best), err, took)
	}
}

// The k best of a tower share what they have in common.
func TestExtractKOfATower(t *testing.T) {
	g := New()
	id := g.MustAdd("x")
	union(t, g, id, g.MustAdd("y"))
	for range 50 {
		id, _ = g.AddNode("f", id, id)
	}
	best, err := g.ExtractK(id, 5, ASTSize)
	if err != nil || len(best) != 5 || best[4].Term.Size() != 1<<51-1 {
		t.Errorf("%v, %v", len(best), err)
	}
}

// What a cost function must not do is refused where it is seen. // EG15
func TestExtractKRefuses(t *testing.T) {
	g := New()
	a := g.MustAdd("a")
	union(t, g, a, g.MustAdd("(f a)"))
	var bad *CostError
	_, err := g.ExtractK(a, 5, func(_ Node, kids []float64) float64 {
		if len(kids) > 0 {
			return kids[0] - 1
		}
		return 10
	})
	if !errors.As(err, &bad) {
		t.Error(err)
	}
	_, err = g.ExtractK(a, 5, func(_ Node, kids []float64) float64 {
		if len(kids) > 0 {
			return 20 - kids[0]/10
		}
		return 1
	})
	if !errors.As(err, &bad) {
		t.Error(err)
	}
	if _, err := g.ExtractK(a, -1, ASTSize); !errors.As(err, new(*ArgumentError)) {
		t.Error(err)
	}
	if best, err := g.ExtractK(a, 0, ASTSize); err != nil || len(best) != 0 {
		t.Error(best, err)
	}
}
