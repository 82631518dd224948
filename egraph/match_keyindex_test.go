package egraph

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Indexes by key from the first row that is looked at, and none at all.
var (
	atOnce = pricing{}
	never  = pricing{least: math.MaxInt / 2}
)

// A naiveMatcher finds the matches of a left side by trying all classes and their nodes.
type naiveMatcher struct {
	g     *EGraph
	bound []ID
	found map[string]bool
}

const unboundID = ID(none)

func naiveMatches(g *EGraph, r *Rule) []string {
	m := naiveMatcher{g, slices.Repeat([]ID{unboundID}, len(r.names.names)), map[string]bool{}}
	m.clauses(r.left, unboundID)
	return sortedKeys(m.found)
}

func (m *naiveMatcher) clauses(left []clause, root ID) {
	if len(left) == 0 {
		m.found[fmt.Sprint(root, m.bound)] = true
		return
	}
	for _, id := range m.g.ClassIDs() {
		first := root
		if first == unboundID {
			first = id
		}
		rest := func() { m.match(left[0].shape, id, func() { m.clauses(left[1:], first) }) }
		if left[0].bind >= 0 {
			m.bind(left[0].bind, id, rest)
		} else {
			rest()
		}
	}
}

func (m *naiveMatcher) bind(v int, id ID, then func()) {
	switch m.bound[v] {
	case id:
		then()
	case unboundID:
		m.bound[v] = id
		then()
		m.bound[v] = unboundID
	}
}

func (m *naiveMatcher) match(s *shape, id ID, then func()) {
	if s.kind == isVar {
		m.bind(s.v, id, then)
		return
	}
	for _, n := range m.g.NodesOf(id) {
		switch {
		case s.kind == isAtom && n.IsLeaf() && n.Leaf() == s.atom:
			then()
		case s.kind == isApp && !n.IsLeaf() && n.Op() == s.op:
			m.kids(s.args, n, 0, then)
		}
	}
}

func (m *naiveMatcher) kids(args []*shape, n Node, i int, then func()) {
	if i == len(args) {
		then()
		return
	}
	m.match(args[i], n.Child(i), func() { m.kids(args, n, i+1, then) })
}

// engineMatches are the matches that a run finds, in their order.
func engineMatches(t *testing.T, g *EGraph, r *Rule, options ...RunOption) []string {
	t.Helper()
	var found []string
	look := &Rule{name: r.name, names: r.names, left: r.left, target: r.target, conds: r.conds, weight: r.weight}
	look.Do(func(_ *EGraph, m *Match) (ID, bool) {
		found = append(found, fmt.Sprint(m.root, m.ids))
		return 0, false
	})
	if report := g.Run(NewRules(look), append(options, Iterations(1))...); report.Err != nil {
		t.Fatalf("%s: %v", r, report.Err)
	}
	return found
}

// left is a random left side of up to three patterns that share variables, some naming their class.
func (m *ruleMaker) left() string {
	var parts []string
	for range 1 + m.IntN(3) {
		bind := ""
		if m.IntN(3) > 0 {
			bind = []string{"?a", "?b", "?t"}[m.IntN(3)] + " = "
		}
		parts = append(parts, bind+m.app(1, []string{"?a", "?b", "?c", "?d", "?t", "(f ?b)", "x"}))
	}
	return strings.Join(parts, ", ")
}

// graph makes a graph of so many terms, some classes of which are united.
func (m *ruleMaker) graph(t *testing.T, terms int, options ...Option) *EGraph {
	t.Helper()
	g := New(options...)
	for range terms {
		g.MustAdd(m.app(3, []string{"x", "y", "1"}))
	}
	for range m.IntN(40) {
		if _, err := g.Union(ID(m.IntN(len(g.uf.parent))), ID(m.IntN(len(g.uf.parent)))); err != nil {
			t.Fatal(err)
		}
	}
	g.Rebuild()
	return g
}

// Matches are those that trying everything finds; with an index by key they come in the order that
// they come in without.
func TestMatchesAgainstNaive(t *testing.T) {
	matches := 0
	for seed := range uint64(600) {
		m := &ruleMaker{Rand: rand.New(rand.NewPCG(seed, 3))}
		g := m.graph(t, 10+m.IntN(20), aging)
		r := NewRule("look")
		for _, p := range strings.Split(m.left(), ", ") {
			r.Match(p)
		}
		g.pricing = never
		without := engineMatches(t, g, r, smallTasks)
		g.pricing = atOnce
		for _, threads := range []int{1, 3} {
			if with := engineMatches(t, g, r, Threads(threads), crewFromStart, smallTasks); !slices.Equal(with, without) {
				t.Fatalf("seed %d, %s:\n%d matches with an index, %d without", seed, r, len(with), len(without))
			}
		}
		slices.Sort(without)
		if got, want := slices.Compact(without), naiveMatches(g, r); !slices.Equal(got, want) {
			t.Fatalf("seed %d, %s:\nmatches\n%v\nwant\n%v\nin\n%s", seed, r, got, want, g.Dump())
		}
		matches += len(without)
	}
	if matches < 3_000 {
		t.Errorf("only %d matches", matches)
	}
}

