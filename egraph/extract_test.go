package egraph

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// randomGraph is a small graph with cycles.
func randomGraph(t testing.TB, seed int64, leaves, n, unions int) (*EGraph, []ID) {
	r := rand.New(rand.NewSource(seed))
	g := New()
	var ids []ID
	for i := range leaves {
		ids = append(ids, g.MustAdd(fmt.Sprintf("x%d", i)))
	}
	for range n {
		op := []string{"f", "g", "h"}[r.Intn(3)]
		kids := []ID{ids[r.Intn(len(ids))], ids[r.Intn(len(ids))]}
		if op == "h" {
			kids = kids[:1]
		}
		id, err := g.AddNode(op, kids...)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for range unions {
		if _, err := g.Union(ids[r.Intn(len(ids))], ids[r.Intn(len(ids))]); err != nil {
			t.Fatal(err)
		}
	}
	g.Rebuild()
	checked(t, g)
	return g, ids
}

// termsBySize lists, by brute force, the terms of every class up to a size, the smallest first.
func termsBySize(g *EGraph, most int) map[ID][]*term.Term {
	exact := map[ID]map[int][]*term.Term{}
	for _, c := range g.ClassIDs() {
		exact[c] = map[int][]*term.Term{}
	}
	for size := 1; size <= most; size++ {
		for _, c := range g.ClassIDs() {
			for _, n := range g.NodesOf(c) {
				exact[c][size] = append(exact[c][size], nodeTerms(exact, n, size)...)
			}
		}
	}
	all := map[ID][]*term.Term{}
	for c, sizes := range exact {
		for size := 1; size <= most; size++ {
			all[c] = append(all[c], sizes[size]...)
		}
	}
	return all
}

// nodeTerms are the terms of a node of one size, from those of its children.
func nodeTerms(exact map[ID]map[int][]*term.Term, n Node, size int) []*term.Term {
	switch {
	case n.IsLeaf() && size == 1:
		return []*term.Term{term.Leaf(n.Leaf())}
	case n.IsLeaf():
		return nil
	case n.Arity() == 1:
		var out []*term.Term
		for _, a := range exact[n.Child(0)][size-1] {
			out = append(out, term.Apply(n.Op(), a))
		}
		return out
	}
	var out []*term.Term
	for left := 1; left < size-1; left++ {
		for _, a := range exact[n.Child(0)][left] {
			for _, b := range exact[n.Child(1)][size-1-left] {
				out = append(out, term.Apply(n.Op(), a, b))
			}
		}
	}
	return out
}

// dagSize counts the different subterms of a term.
func dagSize(t *term.Term) int {
	seen := map[string]bool{}
	var walk func(*term.Term)
	walk = func(t *term.Term) {
		if s := t.String(); !seen[s] {
			seen[s] = true
			for _, a := range t.Children {
				walk(a)
			}
		}
	}
	walk(t)
	return len(seen)
}

// bestDAG is the cheapest DAG by trying every choice of a node a class.
func bestDAG(g *EGraph, root ID) int {
	best := math.MaxInt
	classes := g.ClassIDs()
	choice := map[ID]Node{}
	var size func(id ID, path, seen map[ID]bool) bool
	size = func(id ID, path, seen map[ID]bool) bool {
		if path[id] {
			return false
		}
		if seen[id] {
			return true
		}
		path[id] = true
		n := choice[id]
		for i := range n.Arity() {
			if !size(n.Child(i), path, seen) {
				return false
			}
		}
		delete(path, id)
		seen[id] = true
		return true
	}
	var choose func(i int)
	choose = func(i int) {
		if i == len(classes) {
			seen := map[ID]bool{}
			if size(g.Find(root), map[ID]bool{}, seen) {
				best = min(best, len(seen))
			}
			return
		}
		for _, n := range g.NodesOf(classes[i]) {
			choice[classes[i]] = n
			choose(i + 1)
		}
	}
	choose(0)
	return best
}

func TestExtractAgainstExhaustive(t *testing.T) {
	for seed := range int64(60) {
		g, ids := randomGraph(t, seed, 3, 8, 3)
		x, err := g.NewExtractor(ASTSize)
		if err != nil {
			t.Fatal(err)
		}
		choices := 1
		for _, c := range g.ClassIDs() {
			choices *= len(g.NodesOf(c))
		}
		all := termsBySize(g, exhaustiveSize)
		for _, id := range ids[len(ids)-3:] {
			best := try(x.Best(id))
			terms := all[g.Find(id)]
			if len(terms) == 0 {
				if best.Cost <= exhaustiveSize {
					t.Fatalf("seed %d: %v costs %v, exhaustive search finds none", seed, best, best.Cost)
				}
				continue
			}
			if best.Err != nil || best.Term.Size() != int(best.Cost) || best.Term.Size() != terms[0].Size() {
				t.Fatalf("seed %d: %v costs %v, exhaustive search finds %v", seed, best, best.Cost, terms[0])
			}
			checkBest(t, g, id, terms)
			if choices < 5000 {
				d := tryDAG(g.ExtractDAG(id, OneEach, time.Second))
				if want := bestDAG(g, id); d.Err != nil || !d.Optimal || int(d.Cost) != want || d.Nodes != want ||
					dagSize(d.Term) != want {
					t.Fatalf("seed %d: DAG %v of %v nodes (optimal %v), exhaustive search finds %d", seed, d.Term, d.Cost, d.Optimal,
						want)
				}
			}
		}
	}
}

const exhaustiveSize = 7

// checkBest compares the k best terms with all terms up to a size.
func checkBest(t *testing.T, g *EGraph, id ID, terms []*term.Term) {
	t.Helper()
	best, err := g.ExtractK(id, 12, ASTSize)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, e := range best {
		if e.Term.Size() != int(e.Cost) || seen[e.String()] {
			t.Fatalf("term %d: %v costs %v, twice %v", i, e, e.Cost, seen[e.String()])
		}
		seen[e.String()] = true
		if got, ok := g.LookupTerm(e.Term); !ok || !g.Same(got, id) {
			t.Fatalf("%v is not in class %d", e, id)
		}
		if e.Cost <= exhaustiveSize && (i >= len(terms) || terms[i].Size() != int(e.Cost)) {
			t.Fatalf("term %d costs %v, want %v", i, e.Cost, terms[i].Size())
		}
	}
}

// The tree counts a shared part each time, a DAG once (egg's math_lp_extract).
func TestDAGShares(t *testing.T) {
	g := New(WithAnalysis(foldConstants()))
	root := g.MustAdd("(pow (+ x (+ x x)) (+ x x))")
	g.Run(eggMathRules(t), Iterations(3), WithScheduler(Backoff(1000, 5)))
	if tree, dag := try(g.Extract(root, ASTSize)), tryDAG(g.ExtractDAG(root, OneEach, 2*time.Second)); dag.Err != nil ||
		dag.Cost != 4 ||
		dag.Cost > tree.Cost {
		t.Errorf("tree %v, DAG %v of %v nodes", tree, dag, dag.Cost)
	}
}

func TestDAGTimeLimit(t *testing.T) {
	g, rules := mathGraph(t)
	g.Run(rules, Iterations(8))
	start := time.Now()
	d := tryDAG(g.ExtractDAG(0, OneEach, 50*time.Millisecond))
	if took := time.Since(start); took > 20*time.Second || d.Err != nil || d.Bound > d.Cost {
		t.Errorf("%v, bound %v in %v", d, d.Bound, took)
	}
}

func TestExtractRefuses(t *testing.T) {
	g := New()
	a := g.MustAdd("a")
	for _, cost := range []CostFunc{
		func(Node, []float64) float64 { return math.NaN() },
		func(Node, []float64) float64 { return math.Inf(1) },
	} {
		if e := try(g.Extract(a, cost)); e.Err == nil {
			t.Errorf("extracted %v", e)
		}
	}
	for _, cost := range []float64{-1, math.NaN(), math.Inf(-1)} {
		d := tryDAG(g.ExtractDAG(a, func(Node) float64 { return cost }, time.Second))
		if !errors.As(d.Err, new(*CostError)) || d.Optimal {
			t.Errorf("a cost of %v: %v, optimal %v", cost, d.Err, d.Optimal)
		}
	}
	if d := tryDAG(g.ExtractDAG(a, func(Node) float64 { return -1 }, time.Second)); d.Err == nil {
		t.Error("a negative cost is accepted")
	}
}

func TestWhyNot(t *testing.T) {
	g := New()
	a, b := g.MustAdd("(f (g x) (h 1))"), g.MustAdd("(f (g y) (h 1))")
	d, err := g.WhyNot(a, b)
	if err != nil || len(d.Pairs) != 1 || d.Pairs[0].TermA.String() != "x" || d.Pairs[0].TermB.String() != "y" {
		t.Fatalf("%v, %v", d, err)
	}
	if _, err := g.Union(d.Pairs[0].A, d.Pairs[0].B); err != nil {
		t.Fatal(err)
	}
	g.Rebuild()
	if !g.Same(a, b) {
		t.Error("equating the pairs does not equate the classes")
	}
	if d, err = g.WhyNot(a, b); err != nil || !d.Equal {
		t.Errorf("%v, %v", d, err)
	}
	if d, err = g.WhyNot(g.MustAdd("(f 1 2)"), g.MustAdd("(f 1 3)")); err != nil || !d.Pairs[0].ConstantsDiffer {
		t.Errorf("%v, %v", d, err)
	}
}

// tried is what an extraction returned, as one value.
type tried struct {
	*Extraction
	Err error
}

func try(e *Extraction, err error) tried {
	if e == nil {
		e = &Extraction{}
	}
	return tried{e, err}
}

type triedDAG struct {
	*DAGExtraction
	Err error
}

func tryDAG(d *DAGExtraction, err error) triedDAG {
	if d == nil {
		d = &DAGExtraction{}
	}
	return triedDAG{d, err}
}
