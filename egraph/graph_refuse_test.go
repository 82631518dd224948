package egraph

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// What a graph is does not depend on how its rows hash, so hashes may differ by process. // EG20
func TestHashesDecideNothing(t *testing.T) {
	defer func(seed, prime uint64) { hashSeed, hashPrime = seed, prime }(hashSeed, hashPrime)
	var first []byte
	for range 3 {
		g, rules := mathGraph(t)
		g.closing.parallelFrom = 64
		if r := g.Run(rules, Iterations(8)); r.Err != nil {
			t.Fatal(r.Err)
		}
		checked(t, g)
		file := binaryOf(t, g)
		if first == nil {
			first = file
		}
		if !bytes.Equal(file, first) {
			t.Error("other hashes, another graph")
		}
		hashSeed, hashPrime = rand.Uint64(), rand.Uint64()|1
	}
}

// Rows chosen to collide for one seed do not for another. // EG20
func TestCollisionsAreOfOneProcess(t *testing.T) {
	defer func(seed, prime uint64) { hashSeed, hashPrime = seed, prime }(hashSeed, hashPrime)
	const buckets = 1 << 10
	var rows [][2]uint32
	for a := uint32(0); len(rows) < 2000; a++ {
		for b := range uint32(1 << 10) {
			if place(hash2(a, b), buckets) == 0 {
				rows = append(rows, [2]uint32{a, b})
			}
		}
	}
	hashSeed, hashPrime = rand.Uint64(), rand.Uint64()|1
	counts, most := map[uint64]int{}, 0
	for _, r := range rows {
		at := place(hash2(r[0], r[1]), buckets)
		counts[at]++
		most = max(most, counts[at])
	}
	if most > 40 {
		t.Errorf("%d of %d rows are still in one of %d buckets", most, len(rows), buckets)
	}
}

// A search whose visit rebuilds the graph is refused, one that adds and unites is not. // EG21
func TestSearchWhoseVisitChangesTheGraph(t *testing.T) {
	grown := func() (*EGraph, ID) {
		g := New()
		root := g.MustAdd(sumOf(7, "x"))
		g.Run(MustParseRules(acRules), Iterations(8))
		return g, root
	}
	g, root := grown()
	err := g.Search("(+ ?a ?b)", root, func(v map[string]ID) bool {
		union(t, g, v["?a"], v["?b"])
		g.Rebuild()
		return true
	})
	var gone *StaleError
	if !errors.As(err, &gone) {
		t.Error(err)
	}
	checked(t, g)
	g, root = grown()
	seen := 0
	if err := g.Search("(+ ?a ?b)", root, func(v map[string]ID) bool {
		union(t, g, v["?a"], v["?b"])
		g.MustAdd("(new node)")
		seen++
		return true
	}); err != nil || seen < 20 {
		t.Errorf("%v after %d matches", err, seen)
	}
	g.Rebuild()
	checked(t, g)
}