// A search for a pattern in one class finds what trying everything finds there.
func TestSearchAgainstNaive(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		m := &ruleMaker{Rand: rand.New(rand.NewPCG(seed, 5))}
		g := m.graph(t, 8+m.IntN(10))
		text := m.app(2, []string{"?a", "?b", "?a", "?c", "x"})
		r := NewRule("look").Match(text)
		want := naiveMatches(g, r)
		got := map[string]bool{}
		for _, id := range g.ClassIDs() {
			here := 0
			if err := g.Search(text, id, func(v map[string]ID) bool {
				bound := make([]ID, len(r.names.names))
				for i, name := range r.names.names {
					bound[i] = v[name]
				}
				got[fmt.Sprint(id, bound)] = true
				here++
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if matches, err := g.Matches(text, id); err != nil || matches != (here > 0) {
				t.Fatalf("%s matches class %d: %v, %v", text, id, matches, err)
			}
		}
		if !slices.Equal(sortedKeys(got), want) {
			t.Fatalf("seed %d, %s:\n%v\nwant\n%v", seed, text, sortedKeys(got), want)
		}
		found += len(want)
	}
	if found < 300 {
		t.Errorf("only %d matches", found)
	}
}

// hiding hides a node of some class after every iteration.
func hiding(g *EGraph, seed uint64) RunOption {
	return OnIteration(func(i Iteration) {
		ids := g.ClassIDs()
		nodes := 0
		g.Prune(ids[(int(seed)+7*i.Number)%len(ids)], func(Node) bool { nodes++; return nodes != 2 })
	})
}

// A run is the same to the bit with indexes by key and without, whatever it leaves out, is cut into
// or hides.
func TestKeyIndexIsExact(t *testing.T) {
	for seed := range uint64(300) {
		m := &ruleMaker{Rand: rand.New(rand.NewPCG(seed, 11)), pure: seed%2 == 0}
		rules, terms := m.make(t)
		join := NewRule("join").Match("?t = (g ?a ?b)").Match("?u = (g ?b ?c)").Match("?u = (h ?c ?d)").Replace("(k ?a " +
			"?c ?d)")
		rules.Add(join)
		for name, scheduler := range schedulers {
			without, with := madeGraph(terms, seed), madeGraph(terms, seed)
			without.pricing, with.pricing = never, atOnce
			options := []RunOption{Iterations(2 + int(seed)%4), MaxNodes(1500), smallTasks}
			if seed%5 > 0 {
				options = append(options, alwaysDelta)
			}
			for piece := range 3 {
				a := without.Run(rules, append(options, WithScheduler(scheduler(rules)), hiding(without, seed))...)
				b := with.Run(rules, append(options, WithScheduler(scheduler(rules)), hiding(with, seed), Threads(1+int(seed)%2),
					crewFromStart)...)
				if a.Err != nil || b.Err != nil || a.Stop != b.Stop {
					t.Fatalf("seed %d: %v, %v", seed, a, b)
				}
				for i, c := range a.Rules {
					if b.Rules[i].Matches != c.Matches {
						t.Fatalf("seed %d, %s: %d matches of %s, without an index %d\n%s", seed, name, b.Rules[i].Matches, c.Rule,
							c.Matches, rules)
					}
				}
				if !bytes.Equal(binaryOf(t, without), binaryOf(t, with)) {
					t.Fatalf("seed %d, %s: another graph\n%s", seed, name, rules)
				}
				for _, g := range []*EGraph{without, with} {
					checked(t, g)
					disturb(t, g, rules, terms, piece)
				}
			}
		}
	}
}

// Paths come out whole whichever way their rule is written, over few rows or many, in full or not.
func TestJoinsFindPaths(t *testing.T) {
	for name, far := range map[string]string{
		"edge last":   "?t = (path ?a ?b), ?t = (edge ?b ?c) => ?t = (path ?a ?c)",
		"edge first":  "?t = (edge ?a ?b), ?t = (path ?b ?c) => ?t = (path ?a ?c)",
		"two paths":   "?t = (path ?a ?b), ?t = (path ?b ?c) => ?t = (path ?a ?c)",
		"by rows":     "?t = (path ?a ?b), (edge ?b ?c) => ?t = (path ?a ?c)",
		"by two kids": "?t = (path ?a ?b), (path ?b ?c), ?t = (path ?a ?b) => ?t = (path ?a ?c)",
	} {
		for _, pricing := range []pricing{usualPricing, atOnce} {
			g, _, want := reachability(t, 120, 170, 9)
			g.pricing = pricing
			rules := MustParseRules("step: ?t = (edge ?a ?b) => ?t = (path ?a ?b)\nfar: " + far)
			full, _, _ := reachability(t, 120, 170, 9)
			full.pricing = pricing
			a, b := g.Run(rules, Iterations(1000)), full.Run(rules, Iterations(1000), FullSearch())
			if a.Stop != Saturated || b.Stop != Saturated || pathsOf(g) != want || pathsOf(full) != want {
				t.Errorf("%s: %d paths, in full %d, want %d\n%v", name, pathsOf(g), pathsOf(full), want, a)
			}
			checked(t, g)
		}
	}
}

func BenchmarkReach(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		g, rules, _ := reachability(b, 500, 700, 9)
		g.Rebuild()
		b.StartTimer()
		g.Run(rules, Iterations(1<<30), Threads(1))
	}
}
