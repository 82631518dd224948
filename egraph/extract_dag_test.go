package egraph

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A drawnDAG is a graph drawn class by class, every node an operator of its own, so that no two
// classes are one.
type drawnDAG struct {
	classes [][]drawnNode
	g       *EGraph
	roots   []ID
	costs   map[string]float64
}

type drawnNode struct {
	cost float64
	kids []int
}

// drawDAG draws cycles, shared parts, classes that cannot be had, costs of 0, equal ones and
// infinite ones. The first class has one node over several others: the roots.
func drawDAG(t testing.TB, r *rand.Rand) *drawnDAG {
	d := &drawnDAG{costs: map[string]float64{}}
	n := 2 + r.Intn(7)
	roots := drawnNode{kids: r.Perm(n)[:1+r.Intn(min(3, n))]}
	for i, k := range roots.kids {
		roots.kids[i] = k + 1
	}
	d.classes = append(d.classes, []drawnNode{roots})
	most := []float64{1, 3, 20}[r.Intn(3)]
	for range n {
		var nodes []drawnNode
		for range 1 + r.Intn(3) {
			node := drawnNode{cost: float64(r.Intn(int(most) + 1))}
			if r.Intn(12) == 0 {
				node.cost = math.Inf(1)
			}
			for range []int{0, 1, 1, 2, 2, 3}[r.Intn(6)] {
				node.kids = append(node.kids, 1+r.Intn(n))
			}
			nodes = append(nodes, node)
		}
		d.classes = append(d.classes, nodes)
	}
	d.load(t)
	return d
}

func (d *drawnDAG) load(t testing.TB) {
	var nodes []string
	for c, list := range d.classes {
		for i, n := range list {
			op := fmt.Sprintf("n%d_%d", c, i)
			d.costs[op] = n.cost
			var kids []string
			for _, k := range n.kids {
				kids = append(kids, fmt.Sprintf(`"%d.0"`, k))
			}
			nodes = append(nodes, fmt.Sprintf(`"%d.%d":{"op":"%s","eclass":"c%d","children":[%s]}`, c, i, op, c,
				strings.Join(kids, ",")))
		}
	}
	l, err := ReadJSON(strings.NewReader(fmt.Sprintf(`{"nodes":{%s},"root_eclasses":["c0"]}`, strings.Join(nodes, ","))))
	if err != nil || l.Merged != 0 {
		t.Fatal(err, l)
	}
	d.g, d.roots = l.Graph, l.Roots
}

func (d *drawnDAG) cost(n Node) float64 { return d.costs[n.Op()] }

// best is the least cost of all choices of a node for every class, +Inf where none is without
// cycles.
func (d *drawnDAG) best() float64 {
	best, choice := math.Inf(1), make([]int, len(d.classes))
	for {
		best = min(best, d.sum(choice))
		c := 0
		for ; c < len(choice); c++ {
			if choice[c]++; choice[c] < len(d.classes[c]) {
				break
			}
			choice[c] = 0
		}
		if c == len(choice) {
			return best
		}
	}
}

// sum adds up what the root needs of a choice.
func (d *drawnDAG) sum(choice []int) float64 {
	total, cyclic, state := 0.0, false, make([]int, len(choice))
	var visit func(c int)
	visit = func(c int) {
		if state[c] != 0 {
			cyclic = cyclic || state[c] == 1
			return
		}
		state[c] = 1
		n := d.classes[c][choice[c]]
		total += n.cost
		for _, k := range n.kids {
			visit(k)
		}
		state[c] = 2
	}
	if visit(0); cyclic {
		return math.Inf(1)
	}
	return total
}

// priceOf adds up the different parts of a term.
func (d *drawnDAG) priceOf(t *term.Term) float64 {
	seen, sum := map[string]bool{}, 0.0
	var visit func(t *term.Term)
	visit = func(t *term.Term) {
		name := t.Op
		if len(t.Children) == 0 {
			name = t.Leaf.String()
		}
		if seen[name] {
			return
		}
		seen[name] = true
		sum += d.costs[name]
		for _, a := range t.Children {
			visit(a)
		}
	}
	visit(t)
	return sum
}

// cutAfter says that it was interrupted from the nth question on.
type cutAfter int

func (c *cutAfter) Load() bool { *c--; return *c < 0 }

