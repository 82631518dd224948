package egraph

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// usable reports whether a graph can be used after something ended a run within a rule: it takes unions and rows,
// rebuilds, goes back, and runs.
func usable(t *testing.T, g *EGraph) {
	t.Helper()
	x, y := g.MustAdd("(usable new1)"), g.MustAdd("(usable new2)")
	if _, err := g.Union(g.MustAdd("new1"), g.MustAdd("new2")); err != nil {
		t.Fatal(err)
	}
	if g.Rebuild(); !g.Same(x, y) {
		t.Error("Rebuild did nothing")
	}
	checked(t, g)
	nodes := g.Nodes()
	if g.Push(); len(g.marks) != 1 {
		t.Error("Push did nothing")
	}
	g.MustAdd("(usable new3)")
	if !g.Pop() || g.Nodes() != nodes {
		t.Error("Pop did nothing")
	}
	if r := g.Run(MustParseRules("r: (usable ?x) => (used ?x)")); r.Stop != Saturated {
		t.Error(r)
	}
	checked(t, g)
}

// What a function of a rule does to its goroutine does not stay in the graph. // EG3
func TestRuleFunctionEndsGoroutine(t *testing.T) {
	for name, end := range map[string]func(){"Goexit": runtime.Goexit, "panic": func() { panic("no") }} {
		for _, threads := range []int{1, 4} {
			calls := 0
			now := func() {
				if calls++; calls == 300 {
					end()
				}
			}
			for where, rule := range map[string]*Rule{
				"condition": NewRule("r").Match("(+ ?a ?b)").Replace("(+ ?b ?a)").
					If(func(*EGraph, *Match) bool { now(); return true }),
				"predicate": NewRule("r").Match("(+ ?a ?b)").Replace("(+ ?b ?a)").
					Where(func(*EGraph, []ID) bool { now(); return true }, "?a"),
				"applier": NewRule("r").Match("(+ ?a ?b)").Do(func(_ *EGraph, m *Match) (ID, bool) {
					now()
					id, err := m.Add("(+ ?b ?a)")
					return id, err == nil
				}),
			} {
				for how, scheduler := range map[string]Scheduler{"simple": Simple(), "backoff": Backoff(1<<20, 2)} {
					t.Run(fmt.Sprint(name, where, how, threads), func(t *testing.T) {
						calls = 0
						g, rules := exploding(t, 9)
						before := runtime.NumGoroutine()
						ended := make(chan bool)
						go func() {
							defer close(ended)
							g.Run(NewRules(rule, rules.Rule("assoc")), Threads(threads), WithScheduler(scheduler), crewFromStart, smallTasks)
						}()
						<-ended
						checked(t, g)
						usable(t, g)
						for range 1000 {
							if runtime.NumGoroutine() <= before {
								return
							}
							time.Sleep(10 * time.Millisecond)
						}
						t.Errorf("%d goroutines are left", runtime.NumGoroutine()-before)
					})
				}
			}
		}
	}
}

// Options that nothing can hold are refused. // EG18
func TestOptionsOutOfRange(t *testing.T) {
	for name, o := range map[string]RunOption{
		"Threads(0)": Threads(0), "Threads(-1)": Threads(-1), "Threads(100000)": Threads(100_000),
		"Iterations(-1)": Iterations(-1), "MaxNodes(-1)": MaxNodes(-1), "MaxBytes(-1)": MaxBytes(-1),
		"MaxTime(-1)": MaxTime(-1),
	} {
		g, rules := exploding(t, 5)
		nodes := g.Nodes()
		r := g.Run(rules, o)
		var refused *OptionError
		if !errors.As(r.Err, &refused) || r.Stop != Failed || !strings.Contains(r.Err.Error(), name) || g.Nodes() != nodes {
			t.Errorf("%s: %v", name, r)
		}
		checked(t, g)
	}
	g, rules := exploding(t, 8)
	if r := g.Run(rules, Threads(MostThreads), crewFromStart, smallTasks, Iterations(50)); r.Stop != Saturated {
		t.Error(r)
	}
	checked(t, g)
}

// wide is a right side of so many nodes.
func wide(n int) string {
	s := "?x"
	for i := range n {
		s = fmt.Sprintf("(w%d ?y %s)", i%7, s)
	}
	return s
}

