package egraph_test

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

func Example() {
	g := egraph.New(egraph.WithProofs())
	root := g.MustAdd("(/ (* a 2) 2)")
	rules := egraph.MustParseRules(`
		assoc:  (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))
		cancel: (/ ?x ?x) => 1 if (!= ?x 0)
		one:    (* ?x 1) => ?x`)
	report := g.Run(rules, egraph.Iterations(30))
	fmt.Println(report.Stop)
	fmt.Println(g.MustExtract(root, egraph.ASTSize))
	why, err := g.Explain("(/ (* a 2) 2)", "a")
	fmt.Printf("%v%v\n", why, err)
	// Output:
	// saturated
	// a
	//     (/ (* a 2) 2)
	//   = (* a (/ 2 2))    [assoc]
	//   = (* a 1)    [cancel]
	//   = a    [one]
	// <nil>
}

// A rule built in Go, with a condition and a right side in Go.
func ExampleNewRule() {
	g := egraph.New()
	root := g.MustAdd("(pow x 3)")
	unroll := egraph.NewRule("unroll").Match("(pow ?x ?n)").Do(func(g *egraph.EGraph, m *egraph.Match) (egraph.ID, bool) {
		n, _ := m.Class("?n")
		for _, node := range g.NodesOf(n) {
			if v, ok := node.Leaf().Int64(); ok && v > 1 {
				smaller, err := g.AddLeaf(term.Int(v - 1))
				m.Bind("?m", smaller)
				if err != nil {
					return 0, false
				}
				id, err := m.Add("(* ?x (pow ?x ?m))")
				return id, err == nil
			}
		}
		return 0, false
	})
	one := egraph.NewRule("one").Match("(pow ?x 1)").Replace("?x")
	g.Run(egraph.NewRules(unroll, one))
	fmt.Println(g.MustExtract(root, egraph.OpCosts(map[string]float64{"pow": 100})))
	// Output: (* x (* x x))
}

// An analysis that folds constants, exactly.
func ExampleAnalysis() {
	number := func(g *egraph.EGraph, id egraph.ID) (term.Atom, bool) {
		a, ok := g.Value("number", id).(term.Atom)
		return a, ok
	}
	fold := egraph.Analysis{
		Name: "number",
		Make: func(g *egraph.EGraph, n egraph.Node) any {
			if n.IsLeaf() && n.Leaf().IsNumber() {
				return n.Leaf()
			}
			if n.Op() != "/" {
				return nil
			}
			a, okA := number(g, n.Child(0))
			b, okB := number(g, n.Child(1))
			if q, ok := a.Div(b); ok && okA && okB {
				return q
			}
			return nil
		},
		Merge: func(a, b any) (any, bool, bool) {
			if a == nil {
				return b, b != nil, false
			}
			return a, false, b == nil
		},
		Modify: func(g *egraph.EGraph, id egraph.ID) {
			if a, ok := number(g, id); ok {
				if leaf, err := g.AddLeaf(a); err == nil {
					_, _ = g.UnionBecause(id, leaf, "number")
				}
			}
		},
	}
	g := egraph.New(egraph.WithAnalysis(fold))
	root := g.MustAdd("(/ (/ 1 3) (/ 4 x))")
	g.Rebuild()
	fmt.Println(g.MustExtract(root, egraph.ASTSize))
	fmt.Println(g.MustExtract(g.MustAdd("(/ 6 (/ 4 2))"), egraph.ASTSize))
	// Output:
	// (/ 1/3 (/ 4 x))
	// 3
}

func ExampleEGraph_WhyNot() {
	g := egraph.New()
	d, err := g.WhyNot(g.MustAdd("(f (g x) (h 1))"), g.MustAdd("(f (g y) (h 1))"))
	fmt.Println(d, err)
	// Output: (f (g x) (h 1)) = (f (g y) (h 1)) is not known; it would follow from x = y <nil>
}