// What a bulk refers to may be gone after Pop. // EG22
func TestBulkAfterPop(t *testing.T) {
	g := New()
	b := g.Bulk()
	g.Push()
	leaf, err := b.Leaf(term.Symbol("gone"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Node("h", leaf); err != nil {
		t.Fatal(err)
	}
	g.Pop()
	var gone *StaleError
	if err := b.Flush(); !errors.As(err, &gone) {
		t.Error(err)
	}
	checked(t, g)
}

// An analysis that panics is told wherever it is called, and the other rows have their values. // EG23
func TestAnalysisThatPanics(t *testing.T) {
	bad := false
	made := func() *EGraph {
		return New(WithAnalysis(Analysis{Name: "size", Make: func(g *EGraph, n Node) any {
			if bad && n.Op() == "bad" {
				panic("made badly")
			}
			return n.Op()
		}, Merge: func(a, b any) (any, bool, bool) {
			if bad {
				panic("merged badly")
			}
			return a, false, false
		}}))
	}
	var called *CallbackError
	for what, call := range map[string]func(g *EGraph) error{
		"Add":      func(g *EGraph) error { _, err := g.Add("(f bad)"); return err },
		"AddNode":  func(g *EGraph) error { _, err := g.AddNode("bad", 0); return err },
		"AddNodes": func(g *EGraph) error { _, err := g.AddNodes("bad", []ID{0, 1}); return err },
		"Bulk": func(g *EGraph) error {
			b := g.Bulk()
			r, _ := b.Of(0)
			_, _ = b.Node("bad", r)
			return b.Flush()
		},
	} {
		bad = false
		g := made()
		g.MustAdd("(k y)")
		bad = true
		if err := call(g); !errors.As(err, &called) || called.Panic != "made badly" {
			t.Errorf("%s: %v", what, err)
		}
		bad = false
		if id, err := g.Add("(ok y)"); err != nil || g.Value("size", id) != "ok" {
			t.Errorf("%s: afterwards %v, %v", what, g.Value("size", id), err)
		}
		checked(t, g)
	}
	g := New(WithAnalysis(Analysis{Name: "m", Make: func(*EGraph, Node) any { return 0 },
		Merge:  func(a, b any) (any, bool, bool) { return a, false, false },
		Modify: func(*EGraph, ID) { panic("modified badly") }}))
	g.MustAdd("x")
	if err := panicOf(g.Rebuild); !errors.As(err, &called) || called.Panic != "modified badly" {
		t.Errorf("Rebuild: %v", err)
	}
	g.MustAdd("y")
	if _, err := g.NewExtractor(ASTSize); !errors.As(err, &called) {
		t.Errorf("NewExtractor: %v", err)
	}
}

// A graph's options are looked at when it is made. // EG26
func TestOptionsThatCannotBe(t *testing.T) {
	analysis := Analysis{Name: "a", Make: func(*EGraph, Node) any { return 0 },
		Merge: func(a, b any) (any, bool, bool) { return a, false, false }}
	for what, options := range map[string][]Option{
		"wide":     {Operators(map[string]int{"f": maxArity + 1})},
		"below 0":  {Operators(map[string]int{"f": -1})},
		"no name":  {Operators(map[string]int{"": 1})},
		"nil":      {nil},
		"half":     {WithAnalysis(Analysis{Name: "a", Make: analysis.Make})},
		"one name": {WithAnalysis(analysis), WithAnalysis(analysis)},
	} {
		if err := panicOf(func() { New(options...) }); !refusal(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if g := New(Operators(map[string]int{"f": maxArity, "leaf": 0})); len(g.ops) != 1 {
		t.Errorf("%d operators", len(g.ops))
	}
}

// What is nil is refused where it is used, by name.
func TestNilArguments(t *testing.T) {
	g := New()
	g.MustAdd("(f x)")
	rules := MustParseRules("r: (f ?x) => ?x")
	var none context.Context
	for what, r := range map[string]*Report{
		"nil rules":     g.Run(nil),
		"a nil rule":    g.Run(NewRules(nil)),
		"a zero rule":   g.Run(NewRules(&Rule{})),
		"nil option":    g.Run(rules, nil),
		"WithScheduler": g.Run(rules, WithScheduler(nil)),
		"Until":         g.Run(rules, Until(nil)),
		"OnIteration":   g.Run(rules, OnIteration(nil)),
		"RunContext":    g.RunContext(none, rules),
		"On":            g.Run(rules, On(nil)),
		"Do":            g.Run(NewRules(NewRule("d").Match("(f ?x)").Do(nil))),
		"If":            g.Run(NewRules(NewRule("d").Match("(f ?x)").Replace("?x").If(nil))),
		"Where":         g.Run(NewRules(NewRule("d").Match("(f ?x)").Replace("?x").Where(nil, "?x"))),
	} {
		if r.Stop != Failed || !refusal(r.Err) || g.Nodes() != 2 {
			t.Errorf("%s: %s", what, r.Summary())
		}
	}
	for what, options := range map[string][]RuleOption{"no option": {nil}, "no predicate": {Where("p", nil)},
		"no applier": {WithApplier("p", nil)}} {
		text := map[bool]string{true: "r: (f ?x) => @p", false: "r: (f ?x) => ?x if (p ?x)"}[what == "no applier"]
		if _, err := ParseRules(text, options...); !refusal(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	start := time.Now()
	if e := try((&Extractor{}).Best(0)); !refusal(e.Err) || strings.Contains(e.String(), "runtime error") ||
		time.Since(start) > time.Second {
		t.Error(e)
	}
}