// The limit of nodes holds whatever adds them. // EG12
func TestNodeLimitHolds(t *testing.T) {
	const limit = 5000
	adds := func(g *EGraph, m *Match) (ID, bool) {
		id := m.Root()
		for i := range 1000 {
			next, err := g.AddNode(fmt.Sprint("a", i%9), id, id)
			if err != nil {
				return 0, false
			}
			id = next
		}
		return id, true
	}
	must := func(g *EGraph, m *Match) (ID, bool) {
		id, _ := adds(g, m)
		g.MustAdd(fmt.Sprint("(must ", g.Nodes(), ")"))
		return id, true
	}
	blocks := func(g *EGraph, m *Match) (ID, bool) {
		left, right := make([]ID, 4000), make([]ID, 4000)
		for i := range left {
			left[i], right[i] = ID(i%600), m.Root()
		}
		_, _ = g.AddNodes("block", left, right)
		return 0, false
	}
	yes := func(*EGraph, []ID) bool { return true }
	for name, rules := range map[string]*Rules{
		"wide right side": MustParseRules("r: (f ?x ?y) => " + wide(2000)),
		"applier":         NewRules(NewRule("r").Match("(f ?x ?y)").Do(adds)),
		"panics":          NewRules(NewRule("r").Match("(f ?x ?y)").Do(must)),
		"blocks":          NewRules(NewRule("r").Match("(f ?x ?y)").Do(blocks)),
		"condition":       NewRules(NewRule("r").Match("(f ?x ?y)").Replace("(g ?x)").Where(yes, wide(500))),
	} {
		for how, scheduler := range map[string]Scheduler{"simple": Simple(), "backoff": Backoff(1<<20, 2)} {
			g := New()
			for i := range 200 {
				g.MustAdd(fmt.Sprintf("(f x%d y%d)", i, i))
			}
			r := g.Run(rules, MaxNodes(limit), WithScheduler(scheduler))
			most := limit + blockSize
			if name != "blocks" && how == "simple" {
				most = limit + 1
			}
			if r.Stop != NodeLimit || r.Nodes > most || r.Nodes < limit*9/10 {
				t.Errorf("%s, %s: %d nodes: %v", name, how, r.Nodes, r.Summary())
			}
			checked(t, g)
			usable(t, g)
		}
	}
}

// Neither do analyses pass the limits. // EG12
func TestAnalysisLimits(t *testing.T) {
	endless := Analysis{Name: "endless", Make: func(*EGraph, Node) any { return 0 },
		Merge:  func(a, b any) (any, bool, bool) { return a, false, false },
		Modify: func(g *EGraph, id ID) { _, _ = g.AddNode("more", id) }}
	g := New(WithAnalysis(endless))
	g.MustAdd("a")
	r := g.Run(MustParseRules("r: (f ?x) => ?x"), MaxNodes(10_000), MaxTime(20*time.Second))
	if r.Stop != NodeLimit || !within5(10_000, r.Nodes) {
		t.Error(r)
	}
	slow := endless
	slow.Modify = func(g *EGraph, id ID) { time.Sleep(time.Millisecond); _, _ = g.AddNode("more", id) }
	g = New(WithAnalysis(slow))
	g.MustAdd("a")
	start := time.Now()
	r = g.Run(MustParseRules("r: (f ?x) => ?x"), MaxTime(200*time.Millisecond))
	if r.Stop != TimeLimit || time.Since(start) > 10*time.Second {
		t.Error(r)
	}
}

// The limit of memory counts proofs, and matches that wait for a scheduler. // EG13
func TestMemoryLimitCountsAll(t *testing.T) {
	const limit = 20 << 20
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	g, rules := mathGraph(t, WithProofs())
	r := g.Run(rules, MaxBytes(limit), Iterations(50))
	if used := heap() - before; r.Stop != MemoryLimit || used > limit*3/2 {
		t.Errorf("%d MB in use: %v", used>>20, r.Summary())
	}
	checked(t, g)
	g = New()
	for i := range 3000 {
		g.MustAdd(fmt.Sprintf("(f x%d)", i))
	}
	product := MustParseRules("r: (f ?x), (f ?y), (f ?z) => (g ?x ?y ?z)")
	r = g.Run(product, MaxBytes(limit), WithScheduler(Backoff(1<<40, 2)), MaxTime(time.Minute))
	if r.Stop != MemoryLimit || r.Time > 30*time.Second {
		t.Error(r.Summary())
	}
	checked(t, g)
}
