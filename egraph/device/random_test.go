package device

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// randomRules draws rules over operators f1 to f5 of so many children, some with patterns that are a variable.
type randomRules struct{ *rand.Rand }

func (r randomRules) term(depth int, vars []string) string {
	if depth == 0 || r.Intn(4) == 0 {
		if len(vars) > 0 && r.Intn(4) > 0 {
			return vars[r.Intn(len(vars))]
		}
		return string(rune('a' + r.Intn(3)))
	}
	n := 1 + r.Intn(5)
	s := fmt.Sprint("(f", n)
	for range n {
		s += " " + r.term(depth-1, vars)
	}
	return s + ")"
}

func (r randomRules) rule(i int) string {
	vars := []string{"?x", "?y", "?z"}
	left := []string{r.term(2, vars)}
	switch r.Intn(3) {
	case 0:
		left = []string{"?x"}
	case 1:
		left = append(left, "?x")
	}
	var bound []string
	for _, v := range vars {
		if strings.Contains(strings.Join(left, " "), v) {
			bound = append(bound, v)
		}
	}
	return fmt.Sprintf("r%d: %s => %s", i, strings.Join(left, ", "), r.term(2, bound))
}

// sameGraph compares two graphs node by node, whatever the numbers of their classes.
func sameGraph(t *testing.T, host, g *egraph.EGraph) {
	t.Helper()
	there := map[egraph.ID]egraph.ID{}
	for before := -1; before < len(there); {
		before = len(there)
		for _, id := range host.ClassIDs() {
			for _, n := range host.NodesOf(id) {
				at, ok := lookUp(g, n, there)
				if !ok {
					continue
				}
				if other, known := there[id]; known && other != at {
					t.Fatalf("%v of class %d is in %d on the device, and others of the class in %d", n, id, at, other)
				}
				there[id] = at
			}
		}
	}
	if len(there) != host.Classes() {
		t.Errorf("%d of %d classes are there", len(there), host.Classes())
	}
}

func lookUp(g *egraph.EGraph, n egraph.Node, there map[egraph.ID]egraph.ID) (egraph.ID, bool) {
	if n.IsLeaf() {
		id, ok, err := g.Lookup(n.Op())
		return id, ok && err == nil
	}
	kids := make([]egraph.ID, n.Arity())
	for i := range kids {
		k, ok := there[n.Child(i)]
		if !ok {
			return 0, false
		}
		kids[i] = k
	}
	return g.LookupNode(n.Op(), kids...)
}

// Rules with patterns that are a variable see the classes of the graph, not those of the pairs that wide rows are made
// of on the device: whatever the rules, the graph is the host's. // EG2
func TestSaturateBareVariables(t *testing.T) {
	dev := open(t)
	cases := []*saturationCase{{name: "k", terms: []string{"(h a b c)"}, rules: "r: ?x => (k ?x)", iterations: 1}}
	for seed := range int64(25) {
		r := randomRules{rand.New(rand.NewSource(seed))}
		c := &saturationCase{name: fmt.Sprint("seed ", seed), iterations: 1 + r.Intn(3)}
		for i := range 1 + r.Intn(3) {
			c.rules += r.rule(i) + "\n"
		}
		for range 1 + r.Intn(4) {
			c.terms = append(c.terms, r.term(3, nil))
		}
		cases = append(cases, c)
	}
	for _, c := range cases {
		for _, small := range []capacities{{}, {rows: 9, ids: 9, buckets: 9, tasks: 2, records: 2}} {
			t.Run(c.name, func(t *testing.T) {
				rules := egraph.MustParseRules(c.rules)
				const limit = 1500
				iterations := egraph.Iterations(c.iterations)
				host, _ := c.graph(t)
				before := len(host.ClassIDs())
				want := host.Run(rules, iterations, egraph.MaxNodes(limit), egraph.OnHost(), egraph.FullSearch())
				on := egraph.On(&Engine{dev: dev, start: small})
				g, _ := c.graph(t)
				if want.Stop == egraph.NodeLimit { // both are cut where they stand
					got := g.Run(rules, iterations, egraph.MaxNodes(limit), on)
					if err := g.CheckInvariants(); err != nil || got.Stop != egraph.NodeLimit {
						t.Errorf("%v: on the device %v", err, got)
					}
					return
				}
				got := g.Run(rules, iterations, egraph.MaxNodes(10*limit), on) // pairs count there
				var unfit *accel.UnfitError
				if errors.As(got.Err, &unfit) && strings.Contains(unfit.Reason, "steps") {
					return
				}
				if sameRuns(t, host, g, want, got, before); !t.Failed() {
					sameGraph(t, host, g)
				}
				if t.Failed() {
					t.Logf("rules\n%sterms %v", c.rules, c.terms)
				}
			})
		}
	}
}
