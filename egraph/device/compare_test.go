package device

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A saturationCase is a graph and rules that host and device run side by side.
type saturationCase struct {
	name, rules string
	terms       []string
	unions      [][2]int // of terms
	iterations  int
}

var saturationCases = []saturationCase{
	{name: "associative and commutative", iterations: 5, terms: []string{"(+ a (+ b (+ c (+ d e))))"},
		rules: "comm: (+ ?a ?b) => (+ ?b ?a)\nassoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)"},
	{name: "saturates", iterations: 20, terms: []string{"(+ a (+ b c))"},
		rules: "comm: (+ ?a ?b) => (+ ?b ?a)\nassoc: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)"},
	{name: "idle", iterations: 9, terms: []string{"(f a)"}, rules: "idle: (f ?x) => (f ?x)"},
	{name: "nothing matches", iterations: 9, terms: []string{"a", "(f a)"}, rules: "never: (g ?x) => ?x"},
	{name: "division", iterations: 9, terms: []string{"(/ (* a 2) 2)"},
		rules: "assoc: (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))\ncancel: (/ ?x ?x) => 1\none: (* ?x 1) => ?x\nshift: (* ?x " +
			"2) => (<< ?x 1)"},
	{name: "several patterns", iterations: 6, terms: []string{"(edge a b)", "(edge b c)", "(edge c d)", "(edge d a)"},
		rules: "step: (edge ?a ?b), (edge ?b ?c) => (path ?a ?c)\nlonger: (path ?a ?b), (edge ?b ?c) => (path ?a ?c)"},
	{name: "two patterns of one class", iterations: 4, terms: []string{"(f a)", "(h b)", "(f c)", "(h d)"},
		unions: [][2]int{{0, 1}, {2, 3}},
		rules:  "two: ?x = (f ?a), ?x = (h ?b) => ?a = ?b"},
	{name: "all classes", iterations: 3, terms: []string{"(f a b)", "c"},
		rules: "zero: ?a => (+ ?a 0)\nnought: (+ ?a 0) => ?a"},
	{name: "ground terms", iterations: 4, terms: []string{"(f (g 1) x)", "(f y (g 1))", "(g (g 1))"},
		rules: "left: (f (g 1) ?x) => (h ?x (g (g (g 1))))\nright: (f ?x (g 1)) => (h (k 7 8) ?x)\nclass: (g (g 1)), ?x " +
			"= (g 1) => ?x = (only one)\nwhole: (g 1) => (g 2)"},
	{name: "wide rows", iterations: 4, terms: []string{"(t a b c)", "(t a a b)", "(q a b a b)", "(v a b c d e)",
		"(v a a a a a)", "(w (t a b c) (t a b c) x y z u a)"},
		rules: `turn: (t ?a ?b ?c) => (t ?b ?c ?a)
			same: (t ?a ?a ?b) => (q ?a ?b ?a ?b)
			back: (q ?a ?b ?a ?b) => (t ?b ?b ?a)
			five: (v ?a ?b ?c ?d ?e) => (w ?e ?d ?c ?b ?a ?a ?b)
			equal: (v ?a ?a ?a ?a ?a) => ?a
			inner: (w (t ?a ?b ?c) ?t ?x ?y ?z ?u ?a) => (v ?t ?x ?y ?z ?u)
			ground: (t ?a b ?c) => (q (t 1 2 3) ?a 4 ?c)`},
	{name: "congruence far up", iterations: 3, terms: []string{"(f (f (f (f (f (f (f (f a))))))))",
		"(f (f (f (f (f (f (f (f b))))))))", "(eq a b)"},
		rules: "eq: (eq ?a ?b) => ?a = ?b"},
	{name: "conditions on nothing", iterations: 5, terms: []string{"(let x (+ x y) (+ x x))", "(if true a b)",
		"(if (= a b) c d)"},
		rules: `if-true: (if true ?then ?else) => ?then
			eq-comm: (= ?a ?b) => (= ?b ?a)
			let-add: (let ?v ?e (+ ?a ?b)) => (+ (let ?v ?e ?a) (let ?v ?e ?b))
			let-if: (let ?v ?e (if ?c ?t ?f)) => (if (let ?v ?e ?c) (let ?v ?e ?t) (let ?v ?e ?f))
			add-comm: (+ ?a ?b) => (+ ?b ?a)`},
}

func (c *saturationCase) graph(t testing.TB) (*egraph.EGraph, []egraph.ID) {
	g := egraph.New()
	var ids []egraph.ID
	for _, s := range c.terms {
		ids = append(ids, g.MustAdd(s))
	}
	for _, u := range c.unions {
		if _, err := g.Union(ids[u[0]], ids[u[1]]); err != nil {
			t.Fatal(err)
		}
	}
	g.Rebuild()
	return g, ids
}

