package egraph

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A ruleDrawer draws terms, patterns and rules over a, b, c, m/1, g/1 and f/2.
type ruleDrawer struct{ *rand.Rand }

func (r ruleDrawer) term(depth int, leaves ...string) string {
	switch k := r.Intn(6); {
	case depth == 0 || k < 2:
		return leaves[r.Intn(len(leaves))]
	case k < 5:
		return fmt.Sprintf("(%s %s)", []string{"m", "g"}[r.Intn(2)], r.term(depth-1, leaves...))
	}
	return fmt.Sprintf("(f %s %s)", r.term(depth-1, leaves...), r.term(depth-1, leaves...))
}

// rule draws a rule: several patterns or one, some of which are variables, some with a named class,
// and a right side that may be ground and may be equal to a named class.
func (r ruleDrawer) rule(name string) string {
	bound := []string{"a", "c"}
	var left []string
	var named []string
	for range 1 + r.Intn(3)*r.Intn(2) {
		p := r.term(2, "?x", "?y", "a", "c")
		for _, v := range []string{"?x", "?y"} {
			if strings.Contains(p, v) {
				bound = append(bound, v)
			}
		}
		if v := []string{"?x", "?z"}[r.Intn(2)]; r.Intn(5) == 0 && p[0] == '(' {
			p = v + " = " + p
			bound, named = append(bound, v), append(named, v)
		}
		left = append(left, p)
	}
	right := r.term(2, bound...)
	if r.Intn(4) == 0 {
		right = r.term(2, "a", "b", "c")
	}
	if len(named) > 0 && r.Intn(2) == 0 {
		right = named[r.Intn(len(named))] + " = " + right
	}
	return name + ": " + strings.Join(left, ", ") + " => " + right
}

func (r ruleDrawer) set() (*Rules, string) {
	var lines []string
	for i := range 1 + r.Intn(4) {
		lines = append(lines, r.rule(fmt.Sprint("r", i)))
	}
	text := strings.Join(lines, "\n")
	set, err := ParseRules(text)
	if err != nil {
		return nil, text
	}
	return set, text
}

// Whatever rules of patterns make equal has a proof that rests on nothing but these rules. // EG4
func TestExplainHasAllProofs(t *testing.T) {
	sets, proofs, premises := 1500, 0, 0
	if testing.Short() {
		sets = 400
	}
	for seed := range int64(sets) {
		r := ruleDrawer{rand.New(rand.NewSource(seed))}
		rules, text := r.set()
		if rules == nil {
			continue
		}
		g := New(WithProofs())
		var terms []string
		for range 5 {
			terms = append(terms, r.term(3, "a", "b", "c"))
			g.MustAdd(terms[len(terms)-1])
		}
		for range 1 + r.Intn(3) {
			run := g.Run(rules, Iterations(1+r.Intn(2)), MaxNodes(150),
				WithScheduler([]Scheduler{Simple(), Backoff(8, 2)}[r.Intn(2)]))
			if run.Err != nil && !strings.Contains(run.Err.Error(), "both sides of = are bound") {
				t.Fatalf("seed %d: %v\n%s", seed, run.Err, text)
			}
		}
		for _, id := range g.ClassIDs()[:min(12, g.Classes())] {
			if best, err := g.ExtractK(id, 4, ASTSize); err == nil {
				for _, e := range best {
					terms = append(terms, e.Term.String())
				}
			}
		}
		for i, a := range terms {
			for _, b := range terms[:i] {
				if g.MustAdd(a) != g.MustAdd(b) {
					continue
				}
				e, err := g.Explain(a, b)
				if err != nil {
					t.Fatalf("seed %d: %s = %s: %v\n%s", seed, a, b, err, text)
				}
				if err := e.Check(rules, nil); err != nil || e.Start.String() != a || e.End().String() != b {
					t.Fatalf("seed %d: %s = %s: %v\n%s\n%v", seed, a, b, err, text, e)
				}
				proofs++
				for _, s := range e.Steps {
					premises += len(s.Premises)
				}
			}
		}
	}
	if t.Logf("%d proofs, %d premises", proofs, premises); proofs < 10*sets || premises < sets {
		t.Errorf("%d proofs, %d premises of %d sets", proofs, premises, sets)
	}
}

