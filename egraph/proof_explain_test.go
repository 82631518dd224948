package egraph

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

func TestExplainFirstExample(t *testing.T) {
	g := New(WithProofs())
	g.MustAdd("(/ (* a 2) 2)")
	rules := MustParseRules(`
		assoc:  (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))
		cancel: (/ ?x ?x) => 1 if (!= ?x 0)
		one:    (* ?x 1) => ?x`)
	g.Run(rules)
	e, err := g.Explain("(/ (* a 2) 2)", "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Check(rules, nil); err != nil {
		t.Error(err)
	}
	if len(e.Steps) != 3 || e.End().String() != "a" {
		t.Errorf("%d steps:\n%v", len(e.Steps), e)
	}
	var not *NotEqualError
	if _, err := g.Explain("a", "2"); !errors.As(err, &not) {
		t.Errorf("a = 2: %v", err)
	}
	if _, err := New().Explain("a", "a"); err == nil {
		t.Error("a graph without proofs explains")
	}
	broken := *e
	broken.Steps = append([]Step(nil), e.Steps...)
	broken.Steps[1].Rule = "one"
	if broken.Check(rules, nil) == nil {
		t.Error("the checker accepts a wrong rule")
	}
}

// Every theorem of egg's tests is run again with proofs, which the independent checker replays.
func TestExplainTheorems(t *testing.T) {
	trust := func(Step) bool { return true }
	for _, suite := range []struct {
		theorems []theorem
		rules    *Rules
		options  func() []Option
	}{
		{mathTheorems, eggMathRules(t), func() []Option { return []Option{WithProofs(), WithAnalysis(foldConstants())} }},
		{lambdaTheorems, eggLambdaRules(t), func() []Option {
			return []Option{WithProofs(), WithAnalysis(freeVariables()), WithAnalysis(lambdaConstants())}
		}},
	} {
		for _, th := range suite.theorems {
			if th.slow || th.unprovable {
				continue
			}
			t.Run(th.name, func(t *testing.T) {
				g := New(suite.options()...)
				_, _ = th.prove(t, g, suite.rules)
				start := term.MustParse(th.start)
				goal, err := term.Parse(th.goals[0])
				if err != nil {
					return // a goal with variables
				}
				e, err := g.ExplainTerms(start, goal)
				if err != nil {
					t.Fatal(err)
				}
				if !sameTerm(e.End(), goal) || !sameTerm(e.Start, start) {
					t.Errorf("proves %s = %s", e.Start, e.End())
				}
				if err := e.Check(suite.rules, trust); err != nil {
					t.Errorf("%v\n%v", err, e)
				}
				t.Logf("%d steps", len(e.Steps))
			})
		}
	}
}

// Random graphs under commutativity and associativity: every pair of equal terms has a proof
// without trust.
func TestExplainRandom(t *testing.T) {
	rules := MustParseRules(`
		comm:  (+ ?a ?b) => (+ ?b ?a)
		assoc: (+ ?a (+ ?b ?c)) <=> (+ (+ ?a ?b) ?c)
		idem:  (+ ?a ?a) => ?a
		wrap:  (f (f ?a)) => ?a`)
	for seed := range int64(15) {
		r := rand.New(rand.NewSource(seed))
		g := New(WithProofs())
		var random func(depth int) string
		random = func(depth int) string {
			switch {
			case depth == 0 || r.Intn(5) == 0:
				return string(rune('a' + r.Intn(3)))
			case r.Intn(4) == 0:
				return fmt.Sprintf("(f %s)", random(depth-1))
			}
			return fmt.Sprintf("(+ %s %s)", random(depth-1), random(depth-1))
		}
		terms := make([]string, 12)
		for i := range terms {
			terms[i] = random(3)
			g.MustAdd(terms[i])
		}
		if rep := g.Run(rules, Iterations(4), MaxNodes(3000)); rep.Err != nil {
			t.Fatal(rep.Err)
		}
		checked(t, g)
		for i, a := range terms {
			for _, b := range terms[:i] {
				if g.MustAdd(a) != g.MustAdd(b) {
					continue
				}
				e, err := g.Explain(a, b)
				if err == nil {
					err = e.Check(rules, nil)
				}
				if err != nil {
					t.Fatalf("seed %d: %s = %s: %v", seed, a, b, err)
				}
			}
		}
	}
}

// Of several ways the shortest is told, whether what makes it short was said first or last.
func TestExplainIsShort(t *testing.T) {
	link := func(g *EGraph, a, b int, reason string) {
		if _, err := g.UnionTerms(term.MustParse(fmt.Sprintf("(f a%d)", a)), term.MustParse(fmt.Sprintf("(f a%d)", b)),
			reason); err != nil {
			t.Fatal(err)
		}
	}
	for _, last := range []bool{false, true} {
		g := New(WithProofs())
		if !last {
			link(g, 0, 10, "direct")
		}
		for i := range 10 {
			link(g, i, i+1, fmt.Sprintf("step %d", i))
		}
		if last {
			link(g, 0, 10, "direct")
			edges := len(g.proofs.edges)
			if link(g, 10, 0, "again"); len(g.proofs.edges) != edges {
				t.Error("what was said already is kept twice")
			}
		}
		for to, want := range map[int]int{10: 1, 9: 2, 2: 2, 5: 5} {
			e, err := g.Explain("(f a0)", fmt.Sprintf("(f a%d)", to))
			if err != nil || len(e.Steps) != want {
				t.Errorf("direct last %v, to a%d: %v, %v, want %d steps", last, to, e, err, want)
				continue
			}
			if err := e.Check(NewRules(), func(Step) bool { return true }); err != nil {
				t.Error(err)
			}
			if table := e.Table(); len(table.Rows) != want+1 {
				t.Errorf("a table of %d rows for %d steps", len(table.Rows), want)
			}
		}
	}
}

func TestExplainUnionTerms(t *testing.T) {
	g := New(WithProofs())
	g.MustAdd("(f (+ 1 2))")
	if _, err := g.UnionTerms(term.MustParse("(+ 1 2)"), term.MustParse("3"), "arithmetic"); err != nil {
		t.Fatal(err)
	}
	g.MustAdd("(f 3)")
	e, err := g.Explain("(f (+ 1 2))", "(f 3)")
	if err != nil || len(e.Steps) != 1 || e.Steps[0].Rule != "arithmetic" || len(e.Steps[0].Path) != 1 {
		t.Fatalf("%v, %v", e, err)
	}
	if e.Check(NewRules(), nil) == nil {
		t.Error("a step on trust passes without trust")
	}
	if err := e.Check(NewRules(), func(s Step) bool { return s.Rule == "arithmetic" }); err != nil {
		t.Error(err)
	}
}