// runBoth runs the case on the host and on the engine, and compares all that does not depend on the
// order of rows.
func (c *saturationCase) runBoth(t *testing.T, e *Engine, options ...egraph.RunOption) *egraph.Report {
	t.Helper()
	rules := egraph.MustParseRules(c.rules)
	options = append(options, egraph.Iterations(c.iterations))
	host, _ := c.graph(t)
	before := len(host.ClassIDs())
	want := host.Run(rules, append(options, egraph.OnHost(), egraph.FullSearch())...)
	g, _ := c.graph(t)
	got := g.Run(rules, append(options, egraph.On(e))...)
	sameRuns(t, host, g, want, got, before)
	return got
}

func sameRuns(t *testing.T, host, g *egraph.EGraph, want, got *egraph.Report, ids int) {
	t.Helper()
	if want.Err != nil || got.Err != nil {
		t.Fatal(want.Err, got.Err)
	}
	if want.Stop != got.Stop || len(want.Iterations) != len(got.Iterations) {
		t.Fatalf("on the device %v\non the host %v", got, want)
	}
	for i, w := range want.Iterations {
		if d := got.Iterations[i]; d.Matches != w.Matches || d.Nodes != w.Nodes || d.Classes != w.Classes {
			t.Errorf("iteration %d: %d matches, %d nodes in %d classes; on the host %d, %d in %d", i+1, d.Matches, d.Nodes,
				d.Classes, w.Matches, w.Nodes, w.Classes)
		}
	}
	for i, w := range want.Rules {
		if got.Rules[i].Matches != w.Matches {
			t.Errorf("rule %s: %d matches, on the host %d", w.Rule, got.Rules[i].Matches, w.Matches)
		}
	}
	if g.Nodes() != host.Nodes() || g.Classes() != host.Classes() {
		t.Errorf("back on the host: %d nodes in %d classes, not %d in %d", g.Nodes(), g.Classes(), host.Nodes(),
			host.Classes())
	}
	for a := range ids {
		if x, y := g.Find(egraph.ID(a)), host.Find(egraph.ID(a)); x != y {
			t.Errorf("class %d is in %d, on the host in %d", a, x, y)
		}
	}
	if err := g.CheckInvariants(); err != nil {
		t.Error(err)
	}
}

// unconditional gives the rules of a text that a device takes: those without conditions and right
// sides in Go.
func unconditional(text string) string {
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.Contains(line, ":") && !strings.HasPrefix(line, ";"):
			kept = append(kept, line)
		case strings.TrimSpace(line) != "" && len(kept) > 0: // a rule goes on
			kept[len(kept)-1] += line
		}
	}
	return strings.Join(slices.DeleteFunc(kept, func(rule string) bool {
		return strings.Contains(rule, " if (") ||
			strings.Contains(rule, "@")
	}), "\n")
}

func TestSaturateLikeHost(t *testing.T) {
	dev := open(t)
	for _, c := range saturationCases {
		t.Run(c.name, func(t *testing.T) { c.runBoth(t, New(dev)) })
	}
	for _, c := range []saturationCase{
		{name: "egg's math", rules: "egg_math.rules", iterations: 4,
			terms: []string{"(d x (* (+ x 1) (sin x)))", "(i (* x (cos x)) x)", "(pow (+ a b) 2)", "(- (* a b) (/ a b))"}},
		{name: "egg's lambda", rules: "egg_lambda.rules", iterations: 6,
			terms: []string{"(app (lam x (+ 4 (app (lam y (var y)) 4))) 3)",
				"(fix f (lam n (if (= (var n) 0) 1 (app (var f) (+ (var n) -1)))))",
				"(let x (= a b) (if (var x) (lam x (var x)) c))"}},
	} {
		c.rules = unconditional(readFile(t, "../testdata/"+c.rules))
		t.Run(c.name, func(t *testing.T) { c.runBoth(t, New(dev)) })
	}
	math := saturationCase{name: "math", terms: strings.Split(strings.TrimSpace(readFile(t, "../testdata/math.terms")),
		"\n"), rules: readFile(t, "../testdata/math.rules"), iterations: 7}
	t.Run(math.name, func(t *testing.T) { math.runBoth(t, New(dev)) })
}

