package egraph

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// freeVariables is the analysis of egg's lambda test that says which variables are free in a class:
// a sorted slice of ids, which is never changed.
func freeVariables() Analysis {
	return Analysis{
		Name: "free",
		Make: func(g *EGraph, n Node) any {
			of := func(i int) []ID { s, _ := g.Value("free", n.Child(i)).([]ID); return s }
			switch op := n.Op(); {
			case op == "var" && n.Arity() == 1:
				return []ID{n.Child(0)}
			case op == "let":
				return joined(without(of(2), n.Child(0)), of(1))
			case op == "lam" || op == "fix":
				return without(of(1), n.Child(0))
			}
			var free []ID
			for i := range n.Arity() {
				free = joined(free, of(i))
			}
			return free
		},
		Merge: func(a, b any) (any, bool, bool) {
			x, y := a.([]ID), b.([]ID)
			if slices.Equal(x, y) {
				return a, false, false
			}
			both := slices.DeleteFunc(slices.Clone(x), func(v ID) bool { _, has := slices.BinarySearch(y, v); return !has })
			return both, len(both) != len(x), len(both) != len(y)
		},
	}
}

// joined is the union of two sorted slices, one of them itself where it holds the other.
func joined(x, y []ID) []ID {
	switch {
	case len(y) == 0 || slices.Equal(x, y):
		return x
	case len(x) == 0:
		return y
	}
	all := append(slices.Clone(x), y...)
	slices.Sort(all)
	return slices.Compact(all)
}

// without is a sorted slice less one element.
func without(x []ID, v ID) []ID {
	if i, has := slices.BinarySearch(x, v); has {
		return slices.Delete(slices.Clone(x), i, i+1)
	}
	return x
}

func lambdaConstants() Analysis {
	value := func(g *EGraph, id ID) (term.Atom, bool) {
		a, ok := g.Value("constant", id).(term.Atom)
		return a, ok
	}
	return Analysis{
		Name: "constant",
		Make: func(g *EGraph, n Node) any {
			if n.IsLeaf() {
				if a := n.Leaf(); a.IsNumber() || a == term.Symbol("true") || a == term.Symbol("false") {
					return a
				}
				return nil
			}
			if n.Arity() != 2 {
				return nil
			}
			a, okA := value(g, n.Child(0))
			b, okB := value(g, n.Child(1))
			if !okA || !okB {
				return nil
			}
			switch n.Op() {
			case "+":
				if sum, ok := a.Add(b); ok {
					return sum
				}
			case "=":
				return term.Symbol(fmt.Sprint(a == b))
			}
			return nil
		},
		Merge: mergeConstants,
		Modify: func(g *EGraph, id ID) {
			if c, ok := value(g, id); ok {
				leaf, _ := g.AddLeaf(c)
				g.UnionBecause(id, leaf, "constant folding")
			}
		},
	}
}

// captureAvoid substitutes under a binder, which it renames where the substituted term has it free.
func captureAvoid(g *EGraph, m *Match) (ID, bool) {
	e, _ := m.Class("?e")
	v2, _ := m.Class("?v2")
	free, _ := g.Value("free", e).([]ID)
	isFree := slices.ContainsFunc(free, func(v ID) bool { return g.Same(v, v2) })
	pattern := "(lam ?v2 (let ?v1 ?e ?body))"
	if isFree {
		fresh, err := g.AddLeaf(term.Symbol(fmt.Sprintf("_%d", m.Root())))
		if err != nil {
			return 0, false
		}
		m.Bind("?fresh", fresh)
		pattern = "(lam ?fresh (let ?v1 ?e (let ?v2 (var ?fresh) ?body)))"
	}
	id, err := m.Add(pattern)
	return id, err == nil
}

func eggLambdaRules(t testing.TB) *Rules {
	rules, err := ParseRules(readFile(t, "testdata/egg_lambda.rules"),
		Where("is-const", func(g *EGraph, c []ID) bool { _, ok := g.Value("constant", c[0]).(term.Atom); return ok }),
		WithApplier("capture-avoid", captureAvoid))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

const (
	compose = "(let compose (lam f (lam g (lam x (app (var f) (app (var g) (var x)))))) "
	addOne  = "(let add1 (lam y (+ (var y) 1)) "
)

var lambdaTheorems = []theorem{
	{name: "under", start: "(lam x (+ 4 (app (lam y (var y)) 4)))", goals: []string{"(lam x 8)"}},
	{name: "if_elim", start: "(if (= (var a) (var b)) (+ (var a) (var a)) (+ (var a) (var b)))",
		goals: []string{"(+ (var a) (var b))"}},
	{name: "let_simple", start: "(let x 0 (let y 1 (+ (var x) (var y))))", goals: []string{"1"}},
	{name: "capture", start: "(let x 1 (lam x (var x)))", goals: []string{"(lam x 1)"}, unprovable: true},
	{name: "capture_free", start: "(let y (+ (var x) (var x)) (lam x (var y)))",
		goals: []string{"(lam x (+ (var x) (var x)))"}, unprovable: true},
	{name: "closure_not_seven", start: "(let five 5 (let add-five (lam x (+ (var x) (var five))) (let five 6 (app " +
		"(var add-five) 1))))", goals: []string{"7"}, unprovable: true},
	{name: "compose", start: compose + addOne + "(app (app (var compose) (var add1)) (var add1))))",
		goals: []string{"(lam ?x (+ 1 (app (lam ?y (+ 1 (var ?y))) (var ?x))))", "(lam ?x (+ (var ?x) 2))"}},
	{name: "if_simple", start: "(if (= 1 1) 7 9)", goals: []string{"7"}},
	{name: "compose_many", start: compose + addOne +
		"(app (app (var compose) (var add1)) (app (app (var compose) (var add1)) (app (app (var compose) (var add1)) " +
		"(app (app (var compose) (var add1)) (app (app (var compose) (var add1)) (app (app (var compose) (var add1)) " +
		"(var add1)))))))))",
		goals: []string{"(lam ?x (+ (var ?x) 7))"}},
	{name: "function_repeat", start: compose +
		"(let repeat (fix repeat (lam fun (lam n (if (= (var n) 0) (lam i (var i)) (app (app (var compose) (var fun)) " +
		"(app (app (var repeat) (var fun)) (+ (var n) -1))))))) " +
		addOne + "(app (app (var repeat) (var add1)) 2))))",
		goals: []string{"(lam ?x (+ (var ?x) 2))"}, iters: 60, nodes: 150_000, limit: 4_000, slow: true},
	{name: "if", start: "(let zeroone (lam x (if (= (var x) 0) 0 1)) (+ (app (var zeroone) 0) (app (var zeroone) 10)))",
		goals: []string{"1"}},
	{name: "fib", start: "(let fib (fix fib (lam n (if (= (var n) 0) 0 (if (= (var n) 1) 1 (+ (app (var fib) (+ (var " +
		"n) -1)) (app (var fib) (+ (var n) -2))))))) (app (var fib) 4))",
		goals: []string{"3"}, iters: 60, nodes: 500_000, slow: true},
}

func TestEggLambda(t *testing.T) {
	rules := eggLambdaRules(t)
	for _, th := range inEggsOrder(lambdaTheorems) {
		t.Run(th.name, func(t *testing.T) {
			if th.slow && testing.Short() {
				t.Skip("left out by -short")
			}
			r, _ := th.prove(t, New(WithAnalysis(freeVariables()), WithAnalysis(lambdaConstants())), rules)
			t.Log(r.Summary())
		})
	}
}
