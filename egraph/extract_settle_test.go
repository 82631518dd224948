package egraph

import (
	"errors"
	"math"
	"math/rand"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// unsettled is an extractor that has found nothing yet.
func unsettled(g *EGraph, cost CostFunc) *Extractor {
	x := &Extractor{g: g, cost: cost, costs: make([]float64, len(g.uf.parent)), best: make([]entry, len(g.uf.parent)),
		interrupted: new(atomic.Bool)}
	for i := range x.costs {
		x.costs[i] = math.Inf(1)
	}
	return x
}

// Passes until nothing changes, the cheapest first and rounds find the same costs; only where a node may cost less
// than its child the cheapest first does not, and says so. // EG15 EG16
func TestExtractorsSettleAlike(t *testing.T) {
	plain, falling := 0, 0
	for seed := range int64(2000) {
		r := rand.New(rand.NewSource(seed))
		d := drawDAG(t, r)
		drop := float64(r.Intn(3))
		cost := func(n Node, kids []float64) float64 {
			sum := d.cost(n)
			for _, k := range kids {
				sum += k
			}
			return sum - drop*float64(min(1, len(kids)))
		}
		passes := unsettled(d.g, cost)
		for i := 0; i < 200 && passes.pass(); i++ {
		}
		cheapest, rounds := unsettled(d.g, cost), unsettled(d.g, cost)
		cheapest.pass() // leaves first
		cheapest.uses = d.g.usesOf()
		superior := cheapest.cheapestFirst()
		rounds.pass()
		rounds.uses = d.g.usesOf()
		err := rounds.rounds()
		_, cyclic := passes.cycle()
		var fell *CostError
		switch {
		case cyclic:
			falling++
			if superior || !errors.As(err, &fell) {
				t.Fatalf("seed %d: a cost that falls along a cycle is taken: %v, %v", seed, superior, err)
			}
			if e := try(d.g.Extract(d.roots[0], cost)); !errors.As(e.Err, &fell) {
				t.Fatalf("seed %d: %v", seed, e.Err)
			}
		case err != nil || !slices.Equal(rounds.costs, passes.costs):
			t.Fatalf("seed %d: rounds find %v, %v, passes %v", seed, rounds.costs, err, passes.costs)
		case superior && !slices.Equal(cheapest.costs, passes.costs):
			t.Fatalf("seed %d: the cheapest first find %v, passes %v", seed, cheapest.costs, passes.costs)
		default:
			plain++
		}
	}
	if plain < 500 || falling < 100 {
		t.Errorf("%d graphs settle, in %d the cost falls", plain, falling)
	}
}

// A cost that falls along a cycle is refused soon, also far from where it falls. // EG15
func TestFallingCostIsRefused(t *testing.T) {
	g, id := chain(t, 50_000)
	union(t, g, 0, id)
	start := time.Now()
	e := try(g.Extract(0, func(_ Node, kids []float64) float64 {
		if len(kids) == 0 {
			return 10
		}
		return kids[0] - 1
	}))
	var fell *CostError
	if took := time.Since(start); !errors.As(e.Err, &fell) || took > 5*time.Second {
		t.Errorf("%v after %v", e.Err, took)
	}
	if _, err := g.NewExtractor(func(Node, []float64) float64 { g.MustAdd("new"); return 1 }); !errors.As(err,
		new(*ChangedError)) {
		t.Errorf("a cost function that changes the graph: %v", err)
	}
}

// A graph whose classes stand against the order of its rows costs what its size costs. // EG16
func TestExtractAgainstTheOrder(t *testing.T) {
	const n = 20_000
	g := New()
	var ids []ID
	for i := range n + 1 {
		id, err := g.AddLeaf(term.Int(int64(i)))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for i := range n {
		f, err := g.AddNode("f", ids[i+1])
		if err != nil {
			t.Fatal(err)
		}
		union(t, g, ids[i], f)
	}
	g.Rebuild()
	start := time.Now()
	e := try(g.Extract(ids[0], func(x Node, k []float64) float64 {
		switch {
		case !x.IsLeaf():
			return 1 + k[0]
		case x.Leaf() == term.Int(n):
			return 0
		}
		return 1e9
	}))
	if took := time.Since(start); e.Err != nil || e.Cost != n || e.Term.Size() != n+1 || took > time.Second {
		t.Errorf("%v, cost %v after %v", e.Err, e.Cost, took)
	}
}