// From capacities that hold next to nothing everything grows, and the counts stay the same.
func TestSaturateGrows(t *testing.T) {
	dev := open(t)
	for _, small := range []capacities{{rows: 1, ids: 1, buckets: 1, tasks: 1, records: 1}, {rows: 70, ids: 80,
		buckets: 1000, tasks: 3, records: 2}, {rows: 5000, ids: 100, buckets: 4}} {
		for _, c := range saturationCases {
			t.Run(fmt.Sprint(small.rows, " ", c.name), func(t *testing.T) { c.runBoth(t, &Engine{dev: dev, start: small}) })
		}
	}
}

// A limit ends an iteration in its midst, with a graph that is closed.
func TestSaturateNodeLimit(t *testing.T) {
	g, rules := mathGraph(t)
	r := g.Run(rules, egraph.On(New(open(t))), egraph.MaxNodes(1000))
	if r.Err != nil || r.Stop != egraph.NodeLimit {
		t.Fatal(r)
	}
	if err := g.CheckInvariants(); err != nil {
		t.Error(err)
	}
	if n := len(r.Iterations); n != 6 || r.Nodes > 1001 {
		t.Errorf("%d iterations, %d nodes", n, r.Nodes)
	}
	if r := g.Run(rules, egraph.Iterations(1), egraph.MaxNodes(1<<20)); r.Err != nil || r.Stop != egraph.IterationLimit {
		t.Errorf("a further run on the host: %v", r)
	}
}

// There and back again with enough rows for several threads, and for the host's parallel index:
// every row is as it was.
func TestSaturateComesBack(t *testing.T) {
	dev := open(t)
	rules := egraph.MustParseRules("rare: (f1 (f1 (f1 (f1 ?x)))) => ?x")
	host, unions := randomGraph(t, 300, 70_000, 5)
	g, _ := randomGraph(t, 300, 70_000, 5)
	for _, x := range []*egraph.EGraph{host, g} {
		if err := x.UnionAll(unions, "test"); err != nil {
			t.Fatal(err)
		}
	}
	before := len(host.ClassIDs())
	sameRuns(t, host, g, host.Run(rules, egraph.Iterations(1), egraph.OnHost(), egraph.FullSearch()), g.Run(rules,
		egraph.Iterations(1), egraph.On(New(dev))), before)
	for _, id := range host.ClassIDs() {
		for _, n := range host.NodesOf(id) {
			kids := make([]egraph.ID, n.Arity())
			for i := range kids {
				kids[i] = n.Child(i)
			}
			if n.IsLeaf() {
				continue
			}
			if there, ok := g.LookupNode(n.Op(), kids...); !ok || there != g.Find(n.Class()) {
				t.Fatalf("%v of class %d came back in %d: %v", n, n.Class(), there, ok)
			}
		}
	}
}

// An interrupt is heard between iterations, and leaves a closed graph.
func TestSaturateInterrupted(t *testing.T) {
	dev := open(t)
	g, rules := mathGraph(t)
	first := g.Run(rules, egraph.On(New(dev)), egraph.Iterations(1)) // how long it takes to be there
	if g, _ = mathGraph(t); first.Err != nil {
		t.Fatal(first)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond+2*first.Offload.Upload)
	defer cancel()
	r := g.RunContext(ctx, rules, egraph.On(New(dev)), egraph.Iterations(13), egraph.MaxNodes(50_000))
	if r.Err != nil || dev.Emulated() && r.Stop != egraph.Interrupted || len(r.Iterations) == 0 {
		t.Error(r)
	}
	if err := g.CheckInvariants(); err != nil {
		t.Error(err)
	}
}

// hasty is a context that is cancelled when it is asked for the n-th time.
type hasty struct {
	context.Context
	n int
}

func (c *hasty) Err() error {
	if c.n--; c.n < 0 {
		return context.Canceled
	}
	return nil
}

// impatient is an engine whose jobs are interrupted when they ask for the n-th time.
type impatient struct {
	*Engine
	n int
}

func (e impatient) Saturate(j *accel.Job) (*accel.Outcome, error) {
	j.Context = &hasty{context.Background(), e.n}
	return e.Engine.Saturate(j)
}

// Whenever the interrupt comes, also between an iteration that a capacity undid and its second run,
// the graph is closed.
func TestSaturateInterruptedWhileGrowing(t *testing.T) {
	dev := open(t)
	for _, small := range []capacities{{}, {rows: 1, ids: 1, buckets: 1, tasks: 1, records: 1}} {
		for n := 0; ; n++ {
			g, rules := mathGraph(t)
			r := g.Run(rules, egraph.On(impatient{&Engine{dev: dev, start: small}, n}), egraph.Iterations(8))
			if r.Err != nil {
				t.Errorf("%d: %v", n, r)
			}
			if err := g.CheckInvariants(); err != nil {
				t.Errorf("%d: %v", n, err)
			}
			if r.Stop != egraph.Interrupted {
				break
			}
		}
	}
}

