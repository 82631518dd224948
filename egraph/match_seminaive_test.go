package egraph

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// alwaysDelta leaves out what is not new however much is.
func alwaysDelta(r *runner) { r.newPart = 2 }

// aging keeps ages from the first node on.
func aging(g *EGraph) { g.generations.from = 1 }

var schedulers = map[string]func(*Rules) Scheduler{
	"simple":   func(*Rules) Scheduler { return Simple() },
	"backoff":  func(*Rules) Scheduler { return Backoff(40, 2) },
	"weighted": func(r *Rules) Scheduler { return Weighted(200, r) },
}

// A ruleMaker writes random rules and terms over a few operators.
type ruleMaker struct {
	*rand.Rand
	pure bool
}

var madeOps = []struct {
	name  string
	arity int
}{{"f", 1}, {"g", 2}, {"h", 2}, {"k", 3}}

func (m *ruleMaker) shape(depth int, leaves []string) string {
	if depth == 0 || m.IntN(4) == 0 {
		return leaves[m.IntN(len(leaves))]
	}
	op := madeOps[m.IntN(len(madeOps))]
	parts := []string{op.name}
	for range op.arity {
		parts = append(parts, m.shape(depth-1, leaves))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// app is a shape that is no leaf.
func (m *ruleMaker) app(depth int, leaves []string) string {
	for {
		if s := m.shape(depth, leaves); s[0] == '(' {
			return s
		}
	}
}

// rule is a random rule that binds what it uses.
func (m *ruleMaker) rule(i int) string {
	left := m.app(1+m.IntN(3), []string{"?a", "?b", "?c", "?a", "x", "1"})
	switch m.IntN(8) {
	case 0:
		left = "?a"
	case 1:
		left += ", " + m.app(1, []string{"?a", "?b", "?c", "y"})
	case 2:
		left = "?a = " + left + ", " + m.app(2, []string{"?a", "?b", "?d"})
	case 3:
		left = m.app(1, []string{"x", "y", "1"})
	}
	var bound []string
	for _, v := range []string{"?a", "?b", "?c", "?d"} {
		if strings.Contains(left, v) {
			bound = append(bound, v)
		}
	}
	leaves := bound
	if len(bound) == 0 {
		leaves = []string{"x", "y", "z"}
	}
	text := fmt.Sprintf("r%d: %s => %s", i, left, m.shape(m.IntN(3), leaves))
	if m.pure || len(bound) < 2 {
		return text
	}
	switch m.IntN(5) {
	case 0:
		text += fmt.Sprintf(" if (!= %s %s)", bound[0], bound[1])
	case 1:
		text += fmt.Sprintf(" if (= (f %s) %s)", bound[0], bound[1])
	case 2:
		text += fmt.Sprintf(" if (small %s)", bound[0])
	case 3:
		text = text[:strings.Index(text, "=>")] + "=> @wrap"
	}
	return text
}

// small is a condition that comes to hold, or no longer does, without a new row: it asks an
// analysis.
func small(g *EGraph, c []ID) bool {
	n, _ := g.Value("least", c[0]).(int)
	return n <= 3
}

func wrap(_ *EGraph, m *Match) (ID, bool) {
	id, err := m.Add("(f ?a)")
	return id, err == nil
}

// leastDepth is the analysis of the least depth of a class's terms.
func leastDepth() Analysis {
	return Analysis{
		Name: "least",
		Make: func(g *EGraph, n Node) any {
			deepest := 0
			for i := range n.Arity() {
				d, _ := g.Value("least", n.Child(i)).(int)
				deepest = max(deepest, d)
			}
			return deepest + 1
		},
		Merge: func(a, b any) (any, bool, bool) {
			least := min(a.(int), b.(int))
			return least, least != a.(int), least != b.(int)
		},
	}
}

func (m *ruleMaker) make(t *testing.T) (*Rules, []string) {
	t.Helper()
	var text, terms []string
	for i := range 2 + m.IntN(5) {
		text = append(text, m.rule(i))
	}
	rules, err := ParseRules(strings.Join(text, "\n"), Where("small", small), WithApplier("wrap", wrap))
	if err != nil {
		t.Fatalf("%v:\n%s", err, strings.Join(text, "\n"))
	}
	for range 3 + m.IntN(12) {
		terms = append(terms, m.app(4, []string{"x", "y", "z", "1"}))
	}
	return rules, terms
}

func madeGraph(terms []string, seed uint64) *EGraph {
	g := New(aging, WithAnalysis(leastDepth()))
	if seed%3 == 0 {
		g.closing.parallelFrom = 4
	}
	for _, s := range terms {
		g.MustAdd(s)
	}
	return g
}

func binaryOf(t *testing.T, g *EGraph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := g.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Leaving out what is not new gives the graph of the full search after every iteration: under
// schedulers that decide first to the bit, else but for the numbers of classes. On the way the runs
// are cut into pieces, unions come from outside and pushes are popped.
func TestSeminaiveIsExact(t *testing.T) {
	delta := 0
	for seed := range uint64(400) {
		m := &ruleMaker{Rand: rand.New(rand.NewPCG(seed, 7)), pure: seed%2 == 0}
		rules, terms := m.make(t)
		for name, scheduler := range schedulers {
			full, part := madeGraph(terms, seed), madeGraph(terms, seed)
			for piece := range 3 {
				options := []RunOption{Iterations(1 + int(seed)%4), MaxNodes(2000), Threads(1 + int(seed)%2), smallTasks}
				a := full.Run(rules, append(options, WithScheduler(scheduler(rules)), FullSearch())...)
				b := part.Run(rules, append(options, WithScheduler(scheduler(rules)), alwaysDelta, crewFromStart)...)
				if a.Err != nil || b.Err != nil {
					t.Fatalf("seed %d: %v, %v", seed, a.Err, b.Err)
				}
				checked(t, part)
				for _, s := range b.Rules {
					delta += s.Delta
				}
				if a.Stop == NodeLimit || b.Stop == NodeLimit {
					break
				}
				sameReports(t, fmt.Sprintf("seed %d, %s\n%s%s", seed, name, rules, strings.Join(terms, "\n")), a, b)
				if name != "simple" && !bytes.Equal(binaryOf(t, full), binaryOf(t, part)) {
					t.Fatalf("seed %d, %s: another graph\n%s", seed, name, rules)
				}
				if t.Failed() {
					return
				}
				disturb(t, full, rules, terms, piece)
				disturb(t, part, rules, terms, piece)
			}
		}
	}
	if delta < 1000 {
		t.Errorf("only %d searches left something out", delta)
	}
}

// disturb does to a graph what happens between runs.
func disturb(t *testing.T, g *EGraph, rules *Rules, terms []string, piece int) {
	t.Helper()
	switch piece {
	case 0:
		if _, err := g.Union(g.MustAdd(terms[0]), g.MustAdd(terms[1])); err != nil {
			t.Fatal(err)
		}
		g.MustAdd("(h (f z) (f x))")
	case 1:
		g.Push()
		if _, err := g.Union(g.MustAdd("x"), g.MustAdd("y")); err != nil {
			t.Fatal(err)
		}
		g.Run(rules, Iterations(3), MaxNodes(3000))
		g.Pop()
		if _, err := g.Union(g.MustAdd(terms[0]), g.MustAdd("z")); err != nil {
			t.Fatal(err)
		}
	}
}

func sameReports(t *testing.T, what string, a, b *Report) {
	t.Helper()
	if len(a.Iterations) != len(b.Iterations) || a.Stop != b.Stop {
		t.Errorf("%s:\nstopped %s after %d iterations, in full %s after %d", what, b.Stop, len(b.Iterations), a.Stop,
			len(a.Iterations))
		return
	}
	for i := range a.Iterations {
		x, y := &a.Iterations[i], &b.Iterations[i]
		if x.Nodes != y.Nodes || x.Classes != y.Classes || x.Unions != y.Unions || y.Matches > x.Matches {
			t.Errorf("%s:\niteration %d: %d matches, %d nodes in %d classes, in full %d, %d in %d", what, i+1, y.Matches,
				y.Nodes, y.Classes, x.Matches, x.Nodes, x.Classes)
		}
	}
}

// reachability is a random graph's edges as an e-graph, all of one class, and the rules for its
// paths.
func reachability(t testing.TB, nodes, edges int, seed uint64, options ...Option) (g *EGraph, rules *Rules, paths int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	g = New(options...)
	next := make([][]int, nodes)
	yes := g.MustAdd("yes")
	for range edges {
		a, b := r.IntN(nodes), r.IntN(nodes)
		x, _ := g.AddLeaf(term.Int(int64(a)))
		y, _ := g.AddLeaf(term.Int(int64(b)))
		edge, err := g.AddNode("edge", x, y)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Union(edge, yes); err != nil {
			t.Fatal(err)
		}
		next[a] = append(next[a], b)
	}
	for from := range nodes {
		seen := make([]bool, nodes)
		queue := slices.Clone(next[from])
		for len(queue) > 0 {
			n := queue[0]
			if queue = queue[1:]; !seen[n] {
				seen[n] = true
				paths++
				queue = append(queue, next[n]...)
			}
		}
	}
	return g, MustParseRules("step: ?t = (edge ?a ?b) => ?t = (path ?a ?b)\nfar: ?t = (path ?a ?b), ?t = (edge ?b ?c) " +
		"=> " +
		"?t = (path ?a ?c)"), paths
}

func pathsOf(g *EGraph) int { return g.tables[g.opIndex["path"]].live() }

// A run that is cut again and again, at any place, comes to the same end.
func TestSeminaiveResumes(t *testing.T) {
	for name, scheduler := range schedulers {
		for seed := range uint64(12) {
			g, rules, want := reachability(t, 40, 55, seed, aging)
			var r *Report
			for piece := range 500 {
				ctx, cancel := context.WithCancel(context.Background())
				calls, at := 0, int(seed)*37+1+60*piece
				look := NewRule("look").Match("(path ?a ?b)").Replace("(path ?a ?b)")
				if seed%3 > 0 {
					look.If(func(*EGraph, *Match) bool {
						if calls++; calls == at {
							cancel()
						}
						return true
					})
				}
				limit := g.Nodes() + 30 + int(seed)*5
				r = g.RunContext(ctx, NewRules(look).Join(rules), MaxNodes(limit), WithScheduler(scheduler(rules)),
					alwaysDelta)
				cancel()
				if r.Err != nil {
					t.Fatal(r.Err)
				}
				if r.Stop == Saturated {
					break
				}
			}
			if got := pathsOf(g); got != want {
				t.Fatalf("%s, seed %d: %d paths, want %d: %v", name, seed, got, want, r)
			}
			checked(t, g)
		}
	}
}

// What ages must survive: numbering that starts again, rules that are changed, ground terms that
// join old classes, rows that are hidden.
func TestSeminaiveForgets(t *testing.T) {
	g, rules, want := reachability(t, 300, 299, 5, aging)
	for range 3 * lastGeneration {
		g.Run(rules, Iterations(1), alwaysDelta)
	}
	if got := pathsOf(g); got != want {
		t.Errorf("%d paths, want %d", got, want)
	}
	swap := NewRule("swap").Match("(path ?a ?b)").Replace("(path ?a ?a)")
	g.Run(NewRules(swap), alwaysDelta)
	before := pathsOf(g)
	if g.Run(NewRules(swap.Replace("(path ?b ?a)")), alwaysDelta); pathsOf(g) == before {
		t.Error("a rule whose right side was changed did nothing")
	}

	g = New(aging)
	root := g.MustAdd("(f (g a))")
	ground := MustParseRules("ground: (f b) => c")
	g.Run(ground, alwaysDelta)
	if _, err := g.Union(g.MustAdd("(g a)"), g.MustAdd("b")); err != nil {
		t.Fatal(err)
	}
	g.Run(ground, alwaysDelta)
	if !g.Same(root, g.MustAdd("c")) {
		t.Error("a ground term that joined an old class was not seen")
	}

	// The index of g is that of the iteration before, unless a row of g was hidden since.
	g = New(aging)
	hidden, _ := g.UnionTerms(mustTerm("(g a)"), mustTerm("b"), "")
	g.MustAdd("(f 0)")
	g.Run(MustParseRules("nest: (f (g ?x)) => (bad ?x)\nother: (f ?x) => (o (o ?x))"), alwaysDelta, Iterations(5),
		OnIteration(func(i Iteration) {
			if g.MustAdd(fmt.Sprintf("(f %d)", i.Number)); i.Number == 3 {
				g.MustAdd("(f b)")
				g.Prune(g.MustAdd("b"), Node.IsLeaf)
			}
		}))
	if _, ok, _ := g.Lookup("(bad a)"); ok || !hidden {
		t.Error("a hidden row was matched")
	}
}

// A hidden row that is shown again, as an equal row that nobody hid joined it, is new to rules that
// were searched.
func TestShownRowsAreNew(t *testing.T) {
	for _, others := range []int{0, 300} { // so that the table is reinserted whole, or only its changed rows
		g := New(aging)
		for i := range others {
			g.MustAdd(fmt.Sprintf("(f %d)", i))
		}
		fb, err := g.UnionTerms(mustTerm("(f b)"), mustTerm("(h z)"), "")
		if err != nil || !fb {
			t.Fatal(err)
		}
		g.Rebuild()
		rules := MustParseRules("both: ?t = (f ?x), ?t = (h ?y) => (hit ?x)")
		if hidden := g.Prune(g.MustAdd("(h z)"), func(n Node) bool { return n.Op() == "h" }); hidden != 1 {
			t.Fatalf("%d rows hidden", hidden)
		}
		g.MustAdd("(f c)")
		g.MustAdd("(f d)")
		for range 2 {
			if r := g.Run(rules, alwaysDelta); r.Stop != Saturated || r.Iterations[0].Matches != 0 {
				t.Fatal(r)
			}
		}
		for _, s := range []string{"c", "d"} {
			if _, err := g.Union(g.MustAdd(s), g.MustAdd("b")); err != nil {
				t.Fatal(err)
			}
		}
		r := g.Run(rules, alwaysDelta)
		if _, ok, _ := g.Lookup("(hit b)"); !ok || r.Rules[0].Delta == 0 {
			t.Errorf("%d other rows: the row that is shown again was not found: %v", others, r)
		}
		checked(t, g)
	}
}

func mustTerm(text string) *term.Term {
	t, err := term.Parse(text)
	if err != nil {
		panic(err)
	}
	return t
}

// A second run over a saturated graph searches nothing.
func TestSaturatedAgain(t *testing.T) {
	g, rules := exploding(t, 9)
	if r := g.Run(rules, Iterations(50)); r.Stop != Saturated {
		t.Fatal(r)
	}
	r := g.Run(rules)
	if r.Stop != Saturated || len(r.Iterations) != 1 || r.Iterations[0].Matches != 0 {
		t.Error(r)
	}
	leaf := g.MustAdd("(+ 100 (+ 101 102))")
	if r = g.Run(rules, Iterations(50)); r.Stop != Saturated || r.Iterations[0].Matches == 0 ||
		r.Iterations[0].Matches > 10 {
		t.Error(r)
	}
	if id, ok, _ := g.Lookup("(+ 102 (+ 100 101))"); !ok || !g.Same(id, leaf) {
		t.Error("what was added after a saturated run was not searched")
	}
}