// The two that were found first. // EG4
func TestExplainWhatWasUnitedMeanwhile(t *testing.T) {
	g := New(WithProofs())
	a, b := g.MustAdd("a"), g.MustAdd("(m c)")
	rules := MustParseRules("strip: (m ?x) => ?x\nwrap: ?y => (m (m (m ?y)))\nr: a => (m (m c))")
	g.Run(rules, Iterations(1))
	e, err := g.Explain("a", "(m c)")
	if err != nil || e.Check(rules, nil) != nil || !g.Same(a, b) {
		t.Fatalf("%v, %v", e, err)
	}
}

// The checker refuses proofs whose premises are missing, others', or rest on themselves. // EG4
func TestPremisesAreChecked(t *testing.T) {
	g := New(WithProofs())
	g.MustAdd("(f a b)")
	g.MustAdd("(g b)")
	rules := MustParseRules("named: ?x = (f ?a ?b), (g ?b) => (h ?x ?b)\nback: ?x = (h ?y ?b), ?y = (f ?a ?b) => ?y = " +
		"(k ?x)")
	if r := g.Run(rules, Iterations(3)); r.Err != nil {
		t.Fatal(r.Err)
	}
	e, err := g.Explain("(f a b)", "(h (f a b) b)")
	if err != nil || len(e.Steps) != 1 || len(e.Steps[0].Premises) != 2 || e.Check(rules, nil) != nil {
		t.Fatalf("%v, %v", e, err)
	}
	step := e.Steps[0]
	for what, premises := range map[string][]*Explanation{
		"none":        nil,
		"one":         step.Premises[:1],
		"nil":         {step.Premises[0], nil},
		"another's":   {step.Premises[0], {Start: term.MustParse("(g c)")}},
		"no instance": {step.Premises[0], {Start: term.MustParse("b")}},
		"no class":    {{Start: term.MustParse("(f a c)")}, step.Premises[1]},
	} {
		s := step
		s.Premises = premises
		if err := (&Explanation{Start: e.Start, Steps: []Step{s}}).Check(rules, nil); err == nil {
			t.Errorf("a step with %s is taken", what)
		}
	}
	self := &Explanation{Start: e.Start, Steps: []Step{step}}
	self.Steps[0].Premises = []*Explanation{self, step.Premises[1]}
	if self.Check(rules, nil) == nil {
		t.Error("a proof that rests on itself is taken")
	}
	if !strings.Contains(e.String(), "as there is (g b)") {
		t.Error(e)
	}
}

// What is no explanation is refused by name. // EG24
func TestCheckRefusesWhatIsNone(t *testing.T) {
	rules := MustParseRules("c: a => b")
	a := term.MustParse("a")
	for _, e := range []*Explanation{nil, {}, {Start: a, Steps: []Step{{Rule: "c", Forward: true}}},
		{Start: a, Steps: []Step{{Rule: "c", Path: []int{-1}, Term: a}}},
		{Start: a, Steps: []Step{{Rule: "c", Path: []int{1}, Term: a}}}, {Start: term.Apply("f", nil)}} {
		var bad *ProofError
		if err := e.Check(rules, nil); !errors.As(err, &bad) {
			t.Errorf("%v: %v", e, err)
		}
		if e != nil {
			_, _ = e.String(), e.Table()
		}
	}
	good := &Explanation{Start: a, Steps: []Step{{Rule: "c", Forward: true, Term: term.MustParse("b")}}}
	if good.Check(rules, nil) != nil || good.Check(nil, nil) == nil {
		t.Error("rules that are not there prove something, or those that are do not")
	}
}