// What is called optimal is what trying all choices finds, and no bound is above it, also where the
// search is cut at any moment. // EG1
func TestDAGIsOptimal(t *testing.T) {
	graphs := 6000
	if testing.Short() {
		graphs = 1500
	}
	cuts, proven := 0, 0
	for seed := range int64(graphs) {
		r := rand.New(rand.NewSource(seed))
		d := drawDAG(t, r)
		want := d.best()
		got := tryDAG(d.g.ExtractDAG(d.roots[0], d.cost, time.Minute))
		if math.IsInf(want, 1) {
			var none *NoTermError
			if !errors.As(got.Err, &none) || got.Optimal {
				t.Fatalf("seed %d: %v, want no term", seed, got)
			}
			continue
		}
		if got.Err != nil || got.Cost != want || !got.Optimal || got.Bound != want || d.priceOf(got.Term) != want {
			t.Fatalf("seed %d: %v for %v, optimal %v, bound %v, %v; the optimum is %v", seed, got, got.Cost, got.Optimal,
				got.Bound, got.Err, want)
		}
		cut := cutAfter(r.Intn(15))
		s := &dagSearch{dagGraph: dagGraph{g: d.g, interrupted: &cut}, deadline: time.Now().Add(time.Hour), every: 0}
		got = tryDAG(s.extract(d.roots[0], d.cost))
		var interrupted *InterruptedError
		if errors.As(got.Err, &interrupted) {
			cuts++
			continue
		}
		if got.Err != nil || got.Bound > want || got.Cost < want || got.Optimal && got.Cost != want ||
			d.priceOf(got.Term) != got.Cost {
			t.Fatalf("seed %d, cut: %v for %v, optimal %v, bound %v; the optimum is %v", seed, got, got.Cost, got.Optimal,
				got.Bound, want)
		}
		if got.Optimal {
			proven++
		} else {
			cuts++
		}
	}
	if cuts < graphs/20 || proven < graphs/40 {
		t.Errorf("%d searches were cut, %d were not", cuts, proven)
	}
}

// The last and dearest of several siblings is not the answer. // EG1
func TestDAGKeepsTheBest(t *testing.T) {
	g := New()
	a := g.MustAdd("a")
	union(t, g, a, g.MustAdd("b"))
	root := g.MustAdd("(f a c)")
	union(t, g, a, g.MustAdd("(g (f a c))"))
	cost := map[string]float64{"f": 3, "a": 2, "b": 7, "g": 1, "c": 2}
	if d := tryDAG(g.ExtractDAG(root, func(n Node) float64 { return cost[n.Op()] },
		time.Second)); d.String() != "(f a c)" ||
		d.Cost != 7 || !d.Optimal {
		t.Errorf("%v for %v, optimal %v", d, d.Cost, d.Optimal)
	}
}

func union(t testing.TB, g *EGraph, a, b ID) {
	t.Helper()
	if _, err := g.Union(a, b); err != nil {
		t.Fatal(err)
	}
}

// chain is f(f(...x)), so many deep.
func chain(t testing.TB, n int) (*EGraph, ID) {
	t.Helper()
	g := New()
	id := g.MustAdd("x")
	for range n {
		var err error
		if id, err = g.AddNode("f", id); err != nil {
			t.Fatal(err)
		}
	}
	return g, id
}

// A limit holds on graphs of any depth, and what has no choice is optimal at once. // EG8
func TestDAGLimitOnAChain(t *testing.T) {
	const n = 300_000
	g, id := chain(t, n)
	start := time.Now()
	d := tryDAG(g.ExtractDAG(id, OneEach, 100*time.Millisecond))
	if took := time.Since(start); took > 10*time.Second || d.Err != nil || d.Cost != n+1 || d.Nodes != n+1 || !d.Optimal {
		t.Errorf("%v: cost %v, bound %v, %v", took, d.Cost, d.Bound, d.Err)
	}
	// Two ways at each level: the numbers of classes run against the levels.
	y := g.MustAdd("y")
	id = y
	for range n / 10 {
		a, _ := g.AddNode("g", id)
		b, _ := g.AddNode("h", id, y)
		union(t, g, a, b)
		id = a
	}
	start = time.Now()
	d = tryDAG(g.ExtractDAG(id, OneEach, 100*time.Millisecond))
	if took := time.Since(start); took > 5*time.Second || d.Err != nil || d.Cost != n/10+1 || d.Bound > d.Cost {
		t.Errorf("%v: cost %v, bound %v, %v", took, d.Cost, d.Bound, d.Err)
	}
}

// A tree that is larger than float64 holds is a small DAG.
func TestDAGOfATower(t *testing.T) {
	g := New()
	id := g.MustAdd("x")
	for i := range 3000 {
		next, err := g.AddNode([]string{"f", "g"}[i%2], id, id)
		if err != nil {
			t.Fatal(err)
		}
		if id, err = g.AddNode("h", next, id); err != nil {
			t.Fatal(err)
		}
	}
	if d := tryDAG(g.ExtractDAG(id, OneEach, time.Second)); d.Err != nil || d.Cost != 6001 || !d.Optimal {
		t.Errorf("cost %v, bound %v, %v", d.Cost, d.Bound, d.Err)
	}
	if d := tryDAG(g.ExtractDAG(id, func(Node) float64 { return math.MaxFloat64 }, time.Second)); d.Err == nil ||
		d.Optimal {
		t.Errorf("a cost above float64 is optimal %v, %v", d.Optimal, d.Err)
	}
}