// Nothing to match, nothing to match with.
func TestSaturateEmpty(t *testing.T) {
	e := New(open(t))
	for _, c := range []struct {
		terms []string
		rules string
	}{{nil, "r: (f ?a) => ?a"}, {nil, "r: ?a => (f ?a)"}, {[]string{"(f a)", "b"}, ""}} {
		(&saturationCase{terms: c.terms, rules: c.rules, iterations: 3}).runBoth(t, e)
	}
}

// A search that finds nothing stops for its time.
func TestSaturateTimeLimit(t *testing.T) {
	g := egraph.New()
	for i := range int64(3000) {
		leaf, _ := g.AddLeaf(term.Int(i))
		if _, err := g.AddNode("f", leaf); err != nil {
			t.Fatal(err)
		}
	}
	rules := egraph.MustParseRules("cross: (f ?a), (f ?b), (f ?c), (g ?a ?b ?c) => ?a\nnever: (g ?a ?b ?c) => ?a")
	g.MustAdd("(g x (f x) x)")
	start := time.Now()
	r := g.Run(rules, egraph.On(New(open(t))), egraph.MaxTime(300*time.Millisecond))
	if r.Err != nil || r.Stop != egraph.TimeLimit || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", r, time.Since(start))
	}
	if err := g.CheckInvariants(); err != nil {
		t.Error(err)
	}
}

// What only the host can do is refused by name where the device was asked for, and goes to the host
// where not.
func TestSaturateRefuses(t *testing.T) {
	e := New(open(t))
	rules := func(text string, o ...egraph.RuleOption) *egraph.Rules { return egraph.MustParseRules(text, o...) }
	yes := func(*egraph.EGraph, []egraph.ID) bool { return true }
	deep := strings.Repeat("(f ", 17) + "?x" + strings.Repeat(")", 17)
	for _, c := range []struct {
		reason  string
		options []egraph.Option
		rules   *egraph.Rules
		run     []egraph.RunOption
	}{
		{"rule r has a condition", nil, rules("r: (f ?a) => ?a if (p ?a)", egraph.Where("p", yes)), nil},
		{"its scheduler decides", nil, rules("r: (f ?a) => ?a"), []egraph.RunOption{egraph.WithScheduler(egraph.Backoff(9,
			9))}},
		{"proofs", []egraph.Option{egraph.WithProofs()}, rules("r: (f ?a) => ?a"), nil},
		{"its goal", nil, rules("r: (f ?a) => ?a"),
			[]egraph.RunOption{egraph.Until(func(*egraph.EGraph) bool { return false })}},
		{"takes 17 steps", nil, rules("r: " + deep + " => ?x"), nil},
		{"a child of its own class", nil, rules("r: ?t = (f ?t) => ?t"), nil},
		{"MaxBytes", nil, rules("r: (f ?a) => ?a"), []egraph.RunOption{egraph.MaxBytes(1 << 30)}},
	} {
		g := egraph.New(c.options...)
		g.MustAdd("(f (f x))")
		r := g.Run(c.rules, append(c.run, egraph.On(e))...)
		var unfit *accel.UnfitError
		if !errors.As(r.Err, &unfit) || !strings.Contains(unfit.Reason, c.reason) {
			t.Errorf("%s: %v", c.reason, r.Err)
		}
		r = g.Run(c.rules, append(c.run, egraph.Auto(e, 1))...)
		if r.Err != nil || r.Where != "host" || !strings.Contains(r.Why, c.reason) {
			t.Errorf("%s: %s because %s, %v", c.reason, r.Where, r.Why, r.Err)
		}
	}
}

// A run that is let go to the device does so when the graph has grown, and counts as it would have.
func TestSaturateAuto(t *testing.T) {
	g, rules := mathGraph(t)
	seen := 0
	r := g.Run(rules, egraph.Auto(New(open(t)), 300), egraph.Iterations(6), egraph.OnIteration(func(i egraph.Iteration) {
		if seen++; i.Number != seen {
			t.Errorf("iteration %d is told as %d", seen, i.Number)
		}
	}))
	if r.Err != nil || len(r.Iterations) != 6 || seen != 6 {
		t.Fatal(r, seen)
	}
	for i, it := range r.Iterations {
		if away := it.Where != "host"; it.Nodes != mathNodes[i] || away != (i >= 4) {
			t.Errorf("iteration %d: %d nodes, on %s", i+1, it.Nodes, it.Where)
		}
	}
	if r.Why == "" || r.Where == "host" || r.Offload.Device == 0 {
		t.Errorf("%+v", r)
	}
}
